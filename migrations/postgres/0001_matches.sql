-- Matches and their logs, as Postgres keeps them. Run by `chaquete-server migrate`, in the schema `chaquete`.
--
-- A migration that was released is never edited: the server compares what was applied with what it knows.
-- Every key begins with `bucket`, the first byte of the SHA-256 of the match's name, and every statement of the hot
-- path names one: on a sharded engine a match lies in one place. Names are compared byte by byte, whatever the
-- database's own order of texts.

CREATE TABLE matches (
    bucket           smallint NOT NULL CHECK (bucket BETWEEN 0 AND 255),
    uid              uuid     NOT NULL,
    tenant           text     COLLATE "C" NOT NULL,
    match_id         text     COLLATE "C" NOT NULL,

    -- The end of the log: written in the transaction that writes the events, and the place where two writers of one
    -- match meet (UPDATE ... WHERE revision = what the writer has seen). Times are milliseconds since 1970, UTC.
    revision         integer  NOT NULL CHECK (revision >= 1),
    hash             bytea    NOT NULL CHECK (length(hash) = 32),
    state            text     COLLATE "C" NOT NULL CHECK (state IN ('active', 'completed', 'cancelled')),
    create_time      bigint   NOT NULL,
    update_time      bigint   NOT NULL,
    end_time         bigint,
    deadline         bigint CHECK (deadline IS NULL OR state = 'active'),

    -- What lists look for; it follows from the log.
    waiting          text     COLLATE "C" CHECK (waiting IS NULL OR state = 'active' AND waiting IN ('pending', 'paused')),
    seat_to_act      smallint CHECK (seat_to_act IN (1, 2)),
    winner           smallint CHECK (winner IN (1, 2)),
    reason           text     COLLATE "C",
    subject_one      text     COLLATE "C" NOT NULL,
    subject_two      text     COLLATE "C" NOT NULL,
    points           integer  CHECK (points >= 1), -- NULL: a money session
    variant          text     COLLATE "C" NOT NULL,
    imported         boolean  NOT NULL DEFAULT false,

    -- What is kept beside the log because it may be changed or erased: names of people, facts of the caller.
    display_name_one text     NOT NULL,
    display_name_two text     NOT NULL,
    labels           jsonb    NOT NULL,
    annotations      jsonb    NOT NULL,
    seed             bytea    CHECK (length(seed) = 32),

    -- The match as folded up to one of its last events: what came before need not be read.
    snapshot         text,

    PRIMARY KEY (bucket, uid),
    -- A name lies in one bucket, so this makes it unique.
    UNIQUE (bucket, tenant, match_id),
    -- Exactly the matches that have ended have an end.
    CHECK ((state = 'active') = (end_time IS NULL))
) WITH (fillfactor = 60); -- every turn updates its match in the free part of the same page (HOT)

-- No index below is on anything that changes with every turn, but the deadlines of timed matches.

-- Lists, of one tenant and of all. The name breaks ties, so a page can begin after any match.
CREATE INDEX matches_by_tenant_create_time ON matches (tenant, create_time, match_id);
CREATE INDEX matches_by_create_time ON matches (create_time, tenant, match_id);
CREATE INDEX matches_by_tenant_end_time ON matches (tenant, end_time, match_id) WHERE end_time IS NOT NULL;
CREATE INDEX matches_by_end_time ON matches (end_time, tenant, match_id) WHERE end_time IS NOT NULL;
-- Running matches are few among all that ever were.
CREATE INDEX matches_running ON matches (tenant, create_time, match_id) WHERE state = 'active';
CREATE INDEX matches_by_labels ON matches USING gin (labels jsonb_path_ops);
-- The next ones to be lost on time. Matches without time that runs cost it nothing.
CREATE INDEX matches_by_deadline ON matches (deadline, uid) WHERE deadline IS NOT NULL;

-- Who plays: one row a subject, so a match against oneself is there once.
CREATE TABLE match_players (
    bucket      smallint NOT NULL,
    uid         uuid     NOT NULL,
    subject     text     COLLATE "C" NOT NULL,
    tenant      text     COLLATE "C" NOT NULL,
    match_id    text     COLLATE "C" NOT NULL,
    create_time bigint   NOT NULL,
    end_time    bigint,

    PRIMARY KEY (bucket, uid, subject)
);
CREATE INDEX match_players_by_create_time ON match_players (tenant, subject, create_time, match_id);
CREATE INDEX match_players_by_end_time ON match_players (tenant, subject, end_time, match_id) WHERE end_time IS NOT NULL;
-- The few matches that a player is in: "my turn" goes through these.
CREATE INDEX match_players_running ON match_players (tenant, subject, create_time, match_id) WHERE end_time IS NULL;

-- No foreign key: events are only ever written in the statement that has moved their match.
CREATE TABLE events (
    bucket     smallint NOT NULL,
    uid        uuid     NOT NULL,
    revision   integer  NOT NULL CHECK (revision >= 1),
    hash       bytea    NOT NULL CHECK (length(hash) = 32),
    request_id uuid,
    event      text     NOT NULL, -- the exact bytes that `hash` covers; ASCII, so an operator can read them

    PRIMARY KEY (bucket, uid, revision)
);
-- One call causes one command: if all else fails, a repeat is refused here. Few events have a request_id (the
-- first of each command that has one), hence partial.
CREATE UNIQUE INDEX events_by_request_id ON events (bucket, uid, request_id) WHERE request_id IS NOT NULL;

-- What is known of the service as a whole: one row.
CREATE TABLE service (
    id        smallint PRIMARY KEY CHECK (id = 1),
    last_beat bigint   NOT NULL -- milliseconds since 1970, UTC
) WITH (fillfactor = 10);
