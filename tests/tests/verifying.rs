//! Matches are verified: what was played passes, what was changed fails where it was changed, and is not played on.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{path::Path, process::Command};

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    self, CreateMatchRequest, Dice, DicePolicy, DiceSource, ErrorReason, GetMatchRequest, Match,
    RollDiceRequest, Seat, VerificationKind as Kind, VerificationOutcome as Outcome, VerificationReport,
    VerifyMatchRequest, VerifyMatchesRequest, VerifyMatchesResponse,
    operator_service_client::OperatorServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Postgres, Service, act, events, new_match, play_to_the_end, rules_to, seat_to_act};
use tonic::{Code, Status, transport::Channel};

const ALL: &str = "tenants/default";

async fn operator(service: &Service) -> OperatorServiceClient<Channel> {
    OperatorServiceClient::connect(service.endpoint()).await.unwrap()
}

async fn verify(service: &Service, name: &str) -> Result<VerificationReport, Status> {
    let request = VerifyMatchRequest { name: name.to_owned() };
    let answer = operator(service).await.verify_match(request).await?;
    Ok(answer.into_inner().report.unwrap())
}

/// All messages of a stream.
async fn verify_all(service: &Service, filter: &str) -> Result<Vec<VerifyMatchesResponse>, Status> {
    let request = VerifyMatchesRequest { parent: ALL.to_owned(), filter: filter.to_owned() };
    let mut stream = operator(service).await.verify_matches(request).await?.into_inner();
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await? {
        messages.push(message);
    }
    Ok(messages)
}

/// What each check found, in their order.
fn outcomes(report: &VerificationReport) -> [Outcome; 5] {
    let kinds = [Kind::HashChain, Kind::RulesReplay, Kind::State, Kind::DiceProof, Kind::Clocks];
    assert!(report.checks.iter().map(v1::VerificationCheck::kind).eq(kinds));
    let failed = report.checks.iter().any(|check| check.outcome() == Outcome::Failed);
    assert_eq!(report.passed, !failed);
    std::array::from_fn(|at| report.checks[at].outcome())
}

/// The check of this kind.
fn check(report: &VerificationReport, kind: Kind) -> &v1::VerificationCheck {
    report.checks.iter().find(|check| check.kind() == kind).unwrap()
}

async fn create(client: &Client, id: &str, source: DiceSource) -> Match {
    let mut request = CreateMatchRequest { match_id: id.to_owned(), ..new_match(rules_to(1)) };
    let policy = DicePolicy { source: source.into(), ..DicePolicy::default() };
    request.r#match.as_mut().unwrap().dice_policy = Some(policy);
    client.create_match(request).await.unwrap().r#match.unwrap()
}

/// A match with committed dice, and some turns.
async fn begun(client: &Client, id: &str) -> Match {
    let mut played = create(client, id, DiceSource::Committed).await;
    for _ in 0..8 {
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

async fn get(client: &Client, name: &str) -> Result<Match, Error> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    Ok(client.get_match(request).await?.r#match.unwrap())
}

fn is_data_loss(error: &Error) -> bool {
    (error.code(), error.reason()) == (Code::DataLoss, Some(ErrorReason::LogCorrupt))
}

/// Servers on each kind of store that is here.
async fn services() -> Vec<Service> {
    let mut services = vec![Service::start().await];
    if let Some(postgres) = Postgres::new_or_say().await {
        services.push(postgres.serve().await);
    }
    services
}

#[tokio::test]
async fn what_was_played_verifies() {
    for service in services().await {
        let client = service.client().await;
        let running = begun(&client, "running").await;
        let ended = create(&client, "ended", DiceSource::Committed).await;
        let ended = play_to_the_end(&client, ended, &mut |count| count / 2).await.unwrap();
        for played in [running, ended] {
            let report = verify(&service, &played.name).await.unwrap();
            let untimed =
                [Outcome::Passed, Outcome::Passed, Outcome::Passed, Outcome::Passed, Outcome::Skipped];
            assert_eq!(outcomes(&report), untimed, "{report:#?}");
            assert_eq!((&report.r#match, report.revision), (&played.name, played.revision));
            assert_eq!(report.log_hash, played.log_hash);
        }
        assert_eq!(service.damages().count(), 0);
        service.stop().await;
    }
}

#[tokio::test]
async fn nothing_can_be_said_of_dice_that_came_from_outside() {
    let service = Service::start().await;
    let name = create(&service.client().await, "outside", DiceSource::External).await.name;
    let report = verify(&service, &name).await.unwrap();
    let dice = check(&report, Kind::DiceProof);
    assert_eq!(dice.outcome(), Outcome::Skipped);
    assert!(dice.detail.starts_with("unverifiable"), "{}", dice.detail);
    service.stop().await;
}

/// Lets SQLite's own shell change the stored matches behind the server's back; whether there is one.
fn tamper(store: &Path, sql: &str) -> bool {
    let sql = format!("PRAGMA ignore_check_constraints = ON; PRAGMA busy_timeout = 5000; {sql}");
    let Ok(output) = Command::new("sqlite3").arg(store).arg(sql).output() else {
        eprintln!("SKIPPED: there is no sqlite3 on this machine");
        return false;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

fn config(store: &Path) -> Config {
    Config { store: format!("sqlite:{}", store.display()), ..Config::default() }
}

const OF_BAD: &str = "uid = (SELECT uid FROM matches WHERE match_id = 'm-bad')";

#[tokio::test]
async fn a_match_that_was_found_damaged_is_not_played_on_until_it_is_found_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let (bad, good) = (begun(&client, "m-bad").await, begun(&client, "m-good").await);

    // Given an event that was changed while the match is kept folded, which nobody notices who only plays on.
    let change = |from: &str, to: &str| {
        format!("UPDATE events SET event = replace(event, '{from}', '{to}') WHERE revision = 4 AND {OF_BAD}")
    };
    if !tamper(&store, &change("\"game\":1", "\"game\":2")) {
        return;
    }
    let bad = act(&client, &bad, &mut |_| 0).await.unwrap();

    // When it is verified, then the report says where, and from now on it is neither played nor read.
    let report = verify(&service, &bad.name).await.unwrap();
    let chain = check(&report, Kind::HashChain);
    assert_eq!((chain.outcome(), chain.first_bad_revision), (Outcome::Failed, 4), "{report:#?}");
    assert!(is_data_loss(&act(&client, &bad, &mut |_| 0).await.unwrap_err()));
    assert!(is_data_loss(&get(&client, &bad.name).await.unwrap_err()));
    assert_eq!(service.damages().count(), 1);

    // It is still verified, alone and among all, and the others go on.
    assert_eq!(verify(&service, &bad.name).await.unwrap(), report);
    let messages = verify_all(&service, "").await.unwrap();
    let reports: Vec<_> = messages.iter().filter_map(|message| message.report.as_ref()).collect();
    assert_eq!(reports, [&report]);
    let last = messages.last().unwrap();
    assert_eq!((last.checked_count, last.failed_count), (2, 1));
    act(&client, &good, &mut |_| 0).await.unwrap();
    assert_eq!(service.damages().count(), 1, "it is the same one");

    // When it is repaired, nobody knows until it is verified.
    tamper(&store, &change("\"game\":2", "\"game\":1"));
    assert!(is_data_loss(&get(&client, &bad.name).await.unwrap_err()));
    assert!(verify(&service, &bad.name).await.unwrap().passed);
    assert_eq!(get(&client, &bad.name).await.unwrap().revision, bad.revision);
    act(&client, &bad, &mut |_| 0).await.unwrap();
    service.stop().await;
}

/// Who reads a log comes to events at which nobody looks who plays on.
#[tokio::test]
async fn a_match_is_frozen_by_whoever_finds_its_log_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let client = service.client().await;
    let played = begun(&client, "m-bad").await;
    let sql =
        format!("UPDATE events SET event = replace(event, 'dice', 'mice') WHERE revision = 4 AND {OF_BAD}");
    if tamper(&store, &sql) {
        let played = act(&client, &played, &mut |_| 0).await.unwrap();
        assert!(is_data_loss(&events(&client, &played.name).await.unwrap_err()));
        assert!(is_data_loss(&act(&client, &played, &mut |_| 0).await.unwrap_err()));
        assert_eq!(service.damages().count(), 1);
    }
    service.stop().await;
}

#[tokio::test]
async fn damage_is_reported_whatever_it_is_of() {
    use Kind::{HashChain, State};
    let damages: [(String, Kind, i32, &[Kind]); 6] = [
        (
            format!("UPDATE events SET event = CAST(x'ff00ff' AS TEXT) WHERE revision = 3 AND {OF_BAD}"),
            HashChain,
            3,
            &[],
        ),
        (format!("UPDATE events SET hash = x'0102' WHERE revision = 3 AND {OF_BAD}"), HashChain, 3, &[]),
        (format!("UPDATE events SET hash = zeroblob(32) WHERE revision = 5 AND {OF_BAD}"), HashChain, 5, &[]),
        (format!("DELETE FROM events WHERE revision = 6 AND {OF_BAD}"), HashChain, 6, &[]),
        ("UPDATE matches SET labels = '{' WHERE match_id = 'm-bad'".to_owned(), State, 0, &[HashChain]),
        (
            "UPDATE matches SET update_time = update_time + 1 WHERE match_id = 'm-bad'".to_owned(),
            State,
            0,
            &[HashChain],
        ),
    ];
    for (sql, kind, revision, passing) in damages {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("verifying.sqlite");
        let service = Service::start_with(config(&store)).await;
        let name = begun(&service.client().await, "m-bad").await.name;
        if !tamper(&store, &sql) {
            return;
        }
        let report = verify(&service, &name).await.unwrap();
        let failed = check(&report, kind);
        assert_eq!(
            (failed.outcome(), failed.first_bad_revision),
            (Outcome::Failed, revision),
            "{sql}: {report:#?}"
        );
        assert!(!report.passed && !failed.detail.is_empty());
        for kind in passing {
            assert_eq!(check(&report, *kind).outcome(), Outcome::Passed, "{sql}: {report:#?}");
        }
        let [message, last] = &verify_all(&service, "").await.unwrap()[..] else { panic!("{sql}") };
        assert_eq!((message.report.as_ref(), last.failed_count), (Some(&report), 1), "{sql}");
        service.stop().await;
    }
}

/// A snapshot is compared with what the log says, and a packed log is read.
#[tokio::test]
async fn snapshots_and_packed_logs_are_looked_at_where_there_are_any() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = service.client().await;
    let mut long = create(&client, "m-long", DiceSource::Committed).await;
    while long.revision < 70 {
        long = act(&client, &long, &mut |count| count - 1).await.unwrap();
    }
    let ended = create(&client, "m-ended", DiceSource::Committed).await;
    let ended = play_to_the_end(&client, ended, &mut |count| count / 2).await.unwrap();
    for played in [&long, &ended] {
        assert!(verify(&service, &played.name).await.unwrap().passed);
    }
    // What has ended is packed a moment later.
    postgres.until("SELECT count(*)::text FROM chaquete.archive", 1).await;
    let of_snapshot = r#"UPDATE chaquete.matches SET snapshot = replace(snapshot, '"seq":', '"seq":1')
                         WHERE match_id = 'm-long'"#;
    postgres.database.execute(of_snapshot).await.unwrap();
    postgres.database.execute(r"UPDATE chaquete.archive SET log = log || '\x00'").await.unwrap();

    let report = verify(&service, &long.name).await.unwrap();
    let state = check(&report, Kind::State);
    assert!(state.outcome() == Outcome::Failed && state.detail.contains("snapshot"), "{report:#?}");
    assert_eq!(check(&report, Kind::HashChain).outcome(), Outcome::Passed);
    // The log is good: the match is played on, from its first event.
    act(&client, &long, &mut |_| 0).await.unwrap();

    let report = verify(&service, &ended.name).await.unwrap();
    assert_eq!(check(&report, Kind::HashChain).outcome(), Outcome::Failed, "{report:#?}");
    assert!(is_data_loss(&get(&client, &ended.name).await.unwrap_err()));
    service.stop().await;
}

/// The chain of what is left is whole: it is the row that says how long it was.
#[tokio::test]
async fn a_log_that_lost_its_end_fails_by_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("verifying.sqlite");
    let service = Service::start_with(config(&store)).await;
    let played = begun(&service.client().await, "m-bad").await;
    let sql = format!("DELETE FROM events WHERE revision = {} AND {OF_BAD}", played.revision);
    if tamper(&store, &sql) {
        let report = verify(&service, &played.name).await.unwrap();
        let state = check(&report, Kind::State);
        assert_eq!((state.outcome(), state.first_bad_revision), (Outcome::Failed, played.revision));
        assert!(is_data_loss(&get(&service.client().await, &played.name).await.unwrap_err()));
    }
    service.stop().await;
}

#[tokio::test]
async fn progress_is_told_every_thousand_matches() {
    let service = Service::start().await;
    let client = service.client().await;
    for number in 0..1_050 {
        create(&client, &format!("m-{number:04}"), DiceSource::External).await;
    }
    let messages = verify_all(&service, "").await.unwrap();
    assert!(messages.iter().all(|message| message.report.is_none()));
    assert!(messages.iter().any(|message| message.checked_count == 1_000));
    assert_eq!(messages.last().unwrap().checked_count, 1_050);
    let some = verify_all(&service, "players.subject:\"nobody\"").await.unwrap();
    assert_eq!(some.len(), 1, "that there are none is told as well");
    assert_eq!(some[0].checked_count, 0);
    service.stop().await;
}

/// Plays a match with dice that are told, and nothing else happens: seat one always moves first.
async fn play(client: &Client, id: &str, rolls: &[(i32, i32)]) {
    let mut played = create(client, id, DiceSource::External).await;
    for &(first, second) in rolls {
        let dice = Some(Dice { first, second });
        // The opening dice are of nobody: either may tell them.
        let seat = Some(seat_to_act(&played)).filter(|&seat| seat != Seat::Unspecified).unwrap_or(Seat::One);
        let (name, seat) = (played.name.clone(), seat.into());
        let roll = RollDiceRequest { name, seat, dice, ..RollDiceRequest::default() };
        played = client.roll_dice(roll).await.unwrap().r#match.unwrap();
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
}

async fn statistics(
    service: &Service,
    subject: &str,
    filter: &str,
) -> Result<v1::ComputeDiceStatisticsResponse, Status> {
    let (parent, subject, filter) = (ALL.to_owned(), subject.to_owned(), filter.to_owned());
    let request = v1::ComputeDiceStatisticsRequest { parent, filter, subject };
    Ok(operator(service).await.compute_dice_statistics(request).await?.into_inner())
}

#[tokio::test]
async fn rolls_are_counted_but_for_those_that_open() {
    for service in services().await {
        let client = service.client().await;
        // The opening roll gives the first turn to seat one, alice; then bob and alice roll by turns.
        play(&client, "m-one", &[(6, 1), (3, 3), (2, 1), (5, 4)]).await;
        play(&client, "m-two", &[(4, 1), (3, 3), (1, 2)]).await;
        create(&client, "none", DiceSource::External).await;

        let all = statistics(&service, "", "").await.unwrap();
        assert_eq!((all.roll_count, all.match_count, all.double_count), (5, 2, 2));
        let counted = |answer: &v1::ComputeDiceStatisticsResponse, first: usize, second: usize| {
            answer.combination_counts[(first - 1) * 6 + second - 1]
        };
        assert_eq!(all.combination_counts.len(), 36);
        assert_eq!(
            [counted(&all, 3, 3), counted(&all, 2, 1), counted(&all, 1, 2), counted(&all, 5, 4)],
            [2, 1, 1, 1]
        );
        assert_eq!(all.combination_counts.iter().sum::<i64>(), 5, "each die in its place, and no others");
        assert!(all.tests.is_empty(), "so few rolls tell nothing");

        let alice = statistics(&service, "alice", "").await.unwrap();
        assert_eq!((alice.roll_count, alice.match_count, alice.double_count), (2, 2, 0));
        let bob = statistics(&service, "bob", "players.subject:\"bob\"").await.unwrap();
        assert_eq!((bob.roll_count, counted(&bob, 3, 3), counted(&bob, 5, 4)), (3, 2, 1));
        assert_eq!(statistics(&service, "carol", "").await.unwrap().match_count, 0);
        service.stop().await;
    }
}

#[tokio::test]
async fn committed_dice_are_tested_once_there_are_enough() {
    let service = Service::start().await;
    let client = service.client().await;
    for number in 0..6 {
        let created = create(&client, &format!("m-{number:04}"), DiceSource::Committed).await;
        play_to_the_end(&client, created, &mut |count| count / 2).await.unwrap();
    }
    let all = statistics(&service, "", "state = MATCH_STATE_COMPLETED").await.unwrap();
    assert!(all.roll_count > 200 && all.match_count == 6, "{}", all.roll_count);
    let ids: Vec<_> = all.tests.iter().map(|test| test.id.as_str()).collect();
    let known = [
        "chi_square_faces",
        "chi_square_combinations",
        "chi_square_doubles",
        "chi_square_successive",
        "serial_correlation",
    ];
    assert_eq!(ids, known);
    assert!(all.tests.iter().all(|test| (1e-9..=1.0).contains(&test.p_value)), "{:?}", all.tests);
    service.stop().await;
}

/// What was refused, and for which reason.
fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> (Code, String) {
    use tonic_types::StatusExt as _;
    let status = answer.unwrap_err();
    (status.code(), status.get_details_error_info().unwrap().reason)
}

#[tokio::test]
async fn what_cannot_be_verified_is_refused() {
    let service = Service::start().await;
    let told = |code, reason: &str| (code, reason.to_owned());
    let of = async |name| refused(verify(&service, name).await);
    assert_eq!(of("tenants/default/matches/none").await, told(Code::NotFound, "NOT_FOUND"));
    assert_eq!(of("matches/none").await, told(Code::InvalidArgument, "INVALID_FIELD"));
    assert_eq!(
        refused(verify_all(&service, "colour = 1").await),
        told(Code::InvalidArgument, "INVALID_FILTER")
    );
    assert_eq!(
        refused(statistics(&service, "", "colour = 1").await),
        told(Code::InvalidArgument, "INVALID_FILTER")
    );
    assert_eq!(
        refused(statistics(&service, "caf\u{e9}", "").await),
        told(Code::InvalidArgument, "INVALID_FIELD")
    );

    let mut operator = operator(&service).await;
    for (parent, expected) in [
        ("tenants/-", told(Code::PermissionDenied, "ACCESS_DENIED")),
        ("tenants/other", told(Code::NotFound, "NOT_FOUND")),
        ("", told(Code::InvalidArgument, "INVALID_FIELD")),
    ] {
        let parent = parent.to_owned();
        let all = VerifyMatchesRequest { parent: parent.clone(), ..VerifyMatchesRequest::default() };
        assert_eq!(refused(operator.verify_matches(all).await), expected);
        let rolls = v1::ComputeDiceStatisticsRequest { parent, ..Default::default() };
        assert_eq!(refused(operator.compute_dice_statistics(rolls).await), expected);
    }
    service.stop().await;
}
