//! The steps that lead to the tables of today, and whether a database has taken them.

use std::collections::BTreeMap;

use sqlx::{
    Connection as _, PgConnection, Row as _,
    migrate::{MigrateError, Migrator},
};

use crate::store::{
    OpenError,
    migrations::{Step, migrator_of},
};

/// Where all tables lie.
pub(super) const SCHEMA: &str = "chaquete";

/// Every step.
const STEPS: &[Step] = &[
    (1, "matches", include_str!("../../../../migrations/postgres/0001_matches.sql")),
    (2, "archive", include_str!("../../../../migrations/postgres/0002_archive.sql")),
    (3, "roles", include_str!("../../../../migrations/postgres/0003_roles.sql")),
    (4, "checkpoints", include_str!("../../../../migrations/postgres/0004_checkpoints.sql")),
    (5, "credentials", include_str!("../../../../migrations/postgres/0005_credentials.sql")),
];

/// Lets one job after the other take steps: whoever waits finds them taken. However long that is; only tables must
/// be had soon.
const MY_TURN: &str = "\
SET LOCAL lock_timeout = 0;
SELECT pg_advisory_xact_lock(hashtextextended('chaquete-server migrate', 0));
SET LOCAL lock_timeout TO DEFAULT";

/// Takes the steps that the database has not taken, all of them in one transaction.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), OpenError> {
    let engine = |error: sqlx::Error| OpenError::Engine(error.to_string());
    let mut transaction = connection.begin().await.map_err(engine)?;
    sqlx::raw_sql(MY_TURN).execute(&mut *transaction).await.map_err(engine)?;
    migrator().run(&mut *transaction).await.map_err(|error| match error {
        MigrateError::VersionMissing(version) => OpenError::TooNew { version },
        error => OpenError::Engine(error.to_string()),
    })?;
    transaction.commit().await.map_err(engine)
}

fn migrator() -> Migrator {
    let mut migrator = migrator_of(STEPS);
    migrator.create_schema(SCHEMA);
    // A session lock would outlive a pooler's idea of a session.
    migrator.set_locking(false);
    migrator
}

/// Checks that a database has taken every step, and the same ones. Steps of a newer server are none of our
/// business: they only add, until the last older server is gone.
pub(super) async fn check(connection: &mut PgConnection) -> Result<(), OpenError> {
    let engine = |error: sqlx::Error| OpenError::Engine(error.to_string());
    let exists = sqlx::query_scalar::<_, bool>("SELECT to_regclass('_sqlx_migrations') IS NOT NULL");
    let mut taken = BTreeMap::new();
    if exists.fetch_one(&mut *connection).await.map_err(engine)? {
        let sql = "SELECT version, checksum FROM _sqlx_migrations WHERE success";
        for row in sqlx::query(sql).fetch_all(connection).await.map_err(engine)? {
            let version: i64 = row.try_get("version").map_err(engine)?;
            taken.insert(version, row.try_get::<Vec<u8>, _>("checksum").map_err(engine)?);
        }
    }
    for step in migrator().iter() {
        match taken.get(&step.version) {
            None => return Err(OpenError::Pending { version: step.version }),
            Some(checksum) if *checksum != *step.checksum => {
                return Err(OpenError::Engine(format!(
                    "migration {} was applied with other statements than this server knows",
                    step.version
                )));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::migrations::are_the_files_of;

    #[test]
    fn every_file_is_a_step() {
        are_the_files_of("postgres", STEPS);
    }
}
