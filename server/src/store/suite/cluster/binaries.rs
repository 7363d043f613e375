//! Where Postgres is installed.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder with the server's programs: as the environment says, as `pg_config` on the PATH says, or the newest
/// of Debian's.
pub(super) fn binaries() -> Option<PathBuf> {
    let said = env::var_os("CHAQUETE_PG_BIN").filter(|value| !value.is_empty());
    match said {
        Some(said) => Some(PathBuf::from(said)),
        None => configured().into_iter().chain(newest()).find(|folder| folder.join("initdb").exists()),
    }
}

fn configured() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(folder.trim()))
}

/// The newest version that Debian's packages have put here. They hide the programs from the PATH.
fn newest() -> Option<PathBuf> {
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let folders = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|entry| entry.path());
    folders
        .filter(|path| path.join("bin/initdb").exists())
        .max_by_key(|path| version(path))
        .map(|path| path.join("bin"))
}
