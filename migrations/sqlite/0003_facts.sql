-- What lists look for. All of it follows from the log and can be made again from it; matches of before are given
-- what their logs say here, and what else there is when they move on.

ALTER TABLE matches ADD COLUMN subject_one TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN subject_two TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN points INTEGER CHECK (points >= 1); -- NULL: a money session
ALTER TABLE matches ADD COLUMN variant TEXT NOT NULL DEFAULT 'standard';
ALTER TABLE matches ADD COLUMN imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1));

-- What a running match waits for, if it is not for a player to act.
ALTER TABLE matches ADD COLUMN waiting TEXT CHECK (waiting IS NULL OR state = 'active' AND waiting IN ('pending', 'paused'));
ALTER TABLE matches ADD COLUMN seat_to_act INTEGER CHECK (seat_to_act IN (1, 2));
ALTER TABLE matches ADD COLUMN winner INTEGER CHECK (winner IN (1, 2));
ALTER TABLE matches ADD COLUMN reason TEXT; -- why the match has ended

UPDATE matches
SET subject_one = coalesce(event ->> '$.one', ''), subject_two = coalesce(event ->> '$.two', ''),
    points = event ->> '$.points', variant = coalesce(event ->> '$.variant', 'standard')
FROM events
WHERE events.bucket = matches.bucket AND events.uid = matches.uid AND events.revision = 1 AND json_valid(event);

UPDATE matches
SET winner = nullif(event ->> '$.winner', 0), reason = event ->> '$.reason'
FROM events
WHERE events.bucket = matches.bucket AND events.uid = matches.uid AND events.revision = matches.revision
    AND matches.state <> 'active' AND json_valid(event);
