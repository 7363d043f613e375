//! Service keys: made, listed and revoked by a command, with scopes.

use std::process::{Command, Output};

use chaquete_proto::v1::{
    CreateMatchRequest, ErrorReason, GetMatchRequest, IssueTokenRequest, ListMatchesRequest, Role,
};
use chaquete_server::{
    config::{AccessConfig, Config},
    store,
};
use chaquete_tests::{Service, binary, key_id, new_match, rules_to, store_url};
use tonic::Code;

use crate::support::refused;

const DENIED: (Code, Option<ErrorReason>) = (Code::PermissionDenied, Some(ErrorReason::AccessDenied));

/// What `chaquete-server key` says.
fn key(url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary("chaquete-server"));
    command.args(["key", "--store", url]).args(arguments).output().unwrap()
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
    for (arguments, words) in [
        (&["create"][..], "--tenant"),
        (&["create", "--tenant", "Club"], "63 characters"),
        (&["create", "--tenant", "club", "--operator"], "cannot be used with"),
        (&["create", "--tenant", "club", "--scope", "all"], "possible values"),
        (&["create", "--tenant", "club", "--certificate", "/nowhere.pem"], "no certificate"),
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
