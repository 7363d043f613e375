//! Playing a recorded match against a server that answers as it should, or does not.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chaquete_client::proto::act_request::Action;
use chaquete_client::proto::{
    CreateMatchResponse, GameEnded, GameResult, GetMatchResultResponse, ListMatchEventsResponse, Match,
    MatchEvent, MatchResult, OfferDoubleRequest, Score, Seat, SubmitMoveResponse, WinKind, match_event::Kind,
};
use chaquete_client::replay::{Acknowledged, Fault, Plan, PlannedGame, Played, Summary, play};
use prost::Message as _;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::plan::{RECORD, plan, request_ids};
use crate::server::{Call, Reply, Server, unavailable};

/// What a perfect server answers to each request of a plan, by its id.
///
/// All answers to actions have the same two fields that are looked at, so one message serves for all;
/// as do their requests, of which only the id counts here.
pub(crate) struct Book {
    answers: HashMap<String, Vec<MatchEvent>>,
    result: MatchResult,
    log: Mutex<Vec<MatchEvent>>,
}

impl Book {
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut ids = request_ids(plan).into_iter();
        ids.next().expect("the creation");
        let mut revision = 2;
        let mut answers = HashMap::new();
        for game in &plan.games {
            for number in 1..=game.actions.len() {
                let ends = number == game.actions.len() && game.result.is_some();
                let id = ids.next().expect("an id");
                // A move is one event, the end of a game two more.
                let events = (1..=if ends { 3 } else { 1 }).map(|offset| MatchEvent {
                    revision: revision + offset,
                    request_id: if offset == 1 { id.clone() } else { String::new() },
                    kind: (ends && offset == 2).then(|| ended(game)),
                    ..MatchEvent::default()
                });
                let events: Vec<MatchEvent> = events.collect();
                revision += i32::try_from(events.len()).expect("few");
                answers.insert(id, events);
            }
        }
        let results = plan.games.iter().filter_map(|game| Some(proto_result(game.result?))).collect();
        let last = plan.games.iter().filter_map(|game| game.result).next_back().expect("a result");
        let score = proto_result(last).score_after;
        let result = MatchResult {
            r#final: true,
            winner: proto_result(last).winner,
            score,
            games: results,
            ..MatchResult::default()
        };
        Self { answers, result, log: Mutex::default() }
    }

    pub(crate) fn answer(&self, call: &Call) -> Reply {
        match call.method.as_str() {
            "CreateMatch" => Reply::message(&CreateMatchResponse {
                r#match: Some(Match { revision: 2, ..Match::default() }),
            }),
            "GetMatchResult" => {
                Reply::message(&GetMatchResultResponse { result: Some(self.result.clone()), revision: 0 })
            }
            "ListMatchEvents" => Reply::message(&ListMatchEventsResponse {
                events: self.log.lock().expect("the log").clone(),
                ..ListMatchEventsResponse::default()
            }),
            _ => {
                let events = self.answers.get(&id(call)).expect("a request of the plan").clone();
                self.log.lock().expect("the log").extend(events.clone());
                Reply::message(&SubmitMoveResponse { events, ..SubmitMoveResponse::default() })
            }
        }
    }
}

fn id(call: &Call) -> String {
    // Name, seat, revision and id have the same numbers in all actions; this one has no more. Other
    // requests have something else there.
    OfferDoubleRequest::decode(call.message.as_slice()).unwrap_or_default().request_id
}

fn ended(game: &PlannedGame) -> Kind {
    Kind::GameEnded(GameEnded { result: game.result.map(proto_result) })
}

fn proto_result(result: chaquete_rules::GameResult) -> GameResult {
    let number = |points: u32| i32::try_from(points).expect("few");
    let win = result.win.expect("somebody won");
    let kind = match win.kind {
        chaquete_rules::WinKind::Single => WinKind::Single,
        chaquete_rules::WinKind::Gammon => WinKind::Gammon,
        chaquete_rules::WinKind::Backgammon => WinKind::Backgammon,
    };
    GameResult {
        winner: i32::from(win.seat.number()),
        kind: kind.into(),
        cube_value: number(result.cube.get()),
        points: number(result.points),
        score_after: Some(Score { one: number(result.score.one), two: number(result.score.two) }),
        ..GameResult::default()
    }
}

async fn played(server: &Server, plan: &Plan) -> (Played, Vec<Acknowledged>) {
    let acks = Mutex::new(Vec::new());
    let client = server.client().await;
    let played = play(&client, plan, &|ack: &Acknowledged| {
        acks.lock().expect("acks").push(ack.clone());
    })
    .await;
    (played, acks.into_inner().expect("acks"))
}

#[tokio::test]
async fn a_record_is_played_and_every_action_acknowledged_once() {
    let plan = plan(RECORD);
    let book = Book::of(&plan);
    let server = Server::start(move |call, _| book.answer(call));
    let (played, acks) = played(&server, &plan).await;
    assert_eq!(played.findings, []);
    assert!(played.interrupted.is_none());
    assert_eq!((played.games, played.actions), (2, plan.requests()));
    let ids: Vec<String> = acks.iter().map(|ack| ack.request_id.clone()).collect();
    assert_eq!(ids, request_ids(&plan));
    assert!(acks.windows(2).all(|pair| pair[1].first_revision == pair[0].last_revision + 1));
    assert!(acks.iter().all(|ack| ack.match_name == plan.name));

    let mut summary = Summary::default();
    summary.add_plan(&plan);
    summary.add_played(&played);
    assert!(summary.is_clean());
    assert_eq!(summary.planned, summary.played);
    assert_eq!(summary.oddities.get("NO_ROLL"), Some(&1));
}

#[tokio::test]
async fn a_replay_that_broke_off_goes_on_with_the_same_requests() {
    let plan = plan(RECORD);
    let book = Book::of(&plan);
    // Gone for good after four actions, until the second run.
    let runs = AtomicUsize::new(0);
    let server = Server::start(move |call, before| {
        if call.method == "CreateMatch" {
            runs.fetch_add(1, Ordering::Relaxed);
        }
        if runs.load(Ordering::Relaxed) == 1 && before > 5 {
            return Reply::status(unavailable(Some(Duration::from_secs(60))));
        }
        book.answer(call)
    });
    let (first, acks_before) = played(&server, &plan).await;
    let error = first.interrupted.expect("interrupted");
    assert_eq!(error.code(), Code::Unavailable);
    assert_eq!((first.actions, acks_before.len()), (5, 5));

    let (second, acks) = played(&server, &plan).await;
    assert!(second.interrupted.is_none());
    assert_eq!((second.found, second.findings), (4, Vec::new()));
    assert_eq!(second.games, 2);
    // The creation is asked for again, and answered as before.
    assert_eq!(acks[0], acks_before[0]);
    let ids: Vec<String> = acks_before.iter().chain(&acks[1..]).map(|ack| ack.request_id.clone()).collect();
    assert_eq!(ids, request_ids(&plan));
}

#[tokio::test]
async fn a_refusal_is_told_with_line_and_rule_and_ends_the_match() {
    let plan = plan(RECORD);
    let book = Book::of(&plan);
    let refused = request_ids(&plan)[2].clone();
    let server = Server::start(move |call, _| {
        if call.method == "CreateMatch" || id(call) != refused {
            return book.answer(call);
        }
        let rule = [("rule".to_owned(), "POINT_BLOCKED".to_owned())];
        let details = ErrorDetails::with_error_info("ILLEGAL_MOVE", "backgammon.v1", rule);
        Reply::status(Status::with_error_details(Code::FailedPrecondition, "blocked", details))
    });
    let (played, acks) = played(&server, &plan).await;
    assert_eq!(played.findings.len(), 1);
    let finding = &played.findings[0];
    assert_eq!((finding.line, finding.column, finding.fault.rule()), (8, 6, "POINT_BLOCKED"));
    assert_eq!(finding.fault.to_string(), "refused: blocked");
    assert_eq!(acks.len(), 2);
    let mut summary = Summary::default();
    summary.add_played(&played);
    assert!(!summary.is_clean());
}

/// Plays the record on a server that makes another result of the last game.
async fn with_other_result(record: &str, change: impl Fn(&mut GameResult)) -> Vec<(u32, &'static str)> {
    let plan = plan(record);
    let mut book = Book::of(&plan);
    let last = request_ids(&plan).pop().expect("an id");
    for event in book.answers.get_mut(&last).expect("the last action") {
        if let Some(Kind::GameEnded(ended)) = &mut event.kind {
            change(ended.result.as_mut().expect("a result"));
        }
    }
    let server = Server::start(move |call, _| book.answer(call));
    let (played, _) = played(&server, &plan).await;
    let findings = played.findings.into_iter().map(|finding| match finding.fault {
        Fault::Mismatch { what, .. } => (finding.line, what),
        other => panic!("no mismatch: {other}"),
    });
    findings.collect()
}

#[tokio::test]
async fn another_result_than_the_rules_and_the_record_have_is_found() {
    assert_eq!(with_other_result(RECORD, |_| {}).await, []);
    let points = with_other_result(RECORD, |result| result.points = 4).await;
    assert_eq!(points, [(13, "points"), (16, "recorded points")]);
    let winner = with_other_result(RECORD, |result| result.winner = Seat::Two.into()).await;
    assert_eq!(winner, [(13, "winner"), (16, "recorded winner")]);
    let kind = with_other_result(RECORD, |result| result.kind = WinKind::Single.into()).await;
    assert_eq!(kind, [(13, "kind of win")]);
}

#[tokio::test]
async fn points_that_a_server_capped_are_no_mismatch_but_an_oddity() {
    let capped = "
 3 point match

 Game 1
 Alice : 0                       Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                       64: 24/14
  3)  Doubles => 4                Takes
  4) 65: 24/13                    ????
      Wins 3 points
";
    let plan = plan(capped);
    let codes: Vec<_> = plan.oddities.iter().map(|oddity| oddity.kind.code()).collect();
    assert_eq!(codes, ["NO_ROLL", "POINTS_CAPPED"]);
    assert_eq!(with_other_result(capped, |_| {}).await, []);
}

#[tokio::test]
async fn events_of_somebody_else_are_found() {
    let plan = plan(RECORD);
    let mut book = Book::of(&plan);
    let third = request_ids(&plan)[3].clone();
    book.answers.get_mut(&third).expect("an action")[0].revision += 1;
    let server = Server::start(move |call, _| book.answer(call));
    let (played, _) = played(&server, &plan).await;
    assert!(
        matches!(played.findings[0].fault, Fault::Mismatch { what: "first revision", .. }),
        "{:?}",
        played.findings
    );
}

#[test]
fn requests_of_all_actions_have_their_id_in_the_same_place() {
    for game in plan(RECORD).games {
        for action in game.actions {
            let (bytes, request_id) = match action.request {
                Action::SubmitMove(request) => (request.encode_to_vec(), request.request_id),
                Action::OfferDouble(request) => (request.encode_to_vec(), request.request_id),
                Action::OfferResignation(request) => (request.encode_to_vec(), request.request_id),
                _ => continue,
            };
            let call = Call { method: String::new(), message: bytes, has_deadline: false };
            assert_eq!(id(&call), request_id);
        }
    }
}
