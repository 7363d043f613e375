-- When matches are lost on time, and when a server was last seen to serve.

-- When the match is lost on time if nobody acts; NULL while no time runs. Written with the head.
ALTER TABLE matches ADD COLUMN deadline INTEGER CHECK (deadline IS NULL OR state = 'active');

-- The next ones to be lost on time. Matches without time that runs cost it nothing.
CREATE INDEX matches_by_deadline ON matches (deadline, uid) WHERE deadline IS NOT NULL;

-- What is known of the service as a whole: one row.
CREATE TABLE service (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    last_beat INTEGER NOT NULL -- milliseconds since the beginning of 1970, UTC
) STRICT;
