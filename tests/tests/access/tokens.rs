//! Tokens: issued, expired, revoked; and what is no token.

use std::{num::NonZeroU32, time::Duration};

use chaquete_client::Client;
use chaquete_proto::v1::{
    self, CreateMatchRequest, ErrorReason, GetMatchRequest, IssueTokenRequest, RevokeTokensRequest, Role,
    WatchMatchRequest, match_service_client::MatchServiceClient,
};
use chaquete_server::{
    clock::{Clock, SystemClock},
    config::{Config, NewKey},
};
use chaquete_tests::{
    Closed, Raw, Service, TestClock, backend, framed, new_key, new_match, rules_to, store_url,
};
use prost::Message;
use tokio::time::timeout;
use tonic::{Code, Request};
use tonic_types::StatusExt;

use crate::support::{client, refused, token};

const UNKNOWN: (Code, Option<ErrorReason>) = (Code::Unauthenticated, Some(ErrorReason::InvalidCredentials));

async fn new_name(backend: &Client) -> String {
    let request = CreateMatchRequest { parent: "tenants/club".into(), ..new_match(rules_to(1)) };
    backend.create_match(request).await.unwrap().r#match.unwrap().name
}

fn get(name: &str) -> GetMatchRequest {
    GetMatchRequest { name: name.to_owned(), view: 0 }
}

fn watch(name: &str, token: &str) -> Request<WatchMatchRequest> {
    let mut request = Request::new(WatchMatchRequest {
        name: name.to_owned(),
        snapshot: true,
        ..WatchMatchRequest::default()
    });
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_token_counts_no_more_and_a_later_one_does() {
    let closed = Closed::start(&["club"]).await;
    let backend = client(&closed, &closed.backends[0]);
    let name = new_name(&backend).await;
    let player = client(&closed, &token(&backend, "club", Role::Player, "alice", "").await);
    let press = token(&backend, "club", Role::Spectator, "press", &name).await;
    player.get_match(get(&name)).await.unwrap();

    let mut matches = MatchServiceClient::connect(closed.service.endpoint()).await.unwrap();
    let mut watched = matches.watch_match(watch(&name, &press)).await.unwrap().into_inner();
    assert!(watched.message().await.unwrap().is_some(), "the snapshot");

    let revoke =
        |subject: &str| RevokeTokensRequest { parent: "tenants/club".into(), subject: subject.into() };
    for subject in ["alice", "press"] {
        let revoked = backend.revoke_tokens(revoke(subject)).await.unwrap();
        assert!(revoked.not_before.is_some());
    }
    assert_eq!(refused(player.get_match(get(&name)).await), UNKNOWN);
    // A stream that was open ends soon.
    let ended = timeout(Duration::from_secs(10), async {
        loop {
            match watched.message().await {
                Ok(Some(_)) => {}
                ended => return ended,
            }
        }
    });
    let status = ended.await.expect("it ends").expect_err("it is cut off");
    assert_eq!(status.code(), Code::Unauthenticated);

    let later = client(&closed, &token(&backend, "club", Role::Player, "alice", "").await);
    later.get_match(get(&name)).await.unwrap();
    closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_expires_and_so_does_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let url = store_url(folder.path());
    let key = new_key(&url, backend("club")).await;
    let short = new_key(&url, NewKey { days: NonZeroU32::new(1), ..backend("club") }).await;
    let clock = TestClock::new();
    let service = Service::start_at(Config { store: url, ..Config::default() }, clock.clone()).await;
    let client = |token: &str| Client::builder(service.endpoint()).token(token).connect_lazy().unwrap();
    let backend = client(&key);
    let name = new_name(&backend).await;
    client(&short).get_match(get(&name)).await.unwrap();

    let ttl = Some(prost_types::Duration { seconds: 60, nanos: 0 });
    let request = IssueTokenRequest {
        parent: "tenants/club".into(),
        role: Role::Player.into(),
        subject: "alice".into(),
        ttl,
        ..IssueTokenRequest::default()
    };
    let issued = backend.issue_token(request).await.unwrap();
    let expires = issued.expire_time.unwrap();
    let millis = expires.seconds * 1_000;
    assert_eq!(expires.nanos, 0);
    let player = client(&issued.token);
    clock.advance(millis - 1 - clock.now());
    player.get_match(get(&name)).await.unwrap();
    clock.advance(1);
    assert_eq!(refused(player.get_match(get(&name)).await), UNKNOWN);
    // Keys are made by the clock of the machine.
    clock.advance(SystemClock.now() + 86_400_000 - clock.now());
    assert_eq!(refused(client(&short).get_match(get(&name)).await), UNKNOWN);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_credential_is_told_apart_from_none() {
    let closed = Closed::start(&["club"]).await;
    let raw = Raw::connect(&closed.service.endpoint()).await;
    let info = "/backgammon.v1.RulesService/GetServerInfo";
    let get = "/backgammon.v1.MatchService/GetMatch";
    let key = &closed.backends[0];
    let code = async |path: &str, headers: &[(&str, &str)]| {
        let answer = raw.call(path, headers, &framed(&v1::GetServerInfoRequest {}.encode_to_vec())).await;
        let status = answer.status.unwrap();
        let reason = status.get_details_error_info().map(|info| info.reason);
        if status.code() == Code::Unauthenticated {
            assert_eq!(reason.as_deref(), Some("INVALID_CREDENTIALS"));
            assert!(!status.message().contains("chq_"));
        }
        status.code()
    };
    assert_eq!(code(info, &[]).await, Code::Ok, "public");
    assert_eq!(code(get, &[]).await, Code::Unauthenticated);
    // The name is missing: the call has come that far.
    assert_eq!(code(get, &[("authorization", &format!("Bearer {key}"))]).await, Code::InvalidArgument);
    assert_eq!(code(get, &[("authorization", &format!("bearer {key}"))]).await, Code::InvalidArgument);
    for shown in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        key.clone(),
        format!("Basic {key}"),
        format!("Bearer {key}x"),
        format!("Bearer {}", &key[..46]),
        format!("Bearer chq_{}", "A".repeat(43)),
        "Bearer a.b.c".to_owned(),
        format!("Bearer {}", "x".repeat(5_000)),
        // An unknown issuer.
        "Bearer eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJldmlsIn0.AAAA".to_owned(),
    ] {
        // Whoever shows something that does not count is not let in as one who has shown nothing.
        for path in [get, info] {
            assert_eq!(code(path, &[("authorization", &shown)]).await, Code::Unauthenticated, "{shown:?}");
        }
    }
    let good = format!("Bearer {key}");
    let twice = [("authorization", good.as_str()), ("authorization", good.as_str())];
    assert_eq!(code(get, &twice).await, Code::Unauthenticated, "two of them");
    closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_for_a_match_that_is_there() {
    let closed = Closed::start(&["club", "other"]).await;
    let (club, other) = (client(&closed, &closed.backends[0]), client(&closed, &closed.backends[1]));
    let name = new_name(&club).await;
    let request = |parent: &str, name: &str| IssueTokenRequest {
        parent: parent.to_owned(),
        role: Role::Spectator.into(),
        subject: "press".into(),
        r#match: name.to_owned(),
        ttl: None,
    };
    let missing = "tenants/club/matches/not-yet";
    let refusal = refused(club.issue_token(request("tenants/club", missing)).await);
    assert_eq!(refusal, (Code::NotFound, Some(ErrorReason::NotFound)));
    let refusal = refused(other.issue_token(request("tenants/club", &name)).await);
    assert_eq!(refusal, (Code::NotFound, Some(ErrorReason::NotFound)));
    let refusal = refused(other.issue_token(request("tenants/other", &name)).await);
    assert_eq!(refusal, (Code::InvalidArgument, Some(ErrorReason::InvalidField)));
    club.issue_token(request("tenants/club", &name)).await.unwrap();
    closed.service.stop().await;
}
