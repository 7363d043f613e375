//! `chaquete`: matches from the command line.
//!
//! Exit codes: 0 done, also when nobody reads the output to its end; 1 a replay came out differently,
//! records were refused, or a log is not in order; 2 not done.
// These panic when the output is closed or full: `out` does not.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod audit;
mod convert;
mod dice;
mod export;
mod failure;
mod file;
mod format;
mod import;
mod inputs;
mod list;
mod logs;
mod new;
mod out;
mod outputs;
mod perft;
mod progress;
mod replay;
mod report;
mod show;
mod token;
mod watch;

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use chaquete_client::{Client, ClientBuilder, RetryPolicy};
use clap::Parser as _;

use args::{Args, Command, Server};
use failure::Failure;

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Args::try_parse() {
        Ok(args) => run(args).await,
        Err(said) => out::usage(&said),
    };
    match done {
        Ok(code) => code,
        Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(failure) => {
            out::complain(format_args!("chaquete: {failure}"));
            ExitCode::from(2)
        }
    }
}

async fn run(args: Args) -> Result<ExitCode, Failure> {
    let server = &args.server;
    match args.command {
        Command::Show(show) => show::run(server, &show).await,
        Command::Watch(watch) => watch::run(server, &watch).await,
        Command::New(new) => new::run(server, &new).await,
        Command::List(list) => list::run(server, &list).await,
        Command::Import(import) => import::run(server, &import).await,
        Command::Export(export) => export::run(server, &export).await,
        Command::Convert(convert) => convert::run(&convert),
        Command::Audit(audit) => audit::run(server, &audit).await,
        Command::Dice(dice) => dice::run(server, &dice).await,
        Command::Token(token) => token::run(server, &token).await,
        Command::Perft(perft) => perft::run(&perft),
        Command::Replay(replay) => replay::run(server, replay).await,
    }
}

/// Connects, after finding out quickly whether there is a server at all.
async fn connect(server: &Server, retry: RetryPolicy) -> Result<Client, Failure> {
    let unreachable = |error| Failure::connecting(&server.server, error);
    let brief = RetryPolicy { patience: Duration::from_secs(2), ..RetryPolicy::default() };
    let first = builder(server)?.retry(brief).connect().await.map_err(unreachable)?;
    drop(first);
    // Where there is patience for a server that has gone, there is as much for one that is slow.
    let deadline = retry.patience.max(Duration::from_secs(10));
    builder(server)?.retry(retry).call_deadline(deadline).connect().await.map_err(unreachable)
}

/// A client that shows what it was told to show.
fn builder(server: &Server) -> Result<ClientBuilder, Failure> {
    let mut builder = Client::builder(&server.server);
    let token = match &server.token_file {
        Some(path) => Some(file::text(path)?),
        None => env::var("CHAQUETE_TOKEN").ok(),
    };
    if let Some(token) = token.as_deref().map(str::trim).filter(|token| !token.is_empty()) {
        builder = builder.token(token);
    }
    if let Some(path) = &server.ca {
        builder = builder.authorities(file::text(path)?);
    }
    if let (Some(cert), Some(key)) = (&server.cert, &server.key) {
        builder = builder.identity(file::text(cert)?, file::text(key)?);
    }
    Ok(builder)
}
