//! Every method, called by everybody, on their own matches, on those of others and on none. The rows say what
//! `contract.md` says; a method without a row fails the test.

use std::collections::{BTreeMap, BTreeSet};

use chaquete_client::Client;
use chaquete_proto::{
    access::AccessTable,
    v1::{self, CreateMatchRequest},
};
use chaquete_tests::{Closed, Raw, framed, new_match, rules_to};
use prost::Message;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Nobody,
    Player,
    Spectator,
    Backend,
    Operator,
}
use Who::{Backend, Nobody, Operator, Player, Spectator};

/// What a method is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// One match.
    Match,
    /// The matches of a tenant.
    Tenant,
    /// Nothing that belongs to anybody.
    Nothing,
}

/// A match, and its tenant.
struct At<'a> {
    tenant: &'a str,
    id: &'a str,
}

impl At<'_> {
    fn parent(&self) -> String {
        format!("tenants/{}", self.tenant)
    }

    fn name(&self) -> String {
        format!("tenants/{}/matches/{}", self.tenant, self.id)
    }
}

type Row = (&'static str, &'static [Who], About, fn(&At<'_>) -> Vec<u8>);

/// A row: method, who may call it, what it is asked about, and the request.
macro_rules! rows {
    ($($service:ident.$method:ident [$($who:ident)*] $about:ident: $request:ident { $($field:ident: $value:expr),* $(,)? };)*) => {
        &[$((
            concat!("/backgammon.v1.", stringify!($service), "/", stringify!($method)),
            &[$($who),*],
            About::$about,
            |at| {
                let _asked_by_some = at;
                v1::$request { $($field: { let value: &dyn Fn(&At<'_>) -> _ = &$value; value(at) },)* ..Default::default() }
                    .encode_to_vec()
            },
        )),*]
    };
}

const REVISION: i32 = 1;

fn name(at: &At<'_>) -> String {
    at.name()
}

fn parent(at: &At<'_>) -> String {
    at.parent()
}

fn seat(_: &At<'_>) -> i32 {
    v1::Seat::One.into()
}

fn revision(_: &At<'_>) -> i32 {
    REVISION
}

fn why(_: &At<'_>) -> String {
    "a test".to_owned()
}

fn id(_: &At<'_>) -> String {
    chaquete_client::new_request_id()
}

#[expect(clippy::needless_update, reason = "some requests have no other fields")]
#[rustfmt::skip]
const ROWS: &[Row] = rows! {
    MatchService.CreateMatch [Backend] Tenant: CreateMatchRequest { parent: parent, request_id: id, r#match: |_| new_match(rules_to(1)).r#match };
    MatchService.GetMatch [Player Spectator Backend Operator] Match: GetMatchRequest { name: name };
    MatchService.ListMatches [Player Backend Operator] Tenant: ListMatchesRequest { parent: parent };
    MatchService.UpdateMatch [Backend] Match: UpdateMatchRequest {
        r#match: |at| Some(v1::Match { name: at.name(), ..Default::default() }),
        update_mask: |_| Some(prost_types::FieldMask { paths: vec!["labels".to_owned()] }),
    };
    MatchService.CancelMatch [Backend Operator] Match: CancelMatchRequest { name: name, reason: why };
    MatchService.PauseMatch [Backend Operator] Match: PauseMatchRequest { name: name, reason: why };
    MatchService.ResumeMatch [Backend Operator] Match: ResumeMatchRequest { name: name };
    MatchService.CloseSession [Backend] Match: CloseSessionRequest { name: name };
    MatchService.GetMatchResult [Player Spectator Backend Operator] Match: GetMatchResultRequest { name: name };
    MatchService.ListMatchEvents [Player Spectator Backend Operator] Match: ListMatchEventsRequest { parent: name };
    MatchService.WatchMatch [Player Spectator Backend Operator] Match: WatchMatchRequest { name: name };
    MatchService.WatchMatches [Player Backend] Tenant: WatchMatchesRequest { parent: parent };
    MatchService.ExportMatch [Player Backend Operator] Match: ExportMatchRequest { name: name, format: |_| v1::RecordFormat::Mat.into() };
    MatchService.ImportMatch [Backend] Tenant: ImportMatchRequest { parent: parent, format: |_| v1::RecordFormat::Mat.into(), content: |_| b"nothing".to_vec() };
    MatchService.IssueToken [Backend] Tenant: IssueTokenRequest { parent: parent, role: |_| v1::Role::Player.into(), subject: |_| "carol".to_owned() };
    MatchService.RevokeTokens [Backend] Tenant: RevokeTokensRequest { parent: parent, subject: |_| "carol".to_owned() };
    PlayService.MarkReady [Player Backend] Match: MarkReadyRequest { name: name, seat: seat };
    PlayService.ContributeEntropy [Player Backend] Match: ContributeEntropyRequest {
        name: name, seat: seat, expected_revision: revision,
        contribution: |_| Some(v1::contribute_entropy_request::Contribution::Commitment(vec![1; 32])),
    };
    PlayService.RollDice [Player Backend] Match: RollDiceRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.GetLegalMoves [Player Spectator Backend Operator] Match: GetLegalMovesRequest { name: name };
    PlayService.SubmitMove [Player Backend] Match: SubmitMoveRequest {
        name: name, seat: seat, expected_revision: revision,
        r#move: |_| Some(v1::Move { notation: "24/18".to_owned(), ..Default::default() }),
    };
    PlayService.OfferDouble [Player Backend] Match: OfferDoubleRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.AcceptDouble [Player Backend] Match: AcceptDoubleRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.DeclineDouble [Player Backend] Match: DeclineDoubleRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.BeaverDouble [Player Backend] Match: BeaverDoubleRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.OfferResignation [Player Backend] Match: OfferResignationRequest {
        name: name, seat: seat, expected_revision: revision, kind: |_| v1::WinKind::Single.into(),
    };
    PlayService.AcceptResignation [Player Backend] Match: AcceptResignationRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.DeclineResignation [Player Backend] Match: DeclineResignationRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.ClaimTimeout [Player Backend] Match: ClaimTimeoutRequest { name: name, seat: seat, expected_revision: revision };
    PlayService.Act [Backend] Match: ActRequest { action: |at| Some(v1::act_request::Action::MarkReady(
        v1::MarkReadyRequest { name: at.name(), seat: seat(at), ..Default::default() },
    )) };
    OperatorService.VerifyMatch [Backend Operator] Match: VerifyMatchRequest { name: name };
    OperatorService.VerifyMatches [Operator] Tenant: VerifyMatchesRequest { parent: parent };
    OperatorService.AdjudicateGame [Backend Operator] Match: AdjudicateGameRequest { name: name, reason: why };
    OperatorService.AdjudicateMatch [Backend Operator] Match: AdjudicateMatchRequest { name: name, reason: why, winner: seat };
    OperatorService.ComputeDiceStatistics [Backend Operator] Tenant: ComputeDiceStatisticsRequest { parent: parent };
    OperatorService.ExportMatches [Backend Operator] Tenant: ExportMatchesRequest { parent: parent, format: |_| v1::RecordFormat::Mat.into() };
    OperatorService.GetCheckpoint [Backend Operator] Nothing: GetCheckpointRequest {};
    OperatorService.GetInclusionProof [Backend Operator] Match: GetInclusionProofRequest { name: name, revision: revision };
    RulesService.ComputeLegalMoves [Player Backend Operator] Nothing: ComputeLegalMovesRequest {};
    RulesService.ApplyMove [Player Backend Operator] Nothing: ApplyMoveRequest {};
    RulesService.ConvertPosition [Player Backend Operator] Nothing: ConvertPositionRequest {};
    RulesService.GetServerInfo [Nobody Player Spectator Backend Operator] Nothing: GetServerInfoRequest {};
};

/// What came of a call, as far as it is about who may do what.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Came {
    /// Whatever the method itself has said.
    In,
    Unknown,
    Denied,
    /// There is nothing of this name, with these words.
    NotThere(String),
}

struct House {
    closed: Closed,
    raw: Raw,
    credentials: BTreeMap<Who, String>,
}

/// The matches: two of the tenant `ours` and one of `theirs`. Players and spectators have to do with `mine` only.
const MINE: At<'_> = At { tenant: "ours", id: "mine" };
const ANOTHER: At<'_> = At { tenant: "ours", id: "another" };
const FOREIGN: At<'_> = At { tenant: "theirs", id: "foreign" };

/// Matches that are not there.
const NONE: At<'_> = At { tenant: "ours", id: "none-of-ours" };
const NOWHERE: At<'_> = At { tenant: "nowhere", id: "nothing" };

impl House {
    async fn start() -> Self {
        let closed = Closed::start(&["ours", "theirs"]).await;
        let client = |token: &str| {
            let client = Client::builder(closed.service.endpoint()).token(token).connect_lazy();
            client.unwrap()
        };
        let (ours, theirs) = (client(&closed.backends[0]), client(&closed.backends[1]));
        for (client, at, seats) in [
            (&ours, &MINE, ["alice", "bob"]),
            (&ours, &ANOTHER, ["carol", "dave"]),
            // Another tenant's people may well be called the same.
            (&theirs, &FOREIGN, ["alice", "bob"]),
        ] {
            client.create_match(new(at, seats)).await.unwrap();
        }
        let token = async |role: v1::Role, subject: &str, only: String| {
            let request = v1::IssueTokenRequest {
                parent: MINE.parent(),
                role: role.into(),
                subject: subject.to_owned(),
                r#match: only,
                ttl: None,
            };
            ours.issue_token(request).await.unwrap().token
        };
        let credentials = BTreeMap::from([
            (Player, token(v1::Role::Player, "alice", String::new()).await),
            (Spectator, token(v1::Role::Spectator, "press", MINE.name()).await),
            (Backend, closed.backends[0].clone()),
            (Operator, closed.operator.clone()),
        ]);
        let raw = Raw::connect(&closed.service.endpoint()).await;
        Self { closed, raw, credentials }
    }

    async fn call(&self, who: Who, row: &Row, at: &At<'_>) -> Came {
        let token = self.credentials.get(&who).map(|token| format!("Bearer {token}"));
        let mut headers: Vec<_> = token.iter().map(|token| ("authorization", token.as_str())).collect();
        // Streams that are let in last until then.
        headers.push(("grpc-timeout", "400m"));
        let answer = self.raw.call(row.0, &headers, &framed(&(row.3)(at))).await;
        if row.0.ends_with("/Act")
            && let [first] = answer.messages::<v1::ActResponse>().as_slice()
            && let Some(v1::act_response::Outcome::Error(error)) = &first.outcome
            && error.code == i32::from(Code::NotFound)
        {
            return Came::NotThere(error.message.clone());
        }
        came(&answer.status.unwrap())
    }
}

fn new(at: &At<'_>, seats: [&str; 2]) -> CreateMatchRequest {
    let mut request =
        CreateMatchRequest { parent: at.parent(), match_id: at.id.to_owned(), ..new_match(rules_to(3)) };
    for (player, subject) in request.r#match.as_mut().unwrap().players.iter_mut().zip(seats) {
        subject.clone_into(&mut player.subject);
    }
    request
}

fn came(status: &Status) -> Came {
    let reason = status.get_details_error_info().map(|info| info.reason).unwrap_or_default();
    match (status.code(), reason.as_str()) {
        (Code::Unauthenticated, "INVALID_CREDENTIALS") => Came::Unknown,
        (Code::PermissionDenied, "ACCESS_DENIED") => Came::Denied,
        (Code::NotFound, "NOT_FOUND") => Came::NotThere(status.message().to_owned()),
        (Code::Unauthenticated | Code::PermissionDenied, other) => panic!("{other}: {status}"),
        _ => Came::In,
    }
}

#[test]
fn every_method_has_its_row() {
    let rows: BTreeSet<&str> = ROWS.iter().map(|row| row.0).collect();
    let table = AccessTable::load().unwrap();
    let methods: BTreeSet<&str> = table.iter().map(|method| method.path.as_str()).collect();
    assert_eq!(rows, methods);
    assert_eq!(rows.len(), ROWS.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_those_get_in_whom_the_contract_lets() {
    let house = House::start().await;
    for row in ROWS {
        for who in [Nobody, Player, Spectator, Backend, Operator] {
            let expected = match (row.1.contains(&who), who) {
                (true, _) => Came::In,
                (false, Nobody) => Came::Unknown,
                (false, _) => Came::Denied,
            };
            // What is not there changes nothing, so that every row finds the same.
            let at = if row.1.contains(&who) { &MINE } else { &NONE };
            assert_eq!(house.call(who, row, at).await, expected, "{who:?} {}", row.0);
        }
    }
    house.closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_foreign_looks_like_what_is_not_there() {
    let house = House::start().await;
    for row in ROWS.iter().filter(|row| row.2 != About::Nothing) {
        for who in row.1 {
            // Operators see all tenants, and a tenant of which there is nothing is one of which there is nothing.
            let closed: &[&At<'_>] = match (row.2, who) {
                (About::Match, Player | Spectator) => &[&ANOTHER, &FOREIGN, &NONE, &NOWHERE],
                (About::Match, Backend) => &[&FOREIGN, &NONE, &NOWHERE],
                (About::Match, _) => &[&NONE, &NOWHERE],
                (_, Operator) => &[],
                _ => &[&FOREIGN, &NOWHERE],
            };
            for at in closed {
                let thing = if row.2 == About::Match { at.name() } else { at.parent() };
                let came = house.call(*who, row, at).await;
                let Came::NotThere(words) = came else { panic!("{who:?} {} {thing}: {came:?}", row.0) };
                assert_eq!(words, format!("there is no {thing}"), "{who:?} {}", row.0);
            }
        }
    }
    house.closed.service.stop().await;
}
