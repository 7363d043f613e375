//! The steps that lead to the tables of today.

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

/// Every step: its number, its name, its statements.
const STEPS: &[(i64, &str, &str)] =
    &[(1, "matches", include_str!("../../../../migrations/sqlite/0001_matches.sql"))];

/// All steps, to be applied to a database that may have taken some of them.
pub(super) fn migrator() -> Migrator {
    let step = |&(number, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn no_statement_selects_everything() {
        assert!(STEPS.iter().all(|(_, _, sql)| !sql.contains('*')));
    }
}
