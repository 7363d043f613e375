//! The server that is measured, as a process of its own, with what it keeps its matches in.

use std::{error::Error, io, time::Duration};

use chaquete_server::{
    checkpoint::LogKeys,
    dice::DiceKeys,
    store::{
        migrate,
        suite::cluster::{Cluster, Database},
    },
};
use chaquete_tests::ServerProcess;
use tempfile::TempDir;

use crate::{cpu, load::Mode};

/// A server on a new, empty store.
pub(crate) struct Stand<'a> {
    server: ServerProcess,
    /// With the store, if that is a file, and the secret of the dice.
    _folder: TempDir,
    database: Option<(&'a Cluster, Database)>,
}

/// CPU time so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cpu {
    /// Of the server.
    pub(crate) server: Duration,
    /// Of all processes of the database, if there is one beside the server.
    pub(crate) database: Option<Duration>,
    /// Of this process.
    pub(crate) client: Duration,
}

impl<'a> Stand<'a> {
    /// Starts a server. What is to be on Postgres needs the cluster.
    pub(crate) async fn new(
        mode: Mode,
        cluster: Option<&'a Cluster>,
        arguments: &[String],
    ) -> Result<Self, Box<dyn Error>> {
        // A real disk, like that of the cluster.
        let folder = tempfile::tempdir_in("/var/tmp")?;
        let mut further = arguments.to_vec();
        let mut database = None;
        let store = match mode {
            Mode::Echo | Mode::Rules | Mode::Memory => "memory:".to_owned(),
            Mode::Sqlite => format!("sqlite:{}", folder.path().join("chaquete.sqlite").display()),
            Mode::Postgres | Mode::PostgresSingle => {
                let cluster = cluster.ok_or("there is no Postgres")?;
                let own = cluster.empty_database().await?;
                let url = own.url().to_owned();
                let [key, log_key] = ["dice-key", "log-key"].map(|file| folder.path().join(file));
                migrate(&url).await?;
                DiceKeys::read_or_make(&key)?;
                LogKeys::read_or_make(&log_key)?;
                further.extend(["--dice-key-file".to_owned(), key.display().to_string()]);
                further.extend(["--log-key".to_owned(), log_key.display().to_string()]);
                if mode == Mode::PostgresSingle {
                    further.extend(["--writers=16", "--batch=1"].map(str::to_owned));
                }
                database = Some((cluster, own));
                url
            }
        };
        let server = ServerProcess::serve(&store, "127.0.0.1:0", &further);
        Ok(Self { server, _folder: folder, database })
    }

    /// Where the server listens, as a URL.
    pub(crate) fn endpoint(&self) -> &str {
        self.server.endpoint()
    }

    pub(crate) fn cpu(&self) -> io::Result<Cpu> {
        let family = |(cluster, _): &(&Cluster, Database)| cpu::of_family(cluster.pid()?);
        Ok(Cpu {
            server: cpu::of_process(self.server.pid())?,
            database: self.database.as_ref().map(family).transpose()?,
            client: cpu::of_process(std::process::id())?,
        })
    }

    /// How many transactions that write the database has begun so far, if there is one.
    pub(crate) async fn transactions(&self) -> Result<Option<u64>, Box<dyn Error>> {
        let Some((_, database)) = &self.database else { return Ok(None) };
        let next = database.value("SELECT pg_snapshot_xmax(pg_current_snapshot())::text").await?;
        Ok(Some(next.parse()?))
    }

    /// Stops the server and removes what it has written, so that the next one does not pay for it.
    pub(crate) async fn clear(mut self) -> Result<(), Box<dyn Error>> {
        self.server.kill();
        if let Some((cluster, database)) = self.database.take() {
            cluster.remove(database).await?;
        }
        Ok(())
    }
}
