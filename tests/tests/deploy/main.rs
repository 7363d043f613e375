//! What is in `deploy/`, run for real where the programs that it needs are installed; `tests/run deploy` installs them.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod backup;
mod container;
mod edge;
mod manifests;
mod walk;

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use chaquete_tests::project;

/// A program on the PATH; without it the test is skipped, and says so, unless all must be there.
fn program_or_say(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    if found.is_none() {
        assert!(env::var_os("CHAQUETE_REQUIRE_DEPLOY").is_none(), "{name} is not installed");
        eprintln!("SKIPPED: {name} is not installed");
    }
    found
}

/// A file of `deploy/`.
fn deployed(path: &str) -> PathBuf {
    project().join("deploy").join(path)
}

/// Runs a program to its end, in order.
fn run(program: impl AsRef<OsStr>, arguments: &[&str]) -> String {
    let output = Command::new(program.as_ref()).args(arguments).output().unwrap();
    text(program.as_ref(), &output)
}

fn text(program: &OsStr, output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {error}", Path::new(program).display());
    String::from_utf8(output.stdout.clone()).unwrap()
}
