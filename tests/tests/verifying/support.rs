//! Those who verify, and what they verify.

use chaquete_client::Client;
use chaquete_proto::v1::{
    self, CreateMatchRequest, DicePolicy, DiceSource, Match, VerificationKind as Kind, VerificationReport,
    VerifyMatchRequest, VerifyMatchesRequest, VerifyMatchesResponse,
    operator_service_client::OperatorServiceClient,
};
use chaquete_tests::{Postgres, Service, act, new_match, rules_to};
use tonic::{Status, transport::Channel};

pub(crate) const ALL: &str = "tenants/default";

pub(crate) async fn operator(service: &Service) -> OperatorServiceClient<Channel> {
    OperatorServiceClient::connect(service.endpoint()).await.unwrap()
}

pub(crate) async fn verify(service: &Service, name: &str) -> Result<VerificationReport, Status> {
    let request = VerifyMatchRequest { name: name.to_owned() };
    let answer = operator(service).await.verify_match(request).await?;
    Ok(answer.into_inner().report.unwrap())
}

/// All messages of a stream.
pub(crate) async fn verify_all(
    service: &Service,
    filter: &str,
) -> Result<Vec<VerifyMatchesResponse>, Status> {
    let request = VerifyMatchesRequest { parent: ALL.to_owned(), filter: filter.to_owned() };
    let mut stream = operator(service).await.verify_matches(request).await?.into_inner();
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await? {
        messages.push(message);
    }
    Ok(messages)
}

/// The check of this kind.
pub(crate) fn check(report: &VerificationReport, kind: Kind) -> &v1::VerificationCheck {
    report.checks.iter().find(|check| check.kind() == kind).unwrap()
}

pub(crate) async fn create(client: &Client, id: &str, source: DiceSource) -> Match {
    let mut request = CreateMatchRequest { match_id: id.to_owned(), ..new_match(rules_to(1)) };
    let policy = DicePolicy { source: source.into(), ..DicePolicy::default() };
    request.r#match.as_mut().unwrap().dice_policy = Some(policy);
    client.create_match(request).await.unwrap().r#match.unwrap()
}

/// A match with committed dice, and some turns.
pub(crate) async fn begun(client: &Client, id: &str) -> Match {
    let mut played = create(client, id, DiceSource::Committed).await;
    for _ in 0..8 {
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

/// Servers on each kind of store that is here.
pub(crate) async fn services() -> Vec<Service> {
    let mut services = vec![Service::start().await];
    if let Some(postgres) = Postgres::new_or_say().await {
        services.push(postgres.serve().await);
    }
    services
}

pub(crate) async fn statistics(
    service: &Service,
    subject: &str,
    filter: &str,
) -> Result<v1::ComputeDiceStatisticsResponse, Status> {
    let (parent, subject, filter) = (ALL.to_owned(), subject.to_owned(), filter.to_owned());
    let request = v1::ComputeDiceStatisticsRequest { parent, filter, subject };
    Ok(operator(service).await.compute_dice_statistics(request).await?.into_inner())
}
