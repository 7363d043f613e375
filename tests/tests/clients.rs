//! The examples of `client/examples`, played against each other: both sides of each match have seen the same of it.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    env,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use chaquete_proto::v1::GetMatchRequest;
use chaquete_tests::{Edge, Service, project};

/// An example in one language.
struct Example {
    language: &'static str,
    /// Program and first arguments.
    command: Vec<PathBuf>,
    /// Where it finds the server.
    server: String,
}

impl Example {
    /// One that is there; without it the test says so, unless all must be.
    fn or_say(language: &'static str, command: Vec<PathBuf>, server: &str) -> Option<Self> {
        let missing = command.iter().find(|file| file.is_absolute() && !file.exists());
        if let Some(missing) = missing {
            assert!(env::var_os("CHAQUETE_REQUIRE_CLIENTS").is_none(), "{} is missing", missing.display());
            eprintln!("SKIPPED: {language} is not made ready: see client/examples/README.md");
            return None;
        }
        Some(Self { language, command, server: server.to_owned() })
    }

    /// Plays this seat of a match to its end.
    fn play(&self, id: &str, seat: &str) -> Child {
        Command::new(&self.command[0])
            .args(&self.command[1..])
            .args([&self.server, id, seat])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// The example in Rust, built like this test.
fn rust() -> PathBuf {
    let deps = env::current_exe().unwrap().parent().unwrap().to_owned();
    let profile = deps.parent().unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--locked", "-p", "chaquete-client", "--example", "play"]).current_dir(project());
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let built = build.env("CARGO_TARGET_DIR", profile.parent().unwrap()).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    profile.join("examples/play")
}

/// The examples that are made ready, for a server and, if it is there, its edge.
fn examples(server: &str, edge: Option<&Edge>) -> Vec<Example> {
    let folder = project().join("client/examples");
    let mut all = vec![
        ("rust", vec![rust()], server),
        ("python", vec![folder.join("python/venv/bin/python"), folder.join("python/play.py")], server),
        ("node", vec!["node".into(), folder.join("node/dist/play.js")], server),
    ];
    if let Some(edge) = edge {
        all.push(("curl", vec![folder.join("curl/play")], edge.url()));
    }
    all.into_iter()
        .filter_map(|(language, command, server)| Example::or_say(language, command, server))
        .collect()
}

/// The last line that it printed, if all went well.
fn last_line(language: &str, output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{language}: {error}");
    String::from_utf8_lossy(&output.stdout).lines().last().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_in_all_languages_play_against_each_other() {
    let service = Service::start().await;
    let (client, server) = (service.client().await, service.endpoint());
    let edge = Edge::start_or_say(server.trim_start_matches("http://")).await;
    let examples = examples(&server, edge.as_ref());
    for one in &examples {
        for two in &examples {
            let id = format!("{}-{}", one.language, two.language);
            // Who waits for the match is there first.
            let second = two.play(&id, "2");
            let first = one.play(&id, "1");
            let [first, second] = [(one, first), (two, second)]
                .map(|(example, child)| last_line(example.language, &child.wait_with_output().unwrap()));
            assert_eq!(first, second, "{id}");
            let name = format!("tenants/default/matches/{id}");
            let ended = client.get_match(GetMatchRequest { name, view: 0 }).await.unwrap().r#match.unwrap();
            assert!(ended.result.is_some(), "{id}");
            let hash: String = ended.log_hash.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hash, first, "{id}");
        }
    }
    eprintln!("{} pairs", examples.len() * examples.len());
    service.stop().await;
}
