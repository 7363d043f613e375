//! A position in every form.

use std::fmt::Write as _;
use std::process::ExitCode;

use chaquete_record::{FibsBoard, GamePosition, SnowiePosition};
use chaquete_rules::BySeat;

use crate::failure::Failure;
use crate::out;

pub(super) fn run(text: &str, checkers: u8) -> Result<ExitCode, Failure> {
    let position = GamePosition::from_any(text, checkers)?;
    let mut lines = String::new();
    for (form, written) in forms(&position) {
        let written = written.unwrap_or_else(|why| format!("- ({why})"));
        let _ = writeln!(lines, "{form:<13}{written}");
    }
    out::text(lines)?;
    Ok(ExitCode::SUCCESS)
}

/// The position in all forms, or why one cannot say it. The players are called as in an XGID.
fn forms(position: &GamePosition) -> [(&'static str, Result<String, String>); 6] {
    let names = || BySeat::new("X".to_owned(), "O".to_owned());
    let fibs = FibsBoard { names: names(), position: *position };
    let snowie = SnowiePosition { names: names(), position: *position };
    [
        ("Position ID", Ok(position.position_id().to_string())),
        ("GNU ID", position.gnu_id().map_err(|error| error.to_string())),
        ("XGID", Ok(position.xgid().to_string())),
        ("OGID", position.ogid().map_err(|error| error.to_string())),
        ("FIBS", fibs.encode().map_err(|error| error.to_string())),
        ("Snowie", snowie.encode().map_err(|error| error.to_string())),
    ]
}
