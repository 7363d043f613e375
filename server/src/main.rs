//! `chaquete-server`: arguments, log lines, serving until told to stop.

use std::{io::Write, process::ExitCode};

use chaquete_server::{
    App,
    config::{CommandLine, Config, Task},
    store, telemetry,
};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> ExitCode {
    let task = CommandLine::read().into_task();
    telemetry::start(task.log_format());
    match task {
        Task::Serve(config) => serve(config).await,
        Task::Migrate(args) => match store::migrate(&args.store).await {
            Ok(()) => {
                tracing::info!(store = %store::Shown(&args.store), "the tables are up to date");
                ExitCode::SUCCESS
            }
            Err(error) => failed(&error),
        },
    }
}

async fn serve(config: Config) -> ExitCode {
    tracing::info!(store = %store::Shown(&config.store), "starting");
    let app = match App::build(config).await {
        Ok(app) => app,
        Err(error) => return failed(&error),
    };
    // From the moment that scripts know of the server they may stop it.
    let stop = stop_signal();
    // The one line that scripts wait for. Nobody reading it is no reason to stop.
    let _unread = writeln!(std::io::stdout(), "listening on {}", app.address());
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
    }
}
