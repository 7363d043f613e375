-- The Merkle tree over the logs of all matches: docs/log-format.md says what its leaves are and what is signed.

-- What was signed last: one row, and the place where the tree grows (UPDATE ... WHERE size = what was seen).
CREATE TABLE checkpoint (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    size INTEGER NOT NULL CHECK (size >= 0),
    root BLOB    NOT NULL CHECK (length(root) = 32),
    note TEXT    NOT NULL CHECK ((note = '') = (size = 0)), -- the signed note; nobody signs a tree without leaves
    time INTEGER NOT NULL -- milliseconds since the beginning of 1970, UTC
) STRICT;
INSERT INTO checkpoint (id, size, root, note, time)
VALUES (1, 0, x'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', '', 0);

-- The hashes of the tree, up to 256 in a row: those at 8 * level above the leaves, from 256 * place on. Of each level only
-- the last row ever changes.
CREATE TABLE tiles (
    level  INTEGER NOT NULL CHECK (level BETWEEN 0 AND 7),
    place  INTEGER NOT NULL CHECK (place >= 0),
    hashes BLOB    NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),

    PRIMARY KEY (level, place)
) STRICT;

-- The leaves that say how far a match had come. They outlive their matches: a tree never loses a leaf.
CREATE TABLE leaves (
    bucket   INTEGER NOT NULL,
    uid      BLOB    NOT NULL CHECK (length(uid) = 16),
    revision INTEGER NOT NULL CHECK (revision >= 1),
    hash     BLOB    NOT NULL CHECK (length(hash) = 32),
    place    INTEGER NOT NULL CHECK (place >= 0), -- in the tree, from 0

    PRIMARY KEY (bucket, uid, revision)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX leaves_by_place ON leaves (place);

-- The other leaves: which key signs from there on, as exact bytes.
CREATE TABLE key_leaves (
    place INTEGER PRIMARY KEY CHECK (place >= 0),
    data  BLOB    NOT NULL
) STRICT;
