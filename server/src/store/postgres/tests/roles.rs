//! What the roles may do, and what not.

use super::database;
use crate::store::{open, suite};

/// A role that logs in and has what a group has.
pub(super) const LOGINS: &str = "DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'test_app') THEN
        CREATE ROLE test_app LOGIN; GRANT chaquete_app TO test_app;
        CREATE ROLE test_auditor LOGIN; GRANT chaquete_auditor TO test_auditor;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$";

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_needs_no_more_than_its_role() {
    let Some(database) = database().await else { return };
    database.execute(LOGINS).await.unwrap();
    let url = database.url().replace("postgres@", "test_app@");
    suite::run(true, async || open(&url).await.unwrap()).await;
}

#[tokio::test]
async fn a_log_only_grows_and_auditors_see_no_secret() {
    let Some(database) = database().await else { return };
    database.execute(LOGINS).await.unwrap();
    let store = open(database.url()).await.unwrap();
    suite::fixture::stored_match(&*store).await;
    store.close().await;
    for (role, sql, is_allowed) in [
        ("app", "SELECT seed FROM matches", true),
        ("app", "UPDATE events SET event = ''", false),
        ("app", "UPDATE events SET hash = hash", false),
        ("app", "DELETE FROM events", false),
        ("app", "TRUNCATE events", false),
        ("app", "DELETE FROM matches", false),
        ("app", "DELETE FROM archive", false),
        ("app", "UPDATE archive SET log = ''", false),
        ("app", "INSERT INTO archive VALUES (0, gen_random_uuid(), 1, '')", false),
        ("app", "ALTER TABLE events ADD COLUMN extra integer", false),
        ("app", "SELECT archive_match(0::smallint, gen_random_uuid(), 1, '')", true),
        ("app", "UPDATE leaves SET revision = 1", false),
        ("app", "DELETE FROM leaves", false),
        ("app", "UPDATE key_leaves SET data = ''", false),
        ("app", "DELETE FROM tiles", false),
        ("app", "DELETE FROM checkpoint", false),
        ("app", "UPDATE service_keys SET scopes = 'write'", false),
        ("app", "UPDATE service_keys SET revoke_time = 1", true),
        ("app", "DELETE FROM service_keys", false),
        ("app", "DELETE FROM token_revocations", false),
        ("auditor", "SELECT tenant, scopes, revoke_time FROM service_keys", true),
        ("auditor", "SELECT hash FROM service_keys", false),
        ("auditor", "INSERT INTO token_revocations VALUES ('a', 'b', 1)", false),
        ("auditor", "SELECT note FROM checkpoint", true),
        ("auditor", "SELECT hashes, uid, data FROM tiles, leaves, key_leaves", true),
        ("auditor", "UPDATE checkpoint SET size = 0", false),
        ("auditor", "SELECT event, hash FROM events", true),
        ("auditor", "SELECT uid, hash, labels FROM matches", true),
        ("auditor", "SELECT log FROM archive", true),
        ("auditor", "SELECT seed FROM matches", false),
        ("auditor", "SELECT display_name_one FROM matches", false),
        ("auditor", "INSERT INTO service VALUES (1, 0)", false),
        ("auditor", "UPDATE matches SET revision = 1", false),
        ("auditor", "SELECT archive_match(0::smallint, gen_random_uuid(), 1, '')", false),
    ] {
        let sql = format!("SET ROLE test_{role}; SET search_path = chaquete; {sql}");
        let done = database.execute(&sql).await;
        let denied = done.as_ref().err().and_then(|error| error.as_database_error()?.code());
        assert_eq!(denied.as_deref(), (!is_allowed).then_some("42501"), "{sql}: {done:?}");
    }
}
