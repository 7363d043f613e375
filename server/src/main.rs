//! `chaquete-server`: arguments, log lines, serving until told to stop.

use std::{io::Write, process::ExitCode};

use chaquete_server::{App, config::CommandLine, telemetry};
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> ExitCode {
    let config = CommandLine::parse().into_config();
    telemetry::start(config.log_format);
    tracing::info!(store = config.store, "starting");
    let app = match App::build(config).await {
        Ok(app) => app,
        Err(error) => return failed(&error),
    };
    // The one line that scripts wait for. Nobody reading it is no reason to stop.
    let _unread = writeln!(std::io::stdout(), "listening on {}", app.address());
    match app.run(stop_signal()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed(error: &dyn std::error::Error) -> ExitCode {
    tracing::error!("{error}");
    ExitCode::FAILURE
}

/// Waits until an operator or the system asks the server to stop.
async fn stop_signal() {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        tracing::warn!("signals cannot be waited for: only killing stops this server");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping");
}
