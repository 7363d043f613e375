//! The steps that lead to the tables of today.

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

/// A step: its number, its name, its statements.
type Step = (i64, &'static str, &'static str);

/// Every step.
const STEPS: &[Step] = &[
    (1, "matches", include_str!("../../../../migrations/sqlite/0001_matches.sql")),
    (2, "deadlines", include_str!("../../../../migrations/sqlite/0002_deadlines.sql")),
];

/// All steps, to be applied to a database that may have taken some of them.
pub(super) fn migrator() -> Migrator {
    migrator_of(STEPS)
}

fn migrator_of(steps: &[Step]) -> Migrator {
    let step = |&(number, name, sql): &Step| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(steps.iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions;

    use super::*;
    use crate::{
        name::MatchName,
        store::sqlite::{lists, read},
    };

    #[test]
    fn every_file_is_a_step() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations/sqlite");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let steps: Vec<_> = STEPS.iter().map(|(number, name, _)| format!("{number:04}_{name}.sql")).collect();
        assert_eq!(files, steps);
    }

    /// A store that an older server has left, with a match in it, takes the later steps.
    #[tokio::test]
    async fn what_older_servers_left_is_kept() {
        let first = "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, \
                     labels, annotations, revision, hash, state, create_time, update_time, end_time) \
                     VALUES (55, zeroblob(16), 't', 'm', '', '', '{}', '{}', 1, zeroblob(32), 'active', 4, 5, NULL)";
        let mut connection = super::super::connect::options().filename(":memory:").connect().await.unwrap();
        migrator_of(&STEPS[..1]).run(&mut connection).await.unwrap();
        sqlx::query(first).execute(&mut connection).await.unwrap();
        migrator().run(&mut connection).await.unwrap();
        let name = MatchName { tenant: "t".to_owned(), id: "m".to_owned() };
        let kept = read::find(&mut connection, name).await.unwrap().unwrap();
        assert_eq!((kept.head.update_time, kept.head.deadline), (5, None));
        assert_eq!(lists::running(&mut connection, None, 10).await.unwrap(), []);
        assert_eq!(read::last_beat(&mut connection).await.unwrap(), None);
    }

    #[test]
    fn no_statement_selects_everything() {
        assert!(STEPS.iter().all(|(_, _, sql)| !sql.contains('*')));
    }
}
