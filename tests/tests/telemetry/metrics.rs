//! A server is played on, asked wrongly and watched, and says so when it is scraped.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpStream},
    time::Duration,
};

use chaquete_proto::v1::{
    self, Match, WatchMatchRequest, WatchMatchesRequest, act_request::Action,
    match_service_client::MatchServiceClient, play_service_client::PlayServiceClient,
};
use chaquete_server::{config::Config, telemetry::metrics::names};
use chaquete_tests::{
    Postgres, Raw, Scraped, Service, Way, act, any_of, current_game, events, framed, get, new_match,
    play_to_the_end, rules_to, seat_to_act, tamper,
};
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, transport::Channel};

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(30);

fn measured(config: Config) -> Config {
    Config { metrics_listen: Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))), ..config }
}

fn in_memory() -> Config {
    measured(Config { store: "memory:".to_owned(), ..Config::default() })
}

async fn channel(service: &Service) -> Channel {
    Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap()
}

fn calls(method: &str, code: &str, over: &str) -> String {
    format!("chaquete_calls_total{{method=\"{method}\",code=\"{code}\",over=\"{over}\"}}")
}

fn refused(method: &str, reason: &str, rule: &str) -> String {
    format!("chaquete_calls_refused_total{{method=\"{method}\",reason=\"{reason}\",rule=\"{rule}\"}}")
}

/// Scrapes until a series has this value: what is counted when an answer has left may be so a little later.
async fn until(service: &Service, series: &str, value: f64) -> Scraped {
    let scraping = async {
        loop {
            let scraped = service.scrape().await;
            if scraped.value(series) == Some(value) {
                return scraped;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    match timeout(SOON, scraping).await {
        Ok(scraped) => scraped,
        Err(_) => panic!("{series} is not {value}: {}", service.scrape().await.0),
    }
}

#[tokio::test]
async fn what_was_played_is_counted() {
    let service = Service::start_with(in_memory()).await;
    let client = service.client().await;
    let new = client.create_match(new_match(rules_to(3))).await.unwrap().r#match.unwrap();
    let played = play_to_the_end(&client, new, &mut any_of(3)).await.unwrap();
    let events = events(&client, &played.name).await.unwrap();
    let moves = events.iter().filter(|event| matches!(event.kind, Some(v1::match_event::Kind::MoveMade(_))));
    let moves = moves.count() as f64;

    // Covered by a checkpoint, too.
    let scraped = until(&service, "chaquete_checkpoint_pending", 0.0).await;
    assert_eq!(scraped.value(&calls("CreateMatch", "OK", "call")), Some(1.0));
    let submitted = scraped.value(&calls("SubmitMove", "OK", "call")).unwrap();
    assert!(submitted > 10.0 && submitted <= moves, "{submitted} of {moves}: others had no choice");
    assert_eq!(scraped.value(&calls("GetLegalMoves", "OK", "call")), Some(submitted));
    let timed = "chaquete_call_seconds_count{method=\"SubmitMove\",over=\"call\"}";
    assert_eq!(scraped.value(timed), Some(submitted));
    assert_eq!(scraped.sum("chaquete_calls_refused_total"), 0.0);
    assert_eq!(scraped.sum("chaquete_calls_under_way"), 0.0);

    // Every action is a write, and so is every beat of the sweep.
    let rolled = scraped.value(&calls("RollDice", "OK", "call")).unwrap();
    let writes = scraped.value("chaquete_batch_writes_sum").unwrap();
    assert!(writes > 1.0 + submitted + rolled, "{writes}");
    let commits = scraped.value("chaquete_commit_seconds_count");
    assert_eq!(scraped.value("chaquete_batch_writes_count"), commits);
    assert_eq!(scraped.value("chaquete_store_queue"), Some(0.0));
    assert_eq!(scraped.sum("chaquete_store_errors_total"), 0.0);
    assert_eq!(scraped.value("chaquete_store_connections_limit"), Some(1.0));

    assert_eq!(scraped.value("chaquete_cache_matches"), Some(1.0));
    assert!(scraped.value("chaquete_cache_hits_total").unwrap() >= submitted + rolled);
    assert_eq!(scraped.value("chaquete_cache_misses_total"), Some(0.0), "it was never read");
    assert!(scraped.value("chaquete_sweep_lag_seconds").unwrap() < 20.0);
    assert!(scraped.value("chaquete_checkpoint_age_seconds").unwrap() < 60.0);
    assert_eq!(scraped.value("chaquete_matches_damaged_total"), Some(0.0));
    service.stop().await;
}

#[tokio::test]
async fn all_metrics_are_there_and_no_other() {
    let service = Service::start_with(in_memory()).await;
    // There is none of these before.
    service.client().await.create_match(new_match(rules_to(1))).await.unwrap();
    let mut play = PlayServiceClient::new(channel(&service).await);
    play.submit_move(v1::SubmitMoveRequest::default()).await.unwrap_err();
    let scraped = until(&service, "chaquete_checkpoint_pending", 0.0).await;
    let told: Vec<_> = scraped.names().into_iter().collect();
    let mut all: Vec<_> = names::ALL.iter().map(|metric| metric.name).collect();
    all.sort_unstable();
    assert_eq!(told, all);
    assert!(scraped.0.contains(&format!("version=\"{}\"", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test]
async fn each_server_of_a_process_counts_for_itself() {
    let (one, other) = (Service::start_with(in_memory()).await, Service::start_with(in_memory()).await);
    one.client().await.create_match(new_match(rules_to(1))).await.unwrap();
    until(&one, &calls("CreateMatch", "OK", "call"), 1.0).await;
    assert_eq!(other.scrape().await.value(&calls("CreateMatch", "OK", "call")), Some(0.0));
}

/// A match in which a roll is to be played.
async fn rolled(service: &Service) -> Match {
    let client = service.client().await;
    let mut played = client.create_match(new_match(rules_to(3))).await.unwrap().r#match.unwrap();
    let may_move = |played: &Match| {
        let mut actions = current_game(played).actions.iter();
        actions.any(|seat| seat.actions().any(|action| action == v1::Action::SubmitMove))
    };
    while !may_move(&played) {
        played = act(&client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

fn submit(played: &Match, text: &str) -> v1::SubmitMoveRequest {
    v1::SubmitMoveRequest {
        name: played.name.clone(),
        seat: seat_to_act(played).into(),
        expected_revision: played.revision,
        r#move: Some(v1::Move { notation: text.to_owned(), ..v1::Move::default() }),
        ..v1::SubmitMoveRequest::default()
    }
}

#[tokio::test]
async fn what_was_refused_is_counted_by_rule_however_it_was_asked_for() {
    let service = Service::start_with(in_memory()).await;
    let played = rolled(&service).await;
    let code = |answer: Result<v1::SubmitMoveResponse, Status>| answer.unwrap_err().code();
    for (way, over) in Way::both(&service).await.into_iter().zip(["call", "act"]) {
        let illegal = [("1/7", "WRONG_DIRECTION"), ("23/22", "NO_CHECKER")];
        for (text, rule) in illegal {
            assert_eq!(code(way.act(submit(&played, text)).await), Code::FailedPrecondition, "{rule}");
        }
        let stale =
            v1::SubmitMoveRequest { expected_revision: played.revision - 1, ..submit(&played, "13/10") };
        assert_eq!(code(way.act(stale).await), Code::Aborted);
        let nowhere = v1::SubmitMoveRequest {
            name: "tenants/default/matches/nowhere".to_owned(),
            ..submit(&played, "13/10")
        };
        assert_eq!(code(way.act(nowhere).await), Code::NotFound);
        assert_eq!(code(way.act(v1::SubmitMoveRequest::default()).await), Code::InvalidArgument);

        let ways = if over == "call" { 1.0 } else { 2.0 };
        let scraped = until(&service, &refused("SubmitMove", "INVALID_FIELD", ""), ways).await;
        for (_, rule) in illegal {
            assert_eq!(scraped.value(&refused("SubmitMove", "ILLEGAL_MOVE", rule)), Some(ways), "{rule}");
        }
        for (code, count) in
            [("FAILED_PRECONDITION", 2.0), ("ABORTED", 1.0), ("NOT_FOUND", 1.0), ("INVALID_ARGUMENT", 1.0)]
        {
            assert_eq!(scraped.value(&calls("SubmitMove", code, over)), Some(count), "{code} {over}");
        }
        assert_eq!(scraped.value(&refused("SubmitMove", "REVISION_MISMATCH", "")), Some(ways));
        let timed = format!("chaquete_call_seconds_count{{method=\"SubmitMove\",over=\"{over}\"}}");
        assert_eq!(scraped.value(&timed), Some(5.0));
    }
}

#[tokio::test]
async fn actions_on_a_stream_count_as_calls_and_the_stream_as_one() {
    let service = Service::start_with(in_memory()).await;
    let client = service.client().await;
    let (actions, mut answers) = client.act_stream().await.unwrap();
    for tag in 1..=3 {
        let action = Some(Action::CreateMatch(Box::new(new_match(rules_to(1)))));
        actions.send(v1::ActRequest { tag, action, ..Default::default() }).await.unwrap();
        answers.next().await.unwrap().unwrap();
    }
    let scraped = service.scrape().await;
    assert_eq!(scraped.value(&calls("CreateMatch", "OK", "act")), Some(3.0));
    assert_eq!(scraped.value(&calls("CreateMatch", "OK", "call")), Some(0.0));
    assert_eq!(scraped.value("chaquete_calls_under_way{method=\"Act\"}"), Some(1.0));
    drop(actions);
    assert!(answers.next().await.unwrap().is_none());
    until(&service, &calls("Act", "OK", "call"), 1.0).await;
}

#[tokio::test]
async fn who_watches_is_counted_and_leaves() {
    let service = Service::start_with(in_memory()).await;
    let mut matches = MatchServiceClient::new(channel(&service).await);
    let new = matches.create_match(new_match(rules_to(1))).await.unwrap().into_inner().r#match.unwrap();
    let watch = WatchMatchRequest { name: new.name.clone(), ..WatchMatchRequest::default() };
    let follow = WatchMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() };
    let watching =
        [matches.watch_match(watch.clone()).await.unwrap(), matches.watch_match(watch).await.unwrap()];
    let following = matches.watch_matches(follow).await.unwrap();
    let scraped = until(&service, "chaquete_watchers", 2.0).await;
    assert_eq!(scraped.value("chaquete_followers"), Some(1.0));
    assert_eq!(scraped.value("chaquete_calls_under_way{method=\"WatchMatch\"}"), Some(2.0));
    assert_eq!(scraped.value("chaquete_calls_under_way{method=\"WatchMatches\"}"), Some(1.0));
    drop((watching, following));
    until(&service, "chaquete_watchers", 0.0).await;
    until(&service, "chaquete_followers", 0.0).await;
    let scraped = until(&service, &calls("WatchMatches", "CANCELLED", "call"), 1.0).await;
    assert_eq!(scraped.value(&calls("WatchMatch", "CANCELLED", "call")), Some(2.0));
    assert_eq!(scraped.sum("chaquete_calls_under_way"), 0.0);
}

/// What a caller makes up must not become labels: there would be no end to them.
#[tokio::test]
async fn what_is_not_in_the_contract_has_one_name() {
    let service = Service::start_with(in_memory()).await;
    let raw = Raw::connect(&service.endpoint()).await;
    for path in ["/backgammon.v1.PlayService/Cheat", "/chess.v1.A/SubmitMove", "/x"] {
        raw.call(path, &[], &framed(&[])).await;
    }
    let scraped = until(&service, &calls("unknown", "UNIMPLEMENTED", "call"), 3.0).await;
    assert!(!scraped.0.contains("Cheat") && !scraped.0.contains("chess"), "{}", scraped.0);
    // Health is asked for all the time, and is no call of ours.
    raw.call("/grpc.health.v1.Health/Check", &[], &framed(&[])).await;
    assert_eq!(service.scrape().await.value(&calls("unknown", "OK", "call")), Some(0.0));
}

#[tokio::test]
async fn whoever_says_nothing_holds_up_no_scrape_and_there_is_nothing_else_to_see() {
    let service = Service::start_with(in_memory()).await;
    let address = service.metrics_address();
    let silent: Vec<_> = (0..20).map(|_| TcpStream::connect(address).unwrap()).collect();
    timeout(Duration::from_secs(5), service.scrape()).await.expect("others are answered");
    for path in ["/", "/metrics/", "/debug/pprof"] {
        let answer = get(address, path).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    }
    drop(silent);
    service.stop().await;
    TcpStream::connect(address).unwrap_err();
}

#[tokio::test]
async fn matches_that_have_to_be_read_are_counted_and_so_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("chaquete.sqlite");
    let config = || measured(Config { store: format!("sqlite:{}", store.display()), ..Config::default() });
    let service = Service::start_with(config()).await;
    let client = service.client().await;
    let mut matches = Vec::new();
    for _ in 0..2 {
        matches.push(client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap().name);
    }
    service.stop().await;
    let sql = "PRAGMA ignore_check_constraints = ON; UPDATE events SET hash = x'0102' WHERE revision = 1 AND uid = (SELECT min(uid) FROM matches)";
    if !tamper(&store, sql) {
        return;
    }
    let service = Service::start_with(config()).await;
    let mut damaged = 0;
    for name in &matches {
        for _ in 0..3 {
            let request = v1::GetMatchRequest { name: name.clone(), ..Default::default() };
            let got = MatchServiceClient::new(channel(&service).await).get_match(request).await;
            damaged += u32::from(got.is_err_and(|status| status.code() == Code::DataLoss));
        }
    }
    assert_eq!(damaged, 3);
    let scraped = until(&service, "chaquete_matches_damaged_total", 1.0).await;
    assert_eq!(scraped.value(&calls("GetMatch", "DATA_LOSS", "call")), Some(3.0));
    assert_eq!(scraped.value(&refused("GetMatch", "LOG_CORRUPT", "")), Some(3.0));
    // What cannot be folded is read each time; the other is read once.
    assert_eq!(scraped.value("chaquete_cache_misses_total"), Some(4.0));
    assert_eq!(scraped.value("chaquete_cache_hits_total"), Some(2.0));
    assert_eq!(scraped.value("chaquete_cache_matches"), Some(1.0));
}

#[tokio::test]
async fn a_store_that_fails_is_counted() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = Service::start_with(measured(postgres.config())).await;
    let scraped = service.scrape().await;
    assert_eq!(scraped.value("chaquete_store_connections_limit"), Some(8.0));
    assert_eq!(scraped.sum("chaquete_store_errors_total"), 0.0);

    let hide = "ALTER TABLE chaquete.matches RENAME TO hidden";
    postgres.database.execute(hide).await.unwrap();
    let mut matches = MatchServiceClient::new(channel(&service).await);
    let request =
        v1::GetMatchRequest { name: "tenants/default/matches/nowhere".to_owned(), ..Default::default() };
    let failed = [
        matches.get_match(request).await.unwrap_err(),
        matches.create_match(new_match(rules_to(1))).await.unwrap_err(),
    ];
    assert!(failed.iter().all(|status| status.code() == Code::Unavailable), "{failed:?}");
    let scraped = until(&service, &calls("CreateMatch", "UNAVAILABLE", "call"), 1.0).await;
    assert_eq!(scraped.value(&refused("GetMatch", "STORAGE_UNAVAILABLE", "")), Some(1.0));
    for access in ["read", "write"] {
        let series = format!("chaquete_store_errors_total{{access=\"{access}\",kind=\"unavailable\"}}");
        assert!(scraped.value(&series).unwrap() >= 1.0, "{access}");
    }
}
