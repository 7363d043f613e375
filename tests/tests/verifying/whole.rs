//! What was played passes; what cannot be verified is refused.

use chaquete_proto::v1::{
    self, DiceSource, VerificationKind as Kind, VerificationOutcome as Outcome, VerificationReport,
    VerifyMatchesRequest,
};
use chaquete_tests::{Service, play_to_the_end};
use tonic::{Code, Status};

use crate::support::{begun, check, create, operator, services, statistics, verify, verify_all};

/// What each check found, in their order.
fn outcomes(report: &VerificationReport) -> [Outcome; 5] {
    let kinds = [Kind::HashChain, Kind::RulesReplay, Kind::State, Kind::DiceProof, Kind::Clocks];
    assert!(report.checks.iter().map(v1::VerificationCheck::kind).eq(kinds));
    let failed = report.checks.iter().any(|check| check.outcome() == Outcome::Failed);
    assert_eq!(report.passed, !failed);
    std::array::from_fn(|at| report.checks[at].outcome())
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
