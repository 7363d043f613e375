//! Plays whole matches against a server at full speed and says what that takes, beside what the database could
//! take: `docs/performance.md` tells how to read it.

mod act;
mod cases;
mod cpu;
mod load;
mod measure;
mod meter;
mod options;
mod pgbench;
mod report;
mod stand;
mod table;
mod unary;

use std::{error::Error, process::ExitCode};

use chaquete_server::store::suite::cluster::Cluster;
use clap::Parser;

use crate::{
    load::Load,
    measure::{Measured, measure},
    options::Options,
    report::Round,
    stand::Stand,
};

#[tokio::main]
async fn main() -> ExitCode {
    if cfg!(debug_assertions) {
        eprintln!("this is a debug build: its figures say nothing, take --release");
    }
    match run(&Options::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let cluster = if options.needs_postgres() { Some(Cluster::start(&[]).await?) } else { None };
    let loads = options.loads();
    let mut rounds: Vec<Round> = Vec::new();
    for number in 1..=options.rounds {
        eprintln!("round {number} of {}", options.rounds);
        let clients = rounds.first().and_then(|first| Some(first.pgbench?.clients));
        rounds.push(round(&loads, options, cluster.as_ref(), clients).await?);
    }
    if options.json {
        println!("{:#}", report::json(&loads, &rounds));
    } else {
        print!("{}", report::table(&loads, &rounds));
    }
    let came_to_nothing =
        |(_, measured): &(Load, Measured)| measured.latencies.is_empty() || !measured.failures.is_empty();
    let failed = rounds.iter().flat_map(|round| &round.loads).any(came_to_nothing);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Measures all once. `clients`: with how many sessions pgbench was fastest.
async fn round(
    loads: &[Load],
    options: &Options,
    cluster: Option<&Cluster>,
    clients: Option<u32>,
) -> Result<Round, Box<dyn Error>> {
    let pgbench = match (cluster, options.pgbench_seconds()) {
        (Some(cluster), Some(seconds)) => Some(pgbench::best(cluster, seconds, clients).await?),
        _ => None,
    };
    let mut measured = Vec::new();
    for &load in loads {
        if let Some(cluster) = cluster {
            // What was written before is not to be paid for now.
            cluster.maintenance().execute("CHECKPOINT").await?;
        }
        let stand = Stand::new(load.mode, cluster, &options.server_arg).await?;
        let of_load = measure(load, &stand, options).await?;
        stand.clear().await?;
        eprintln!("{load}: {:.0} actions a second", of_load.rate());
        measured.push((load, of_load));
    }
    Ok(Round { pgbench, loads: measured })
}
