//! What a replay tells: its progress, what went wrong, and the table at the end.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chaquete_client::replay::{Acknowledged, Finding, RunId, Summary};
use comfy_table::{CellAlignment, Table};

use crate::failure::Failure;
use crate::progress::Progress;

/// Progress on a terminal, and the log of acknowledged actions.
pub(super) struct Teller {
    progress: Progress,
    acknowledged: AtomicUsize,
    log: Option<Mutex<File>>,
    /// Whether a line of the log could not be written.
    log_is_broken: AtomicBool,
}

impl Teller {
    pub(super) fn new(matches: usize, log: Option<&PathBuf>) -> Result<Self, Failure> {
        let log = log.map(|path| open(path)).transpose()?;
        let progress = Progress::through(matches, "matches");
        let (acknowledged, log_is_broken) = (AtomicUsize::new(0), AtomicBool::new(false));
        Ok(Self { progress, acknowledged, log: log.map(Mutex::new), log_is_broken })
    }

    /// An action was acknowledged. One write a line: whatever happens next, the log has whole lines.
    pub(super) fn acknowledged(&self, ack: &Acknowledged) {
        let count = self.acknowledged.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(64) {
            self.progress.message(format!("{count} actions acknowledged"));
        }
        let Some(log) = &self.log else { return };
        let Acknowledged { match_name, request_id, first_revision, last_revision } = ack;
        let line = format!("{match_name} {request_id} {first_revision} {last_revision}\n");
        let written = log.lock().map(|mut file| file.write_all(line.as_bytes()));
        // Told once: what fails for one action mostly fails for all.
        if !matches!(written, Ok(Ok(()))) && !self.log_is_broken.swap(true, Ordering::Relaxed) {
            self.line("the log of acknowledged actions cannot be written");
        }
    }

    /// One more match is done.
    pub(super) fn done(&self) {
        self.progress.done();
    }

    pub(super) fn finding(&self, path: &Path, finding: &Finding) {
        let Finding { line, column, fault } = finding;
        self.line(&format!("{}:{line}:{column}: {fault} [{}]", path.display(), fault.rule()));
    }

    pub(super) fn line(&self, line: &str) {
        self.progress.complain(line);
    }

    /// Whether the log, if there is one, has every acknowledged action.
    pub(super) fn log_is_whole(&self) -> bool {
        !self.log_is_broken.load(Ordering::Relaxed)
    }

    pub(super) fn finish(&self) {
        self.progress.finish();
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.map_err(|error| Failure::File { path: path.to_owned(), error })
}

/// The figures of a run, for people.
pub(super) fn table(summary: &Summary, run: &RunId) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let Summary { planned, played, .. } = summary;
    let of = |name: &str, played: usize, planned: usize| {
        [name.to_owned(), played.to_string(), format!("of {planned}")]
    };
    table.add_row(of("matches", played.matches, planned.matches));
    table.add_row(of("games", played.games, planned.games));
    table.add_row(of("actions", played.actions + summary.found, planned.actions));
    let mut row = |name: &str, count: usize| {
        table.add_row([name.to_owned(), count.to_string()]);
    };
    if summary.found > 0 {
        row("  of an interrupted run", summary.found);
    }
    row("oddities", summary.oddities.values().sum());
    for (kind, count) in &summary.oddities {
        row(&format!("  {kind}"), *count);
    }
    row("refusals and mismatches", summary.faults.values().sum());
    for (rule, count) in &summary.faults {
        row(&format!("  {rule}"), *count);
    }
    if summary.interrupted > 0 {
        row("matches interrupted", summary.interrupted);
    }
    if let Some(counts) = table.column_mut(1) {
        counts.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{table}\n");
    let _ = write!(text, "acknowledged {} actions", played.actions);
    if summary.found > 0 {
        let _ = write!(text, ", {} were there before", summary.found);
    }
    let _ = writeln!(text, " (run {run})");
    text
}
