//! The server program as others look after it: what it tells its supervisor, and whoever asks for its health.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    fs,
    io::ErrorKind,
    net::TcpListener,
    os::unix::net::UnixDatagram,
    process::{Child, Command, Output},
    time::Duration,
};

use chaquete_tests::{ServerProcess, binary};
use tempfile::TempDir;

/// A supervisor as systemd is one, and the server that it has started.
struct Supervisor {
    socket: UnixDatagram,
    server: Child,
    _folder: TempDir,
}

impl Supervisor {
    fn start(variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let server = Command::new(binary("chaquete-server"))
            .args(["serve", "--listen", "127.0.0.1:0", "--store", "memory:"])
            .env_clear()
            .env("NOTIFY_SOCKET", path)
            .env("RUST_LOG", "error")
            .envs(variables.iter().copied())
            .spawn()
            .unwrap();
        Self { socket, server, _folder: folder }
    }

    /// What it is told next, if anything within this time.
    fn told(&self, within: Duration) -> Option<String> {
        let mut bytes = [0; 64];
        self.socket.set_read_timeout(Some(within)).unwrap();
        match self.socket.recv(&mut bytes) {
            Ok(length) => Some(String::from_utf8(bytes[..length].to_vec()).unwrap()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::WouldBlock);
                None
            }
        }
    }

    fn signal(&self, signal: &str) {
        Command::new("kill").args([signal, &self.server.id().to_string()]).status().unwrap();
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        let _gone_already = self.server.kill();
        let _reaped = self.server.wait();
    }
}

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn the_supervisor_hears_when_the_server_serves_and_when_it_stops() {
    let mut supervisor = Supervisor::start(&[]);
    assert_eq!(supervisor.told(PATIENCE).unwrap(), "READY=1\n");
    assert_eq!(supervisor.told(Duration::from_millis(500)), None, "nobody has asked for more");
    supervisor.signal("-TERM");
    assert_eq!(supervisor.told(PATIENCE).unwrap(), "STOPPING=1\n");
    assert!(supervisor.server.wait().unwrap().success());
}

#[test]
fn the_supervisor_hears_no_more_from_a_server_that_hangs() {
    let supervisor = Supervisor::start(&[("WATCHDOG_USEC", "400000")]);
    assert_eq!(supervisor.told(PATIENCE).unwrap(), "READY=1\n");
    for _ in 0..5 {
        assert_eq!(supervisor.told(PATIENCE).unwrap(), "WATCHDOG=1\n");
    }
    supervisor.signal("-STOP");
    // One may be on its way.
    supervisor.told(Duration::from_millis(10));
    assert_eq!(supervisor.told(Duration::from_secs(1)), None);
    supervisor.signal("-CONT");
    assert_eq!(supervisor.told(PATIENCE).unwrap(), "WATCHDOG=1\n");
}

#[test]
fn a_server_serves_though_its_supervisor_is_gone() {
    let supervisor = Supervisor::start(&[("NOTIFY_SOCKET", "/nowhere/notify"), ("WATCHDOG_USEC", "100000")]);
    assert_eq!(supervisor.told(Duration::from_secs(2)), None);
    let status = fs::read_to_string(format!("/proc/{}/stat", supervisor.server.id())).unwrap();
    assert!(!status.contains(") Z "), "it has ended: {status}");
}

fn health(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary("chaquete-server"));
    command.arg("health").args(arguments).env_clear().envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn health_is_asked_where_the_server_listens() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(&folder.path().join("store.db"), "127.0.0.1:0");
    let address = server.address().to_owned();
    let port = address.rsplit(':').next().unwrap();
    let file = folder.path().join("chaquete.toml");
    // As the server has it; what is none of health's business is left alone.
    fs::write(&file, format!("listen = '{address}'\nthreads = 2\n")).unwrap();

    let everywhere = format!("0.0.0.0:{port}");
    let asked = [
        health(&["--listen", &address], &[]),
        health(&["--config", file.to_str().unwrap()], &[]),
        health(&[], &[("CHAQUETE_LISTEN", &everywhere)]),
    ];
    for answer in asked {
        assert_eq!(answer.status.code(), Some(0), "{answer:?}");
    }
    server.kill();
    let gone = health(&["--listen", &address], &[]);
    assert_eq!(gone.status.code(), Some(1));
    assert!(String::from_utf8(gone.stderr).unwrap().contains(&format!("nobody answers at {address}")));

    // Whoever starts it waits for it.
    let mut waiting = Command::new(binary("chaquete-server"));
    let mut waiting = waiting.args(["health", "--listen", &address, "--wait", "20000"]).spawn().unwrap();
    let _again = ServerProcess::start(&folder.path().join("store.db"), &address);
    assert_eq!(waiting.wait().unwrap().code(), Some(0));
}

#[test]
fn health_does_not_wait_for_ever() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    // Built before the time runs.
    let _built = binary("chaquete-server");
    let began = tokio::time::Instant::now();
    let answer = health(&["--listen", &address, "--within", "300"], &[]);
    assert_eq!(answer.status.code(), Some(1));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}
