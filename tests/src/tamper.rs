//! Changes to a store that no server has made.

use std::{path::Path, process::Command};

/// Lets SQLite's own shell change what is in this file behind the server's back; whether there is such a shell.
///
/// # Panics
/// It does not do as it is told.
pub fn tamper(store: &Path, sql: &str) -> bool {
    // Whatever could lie on a disk, whoever else has the file open.
    let sql = format!("PRAGMA ignore_check_constraints = ON; PRAGMA busy_timeout = 5000; {sql}");
    let Ok(output) = Command::new("sqlite3").arg(store).arg(sql).output() else {
        eprintln!("SKIPPED: there is no sqlite3 on this machine");
        return false;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}
