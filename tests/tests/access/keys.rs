//! Service keys: made, listed and revoked by a command, with scopes.

use std::{
    fs,
    process::{Command, Output},
};

use chaquete_proto::v1::{
    CreateMatchRequest, ErrorReason, GetMatchRequest, IssueTokenRequest, ListMatchesRequest, Role,
};
use chaquete_server::{
    config::{AccessConfig, Config},
    store,
};
use chaquete_tests::{Closed, Service, binary, chaquete, key_id, new_match, project, rules_to, store_url};
use tonic::Code;

use crate::support::refused;

const DENIED: (Code, Option<ErrorReason>) = (Code::PermissionDenied, Some(ErrorReason::AccessDenied));

/// What `chaquete-server key` says.
fn key(url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary("chaquete-server"));
    command.arg("key").args(arguments).args(["--store", url]).output().unwrap()
}

fn made(url: &str, arguments: &[&str]) -> String {
    let output = key(url, &[&["create"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("chq_"), "a key is no log line");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A store that is there, and nobody serves it.
async fn new_store(folder: &tempfile::TempDir) -> String {
    let url = store_url(folder.path());
    store::open(&url).await.unwrap().close().await;
    url
}

/// The file that a server reads names its store for those who make its keys, too.
#[tokio::test(flavor = "multi_thread")]
async fn keys_are_made_in_the_store_that_the_file_names() {
    let folder = tempfile::tempdir().unwrap();
    let url = new_store(&folder).await;
    let file = folder.path().join("chaquete.toml");
    fs::write(&file, format!("store = '{url}'\n")).unwrap();
    let run = |command: &str, arguments: &[&str]| {
        let mut program = Command::new(binary("chaquete-server"));
        program.args(["key", command]).args(arguments).arg("--config").arg(&file);
        let output = program.env("XDG_DATA_HOME", folder.path().join("elsewhere")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        said(&output)
    };
    let made = run("create", &["--tenant", "club", "--label", "from the file"]);
    assert!(made.starts_with("chq_"), "{made}");
    let listed = said(&key(&url, &["list"]));
    assert!(listed.contains("from the file"), "{listed}");
    assert_eq!(run("list", &[]), listed);
    run("revoke", &[&key_id(made.trim_end())]);
    assert_ne!(run("list", &[]), listed);
    assert!(!folder.path().join("elsewhere").exists());

    fs::write(&file, "shop = 'x'\n").unwrap();
    let mut program = Command::new(binary("chaquete-server"));
    let refused = program.args(["key", "list", "--config"]).arg(&file).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "no command begins with a file that is wrong");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_does_what_its_scopes_say() {
    let folder = tempfile::tempdir().unwrap();
    let url = new_store(&folder).await;
    let keys = [
        made(&url, &["--tenant", "club", "--label", "all"]),
        made(&url, &["--tenant", "club", "--scope", "read"]),
        made(&url, &["--tenant", "club", "--scope", "write,tokens", "--days", "30"]),
    ];
    let service = Service::start_with(Config { store: url.clone(), ..Config::default() }).await;
    let [all, reads, writes] = keys
        .clone()
        .map(|key| chaquete_client::Client::builder(service.endpoint()).token(key).connect_lazy().unwrap());
    let create = || CreateMatchRequest { parent: "tenants/club".into(), ..new_match(rules_to(1)) };
    let issue = || IssueTokenRequest {
        parent: "tenants/club".into(),
        role: Role::Player.into(),
        subject: "alice".into(),
        ..IssueTokenRequest::default()
    };
    let name = all.create_match(create()).await.unwrap().r#match.unwrap().name;
    let get = || GetMatchRequest { name: name.clone(), view: 0 };
    reads.get_match(get()).await.unwrap();
    assert_eq!(refused(reads.create_match(create()).await), DENIED);
    assert_eq!(refused(reads.issue_token(issue()).await), DENIED);
    writes.create_match(create()).await.unwrap();
    writes.issue_token(issue()).await.unwrap();
    assert_eq!(refused(writes.get_match(get()).await), DENIED);
    // A backend is no operator.
    let everywhere = ListMatchesRequest { parent: "tenants/-".into(), ..ListMatchesRequest::default() };
    assert_eq!(refused(all.list_matches(everywhere).await), DENIED);
    service.stop().await;

    let listed = said(&key(&url, &["list"]));
    assert!(listed.starts_with("3 keys\n") && !listed.contains("chq_"), "{listed}");
    for (key, scopes) in keys.iter().zip(["read, write, tokens", "read", "write, tokens"]) {
        let line = listed.lines().find(|line| line.starts_with(&key_id(key))).unwrap();
        assert!(line.contains(&format!("tenant club ({scopes})")), "{line}");
    }
    let revoked = key(&url, &["revoke", &key_id(&keys[0])]);
    assert!(revoked.status.success());
    assert!(said(&key(&url, &["list"])).contains("revoked 20"));
    let again = Service::start_with(Config { store: url.clone(), ..Config::default() }).await;
    let all = chaquete_client::Client::builder(again.endpoint()).token(&keys[0]).connect_lazy().unwrap();
    let refusal = refused(all.get_match(get()).await);
    assert_eq!(refusal, (Code::Unauthenticated, Some(ErrorReason::InvalidCredentials)));
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let url = new_store(&folder).await;
    // What `openssl x509 -req` makes if it is not told of extensions.
    let of_version_1 = project().join("tests/data/x509-version-1.pem").to_str().unwrap().to_owned();
    for (arguments, words) in [
        (&["create"][..], "--tenant"),
        (&["create", "--tenant", "Club"], "63 characters"),
        (&["create", "--tenant", "club", "--operator"], "cannot be used with"),
        (&["create", "--tenant", "club", "--scope", "all"], "possible values"),
        (&["create", "--tenant", "club", "--certificate", "/nowhere.pem"], "no certificate"),
        (&["create", "--tenant", "club", "--certificate", &of_version_1], "version 3 of X.509"),
        (&["create", "--tenant", "club", "--days", "0"], "zero"),
        (&["revoke", "ba7816bf8f01"], "no key"),
    ] {
        let output = key(&url, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
    assert!(said(&key(&url, &["list"])).starts_with("0 keys"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_only_this_machine_is_served() {
    let url = || "memory:".to_owned();
    let public: std::net::SocketAddr = "0.0.0.0:0".parse().unwrap();
    let start = async |listen: std::net::SocketAddr, access: AccessConfig| {
        let config = Config { listen, store: url(), access, ..Config::default() };
        chaquete_server::App::build(config).await.map(drop).map_err(|error| error.to_string())
    };
    let plain = AccessConfig { allow_plaintext: true, ..AccessConfig::default() };
    assert!(start(public, AccessConfig::default()).await.unwrap_err().contains("--tls-cert"));
    assert!(start(public, plain.clone()).await.unwrap_err().contains("--allow-anyone"));
    start(public, AccessConfig { require_identity: true, ..plain.clone() }).await.unwrap();
    start(public, AccessConfig { allow_anyone: true, ..plain }).await.unwrap();

    // Asked for, identity is required on this machine as well.
    let access = AccessConfig { require_identity: true, ..AccessConfig::default() };
    let service = Service::start_with(Config { store: url(), access, ..Config::default() }).await;
    let client = service.client().await;
    let get = GetMatchRequest { name: "tenants/default/matches/m123".into(), view: 0 };
    assert_eq!(refused(client.get_match(get).await).0, Code::Unauthenticated);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_works_in_the_tenant_of_its_key() {
    let closed = Closed::start(&["club"]).await;
    let folder = closed.folder.path();
    fs::write(folder.join("club.key"), &closed.backends[0]).unwrap();
    let say = |arguments: &[&str]| {
        chaquete(&closed.service, folder, &[&["--token-file", "club.key"], arguments].concat())
    };
    let strange = say(&["new", "--points", "3", "alice", "bob"]);
    assert!(strange.code == Some(2) && strange.err.contains("there is no tenants/default"), "{strange:?}");
    let made = say(&["new", "--tenant", "club", "--points", "3", "--id", "first-light", "alice", "bob"]);
    assert_eq!(made.figures(), "tenants/club/matches/first-light");
    assert!(say(&["--tenant", "club", "list"]).figures().contains("first-light"));
    assert_eq!(say(&["show", "first-light", "--tenant", "club"]).code, Some(0));
    let audited = say(&["audit", "first-light", "--tenant", "club"]);
    assert_eq!(audited.code, Some(0), "{audited:?}");
    assert_eq!(say(&["show", "first-light"]).code, Some(2));

    // Alice's token shows her match to her, and no other; an hour of it ends when it is revoked.
    let token = say(&["token", "issue", "alice", "--tenant", "club", "--for", "10m"]);
    fs::write(folder.join("alice.token"), token.figures()).unwrap();
    let press = ["token", "issue", "press", "--spectator", "--match", "first-light", "--tenant", "club"];
    fs::write(folder.join("press.token"), say(&press).figures()).unwrap();
    let shows = |whose: &str| {
        let show = ["show", "first-light", "--tenant", "club", "--token-file", whose];
        chaquete(&closed.service, folder, &show).code
    };
    assert_eq!(shows("alice.token"), Some(0));
    assert_eq!(shows("press.token"), Some(0));
    assert_eq!(say(&["token", "revoke", "alice", "--tenant", "club"]).code, Some(0));
    assert_eq!(shows("alice.token"), Some(2));
    assert_eq!(shows("press.token"), Some(0));
    let nowhere = say(&["token", "issue", "press", "--spectator", "--tenant", "club"]);
    assert!(nowhere.code == Some(2) && nowhere.err.contains("--match"), "{nowhere:?}");

    let record = project().join("tests/data/corpus/5d6be8a7329b.mat");
    let replayed = say(&["replay", "--tenant", "club", record.to_str().unwrap()]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    closed.service.stop().await;
}
