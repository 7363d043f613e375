//! `chaquete-server`: arguments, log lines, serving until told to stop.

use std::{io::Write, process::ExitCode};

use chaquete_server::{
    App,
    clock::SystemClock,
    config::{Config, ContractArgs, HealthArgs, KeyCommand, MigrateArgs, RebuildArgs, RetainArgs, Task},
    contract, health,
    operate::{self, Folder, Mode},
    store, supervisor,
    telemetry::{self, traces::Traces},
};
use mimalloc::MiMalloc;
use tokio::signal::unix::{SignalKind, signal};

/// Most of what is allocated for a call is freed by another thread, which the C library's allocator answers with locks.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The status of a program that was told something wrong; 1 is that of one that failed otherwise.
const MISTOLD: u8 = 2;

/// The runtime of this thread: it is one of those that serve, and the one that writes.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let task = Task::read();
    let traces = task.otlp_endpoint().map(Traces::to).transpose();
    telemetry::start(task.log_format(), traces.as_ref().ok().and_then(Option::as_ref));
    let traces = match traces {
        Ok(traces) => traces,
        Err(error) => return failed(&error),
    };
    let ended = match task {
        Task::Serve(config) => serve(*config).await,
        Task::Migrate(args) => migrate(args).await,
        Task::Rebuild(args) => rebuild(args).await,
        Task::Retain(args) => retain(args).await,
        Task::Key(command) => key(command).await,
        Task::Health(args) => health(args).await,
        Task::Contract(args) => contract(&args),
        Task::Say(text) => say(&text),
    };
    if let Some(traces) = traces {
        traces.end().await;
    }
    ended
}

async fn migrate(args: MigrateArgs) -> ExitCode {
    let store = args.store.url();
    let migrated = if args.citus { store::distribute(&store).await } else { store::migrate(&store).await };
    match migrated {
        Ok(()) => {
            tracing::info!(store = %store::Shown(&store), "the tables are up to date");
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}

async fn rebuild(args: RebuildArgs) -> ExitCode {
    let store = match store::open_existing(&args.store.url()).await {
        Ok(store) => store,
        Err(error) => return failed(&error),
    };
    let mode = if args.check { Mode::Check } else { Mode::Change };
    let tell = |finding: &operate::Finding| tracing::warn!(name = finding.name, "{}", finding.fate);
    let rebuilt = operate::rebuild(&*store, mode, tell).await;
    store.close().await;
    ended(rebuilt.map(|report| (report.is_well(), report)))
}

async fn retain(args: RetainArgs) -> ExitCode {
    let folder = match Folder::take(&args.export) {
        Ok(folder) => folder,
        Err(error) => return failed(&error),
    };
    let store = match store::open_existing(&args.store.url()).await {
        Ok(store) => store,
        Err(error) => return failed(&error),
    };
    let mode = if args.dry_run { Mode::Check } else { Mode::Change };
    let tell = |left: &operate::Left| tracing::warn!(name = left.name, "left as it is: {}", left.because);
    let retained = operate::retain(&*store, args.older_than, &SystemClock, &folder, mode, tell).await;
    store.close().await;
    ended(retained.map(|report| (report.left == 0, report)))
}

async fn key(command: KeyCommand) -> ExitCode {
    let url = command.store().url();
    let store = match store::open_existing(&url).await {
        Ok(store) => store,
        Err(error) => return failed(&error),
    };
    // A key counts nowhere else.
    tracing::info!(store = %store::Shown(&url), "keys of this store");
    let done = match command {
        KeyCommand::Create { key, .. } => operate::create_key(&*store, key, &SystemClock).await,
        KeyCommand::List { .. } => operate::list_keys(&*store, &SystemClock).await,
        KeyCommand::Revoke { id, .. } => operate::revoke_key(&*store, &id, &SystemClock).await,
    };
    store.close().await;
    ended(done.map(|said| (true, said)))
}

async fn health(args: HealthArgs) -> ExitCode {
    match health::wait_for(args.listen, args.tls(), args.within(), args.wait()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn contract(args: &ContractArgs) -> ExitCode {
    match contract::write(&args.out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Says what a command has come to, for scripts and people; whether that is well.
fn ended(result: Result<(bool, impl std::fmt::Display), impl std::error::Error>) -> ExitCode {
    match result {
        Ok((is_well, report)) => {
            let _unread = writeln!(std::io::stdout(), "{report}");
            if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => failed(&error),
    }
}

/// Nobody reading it is no reason to fail.
fn say(text: &str) -> ExitCode {
    let _unread = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

async fn serve(config: Config) -> ExitCode {
    tracing::info!(store = %store::Shown(&config.store), "starting");
    let app = match App::build(config).await {
        Ok(app) => app,
        Err(error) if error.is_of_configuration() => {
            failed(&error);
            return ExitCode::from(MISTOLD);
        }
        Err(error) => return failed(&error),
    };
    // From the moment that scripts know of the server they may stop it.
    let stop = stop_signal();
    // The one line that scripts wait for. Nobody reading it is no reason to stop.
    let _unread = writeln!(std::io::stdout(), "listening on {}", app.address());
    supervisor::ready();
    tokio::spawn(supervisor::stay_alive());
    match app.run(stop).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> ExitCode {
    tracing::error!("{error}");
    ExitCode::FAILURE
}

/// Listens from now on for an operator or the system to ask the server to stop.
fn stop_signal() -> impl Future<Output = ()> + Send {
    let signals = signal(SignalKind::terminate()).and_then(|t| Ok((t, signal(SignalKind::interrupt())?)));
    async {
        let Ok((mut terminate, mut interrupt)) = signals else {
            tracing::warn!("signals cannot be waited for: only killing stops this server");
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
        supervisor::stopping();
    }
}
