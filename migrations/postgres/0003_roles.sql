-- Who may do what. The role that runs migrations owns the tables; a server needs no more than `chaquete_app`, and whoever
-- audits no more than `chaquete_auditor`: give them to the roles that log in (GRANT chaquete_app TO ...).

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'chaquete_app') THEN
        CREATE ROLE chaquete_app NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'chaquete_auditor') THEN
        CREATE ROLE chaquete_auditor NOLOGIN;
    END IF;
EXCEPTION
    -- Another database of the same cluster was a moment faster: roles are the cluster's.
    WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;

GRANT USAGE ON SCHEMA chaquete TO chaquete_app, chaquete_auditor;

-- A log only grows: no UPDATE, and DELETE only through archive_match.
GRANT SELECT, INSERT ON events TO chaquete_app;
GRANT SELECT, INSERT, UPDATE ON matches, match_players, service TO chaquete_app;
GRANT SELECT ON archive, _sqlx_migrations TO chaquete_app;
GRANT EXECUTE ON FUNCTION archive_match(smallint, uuid, integer, bytea) TO chaquete_app;

-- Everything but what foretells dice (seed) and what is nobody's business (names of people).
GRANT SELECT ON events, archive, match_players, service, _sqlx_migrations TO chaquete_auditor;
GRANT SELECT (bucket, uid, tenant, match_id, revision, hash, state, create_time, update_time, end_time, deadline,
    waiting, seat_to_act, winner, reason, subject_one, subject_two, points, variant, imported, labels, annotations,
    snapshot, archived) ON matches TO chaquete_auditor;
