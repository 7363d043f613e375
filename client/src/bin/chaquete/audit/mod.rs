//! `chaquete audit`: logs are verified here, whatever the server says of them.

mod journal;
mod receipts;
mod report;
mod verdict;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chaquete_client::Client;
use chaquete_client::proto::{ExportMatchesRequest, RecordFormat};
use tokio::task::JoinHandle;

use crate::args::{Audit, Destination, Server};
use crate::failure::Failure;
use crate::format::Format;
use crate::progress::Progress;
use crate::{file, inputs, logs, out};
use journal::{Journal, Kept};
use receipts::Receipts;
use report::Report;
use verdict::Verdict;

pub(crate) async fn run(server: &Server, args: &Audit) -> Result<ExitCode, Failure> {
    let mut kept = args.against.as_deref().map(Kept::read).transpose()?;
    let journal = args.journal.as_deref().map(Journal::open).transpose()?;
    if let (Some(kept), Some(journal)) = (&mut kept, &journal) {
        kept.saw(journal.matches());
    }
    let mut auditing = Auditing {
        jobs: args.jobs(),
        on_their_way: VecDeque::new(),
        progress: Progress::unbounded("matches"),
        report: Report::after(journal.as_ref().map(Journal::before).unwrap_or_default()),
        kept,
        journal,
        receipts: None,
    };
    let done = auditing.all(server, args).await;
    auditing.progress.finish();
    done?;
    if let Some(kept) = auditing.kept.take() {
        // Of some matches nobody can tell which others there should be.
        let is_all = args.all && args.filter.is_empty();
        auditing.report.missing = kept.unseen().filter(|_| is_all).cloned().collect();
    }
    tell(args, &auditing.report)?;
    Ok(if auditing.report.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn tell(args: &Audit, report: &Report) -> Result<(), Failure> {
    match &args.json {
        Some(Destination::StandardOutput) => return out::line(report.json()),
        Some(Destination::File(path)) => file::write(path, format!("{}\n", report.json()).as_bytes())?,
        None => {}
    }
    out::figures(report)
}

/// An audit of many logs.
struct Auditing {
    jobs: usize,
    /// In the order in which they came, each with where a later audit goes on after it.
    on_their_way: VecDeque<(JoinHandle<Verdict>, String)>,
    progress: Progress,
    report: Report,
    kept: Option<Kept>,
    journal: Option<Journal>,
    receipts: Option<Receipts>,
}

impl Auditing {
    async fn all(&mut self, server: &Server, args: &Audit) -> Result<(), Failure> {
        if args.files {
            self.files(&args.what).await?;
        } else {
            let client = crate::connect(server, args.retry()).await?;
            if let Some(key) = &args.verifier_key {
                let kept = args.checkpoint.as_deref();
                self.receipts = Some(Receipts::begin(client.clone(), key, kept).await?);
            }
            if args.all {
                self.store(server, &client, args).await?;
            } else {
                self.matches(server, &client, &args.what).await?;
            }
        }
        while !self.on_their_way.is_empty() {
            self.arrive().await?;
        }
        if let Some(receipts) = &self.receipts {
            self.report.covered = Some(receipts.covered);
            args.checkpoint.as_deref().map_or(Ok(()), |path| receipts.keep(path))?;
        }
        Ok(())
    }

    async fn files(&mut self, paths: &[PathBuf]) -> Result<(), Failure> {
        for path in inputs::files(paths, &[Format::Json])? {
            let name = path.display().to_string();
            if !self.is_done(&name) {
                self.send(name, logs::of_file(&path)?, String::new()).await?;
            }
        }
        Ok(())
    }

    async fn matches(&mut self, server: &Server, client: &Client, names: &[PathBuf]) -> Result<(), Failure> {
        for given in names {
            let name = logs::name(server, Path::new(given))?;
            if !self.is_done(&name) {
                let content = logs::of_match(client, &name).await?;
                self.send(name, content, String::new()).await?;
            }
        }
        Ok(())
    }

    /// All matches, in the order in which they were created.
    async fn store(&mut self, server: &Server, client: &Client, args: &Audit) -> Result<(), Failure> {
        let mut export = client.export_matches(ExportMatchesRequest {
            parent: server.tenant.0.clone(),
            filter: args.filter.clone(),
            format: RecordFormat::Json.into(),
            resume_token: self.journal.as_ref().map(Journal::resume_token).unwrap_or_default(),
        });
        while let Some(record) = export.next().await? {
            let name = record.r#match;
            if record.content.is_empty() {
                let because = record.remarks.join("; ");
                let verdict = async move { Verdict::unreadable(name, &because) };
                self.queue(tokio::spawn(verdict), record.resume_token).await?;
            } else {
                self.send(name, record.content, record.resume_token).await?;
            }
        }
        Ok(())
    }

    fn is_done(&self, name: &str) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.has(name))
    }

    /// Verifies a log, while as many others are verified as was asked for.
    async fn send(&mut self, name: String, content: Vec<u8>, resume_token: String) -> Result<(), Failure> {
        let verdict = tokio::task::spawn_blocking(move || Verdict::of(name, &content));
        self.queue(verdict, resume_token).await
    }

    /// Verdicts are told in the order in which their logs came: an interrupted audit leaves none out.
    async fn queue(&mut self, verdict: JoinHandle<Verdict>, resume_token: String) -> Result<(), Failure> {
        self.on_their_way.push_back((verdict, resume_token));
        if self.on_their_way.len() > self.jobs { self.arrive().await } else { Ok(()) }
    }

    /// Waits for the first of those that are on their way.
    async fn arrive(&mut self) -> Result<(), Failure> {
        let Some((verdict, resume_token)) = self.on_their_way.pop_front() else { return Ok(()) };
        let verdict = verdict.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        self.put(verdict, &resume_token).await
    }

    async fn put(&mut self, mut verdict: Verdict, resume_token: &str) -> Result<(), Failure> {
        if let Some(receipts) = &mut self.receipts {
            receipts.compare(&mut verdict).await?;
        }
        if let Some(kept) = &mut self.kept {
            kept.compare(&mut verdict);
        }
        for line in verdict.complaints() {
            self.progress.complain(line);
        }
        if let Some(journal) = &mut self.journal {
            journal.note(&verdict, resume_token)?;
        }
        self.report.add(&verdict);
        self.progress.done();
        Ok(())
    }
}
