-- Matches that have ended are packed: a log whose events were written between those of other matches is scattered over
-- as many pages as it has events; packed it is one row.

CREATE TABLE archive (
    bucket   smallint NOT NULL,
    uid      uuid     NOT NULL,
    revision integer  NOT NULL CHECK (revision >= 1), -- number of the last event in it
    log      bytea    NOT NULL, -- zstd of events 1 to `revision`, one a line, without links of dice that follow from others

    PRIMARY KEY (bucket, uid)
);
-- It is compressed already.
ALTER TABLE archive ALTER COLUMN log SET STORAGE EXTERNAL;

-- Whether all events are in the archive. A match that has ended and moves on (its labels change) has rows again, until
-- it is packed once more.
ALTER TABLE matches ADD COLUMN archived boolean NOT NULL DEFAULT false CHECK (NOT archived OR state <> 'active');
CREATE INDEX matches_to_archive ON matches (end_time) WHERE end_time IS NOT NULL AND NOT archived;

-- Packs a log: the only way in which events are ever deleted. Whoever may call it has read the events; if the match has
-- moved on since, or somebody else has packed it, nothing happens.
CREATE FUNCTION archive_match(of_bucket smallint, of_uid uuid, last_revision integer, packed bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = chaquete, pg_temp AS $$
BEGIN
    PERFORM 1 FROM matches
    WHERE bucket = of_bucket AND uid = of_uid AND revision = last_revision AND end_time IS NOT NULL AND NOT archived
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO archive AS packed_before (bucket, uid, revision, log)
    VALUES (of_bucket, of_uid, last_revision, packed)
    ON CONFLICT (bucket, uid) DO UPDATE SET revision = excluded.revision, log = excluded.log;
    DELETE FROM events WHERE bucket = of_bucket AND uid = of_uid AND revision <= last_revision;
    UPDATE matches SET archived = true WHERE bucket = of_bucket AND uid = of_uid;
    RETURN true;
END
$$;
REVOKE ALL ON FUNCTION archive_match(smallint, uuid, integer, bytea) FROM public;
