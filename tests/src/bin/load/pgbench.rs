//! The measure of all: `pgbench` inserting rows like events, one a transaction, by statements prepared once.

use std::{
    error::Error,
    fs,
    process::{Command, Output},
    time::Duration,
};

use chaquete_server::store::suite::cluster::{Cluster, Database};
use uuid::Uuid;

use crate::cpu;

/// How many sessions are tried.
const CLIENTS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Rows as ours: the hash, a request id, and bytes of an event of usual length.
const TABLE: &str = "CREATE TABLE events (
    bucket smallint NOT NULL,
    uid uuid NOT NULL,
    revision int NOT NULL,
    hash bytea NOT NULL,
    request_id uuid,
    event text NOT NULL,
    PRIMARY KEY (bucket, uid, revision)
)";

/// What one run of pgbench did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pgbench {
    /// How many sessions it had.
    pub(crate) clients: u32,
    /// Transactions a second.
    pub(crate) rate: f64,
    /// CPU time of the database for each transaction.
    pub(crate) database_cpu: Duration,
}

/// The best rate over all numbers of sessions; they are tried once, and then only the best of them is.
pub(crate) async fn best(
    cluster: &Cluster,
    seconds: u64,
    known: Option<u32>,
) -> Result<Pgbench, Box<dyn Error>> {
    let mut best: Option<Pgbench> = None;
    for &clients in known.as_ref().map_or(&CLIENTS[..], std::slice::from_ref) {
        cluster.maintenance().execute("CHECKPOINT").await?;
        let database = cluster.empty_database().await?;
        database.execute(TABLE).await?;
        let run = run(cluster, &database, clients, seconds)?;
        eprintln!("pgbench with {clients} sessions: {:.0} transactions a second", run.rate);
        cluster.remove(database).await?;
        best = best.filter(|best| best.rate >= run.rate).or(Some(run));
    }
    best.ok_or_else(|| "pgbench has not run".into())
}

fn run(
    cluster: &Cluster,
    database: &Database,
    clients: u32,
    seconds: u64,
) -> Result<Pgbench, Box<dyn Error>> {
    let script = tempfile::NamedTempFile::new()?;
    fs::write(&script, statements())?;
    let begin = cpu::of_family(cluster.pid()?)?;
    let output = Command::new(cluster.binary("pgbench"))
        .args(["--no-vacuum", "--protocol=prepared", "--define=revision=0"])
        .args([format!("--client={clients}"), format!("--jobs={}", clients.min(2))])
        .args([format!("--time={seconds}"), format!("--file={}", script.path().display())])
        .arg(database.url())
        .output()?;
    let used = cpu::of_family(cluster.pid()?)? - begin;
    let said = read(&output)?;
    let transactions: u32 = number(&said, "number of transactions actually processed: ")?;
    let rate = number(&said, "tps = ")?;
    Ok(Pgbench { clients, rate, database_cpu: used / transactions.max(1) })
}

/// Each session writes one match, event after event. All else is the same in every row: making it is not what is
/// measured.
fn statements() -> String {
    let (hash, event) = ("5a".repeat(32), "x".repeat(250));
    let id = Uuid::from_u128(0x0197_0000_0000_7000_8000_0000_0000_0000);
    format!(
        "\\set revision :revision + 1\n\
         INSERT INTO events (bucket, uid, revision, hash, request_id, event) \
         VALUES (:client_id, '{id}', :revision, '\\x{hash}', '{id}', '{event}');\n"
    )
}

fn read(output: &Output) -> Result<String, Box<dyn Error>> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("pgbench fails: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// The number after a label.
fn number<T: std::str::FromStr>(said: &str, label: &str) -> Result<T, Box<dyn Error>> {
    let number = said.split_once(label).and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("pgbench does not say {label:?}: {said}").into())
}
