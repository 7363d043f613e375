//! Journals: what was verified, a line of JSON each. An interrupted audit goes on from its own, and a later one is
//! compared with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::verdict::Verdict;
use crate::failure::Failure;

/// A journal that is written.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    sources: BTreeSet<String>,
    matches: BTreeSet<String>,
    before: Before,
    resume_token: String,
}

/// What was noted before this audit went on.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    pub(super) matches: u64,
    /// Those that were not in order.
    pub(super) failed: Vec<String>,
}

impl Journal {
    /// Opens a journal, and goes on after its last whole line.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |error| Failure::File { path: path.to_owned(), error };
        let (mut sources, mut matches) = (BTreeSet::new(), BTreeSet::new());
        let (mut before, mut resume_token) = (Before::default(), String::new());
        let read = match lines(path) {
            Err(Failure::File { error, .. }) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        for line in read {
            before.matches += 1;
            before.failed.extend(text(&line, "source").filter(|_| line["passed"] != true));
            sources.extend(text(&line, "source"));
            matches.extend(text(&line, "match"));
            resume_token = text(&line, "resume_token").unwrap_or(resume_token);
        }
        let mut file = OpenOptions::new().read(true).create(true).append(true).open(path).map_err(failed)?;
        end_the_last_line(&mut file).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, sources, matches, before, resume_token })
    }

    pub(super) fn before(&self) -> Before {
        self.before.clone()
    }

    /// Whether this was verified before.
    pub(super) fn has(&self, name: &str) -> bool {
        self.sources.contains(name)
    }

    /// The matches that were verified before.
    pub(super) const fn matches(&self) -> &BTreeSet<String> {
        &self.matches
    }

    /// Where a stream of all matches goes on.
    pub(super) fn resume_token(&self) -> String {
        self.resume_token.clone()
    }

    pub(super) fn note(&mut self, verdict: &Verdict, resume_token: &str) -> Result<(), Failure> {
        let line = json!({
            "match": verdict.match_name(),
            "source": verdict.name,
            "revision": verdict.report.revision,
            "hash": verdict.report.log_hash.map(|hash| hash.to_string()),
            "passed": verdict.passed(),
            "resume_token": resume_token,
        });
        let failed = |error| Failure::File { path: self.path.clone(), error };
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(failed)
    }
}

/// A line that was cut off stays alone: what is noted next begins a line of its own.
fn end_the_last_line(file: &mut File) -> io::Result<()> {
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last == [b'\n'] { Ok(()) } else { file.write_all(b"\n") }
}

/// All whole lines. The last one may have been cut off when an audit was interrupted.
fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let failed = |error| Failure::File { path: path.to_owned(), error };
    let mut values = Vec::new();
    for line in BufReader::new(File::open(path).map_err(failed)?).lines() {
        let line = line.map_err(failed)?;
        if !line.is_empty() {
            values.extend(serde_json::from_str(&line).ok());
        }
    }
    Ok(values)
}

fn text(line: &Value, key: &str) -> Option<String> {
    line[key].as_str().map(str::to_owned)
}

/// What an earlier audit has found in order.
pub(super) struct Kept {
    ends: BTreeMap<String, (u32, String)>,
    seen: BTreeSet<String>,
}

impl Kept {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let end = |line: Value| {
            let revision = u32::try_from(line["revision"].as_u64()?).ok()?;
            let in_order = line["passed"] == true;
            Some((text(&line, "match")?, (revision, text(&line, "hash")?))).filter(|_| in_order)
        };
        let ends: BTreeMap<_, _> = lines(path)?.into_iter().filter_map(end).collect();
        if ends.is_empty() {
            return Err(Failure::NoJournal { path: path.to_owned() });
        }
        Ok(Self { ends, seen: BTreeSet::new() })
    }

    /// These matches were compared before, in the part of this audit that came before an interruption.
    pub(super) fn saw(&mut self, matches: &BTreeSet<String>) {
        self.seen.extend(matches.iter().cloned());
    }

    /// Says so if a log does not go on from where it was.
    pub(super) fn compare(&mut self, verdict: &mut Verdict) {
        let name = verdict.match_name().to_owned();
        if let Some((revision, hash)) = self.ends.get(&name) {
            let now = verdict.hash_at(*revision).map(|hash| hash.to_string());
            let events = verdict.events();
            match now {
                Some(now) if now == *hash => {}
                Some(_) => verdict.contradict(format!(
                    "event {revision} or one before it is not what it was: its hash was {hash}"
                )),
                None => verdict.contradict(format!("it had {revision} events, and has {events}")),
            }
            self.seen.insert(name);
        }
    }

    /// The matches that were there and were not seen now.
    pub(super) fn unseen(&self) -> impl Iterator<Item = &String> {
        self.ends.keys().filter(|name| !self.seen.contains(*name))
    }
}
