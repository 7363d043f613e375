//! `chaquete import`.

mod log;
mod one;
mod tally;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chaquete_client::proto::{ImportMatchRequest, Player, RecordFormat, Seat};
use chaquete_client::{Client, record_match_id};
use tokio::task::JoinHandle;

use crate::args::{Import, Server};
use crate::failure::Failure;
use crate::format::Format;
use crate::progress::Progress;
use crate::{inputs, new};
use log::Log;
use one::{MAX_BYTES, Outcome};
use tally::Tally;

/// What is looked for in folders.
const READ: &[Format] = &[Format::Mat, Format::Sgf, Format::Json, Format::Oldmoves];

pub(crate) async fn run(server: &Server, args: &Import) -> Result<ExitCode, Failure> {
    // What cannot be meant is told without a server.
    let template = template(server, args)?;
    let files = inputs::files(&args.files, READ)?;
    let client = crate::connect(server, args.retry()).await?;
    let mut import = Importing {
        client,
        template,
        format: args.format,
        on_their_way: VecDeque::new(),
        progress: Progress::through(files.len(), "records"),
        tally: Tally::new(files.len(), args.check),
    };
    let done = import.all(&files, args.jobs.get()).await;
    import.progress.finish();
    import.progress.tell(&import.tally)?;
    done?;
    Ok(import.tally.exit_code())
}

/// What all requests have in common.
fn template(server: &Server, args: &Import) -> Result<ImportMatchRequest, Failure> {
    let mut request = ImportMatchRequest {
        parent: server.tenant.0.clone(),
        validate_only: args.check,
        players: players(args)?,
        ..ImportMatchRequest::default()
    };
    for (key, value) in &args.labels {
        if request.labels.insert(key.clone(), value.clone()).is_some() {
            return Err(Failure::Usage("a label has one value"));
        }
    }
    Ok(request)
}

fn players(args: &Import) -> Result<Vec<Player>, Failure> {
    let subjects = [(Seat::One, &args.player_one), (Seat::Two, &args.player_two)];
    let players =
        subjects.into_iter().filter_map(|(seat, subject)| Some(new::player(seat, subject.as_ref()?)));
    players.collect()
}

/// An import of many records.
struct Importing {
    client: Client,
    template: ImportMatchRequest,
    format: Option<Format>,
    /// In the order of their files.
    on_their_way: VecDeque<(PathBuf, JoinHandle<Outcome>)>,
    progress: Progress,
    tally: Tally,
}

impl Importing {
    /// Imports all files, several at the same time, and tells of them in their order. A failure that has nothing to do
    /// with a record ends it.
    async fn all(&mut self, files: &[PathBuf], jobs: usize) -> Result<(), Failure> {
        for file in files {
            if self.on_their_way.len() == jobs {
                self.arrive().await?;
            }
            self.send(file)?;
        }
        while !self.on_their_way.is_empty() {
            self.arrive().await?;
        }
        Ok(())
    }

    fn send(&mut self, path: &Path) -> Result<(), Failure> {
        let content = inputs::read(path, MAX_BYTES)?;
        let format = self.format.unwrap_or_else(|| Format::of(path, &content));
        let log = Some(&content).filter(|_| format == Format::Json).and_then(|content| Log::of(content));
        let request = ImportMatchRequest {
            match_id: log.as_ref().map_or_else(|| record_match_id(&content), |log| log.match_id.clone()),
            format: RecordFormat::from(format).into(),
            content,
            ..self.template.clone()
        };
        let outcome = tokio::spawn(one::import(self.client.clone(), request, log));
        self.on_their_way.push_back((path.to_owned(), outcome));
        Ok(())
    }

    /// Waits for the first of those that are on their way.
    async fn arrive(&mut self) -> Result<(), Failure> {
        let Some((path, outcome)) = self.on_their_way.pop_front() else { return Ok(()) };
        let outcome = outcome.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        self.tally.add(&outcome);
        self.progress.done();
        self.tell(&path, outcome)
    }

    fn tell(&self, path: &Path, outcome: Outcome) -> Result<(), Failure> {
        for note in outcome.notes() {
            self.progress.complain(note.about(path));
        }
        let path = path.display();
        match outcome {
            Outcome::Imported { name, .. } => self.progress.tell(format_args!("{path}: {name}")),
            Outcome::Sound { .. } => self.progress.tell(format_args!("{path}: can be imported")),
            Outcome::There { what } => self.progress.tell(format_args!("{path}: {what} is already there")),
            Outcome::Refused { .. } => Ok(()),
            Outcome::Failed(error) => Err(Failure::Match { name: path.to_string(), error }),
        }
    }
}
