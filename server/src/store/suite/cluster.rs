//! A throw-away Postgres: a cluster of its own for a test process, a database of its own for each test.
//!
//! It lies on a real disk with nothing relaxed, so what it acknowledges is as durable as it would be in service.
//! It is gone with its process, however that ends.

mod binaries;
mod keeper;

use std::{
    env, fmt,
    fs::{self, OpenOptions},
    io::{self, Write},
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use tokio::{sync::OnceCell, task::spawn_blocking};

use keeper::{Keeper, Task};

/// A Postgres cluster that runs until it is dropped, or this process ends.
pub struct Cluster {
    keeper: Arc<Keeper>,
    binaries: PathBuf,
    folder: PathBuf,
    port: u16,
    template: OnceCell<()>,
    databases: AtomicU32,
}

/// How Postgres is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// In order: sessions are ended, and everything is written.
    Fast,
    /// As by a power cut, as far as Postgres can tell: it recovers from its log when it starts again.
    Immediate,
}

/// Why there is no cluster.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Postgres is not installed.
    #[error(
        "no Postgres here: no $CHAQUETE_PG_BIN, no pg_config on the PATH whose folder has initdb, nothing in \
         /usr/lib/postgresql"
    )]
    NoBinaries,
    /// Postgres does not do what it was asked to.
    #[error("Postgres fails at \"{task}\" and says:\n{log}")]
    Failed {
        /// What it was asked to do.
        task: String,
        /// What it says about it.
        log: String,
    },
    /// Processes or files cannot be made.
    #[error("no Postgres can be started: {0}")]
    System(#[from] io::Error),
}

/// How often another port is tried: between choosing a free one and using it, somebody else may take it.
const PORTS: u32 = 5;

impl Cluster {
    /// Starts a new cluster with these settings of `postgresql.conf` on top of the usual ones. Its folder is made in
    /// `$CHAQUETE_PG_DIR`, or in `/var/tmp`.
    ///
    /// # Errors
    /// Postgres is not installed, or does not start.
    pub async fn start(settings: &[(&str, &str)]) -> Result<Self, ClusterError> {
        let binaries = binaries::binaries().ok_or(ClusterError::NoBinaries)?;
        let settings: String = settings.iter().map(|(name, value)| setting(name, value)).collect();
        blocking(move || start(binaries, &settings)).await
    }

    /// The same, unless Postgres is not installed; then says so, and that is an error only where
    /// `$CHAQUETE_REQUIRE_POSTGRES` is set.
    ///
    /// # Panics
    /// It does not start, or is required and not installed.
    pub async fn start_or_say(settings: &[(&str, &str)]) -> Option<Self> {
        match Self::start(settings).await {
            Ok(cluster) => Some(cluster),
            Err(error @ ClusterError::NoBinaries) if env::var_os("CHAQUETE_REQUIRE_POSTGRES").is_none() => {
                eprintln!("SKIPPED: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The one cluster that the tests of this process share, with the usual settings; started when first asked for.
    ///
    /// # Panics
    /// It does not start, or is required and not installed.
    pub async fn shared_or_say() -> Option<&'static Self> {
        static SHARED: OnceCell<Option<Cluster>> = OnceCell::const_new();
        SHARED.get_or_init(async || Self::start_or_say(&[]).await).await.as_ref()
    }

    /// Makes the template of all later databases: `migrate` gets it empty, and must leave no session in it. Only
    /// the first call does anything, later ones wait until it is there, so that every test can begin with this.
    ///
    /// # Errors
    /// Postgres refuses.
    pub async fn template(&self, migrate: impl AsyncFnOnce(Database)) -> Result<(), sqlx::Error> {
        let make = async || {
            let maintenance = self.maintenance();
            // One that was begun by a test that failed is of no use.
            maintenance.execute("DROP DATABASE IF EXISTS template_of_tests").await?;
            maintenance.execute("CREATE DATABASE template_of_tests").await?;
            migrate(self.named("template_of_tests")).await;
            Ok(())
        };
        self.template.get_or_try_init(make).await.map(drop)
    }

    /// A new database, a copy of the template. It is there as long as the cluster.
    ///
    /// # Errors
    /// Postgres refuses, for one because [`template`](Self::template) was not called.
    pub async fn database(&self) -> Result<Database, sqlx::Error> {
        self.copy_of("template_of_tests").await
    }

    /// A new database without anything in it.
    ///
    /// # Errors
    /// Postgres refuses.
    pub async fn empty_database(&self) -> Result<Database, sqlx::Error> {
        self.copy_of("template1").await
    }

    async fn copy_of(&self, template: &str) -> Result<Database, sqlx::Error> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.maintenance().execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await?;
        Ok(self.named(&name))
    }

    /// Removes a database before the cluster goes, with all sessions in it.
    ///
    /// # Errors
    /// Postgres refuses.
    pub async fn remove(&self, database: Database) -> Result<(), sqlx::Error> {
        let name = database.url.rsplit('/').next().unwrap_or_default();
        self.maintenance().execute(&format!("DROP DATABASE {name} WITH (FORCE)")).await
    }

    /// The database `postgres`, for what concerns the whole cluster.
    #[must_use]
    pub fn maintenance(&self) -> Database {
        self.named("postgres")
    }

    fn named(&self, name: &str) -> Database {
        Database { url: format!("postgres://postgres@{}:{}/{name}", Ipv4Addr::LOCALHOST, self.port) }
    }

    /// Stops Postgres; its data stay.
    ///
    /// # Errors
    /// It does not run.
    pub async fn stop(&self, how: Stop) -> Result<(), ClusterError> {
        self.ask(Task::Stop(how)).await
    }

    /// Starts Postgres again, on the same data and port.
    ///
    /// # Errors
    /// It runs already, or does not start.
    pub async fn start_again(&self) -> Result<(), ClusterError> {
        self.ask(Task::Start(self.port)).await
    }

    /// Stops Postgres and starts it again.
    ///
    /// # Errors
    /// It does not run, or does not start.
    pub async fn restart(&self, how: Stop) -> Result<(), ClusterError> {
        self.stop(how).await?;
        self.start_again().await
    }

    async fn ask(&self, task: Task) -> Result<(), ClusterError> {
        let keeper = Arc::clone(&self.keeper);
        blocking(move || keeper.ask(task)).await
    }

    /// The folder with all that belongs to the cluster: its data, its log `server.log`, its socket.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A program that comes with Postgres.
    #[must_use]
    pub fn binary(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }

    /// The first process of Postgres, parent of all others.
    ///
    /// # Errors
    /// It does not run.
    pub fn pid(&self) -> io::Result<u32> {
        let text = fs::read_to_string(self.folder.join("data/postmaster.pid"))?;
        let pid = text.lines().next().and_then(|line| line.parse().ok());
        pid.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, text))
    }
}

fn start(binaries: PathBuf, settings: &str) -> Result<Cluster, ClusterError> {
    let base = env::var_os("CHAQUETE_PG_DIR").map_or_else(|| PathBuf::from("/var/tmp"), PathBuf::from);
    let folder = base.join(format!("chaquete-pg-{:016x}", rand::random::<u64>()));
    let keeper = Arc::new(Keeper::new(&folder, &binaries)?);
    keeper.ask(Task::Init)?;
    let mut usual = OpenOptions::new().append(true).open(folder.join("data/postgresql.conf"))?;
    let usually = setting("listen_addresses", Ipv4Addr::LOCALHOST)
        + &setting("unix_socket_directories", folder.display())
        + &setting("fsync", "on")
        + &setting("synchronous_commit", "on");
    usual.write_all((usually + settings).as_bytes())?;
    let port = start_somewhere(&keeper)?;
    let (template, databases) = (OnceCell::new(), AtomicU32::new(0));
    Ok(Cluster { keeper, binaries, folder, port, template, databases })
}

fn start_somewhere(keeper: &Keeper) -> Result<u16, ClusterError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        match keeper.ask(Task::Start(port)) {
            Err(ClusterError::Failed { log, .. }) if tries < PORTS && log.contains("could not bind") => {}
            result => return result.map(|()| port),
        }
    }
}

/// A line of `postgresql.conf`.
fn setting(name: &str, value: impl fmt::Display) -> String {
    format!("{name} = '{}'\n", value.to_string().replace('\\', "\\\\").replace('\'', "''"))
}

/// Runs what waits for other processes without holding up other tasks, whatever the runtime.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ClusterError> + Send + 'static,
) -> Result<T, ClusterError> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(ClusterError::System(error.into())))
}

/// A database of a [`Cluster`].
#[derive(Clone, Debug)]
pub struct Database {
    url: String,
}

impl Database {
    /// Its URL, over TCP, for a user who may do everything.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs statements, separated by semicolons, over a connection of their own.
    ///
    /// # Errors
    /// Postgres refuses.
    pub async fn execute(&self, statements: &str) -> Result<(), sqlx::Error> {
        let mut connection = PgConnection::connect(&self.url).await?;
        sqlx::raw_sql(AssertSqlSafe(statements)).execute(&mut connection).await?;
        connection.close().await
    }

    /// The one value that a query gives, as text.
    ///
    /// # Errors
    /// Postgres refuses, or the query gives something else than one text.
    pub async fn value(&self, query: &str) -> Result<String, sqlx::Error> {
        let mut connection = PgConnection::connect(&self.url).await?;
        let row = sqlx::raw_sql(AssertSqlSafe(query)).fetch_one(&mut connection).await?;
        connection.close().await?;
        row.try_get(0)
    }
}
