//! No token and no key is ever logged, however much is asked for.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use chaquete_client::Client;
use chaquete_proto::v1::{
    CreateMatchRequest, GetMatchRequest, IssueTokenRequest, Match, Role,
    match_service_client::MatchServiceClient,
};
use chaquete_tests::{Raw, any_of, backend, framed, new_key, new_match, play_to_the_end, rules_to};
use prost::Message;
use tonic::{Request, metadata::MetadataValue};

use crate::program::Program;

/// A key of nobody.
const UNKNOWN: &str = "chq_CANARYxxxxxxxxxxxxxxxxxxxxxxxxxxxx0123456789";

/// Secret keys, as the files have them.
const DICE_KEY: &str = "c0ffee00c0ffee11c0ffee22c0ffee33c0ffee44c0ffee55c0ffee66c0ffee77";
const LOG_KEY: &str = "decade00decade11decade22decade33decade44decade55decade66decade77";

fn key_file(folder: &Path, name: &str, line: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, format!("{line}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    path.display().to_string()
}

/// The first bytes of a key in ways in which a program may show them without meaning to.
fn shown(key: &str) -> [String; 4] {
    let bytes: Vec<u8> = (0..8).map(|n| u8::from_str_radix(&key[2 * n..2 * n + 2], 16).unwrap()).collect();
    let list =
        |bytes: &[u8], separator: &str| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(separator);
    [key[..16].to_owned(), key[..16].to_uppercase(), list(&bytes, ", "), list(&bytes, ",")]
}

/// Calls that succeed and fail, are complete and cut off, all with the token.
async fn call_with_token(endpoint: &str, token: &str) {
    let bearer: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
    let with_token = |mut request: Request<()>| {
        request.metadata_mut().insert("authorization", bearer.clone());
        Ok(request)
    };
    let channel =
        tonic::transport::Channel::from_shared(endpoint.to_owned()).unwrap().connect().await.unwrap();
    let mut matches = MatchServiceClient::with_interceptor(channel, with_token);
    let new: CreateMatchRequest = new_match(rules_to(1));
    // Whoever it is: what is shown is not written down.
    let _created = matches.create_match(new).await;
    matches.get_match(GetMatchRequest::default()).await.unwrap_err();

    let raw = Raw::connect(endpoint).await;
    let (bearer, body) = (format!("Bearer {token}"), framed(&GetMatchRequest::default().encode_to_vec()));
    for header in ["authorization", "x-api-key", "cookie", "grpc-timeout", "traceparent"] {
        for body in [&body[..], &body[..3]] {
            for path in ["/backgammon.v1.MatchService/GetMatch", "/grpc.health.v1.Health/Check", "/x"] {
                raw.call(path, &[(header, &bearer)], body).await;
            }
        }
    }
}

/// A token of a player.
async fn issue(endpoint: &str, key: &str) -> String {
    let backend = Client::builder(endpoint).token(key).connect().await.unwrap();
    let request = IssueTokenRequest {
        parent: "tenants/default".to_owned(),
        role: Role::Player.into(),
        subject: "alice".to_owned(),
        ..IssueTokenRequest::default()
    };
    backend.issue_token(request).await.unwrap().token
}

async fn play(endpoint: &str, key: &str) -> Match {
    let client = Client::builder(endpoint).token(key).connect().await.unwrap();
    let new = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
    play_to_the_end(&client, new, &mut any_of(7)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_and_no_key_is_ever_logged() {
    for format in ["json", "text"] {
        let folder = tempfile::tempdir().unwrap();
        let store = format!("sqlite:{}", folder.path().join("chaquete.sqlite").display());
        let dice = key_file(folder.path(), "dice", &format!("canary {DICE_KEY}"));
        let log = key_file(folder.path(), "log", &format!("example.com/canary {LOG_KEY}"));
        let arguments =
            ["--store", &store, "--dice-key-file", &dice, "--log-key", &log, "--log-format", format];
        let key = new_key(&store, backend("default")).await;
        let program = Program::start(&arguments, &[("RUST_LOG", "trace")]);
        let token = issue(&program.endpoint(), &key).await;
        for shown in [&key, &token, UNKNOWN] {
            call_with_token(&program.endpoint(), shown).await;
        }
        play(&program.endpoint(), &key).await;
        let said = program.stop();

        assert!(said.contains("the call failed"), "it has said much: {said}");
        let signature = token.rsplit('.').next().unwrap();
        for secret in [&key[4..], signature, &UNKNOWN[4..]] {
            assert!(!said.contains(secret), "{format}: it is there: {}", line_with(&said, secret));
        }
        for key in [DICE_KEY, LOG_KEY] {
            for shown in shown(key) {
                assert!(!said.contains(&shown), "{format}: a key is there: {}", line_with(&said, &shown));
            }
        }
    }
}

fn line_with<'a>(said: &'a str, secret: &str) -> &'a str {
    said.lines().find(|line| line.contains(secret)).unwrap_or_default()
}
