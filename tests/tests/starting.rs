//! The server program: what its environment says, what it writes, and how it obeys a signal.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    io::{BufRead, BufReader, Read},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use chaquete_tests::binary;

/// A server program that has a folder of its own for everything.
struct Program {
    child: Child,
    said: String,
    _home: tempfile::TempDir,
}

impl Program {
    fn start(variables: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let child = Command::new(binary("chaquete-server"))
            .env_clear()
            .env("XDG_DATA_HOME", home.path())
            .env("CHAQUETE_LISTEN", "127.0.0.1:0")
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut program = Self { child: child.unwrap(), said: String::new(), _home: home };
        BufReader::new(program.child.stdout.take().unwrap()).read_line(&mut program.said).unwrap();
        program
    }

    fn address(&self) -> &str {
        self.said.trim().strip_prefix("listening on ").expect("it is ready")
    }

    /// Tells it to stop; how long that took, if it ended well, and its log lines.
    fn terminate(mut self) -> (Duration, bool, String) {
        let began = tokio::time::Instant::now();
        Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        let ended = self.child.wait().unwrap();
        (began.elapsed(), ended.success(), self.lines())
    }

    fn lines(&mut self) -> String {
        let mut lines = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut lines).unwrap();
        lines
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Whether the server allows seeded dice when the variable says this; `None` if it does not start.
fn allows_seeded(value: &str) -> Option<bool> {
    let mut program = Program::start(&[("CHAQUETE_STORE", "memory:"), ("CHAQUETE_ALLOW_SEEDED_DICE", value)]);
    if program.said.is_empty() {
        assert!(!program.child.wait().unwrap().success());
        assert!(program.lines().contains("--allow-seeded-dice"));
        return None;
    }
    let endpoint = format!("http://{}", program.address());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let sources = runtime.block_on(async {
        let client = chaquete_client::Client::connect(endpoint).await.unwrap();
        client.get_server_info(chaquete_proto::v1::GetServerInfoRequest {}).await.unwrap().dice_sources
    });
    Some(sources.contains(&chaquete_proto::v1::DiceSource::Seeded.into()))
}

#[test]
fn seeded_dice_are_allowed_in_many_words() {
    for yes in ["1", "yes", "true", "on", "YES", "True"] {
        assert_eq!(allows_seeded(yes), Some(true), "{yes}");
    }
    for no in ["0", "no", "false", "off", ""] {
        assert_eq!(allows_seeded(no), Some(false), "{no}");
    }
    assert_eq!(allows_seeded("perhaps"), None);
}

#[test]
fn an_empty_variable_is_not_set() {
    let names = ["CHAQUETE_STORE", "CHAQUETE_DICE_KEY_FILE", "CHAQUETE_LOG_FORMAT"];
    let program = Program::start(&names.map(|name| (name, "")));
    assert!(program.address().starts_with("127.0.0.1:"));
    let (_, ended_well, lines) = program.terminate();
    assert!(ended_well, "{lines}");

    // The default port may be taken on this machine; then the server says so.
    let mut program = Program::start(&[("CHAQUETE_LISTEN", ""), ("CHAQUETE_STORE", "memory:")]);
    if program.said.is_empty() {
        program.child.wait().unwrap();
        let lines = program.lines();
        assert!(lines.contains("cannot listen on 127.0.0.1:50051"), "{lines}");
    } else {
        assert_eq!(program.address(), "127.0.0.1:50051");
    }
}

#[test]
fn log_lines_in_files_are_plain() {
    for format in ["text", "json"] {
        let program = Program::start(&[("CHAQUETE_LOG_FORMAT", format)]);
        let (_, _, lines) = program.terminate();
        assert!(lines.contains("starting") && lines.contains("stopping"), "{lines}");
        assert!(!lines.contains('\u{1b}'), "{lines:?}");
    }
}

#[test]
fn a_signal_ends_the_program_at_once_when_nothing_is_under_way() {
    let program = Program::start(&[]);
    let silent: Vec<_> = (0..100).map(|_| TcpStream::connect(program.address()).unwrap()).collect();
    thread::sleep(Duration::from_millis(200));
    let (took, ended_well, lines) = program.terminate();
    assert!(ended_well, "{lines}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    drop(silent);
}
