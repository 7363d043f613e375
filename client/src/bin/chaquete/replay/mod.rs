//! `chaquete replay`.

mod files;
mod tell;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use chaquete_client::Client;
use chaquete_client::replay::{self, Finding, Plan, Played, RunId, Summary};
use tokio::sync::mpsc;

use crate::args::{Replay, Server};
use crate::failure::Failure;
use crate::out;
use files::Source;
use tell::Teller;

pub(crate) async fn run(server: &Server, args: Replay) -> Result<ExitCode, Failure> {
    let sources = files::read(&args.files)?;
    let client = if args.dry_run { None } else { Some(crate::connect(server, args.retry()).await?) };
    let run = args.run.unwrap_or_else(RunId::random);
    let teller = Arc::new(Teller::new(sources.len(), args.ack_log.as_ref())?);
    if client.is_some() {
        teller.line(&format!("run {run}: interrupted, it goes on with --run {run}"));
    }
    let job = Job {
        client,
        tenant: server.tenant.0.clone(),
        run: run.clone(),
        queue: Arc::new(Mutex::new(sources.into())),
        teller: Arc::clone(&teller),
    };
    let summary = sum(job, args.jobs.get(), args.oddities).await;
    teller.finish();
    out::figures(tell::table(&summary, &run))?;
    Ok(if summary.interrupted > 0 || !teller.log_is_whole() {
        ExitCode::from(2)
    } else if summary.is_clean() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// What became of one record.
struct Outcome {
    path: PathBuf,
    plan: Result<Plan, Finding>,
    played: Played,
}

/// One of the jobs that share the records.
#[derive(Clone)]
struct Job {
    /// None in a dry run.
    client: Option<Client>,
    tenant: String,
    run: RunId,
    queue: Arc<Mutex<VecDeque<Source>>>,
    teller: Arc<Teller>,
}

/// Does all records in a number of jobs, and adds up what comes of them.
async fn sum(job: Job, jobs: usize, list_oddities: bool) -> Summary {
    let teller = Arc::clone(&job.teller);
    let (send, mut outcomes) = mpsc::channel(jobs);
    for _ in 0..jobs {
        tokio::spawn(job.clone().work(send.clone()));
    }
    drop((send, job));
    let mut summary = Summary::default();
    while let Some(outcome) = outcomes.recv().await {
        tell(&teller, &outcome, list_oddities);
        match &outcome.plan {
            Ok(plan) => summary.add_plan(plan),
            Err(finding) => summary.add_findings(std::slice::from_ref(finding)),
        }
        summary.add_played(&outcome.played);
        teller.done();
    }
    summary
}

impl Job {
    async fn work(self, outcomes: mpsc::Sender<Outcome>) {
        while let Some(source) = self.next() {
            let plan = Plan::in_tenant(&self.tenant, &source.content, &self.run, source.copy);
            let played = match (&plan, &self.client) {
                (Ok(plan), Some(client)) => {
                    replay::play(client, plan, &|ack: &_| self.teller.acknowledged(ack)).await
                }
                _ => Played::default(),
            };
            let gone = played.interrupted.is_some();
            if outcomes.send(Outcome { path: source.path, plan, played }).await.is_err() || gone {
                break;
            }
        }
    }

    fn next(&self) -> Option<Source> {
        self.queue.lock().ok()?.pop_front()
    }
}

fn tell(teller: &Teller, outcome: &Outcome, list_oddities: bool) {
    let path = &outcome.path;
    match &outcome.plan {
        Ok(plan) => {
            for oddity in plan.oddities.iter().filter(|_| list_oddities) {
                let kind = oddity.kind;
                teller.line(&format!("{}:{}: {kind} [{}]", path.display(), oddity.line, kind.code()));
            }
            for finding in &plan.findings {
                teller.finding(path, finding);
            }
        }
        Err(finding) => teller.finding(path, finding),
    }
    for finding in &outcome.played.findings {
        teller.finding(path, finding);
    }
    if let Some(error) = &outcome.played.interrupted {
        teller.line(&format!("{}: interrupted: {error}", path.display()));
    }
}
