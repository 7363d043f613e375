//! What is in `deploy/`, run for real where the programs that it needs are installed; `tests/run deploy` installs them.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod backup;
mod container;
mod edge;
mod manifests;
mod walk;

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use chaquete_tests::{program_or_say, project};

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
