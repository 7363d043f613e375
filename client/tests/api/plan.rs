//! From a recorded match to requests.

use chaquete_client::proto::act_request::Action;
use chaquete_client::proto::match_rules::Length;
use chaquete_client::proto::{DiceSource, Seat, WinKind};
use chaquete_client::replay::{Fault, Plan, RunId};

/// Two games of a match to 3 points: a dropped redouble, a gammon given up.
pub(crate) const RECORD: &str = "\
; [Player 1 \"Alice\"]
; [CubeLimit \"64\"]

 3 point match

 Game 1
 Alice : 0                       Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Drops
                                  Wins 1 point

 Game 2
 Alice : 0                       Bob : 1
  1)                              31: 24/23 13/10
  2) 64: 24/18 13/9               ????
      Wins 2 points
";

pub(crate) fn plan(text: &str) -> Plan {
    Plan::new(text.as_bytes(), &run("run-a"), 0).expect("a plan")
}

fn run(name: &str) -> RunId {
    name.parse().expect("a run")
}

/// An action in short: its line, who does what.
fn short(line: u32, action: &Action) -> String {
    let (what, seat) = match action {
        Action::RollDice(roll) => {
            let dice = roll.dice.expect("external dice");
            (format!("roll {}{}", dice.first, dice.second), roll.seat())
        }
        Action::SubmitMove(submitted) => {
            let played = submitted.r#move.as_ref().expect("a move");
            assert!(played.steps.is_empty());
            (format!("move {}", played.notation), submitted.seat())
        }
        Action::OfferDouble(offer) => ("double".to_owned(), offer.seat()),
        Action::AcceptDouble(answer) => ("take".to_owned(), answer.seat()),
        Action::DeclineDouble(answer) => ("drop".to_owned(), answer.seat()),
        Action::OfferResignation(offer) => (format!("resign {}", offer.kind().as_str_name()), offer.seat()),
        Action::AcceptResignation(answer) => ("accept".to_owned(), answer.seat()),
        other => panic!("not in these records: {other:?}"),
    };
    format!("{line} {} {what}", if seat == Seat::One { "X" } else { "O" })
}

fn request_id(action: &Action) -> &str {
    match action {
        Action::RollDice(request) => &request.request_id,
        Action::SubmitMove(request) => &request.request_id,
        Action::OfferDouble(request) => &request.request_id,
        Action::AcceptDouble(request) => &request.request_id,
        Action::DeclineDouble(request) => &request.request_id,
        Action::OfferResignation(request) => &request.request_id,
        Action::AcceptResignation(request) => &request.request_id,
        other => panic!("not in these records: {other:?}"),
    }
}

/// All request ids of a plan, in the order in which they are sent.
pub(crate) fn request_ids(plan: &Plan) -> Vec<String> {
    let actions = plan.games.iter().flat_map(|game| &game.actions);
    let ids = actions.map(|action| request_id(&action.request).to_owned());
    std::iter::once(plan.create.request_id.clone()).chain(ids).collect()
}

#[test]
fn a_record_becomes_requests() {
    let plan = plan(RECORD);
    assert_eq!(plan.findings, []);
    let games: Vec<Vec<String>> = plan
        .games
        .iter()
        .map(|game| game.actions.iter().map(|action| short(action.line, &action.request)).collect())
        .collect();
    assert_eq!(
        games[0],
        ["8 X roll 31", "8 X move 8/5 6/5", "8 O double", "9 X drop"],
        "the opening roll has the dice of both seats"
    );
    let gammon = format!("16 O resign {}", WinKind::Gammon.as_str_name());
    assert_eq!(
        games[1],
        [
            "14 O roll 13",
            "14 O move 24/23 13/10",
            "15 X roll 64",
            "15 X move 24/18 13/9",
            gammon.as_str(),
            "16 X accept"
        ]
    );
    assert_eq!(plan.requests(), 1 + 4 + 6);
}

#[test]
fn the_match_is_created_as_it_was_agreed() {
    let plan = plan(RECORD);
    let game = plan.create.r#match.as_ref().expect("a match");
    let rules = game.rules.as_ref().expect("rules");
    assert_eq!(rules.length, Some(Length::Points(3)));
    assert_eq!((rules.crawford, rules.jacoby, rules.max_cube_value), (Some(true), None, 64));
    assert_eq!(game.dice_policy.as_ref().expect("dice").source(), DiceSource::External);
    let subjects: Vec<&str> = game.players.iter().map(|player| player.subject.as_str()).collect();
    assert_eq!(subjects, ["Alice", "Bob"]);
    assert_eq!(plan.name, format!("tenants/default/matches/{}", plan.create.match_id));
    assert!(plan.create.match_id.starts_with("run-a-"), "{}", plan.create.match_id);
}

#[test]
fn money_is_played_for_as_many_games_as_were_recorded() {
    let plan = plan(&RECORD.replace("3 point match", "0 point match"));
    let rules = plan.create.r#match.expect("a match").rules.expect("rules");
    let Some(Length::MoneySession(session)) = rules.length else { panic!("money: {rules:?}") };
    assert_eq!(session.max_games, 2);
    assert_eq!((rules.crawford, rules.jacoby), (None, Some(false)));
}

#[test]
fn a_second_plan_has_the_same_ids_and_another_run_has_others() {
    let ids = request_ids(&plan(RECORD));
    assert_eq!(ids, request_ids(&plan(RECORD)));
    let other = Plan::new(RECORD.as_bytes(), &run("run-b"), 0).expect("a plan");
    assert!(request_ids(&other).iter().all(|id| !ids.contains(id)));
    let copy = Plan::new(RECORD.as_bytes(), &run("run-a"), 1).expect("a plan");
    let club = Plan::in_tenant("tenants/club", RECORD.as_bytes(), &run("run-a"), 0).expect("a plan");
    assert_eq!(club.create.parent, "tenants/club");
    assert_eq!(club.name, format!("tenants/club/matches/{}", club.create.match_id));
    assert!(request_ids(&copy).iter().all(|id| !ids.contains(id)));
    assert_ne!(copy.name, plan(RECORD).name);
}

#[test]
fn an_illegal_move_is_found_with_its_rule_and_ends_the_plan() {
    let plan = plan(&RECORD.replace("24/18 13/9", "24/18 13/8"));
    let finding = &plan.findings[0];
    assert_eq!((finding.line, finding.fault.rule()), (15, "DIE_NOT_AVAILABLE"), "{finding:?}");
    assert_eq!(plan.games[1].actions.len(), 3);
    assert_eq!(plan.games[1].result, None);
}

#[test]
fn games_of_no_single_match_are_left_out() {
    let gap = plan(&RECORD.replace("Alice : 0                       Bob : 1", "Alice : 1  Bob : 1"));
    assert_eq!(gap.games.len(), 1);
    assert_eq!((gap.findings[0].line, gap.findings[0].fault.rule()), (13, "SCORE_GAP"));

    let open = plan(&RECORD.replace("  2)  Drops\n", "").replace("Wins 1 point", ""));
    assert_eq!(open.games.len(), 1, "{:?}", open.findings);
    assert_eq!(open.findings[0].fault.rule(), "GAME_UNFINISHED");
}

#[test]
fn what_is_no_record_is_an_error_with_its_line() {
    let error = Plan::new(b"3 point match\n", &run("run-a"), 0).expect_err("no game");
    assert!(matches!(error.fault, Fault::Unreadable { rule: "NO_GAME", .. }), "{error:?}");
    assert!(error.line >= 1);
}
