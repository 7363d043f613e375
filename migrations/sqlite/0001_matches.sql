-- Matches and their logs, as the embedded store keeps them.
--
-- A migration that was released is never edited: the store compares what it applied with what it knows.
-- Every key begins with `bucket`, the first byte of the SHA-256 of the match's uid, so that this layout and
-- that of a sharded engine are the same, and one match always lies in one place.

-- Marks the file as one of ours ("CHQT"), so that the server never touches another program's database.
PRAGMA application_id = 0x43485154;

CREATE TABLE matches (
    bucket           INTEGER NOT NULL CHECK (bucket BETWEEN 0 AND 255),
    uid              BLOB    NOT NULL CHECK (length(uid) = 16),
    tenant           TEXT    NOT NULL,
    match_id         TEXT    NOT NULL,

    -- What is kept beside the log because it may be changed or erased: names of people, facts of the caller.
    display_name_one TEXT    NOT NULL,
    display_name_two TEXT    NOT NULL,
    labels           TEXT    NOT NULL, -- a JSON object of strings
    annotations      TEXT    NOT NULL, -- a JSON object of strings
    seed             BLOB    CHECK (length(seed) = 32),

    -- The end of the log and what lists need of it: written in the transaction that writes the events, and
    -- the place where two writers of one match meet (UPDATE ... WHERE revision = what the writer has seen).
    revision         INTEGER NOT NULL CHECK (revision >= 1),
    hash             BLOB    NOT NULL CHECK (length(hash) = 32),
    state            TEXT    NOT NULL CHECK (state IN ('active', 'completed', 'cancelled')),
    create_time      INTEGER NOT NULL, -- all times: milliseconds since the beginning of 1970, UTC
    update_time      INTEGER NOT NULL,
    end_time         INTEGER,

    PRIMARY KEY (bucket, uid),
    -- Exactly the matches that have ended have an end.
    CHECK ((state = 'active') = (end_time IS NULL))
) STRICT, WITHOUT ROWID; -- always found by its whole key: a rowid would be a second tree to walk

-- The name of a match is its own within the tenant, whatever the bucket.
CREATE UNIQUE INDEX matches_by_name ON matches (tenant, match_id);

-- Lists, of one tenant and of all. The name breaks ties, so a page can begin after any match.
CREATE INDEX matches_by_tenant_create_time ON matches (tenant, create_time, match_id);
CREATE INDEX matches_by_create_time ON matches (create_time, tenant, match_id);

-- Only matches that have ended are in lists by end, so running ones cost these indexes nothing.
CREATE INDEX matches_by_tenant_end_time ON matches (tenant, end_time, match_id) WHERE end_time IS NOT NULL;
CREATE INDEX matches_by_end_time ON matches (end_time, tenant, match_id) WHERE end_time IS NOT NULL;

CREATE TABLE events (
    bucket     INTEGER NOT NULL,
    uid        BLOB    NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision >= 1),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    request_id BLOB    CHECK (length(request_id) = 16),
    event      TEXT    NOT NULL, -- the exact bytes that `hash` covers; ASCII, so an operator can read them

    PRIMARY KEY (bucket, uid, revision),
    FOREIGN KEY (bucket, uid) REFERENCES matches (bucket, uid)
) STRICT, WITHOUT ROWID; -- the events of a match lie together and in order: a log is read in one go

-- One call causes one command: if all else fails, a repeat is refused here. Few events have a request_id (the
-- first of each command that has one), hence partial.
CREATE UNIQUE INDEX events_by_request_id ON events (bucket, uid, request_id) WHERE request_id IS NOT NULL;
