-- The Merkle tree over the logs of all matches: docs/log-format.md says what its leaves are and what is signed.

-- What was signed last: one row, and the place where servers take turns (UPDATE ... WHERE size = what was seen).
CREATE TABLE checkpoint (
    id   smallint PRIMARY KEY CHECK (id = 1),
    size bigint   NOT NULL CHECK (size >= 0),
    root bytea    NOT NULL CHECK (length(root) = 32),
    note text     NOT NULL CHECK ((note = '') = (size = 0)), -- the signed note; nobody signs a tree without leaves
    time bigint   NOT NULL -- milliseconds since 1970, UTC
) WITH (fillfactor = 10);
INSERT INTO checkpoint (id, size, root, note, time)
VALUES (1, 0, '\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '', 0);

-- The hashes of the tree, up to 256 in a row: those at 8 * level above the leaves, from 256 * place on. Of each level only
-- the last row ever changes.
CREATE TABLE tiles (
    level  smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
    place  bigint   NOT NULL CHECK (place >= 0),
    hashes bytea    NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),

    PRIMARY KEY (level, place)
);
-- Nothing can compress hashes.
ALTER TABLE tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- The leaves that say how far a match had come. They outlive their matches: a tree never loses a leaf. No unique index on
-- `place`, since every unique key begins with `bucket`.
CREATE TABLE leaves (
    bucket   smallint NOT NULL,
    uid      uuid     NOT NULL,
    revision integer  NOT NULL CHECK (revision >= 1),
    hash     bytea    NOT NULL CHECK (length(hash) = 32),
    place    bigint   NOT NULL CHECK (place >= 0), -- in the tree, from 0

    PRIMARY KEY (bucket, uid, revision)
);
CREATE INDEX leaves_by_place ON leaves (place);

-- The other leaves: which key signs from there on, as exact bytes.
CREATE TABLE key_leaves (
    place bigint PRIMARY KEY CHECK (place >= 0),
    data  bytea  NOT NULL
);

-- Leaves are only ever added.
GRANT SELECT, INSERT ON leaves, key_leaves TO chaquete_app;
GRANT SELECT, INSERT, UPDATE ON tiles TO chaquete_app;
GRANT SELECT, UPDATE ON checkpoint TO chaquete_app;
GRANT SELECT ON checkpoint, tiles, leaves, key_leaves TO chaquete_auditor;
