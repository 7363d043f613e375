//! Two servers on one database, the players of each match on different ones.

use std::env;

use chaquete_client::Client;
use chaquete_proto::v1::{
    CancelMatchRequest, Match, Seat, WatchMatchRequest, WatchMatchResponse,
    match_service_client::MatchServiceClient, watch_match_response::Message,
};
use chaquete_tests::{Postgres, Service, act, events, is_whole, new_match, patient, rules_to, seat_to_act};
use tokio::task::{JoinHandle, JoinSet};
use tonic::{Code, Response, Status, Streaming, transport::Channel};

use super::support::numbers;

/// How many actions each match has.
const ACTIONS: usize = 24;

/// How many matches share their connections, of which each has two on either server: one to act, one to watch.
const SHARE: u64 = 50;

/// A place at one of the servers.
#[derive(Clone)]
struct Place {
    client: Client,
    watching: Channel,
}

impl Place {
    async fn at(service: &Service) -> Self {
        let endpoint = service.endpoint();
        let watching = Channel::from_shared(endpoint.clone()).unwrap().connect().await.unwrap();
        Self { client: patient(&endpoint).await, watching }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_between_two_servers_are_played_as_on_one() {
    let slow = env::var_os("CHAQUETE_SLOW").is_some();
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let services = [postgres.serve().await, postgres.serve().await];
    let mut matches = JoinSet::new();
    let mut places = None;
    for n in 0..if slow { 1_000 } else { 40 } {
        if n % SHARE == 0 {
            places = Some([Place::at(&services[0]).await, Place::at(&services[1]).await]);
        }
        matches.spawn(play_and_watch(places.clone().unwrap(), n));
    }
    matches.join_all().await;
    for service in services {
        service.stop().await;
    }
}

/// Plays a match, each seat at a place of its own, while it is watched from both.
async fn play_and_watch(places: [Place; 2], n: u64) {
    let [one, two] = &places;
    let created = one.client.create_match(new_match(rules_to(9))).await.unwrap();
    let mut played = created.r#match.unwrap();
    let watchers = places.clone().map(|place| watch(place.watching, played.name.clone()));
    let mut random = numbers(n);
    for _ in 0..ACTIONS {
        let actor = if seat_to_act(&played) == Seat::One { one } else { two };
        let choose = &mut |moves: usize| random(moves as u64) as usize;
        let acted = act(&actor.client, &played, choose).await.unwrap();
        // On top of what the other has done at the other server, and nothing in between.
        assert!(acted.revision > played.revision && acted.revision <= played.revision + 4, "{}", played.name);
        played = acted;
    }
    let ended = end(&two.client, &played).await;
    for place in &places {
        let log = events(&place.client, &played.name).await.unwrap();
        is_whole(&played.name, &log);
        assert_eq!(log.len(), usize::try_from(ended.revision).unwrap());
        let mut ids: Vec<_> = log.iter().map(|event| &event.request_id).filter(|id| !id.is_empty()).collect();
        ids.dedup();
        assert_eq!(ids.len(), 1 + ACTIONS + 1, "{}: each action once", played.name);
    }
    for watcher in watchers {
        assert!(watcher.await.unwrap().into_iter().eq(1..=ended.revision), "{}", played.name);
    }
}

async fn end(client: &Client, played: &Match) -> Match {
    let cancel = CancelMatchRequest {
        name: played.name.clone(),
        reason: "it is late".to_owned(),
        ..CancelMatchRequest::default()
    };
    client.cancel_match(cancel).await.unwrap().r#match.unwrap()
}

/// Watches a match from its beginning; the revisions it was told of, in their order.
fn watch(channel: Channel, name: String) -> JoinHandle<Vec<i32>> {
    tokio::spawn(async move {
        let mut matches = MatchServiceClient::new(channel);
        let mut told = Vec::new();
        loop {
            let request = WatchMatchRequest {
                name: name.clone(),
                after_revision: told.last().copied().unwrap_or_default(),
                heartbeat_interval: Some(prost_types::Duration { seconds: 5, nanos: 0 }),
                ..WatchMatchRequest::default()
            };
            let stream = matches.watch_match(request).await;
            match follow(stream.map(Response::into_inner), &mut told).await {
                // A server that is too busy says so; then the watch goes on after the last event.
                Err(status) => assert_eq!(status.code(), Code::Unavailable, "{status:?}"),
                Ok(()) => return told,
            }
        }
    })
}

/// Notes what a stream tells until it ends.
async fn follow(
    stream: Result<Streaming<WatchMatchResponse>, Status>,
    told: &mut Vec<i32>,
) -> Result<(), Status> {
    let mut stream = stream?;
    while let Some(response) = stream.message().await? {
        if let Some(Message::Update(update)) = response.message {
            told.push(update.event.unwrap().revision);
        }
    }
    Ok(())
}
