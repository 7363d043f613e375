//! The edge of `deploy/envoy` as a process.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command},
    time::Duration,
};

use chaquete_client::Client;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::{binary, project};

/// A program on the PATH; without it the test is skipped, and says so, unless all must be there.
///
/// # Panics
/// It must be there and is not.
#[must_use]
pub fn program_or_say(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    if found.is_none() {
        assert!(env::var_os("CHAQUETE_REQUIRE_DEPLOY").is_none(), "{name} is not installed");
        eprintln!("SKIPPED: {name} is not installed");
    }
    found
}

/// The edge in front of a server.
pub struct Edge {
    envoy: Child,
    url: String,
    _folder: TempDir,
}

impl Edge {
    /// Starts it in front of the server at this address; `None`, and says so, where Envoy is not installed.
    ///
    /// # Panics
    /// It does not start.
    pub async fn start_or_say(server: &str) -> Option<Self> {
        let envoy = program_or_say("envoy")?;
        let folder = tempfile::tempdir().expect("a folder is made");
        let contract = folder.path().join("contract.binpb");
        let written =
            Command::new(binary("chaquete-server")).args(["contract", "--out"]).arg(&contract).status();
        assert!(written.expect("it runs").success());
        // A port that was free a moment ago.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = free.expect("there is a free port").port();
        let config = folder.path().join("envoy.yaml");
        configure(&config, server, port, &contract);
        let envoy = Command::new(envoy)
            .args(["--log-level", "warning", "--concurrency", "1", "--use-dynamic-base-id", "--config-path"])
            .arg(config)
            .spawn()
            .expect("it is started");
        let edge = Self { envoy, url: format!("http://127.0.0.1:{port}"), _folder: folder };
        edge.ready().await;
        Some(edge)
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    async fn ready(&self) {
        let begun = Instant::now();
        while Client::connect(self.url.clone()).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the edge does not start");
            // Nobody tells when it is.
            sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Edge {
    fn drop(&mut self) {
        let _gone_already = self.envoy.kill();
        let _reaped = self.envoy.wait();
    }
}

/// The configuration as it is, but for where everything is.
fn configure(file: &Path, server: &str, port: u16, contract: &Path) {
    let mut text = fs::read_to_string(project().join("deploy/envoy/envoy.yaml")).expect("it is there");
    let upstream = server.rsplit(':').next().expect("an address has a port");
    for (there, here) in [
        ("address: 0.0.0.0", "address: 127.0.0.1".to_owned()),
        ("port_value: 8080", format!("port_value: {port}")),
        ("port_value: 50051", format!("port_value: {upstream}")),
        ("/etc/envoy/contract.binpb", contract.display().to_string()),
    ] {
        assert!(text.contains(there), "{there}");
        text = text.replace(there, &here);
    }
    fs::write(file, text).expect("it is written");
}
