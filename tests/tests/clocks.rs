//! Time limits over the API: flags fall without anyone looking, and down time costs nobody anything.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::time::Duration;

use chaquete_client::{Client, Watched};
use chaquete_proto::v1::{
    ActorKind, ClaimTimeoutRequest, ClockControl, ClockMode, ErrorReason, GameEndReason, GetMatchRequest,
    MarkReadyRequest, Match, MatchEndReason, MatchEvent, MatchState, PauseMatchRequest, ResumeMatchRequest,
    Seat, TimeControl, TimeoutPolicy, WatchMatchRequest, match_event::Kind, time_control::Control,
};
use chaquete_server::config::Config;
use chaquete_tests::{Service, TestClock, act, current_game, events, new_match, rules_to, seat_to_act};
use prost_types::Timestamp;

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// Two minutes in reserve and a delay of twelve seconds.
fn two_minutes(policy: TimeoutPolicy) -> TimeControl {
    let clock =
        ClockControl { reserve: seconds(120), mode: ClockMode::SimpleDelay.into(), per_turn: seconds(12) };
    TimeControl { control: Some(Control::Clock(clock)), timeout_policy: policy.into() }
}

async fn create(client: &Client, control: TimeControl) -> Match {
    let mut request = new_match(rules_to(3));
    request.r#match.as_mut().unwrap().time_control = Some(control);
    client.create_match(request).await.unwrap().r#match.unwrap()
}

async fn read(client: &Client, name: &str) -> Match {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    client.get_match(request).await.unwrap().r#match.unwrap()
}

fn opponent(seat: Seat) -> Seat {
    if seat == Seat::One { Seat::Two } else { Seat::One }
}

/// When the time of the seat to act runs out, in milliseconds.
fn flag(played: &Match) -> Option<i64> {
    let millis = |time: &Timestamp| time.seconds * 1_000 + i64::from(time.nanos) / 1_000_000;
    current_game(played).clocks.iter().find_map(|clock| clock.flag_time.as_ref()).map(millis)
}

fn kinds(log: &[MatchEvent]) -> Vec<&Kind> {
    log.iter().filter_map(|event| event.kind.as_ref()).collect()
}

/// A second in reserve, and nothing more: for tests that let real time go by. (A clock that jumps is taken
/// for a machine that slept, and the time is given back.)
fn one_second(policy: TimeoutPolicy) -> TimeControl {
    let clock = ClockControl { reserve: seconds(1), ..ClockControl::default() };
    TimeControl { control: Some(Control::Clock(clock)), timeout_policy: policy.into() }
}

#[tokio::test]
async fn a_match_is_lost_on_time_though_nobody_looks_and_watchers_are_told() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = create(&client, one_second(TimeoutPolicy::ForfeitMatch)).await;
    let late = seat_to_act(&created);
    let mut watch = client.watch_match(WatchMatchRequest {
        name: created.name.clone(),
        after_revision: created.revision,
        ..WatchMatchRequest::default()
    });
    let told = tokio::time::timeout(Duration::from_secs(1 + 5), async {
        let mut told = Vec::new();
        while let Some(watched) = watch.next().await.unwrap() {
            if let Watched::Update(update) = watched {
                told.push(update.event.unwrap());
            }
        }
        told
    });
    let told = told.await.expect("within five seconds of the flag");
    assert!(matches!(kinds(&told)[..], [Kind::TimeExpired(_), Kind::MatchEnded(_)]), "{told:?}");
    assert!(told.iter().all(|event| event.actor.as_ref().unwrap().kind() == ActorKind::Server));
    let ended = read(&client, &created.name).await;
    let result = ended.result.unwrap();
    assert_eq!((result.winner(), result.reason()), (opponent(late), MatchEndReason::Timeout));
    service.stop().await;
}

fn in_memory() -> Config {
    Config { store: "memory:".to_owned(), ..Config::default() }
}

#[tokio::test]
async fn a_game_lost_on_time_is_one_game_and_the_next_begins() {
    let service = Service::start().await;
    let client = service.client().await;
    let created = create(&client, one_second(TimeoutPolicy::ForfeitGame)).await;
    let late = seat_to_act(&created);
    let played = wait_for_revision_after(&client, &created).await;
    assert_eq!((&played.result, current_game(&played).number), (&None, 2));
    let log = events(&client, &created.name).await.unwrap();
    let ended = kinds(&log).into_iter().find_map(|kind| match kind {
        Kind::GameEnded(ended) => ended.result,
        _ => None,
    });
    let ended = ended.unwrap();
    assert_eq!((ended.reason(), ended.winner(), ended.points), (GameEndReason::Timeout, opponent(late), 1));
    service.stop().await;
}

/// The match once something has happened that nobody asked for.
async fn wait_for_revision_after(client: &Client, seen: &Match) -> Match {
    for _ in 0..120 {
        let now = read(client, &seen.name).await;
        if now.revision > seen.revision {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nothing happened within six seconds");
}

#[tokio::test]
async fn too_late_is_refused_and_the_opponent_may_claim_at_once() {
    let clock = TestClock::new();
    let service = Service::start_at(in_memory(), clock.clone()).await;
    let client = service.client().await;
    let created = create(&client, two_minutes(TimeoutPolicy::Claim)).await;
    let late = seat_to_act(&created);
    let claim = ClaimTimeoutRequest {
        name: created.name.clone(),
        seat: opponent(late).into(),
        request_id: "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a01".to_owned(),
        ..ClaimTimeoutRequest::default()
    };
    let early = client.claim_timeout(claim.clone()).await.unwrap_err();
    assert_eq!(early.reason(), Some(ErrorReason::TimeNotExpired));
    assert!(early.metadata().contains_key("flag_time"), "{:?}", early.metadata());
    clock.advance(10 * MINUTE);
    let claimed = client.claim_timeout(claim).await.unwrap().r#match.unwrap();
    assert_eq!(claimed.result.unwrap().winner(), opponent(late));
    service.stop().await;
}

#[tokio::test]
async fn time_in_which_no_server_ran_is_given_back_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("clocks.sqlite").display());
    let config = Config { store, ..Config::default() };
    let clock = TestClock::new();
    let service = Service::start_at(config.clone(), clock.clone()).await;
    let client = service.client().await;
    let created = create(&client, two_minutes(TimeoutPolicy::ForfeitMatch)).await;
    service.stop().await;

    clock.advance(10 * HOUR);
    // The second start finds nothing to give back any more.
    for _ in 0..2 {
        let service = Service::start_at(config.clone(), clock.clone()).await;
        let client = service.client().await;
        let played = read(&client, &created.name).await;
        assert_eq!(
            (played.state(), flag(&played)),
            (MatchState::Active, flag(&created).map(|flag| flag + 10 * HOUR))
        );
        let log = events(&client, &created.name).await.unwrap();
        let credits: Vec<_> =
            kinds(&log).into_iter().filter(|kind| matches!(kind, Kind::TimeCredited(_))).collect();
        let [Kind::TimeCredited(credit)] = credits[..] else { panic!("{credits:?}") };
        assert_eq!(credit.duration, seconds(10 * 3_600));
        service.stop().await;
    }
}

#[tokio::test]
async fn a_pause_stops_the_clock() {
    let clock = TestClock::new();
    let service = Service::start_at(in_memory(), clock.clone()).await;
    let client = service.client().await;
    let created = create(&client, two_minutes(TimeoutPolicy::ForfeitMatch)).await;
    let name = created.name.clone();
    let pause = PauseMatchRequest { name: name.clone(), reason: "dinner".to_owned(), ..Default::default() };
    let paused = client.pause_match(pause).await.unwrap().r#match.unwrap();
    assert_eq!((paused.state(), flag(&paused)), (MatchState::Paused, None));
    clock.advance(2_000);
    let refused = act(&client, &created, &mut |_| 0).await.unwrap_err();
    assert_eq!(refused.reason(), Some(ErrorReason::MatchPaused));
    let resume = ResumeMatchRequest { name, ..ResumeMatchRequest::default() };
    let resumed = client.resume_match(resume).await.unwrap().r#match.unwrap();
    assert_eq!(resumed.state(), MatchState::Active);
    assert_eq!(flag(&resumed), flag(&created).map(|flag| flag + 2_000));
    service.stop().await;
}

#[tokio::test]
async fn a_match_waits_until_both_are_ready() {
    let clock = TestClock::new();
    let service = Service::start_at(in_memory(), clock.clone()).await;
    let client = service.client().await;
    let mut request = new_match(rules_to(3));
    let new = request.r#match.as_mut().unwrap();
    (new.ready_check, new.time_control) = (true, Some(two_minutes(TimeoutPolicy::ForfeitMatch)));
    let created = client.create_match(request).await.unwrap().r#match.unwrap();
    assert_eq!((created.state(), flag(&created)), (MatchState::Pending, None));
    clock.advance(2_000);
    let ready =
        |seat: Seat| MarkReadyRequest { name: created.name.clone(), seat: seat.into(), ..Default::default() };
    client.mark_ready(ready(Seat::Two)).await.unwrap();
    let again = client.mark_ready(ready(Seat::Two)).await.unwrap_err();
    assert_eq!(again.reason(), Some(ErrorReason::NotYourTurn));
    let begun = client.mark_ready(ready(Seat::One)).await.unwrap().r#match.unwrap();
    assert_eq!(begun.state(), MatchState::Active);
    assert!(flag(&begun).is_some() && current_game(&begun).dice.is_some(), "the opening roll has fallen");
    service.stop().await;
}

#[tokio::test]
async fn a_clock_that_jumps_makes_nobody_lose() {
    for jump in [HOUR, 24 * HOUR, -HOUR, -24 * HOUR] {
        let clock = TestClock::new();
        let service = Service::start_at(in_memory(), clock.clone()).await;
        let client = service.client().await;
        let created = create(&client, two_minutes(TimeoutPolicy::ForfeitMatch)).await;
        clock.advance(jump);
        // Two sweeps go by.
        tokio::time::sleep(Duration::from_millis(2_200)).await;
        let played = read(&client, &created.name).await;
        assert_eq!(
            (played.state(), flag(&played)),
            (MatchState::Active, flag(&created).map(|it| it + jump.max(0)))
        );
        act(&client, &played, &mut |_| 0).await.unwrap();
        let log = events(&client, &created.name).await.unwrap();
        let times: Vec<_> = log.iter().map(|event| event.event_time.unwrap()).collect();
        assert!(times.is_sorted_by_key(|time| (time.seconds, time.nanos)), "time in the log runs back");
        service.stop().await;
    }
}
