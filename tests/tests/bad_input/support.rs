//! Calls that must fail, and what they say.

use std::collections::BTreeMap;

use chaquete_proto::v1::{
    self, Dice, MatchRules, Player, match_rules::Length, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient, rules_service_client::RulesServiceClient,
};
use chaquete_tests::{Acting, Service, Way};
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

pub(crate) const ID: &str = "0190f3b2-7c4e-7a1b-8f00-0123456789ab";
pub(crate) const OTHER_ID: &str = "0190f3b2-7c4e-7a1b-8f00-0123456789ac";

/// A server, and clients of it that neither retry nor fill anything in.
pub(crate) struct Bare {
    /// Kept running.
    pub(crate) _service: Service,
    pub(crate) matches: MatchServiceClient<Channel>,
    pub(crate) play: PlayServiceClient<Channel>,
    pub(crate) rules: RulesServiceClient<Channel>,
    /// How it is acted there.
    way: Way,
}

impl Bare {
    pub(crate) async fn start() -> Self {
        let [calls, _] = Self::both_ways().await;
        calls
    }

    /// Two servers: on the one it is acted by calls, on the other on a stream.
    pub(crate) async fn both_ways() -> [Self; 2] {
        let [one, other] = [Service::start().await, Service::start().await];
        let [calls, _] = Way::both(&one).await;
        let [_, stream] = Way::both(&other).await;
        [Self::new(one, calls).await, Self::new(other, stream).await]
    }

    async fn new(service: Service, way: Way) -> Self {
        let channel = Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap();
        Self {
            _service: service,
            matches: MatchServiceClient::new(channel.clone()),
            play: PlayServiceClient::new(channel.clone()),
            rules: RulesServiceClient::new(channel),
            way,
        }
    }

    /// Acts, by a call or on a stream.
    pub(crate) async fn act<A: Acting>(&self, request: A) -> Result<A::Response, Status> {
        self.way.act(request).await
    }

    /// A match with external dice, in which the opening roll is due.
    pub(crate) async fn created(&self, match_id: &str) -> v1::Match {
        let request = v1::CreateMatchRequest { match_id: match_id.to_owned(), ..creation() };
        self.matches.clone().create_match(request).await.unwrap().into_inner().r#match.unwrap()
    }

    /// A match in which seat one is to play 3-1.
    pub(crate) async fn rolled(&self, match_id: &str) -> v1::Match {
        let created = self.created(match_id).await;
        let roll = v1::RollDiceRequest {
            name: created.name,
            seat: 1,
            expected_revision: created.revision,
            dice: Some(Dice { first: 3, second: 1 }),
            ..Default::default()
        };
        self.play.clone().roll_dice(roll).await.unwrap().into_inner().r#match.unwrap()
    }

    pub(crate) async fn revision(&self, name: &str) -> i32 {
        let request = v1::GetMatchRequest { name: name.to_owned(), view: 0 };
        self.matches.clone().get_match(request).await.unwrap().into_inner().r#match.unwrap().revision
    }

    pub(crate) async fn match_count(&self) -> usize {
        let request = v1::ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() };
        self.matches.clone().list_matches(request).await.unwrap().into_inner().matches.len()
    }
}

/// A valid request for a match with external dice.
pub(crate) fn creation() -> v1::CreateMatchRequest {
    let player = |subject: &str| Player { subject: subject.to_owned(), ..Default::default() };
    let source = v1::DiceSource::External.into();
    v1::CreateMatchRequest {
        parent: "tenants/default".to_owned(),
        r#match: Some(v1::Match {
            players: vec![player("ann"), player("bob")],
            rules: Some(MatchRules { length: Some(Length::Points(5)), ..Default::default() }),
            dice_policy: Some(v1::DicePolicy { source, ..Default::default() }),
            ..Default::default()
        }),
        ..Default::default()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "where messages have one it may be left out")]
pub(crate) const fn duration(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// What a call that failed says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) code: Code,
    pub(crate) reason: String,
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) fields: Vec<String>,
}

/// Reads the answer to a call that must fail.
pub(crate) fn refused<T>(answer: Result<T, Status>) -> Refused {
    let status = answer.err().expect("the call is refused");
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("there is an ErrorInfo: {status:?}"));
    assert_eq!(info.domain, "backgammon.v1");
    assert!(info.metadata.values().all(|value| !value.is_empty()), "{:?}", info.metadata);
    let violations = details.bad_request().map(|bad| bad.field_violations.clone()).unwrap_or_default();
    assert!(violations.iter().all(|violation| !violation.description.is_empty()), "{violations:?}");
    Refused {
        code: status.code(),
        reason: info.reason.clone(),
        metadata: info.metadata.clone().into_iter().collect(),
        fields: violations.into_iter().map(|violation| violation.field).collect(),
    }
}

/// One way to spoil a request, and the fields that are to be told.
pub(crate) type Case<R> = (fn(&mut R), &'static [&'static str]);

/// Sends a request that is spoiled in each of these ways.
pub(crate) async fn check<R: Clone + std::fmt::Debug, T>(
    call: impl AsyncFn(R) -> Result<T, Status>,
    valid: R,
    cases: &[Case<R>],
) {
    for (spoil, fields) in cases {
        let mut request = valid.clone();
        spoil(&mut request);
        let refused = refused(call(request.clone()).await);
        assert_eq!(
            (refused.code, refused.reason.as_str(), refused.fields.as_slice()),
            (
                Code::InvalidArgument,
                "INVALID_FIELD",
                &*fields.iter().map(ToString::to_string).collect::<Vec<_>>()
            ),
            "{request:?}"
        );
    }
}
