//! What one player can have of the server.

use std::time::Duration;

use chaquete_proto::v1::{
    GetMatchRequest, IssueTokenRequest, Role, WatchMatchRequest, WatchMatchResponse,
    match_service_client::MatchServiceClient,
};
use chaquete_server::config::Limits;
use chaquete_tests::{Closed, new_match, rules_to};
use tokio::time::timeout;
use tonic::{Code, Request, Status, Streaming, transport::Channel};
use tonic_types::StatusExt;

use super::limits::{few, is_limited, limited};

/// A match of alice and bob, a token of each, and a connection.
struct Played {
    closed: Closed,
    client: MatchServiceClient<Channel>,
    name: String,
    tokens: [String; 2],
}

impl Played {
    async fn start(limits: Limits) -> Self {
        let closed = Closed::start_with(&["club"], limited(limits)).await;
        let backend = chaquete_client::Client::builder(closed.service.endpoint()).token(&closed.backends[0]);
        let backend = backend.connect().await.unwrap();
        let parent = || "tenants/club".to_owned();
        let mut new = new_match(rules_to(3));
        new.parent = parent();
        let name = backend.create_match(new).await.unwrap().r#match.unwrap().name;
        let mut tokens = [String::new(), String::new()];
        for (token, subject) in tokens.iter_mut().zip(["alice", "bob"]) {
            let (role, subject) = (Role::Player.into(), subject.to_owned());
            let request =
                IssueTokenRequest { parent: parent(), role, subject, ..IssueTokenRequest::default() };
            *token = backend.issue_token(request).await.unwrap().token;
        }
        let client = MatchServiceClient::connect(closed.service.endpoint()).await.unwrap();
        Self { closed, client, name, tokens }
    }

    fn with_token<M>(&self, player: usize, message: M) -> Request<M> {
        let mut request = Request::new(message);
        request
            .metadata_mut()
            .insert("authorization", format!("Bearer {}", self.tokens[player]).parse().unwrap());
        request
    }

    async fn get(&self, player: usize) -> Result<(), Status> {
        let request = GetMatchRequest { name: self.name.clone(), ..GetMatchRequest::default() };
        self.client.clone().get_match(self.with_token(player, request)).await.map(drop)
    }

    async fn watch(&self, player: usize) -> Result<Streaming<WatchMatchResponse>, Status> {
        let request = WatchMatchRequest { name: self.name.clone(), ..WatchMatchRequest::default() };
        Ok(self.client.clone().watch_match(self.with_token(player, request)).await?.into_inner())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_its_rate_and_others_have_theirs() {
    let played = Played::start(Limits { player_calls_per_second: few(5), ..Limits::default() }).await;
    let (alice, bob) = (0, 1);
    let (mut served, mut refused) = (0, 0);
    while refused < 20 && served < 1_000 {
        match played.get(alice).await {
            Ok(()) => served += 1,
            Err(status) => {
                assert!(is_limited(&status), "{status}");
                refused += 1;
            }
        }
    }
    // Four seconds' worth may come at once.
    assert!(served >= 20 && refused == 20, "{served} served, {refused} refused");
    played.get(bob).await.unwrap();
    played.closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_so_many_streams() {
    let played = Played::start(Limits { streams_per_player: few(2), ..Limits::default() }).await;
    let (alice, bob) = (0, 1);
    let first = played.watch(alice).await.unwrap();
    let _second = played.watch(alice).await.unwrap();
    let status = played.watch(alice).await.unwrap_err();
    let reason = status.get_details_error_info().unwrap().reason;
    assert_eq!((status.code(), reason.as_str()), (Code::ResourceExhausted, "TOO_MANY_WATCHES"));
    played.watch(bob).await.unwrap();
    drop(first);
    let again = timeout(Duration::from_secs(10), async {
        while played.watch(alice).await.is_err() {
            // Nobody tells when the server has noticed.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    again.await.expect("its place is free again");
    played.closed.service.stop().await;
}
