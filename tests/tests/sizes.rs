//! How much room a match takes in Postgres, while it is played and once it has ended, and how much of it is read.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::new_request_id;
use chaquete_proto::v1::{
    Action, GetLegalMovesRequest, GetMatchRequest, LegalMovesView, Match, RollDiceRequest, SubmitMoveRequest,
    match_service_client::MatchServiceClient, play_service_client::PlayServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Postgres, Service, current_game, new_match, rules_to, seat_to_act};
use tonic::transport::Channel;

/// A match to seven points as people play it has about so many events. These here are played by chance, without doubles,
/// and are longer.
const EVENTS: i32 = 400;

/// Where a match that has ended lies, and how far checkpoints cover it.
const TABLES: [&str; 4] = ["matches", "events", "archive", "leaves"];

/// Matches that are played in turns, which scatters each over the pages of all.
const MATCHES: u64 = 8;

/// Calls without retries and request ids of a client's own.
struct Caller {
    matches: MatchServiceClient<Channel>,
    play: PlayServiceClient<Channel>,
    with_request_ids: bool,
}

impl Caller {
    async fn new(service: &Service, with_request_ids: bool) -> Self {
        let channel = Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap();
        Self {
            matches: MatchServiceClient::new(channel.clone()),
            play: PlayServiceClient::new(channel),
            with_request_ids,
        }
    }

    fn request_id(&self) -> String {
        if self.with_request_ids { new_request_id() } else { String::new() }
    }

    async fn create(&mut self, points: i32) -> Match {
        let new = self.matches.create_match(new_match(rules_to(points))).await.unwrap();
        new.into_inner().r#match.unwrap()
    }

    async fn get(&mut self, name: &str) -> Match {
        let request = GetMatchRequest { name: name.to_owned(), view: 0 };
        self.matches.get_match(request).await.unwrap().into_inner().r#match.unwrap()
    }

    async fn play_to_the_end(&mut self, mut played: Match) -> Match {
        while played.result.is_none() {
            played = self.act(&played).await;
        }
        played
    }

    async fn act(&mut self, played: &Match) -> Match {
        let (name, seat, request_id) = (played.name.clone(), seat_to_act(played).into(), self.request_id());
        let expected_revision = if self.with_request_ids { 0 } else { played.revision };
        let may_move =
            current_game(played).actions.iter().any(|a| a.actions().any(|a| a == Action::SubmitMove));
        if may_move {
            let view = LegalMovesView::List.into();
            let legal =
                self.play.get_legal_moves(GetLegalMovesRequest { name: name.clone(), view }).await.unwrap();
            let moves = legal.into_inner().legal_moves.unwrap().moves;
            let r#move = moves[moves.len() / 2].r#move.clone();
            let request = SubmitMoveRequest {
                name,
                seat,
                r#move,
                request_id,
                expected_revision,
                ..SubmitMoveRequest::default()
            };
            self.play.submit_move(request).await.unwrap().into_inner().r#match.unwrap()
        } else {
            let request =
                RollDiceRequest { name, seat, request_id, expected_revision, ..RollDiceRequest::default() };
            self.play.roll_dice(request).await.unwrap().into_inner().r#match.unwrap()
        }
    }
}

/// Bytes of tables with their indexes and all.
async fn bytes(postgres: &Postgres, tables: &str) -> u64 {
    let sql = format!(
        "SELECT sum(pg_total_relation_size(oid))::bigint::text FROM pg_class \
         WHERE relnamespace = 'chaquete'::regnamespace AND relname IN ({tables})"
    );
    postgres.number(&sql).await
}

/// Plays matches to their end, and says of one with 400 events how many bytes it has taken while it was played and how
/// many once it is packed.
async fn sizes(postgres: &Postgres, with_request_ids: bool) -> (u64, u64) {
    let live = "'matches', 'match_players', 'events'";
    let empty = bytes(postgres, live).await;
    let service = postgres.serve().await;
    let mut caller = Caller::new(&service, with_request_ids).await;
    let mut matches = Vec::new();
    for _ in 0..MATCHES {
        matches.push(caller.create(7).await);
    }
    while matches.iter().any(|played| played.revision < EVENTS && played.result.is_none()) {
        for played in matches.iter_mut().filter(|played| played.result.is_none()) {
            *played = caller.act(played).await;
        }
    }
    let hot = (bytes(postgres, live).await - empty) / MATCHES;

    let ended = caller.play_to_the_end(matches.swap_remove(0)).await;
    let packed =
        format!("SELECT pg_column_size(archive.*)::text FROM chaquete.archive WHERE uid = '{}'", ended.uid);
    postgres
        .until(&format!("SELECT count(*)::text FROM chaquete.archive WHERE uid = '{}'", ended.uid), 1)
        .await;
    let archived = postgres.number(&packed).await;
    service.stop().await;
    (hot, archived * EVENTS as u64 / ended.revision as u64)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_to_seven_points_is_small() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let (hot, archived) = sizes(&postgres, false).await;
    println!("a match of {EVENTS} events: {hot} bytes while it is played, {archived} packed");
    assert!(hot <= 220_000, "{hot} bytes");
    assert!(archived <= 15_000, "{archived} bytes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn request_ids_take_what_chance_takes() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let (hot, archived) = sizes(&postgres, true).await;
    println!("with request ids: {hot} bytes while it is played, {archived} packed");
    // A request id and the digest of its request are 48 bytes that nothing can make smaller; while the match is played they
    // are there as text, and the ids in an index as well.
    assert!(hot <= 300_000, "{hot} bytes");
    assert!(archived <= 15_000 + 48 * EVENTS as u64, "{archived} bytes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ended_match_is_read_in_three_pages() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let mut caller = Caller::new(&service, true).await;
    let mut ended = Vec::new();
    for _ in 0..5 {
        let new = caller.create(3).await;
        ended.push(caller.play_to_the_end(new).await);
    }
    postgres.until("SELECT count(*)::text FROM chaquete.events", 0).await;
    service.stop().await;
    // A server reads a little as it starts and while it is idle.
    let idle = pages_of_a_server(&postgres, &[]).await;
    let read = pages_of_a_server(&postgres, &ended).await - idle;
    println!("{read} pages of {} ended matches", ended.len());
    assert!((5..=3 * 5).contains(&read), "{read} pages");
}

/// How many pages a new server reads until it has told these matches.
async fn pages_of_a_server(postgres: &Postgres, asked: &[Match]) -> u64 {
    let before = postgres.pages_read(&TABLES).await;
    // Whoever makes checkpoints reads as well: once as the server starts, and then as often as it is its turn.
    let config = Config { checkpoint_interval: Duration::from_hours(1), ..postgres.config() };
    let service = Service::start_with(config).await;
    // It looks through these few matches in some milliseconds. Nobody tells when it has, and what it reads must be counted
    // with and without those that are asked for, or not at all.
    tokio::time::sleep(Duration::from_secs(1)).await;
    for asked in asked {
        let told = Caller::new(&service, true).await.get(&asked.name).await;
        assert_eq!((told.revision, &told.result), (asked.revision, &asked.result));
    }
    service.stop().await;
    postgres.pages_read(&TABLES).await - before
}
