//! Steps that lead to the tables of today, as every engine takes them.

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

/// A step: its number, its name, its statements.
pub(super) type Step = (i64, &'static str, &'static str);

/// Steps to be applied to a database that may have taken some of them.
pub(super) fn migrator_of(steps: &[Step]) -> Migrator {
    let step = |&(number, name, sql): &Step| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(steps.iter().map(step).collect())
}

/// Checks that the files of a folder of `migrations/` are these steps, and that none selects everything.
#[cfg(test)]
pub(super) fn are_the_files_of(folder: &str, steps: &[Step]) {
    let folder = format!("{}/../migrations/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let names: Vec<_> = steps.iter().map(|(number, name, _)| format!("{number:04}_{name}.sql")).collect();
    assert_eq!(files, names);
    assert!(steps.iter().all(|(_, _, sql)| !sql.contains("SELECT *")));
}
