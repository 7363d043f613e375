//! What becomes of everything odd in a record: repaired, kept as it stands, or the record is refused.

use chaquete_record::sheet::{Cell, Entry};
use chaquete_record::{Fault, OddityKind, Repair, Sheet, Transcript, mat};
use chaquete_rules::{Command, GameEndReason, Length, MoneyRules, Score, Seat, WinKind};

const HEAD: &str = " 7 point match\n\n Game 1\n Alice : 0                       Bob : 0\n";
const OPENING: &str = "  1) 31: 8/5 6/5                 64: 24/14\n";

fn sheet(text: &str) -> Sheet {
    mat::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// Line, code and what became of it, for everything odd in a game of a match to 7.
fn oddities(game: &str) -> Vec<(u32, &'static str, Repair)> {
    let transcript = Transcript::of(&sheet(&format!("{HEAD}{game}")));
    let all =
        transcript.oddities.iter().map(|oddity| (oddity.line, oddity.kind.code(), oddity.kind.repair()));
    all.filter(|(_, code, _)| !matches!(*code, "MONEY_AS_MATCH" | "MATCH_UNFINISHED" | "GAME_UNFINISHED"))
        .collect()
}

/// Place and code of what keeps a record from being played.
fn obstacle(text: &str) -> ((u32, u32), &'static str) {
    let obstacle = Transcript::of(&sheet(text)).obstacle();
    let obstacle = obstacle.unwrap_or_else(|| panic!("this can be played:\n{text}"));
    (obstacle.place(), obstacle.code())
}

#[test]
fn what_is_certain_is_repaired() {
    use Repair::Repaired;
    let wins = "      Wins 1 point\n";
    assert_eq!(oddities(&format!("{OPENING}  3) 52: 13/8 24/22\n{wins}")), [(6, "TURN_NUMBER", Repaired)]);
    assert_eq!(oddities(&format!("  1) 31: 8/5* 6/5\n{wins}")), [(5, "HIT_MISSING", Repaired)]);
    assert_eq!(
        oddities(&format!("{OPENING}  2)  Doubles => 4                Takes\n{wins}"))[0],
        (6, "CUBE_VALUE", Repaired)
    );
    assert_eq!(
        oddities(&format!("{OPENING}  2) 52: 13/8 24/22   2)  Losses 1 point\n{wins}"))[0],
        (6, "LINES_GLUED", Repaired)
    );
    let transcript = Transcript::of(&sheet(&format!(
        "{HEAD}{OPENING}{wins} Game 3\n Alice : 1     Rob : 0\n{OPENING}{wins}"
    )));
    let found: Vec<_> = transcript.oddities.iter().map(|oddity| (oddity.line, oddity.kind)).collect();
    assert_eq!(
        found[..2],
        [(7, OddityKind::GameNumber { expected: 2, found: 3 }), (8, OddityKind::NamesDiffer)]
    );
    assert!(transcript.is_playable());
}

#[test]
fn what_is_no_harm_is_kept() {
    use Repair::Kept;
    let wins = "      Wins 1 point\n";
    assert_eq!(oddities(&format!("{OPENING}; no\n{wins}")), [(6, "COMMENT_IN_GAME", Kept)]);
    assert_eq!(oddities(&format!("{OPENING}  2) 52: ????\n{wins}")), [(6, "ROLL_UNPLAYED", Kept)]);
    assert_eq!(oddities("      Wins 1 point\n"), [(5, "NOTHING_PLAYED", Kept)]);
}

#[test]
fn an_illegal_play_is_refused_in_its_line_though_the_opponent_has_answered_it() {
    let text = format!(
        "{HEAD}  1) 31: 8/4                     64: 24/14\n  2) 52: 13/8 24/23               31: 8/5 6/5\n"
    );
    assert_eq!(obstacle(&text), ((6, 6), "DIE_NOT_AVAILABLE"));
    let transcript = Transcript::of(&sheet(&text));
    // What was played before it is there.
    assert_eq!(transcript.games[0].acts.len(), 5);
}

#[test]
fn what_cannot_be_known_is_refused() {
    let resigned = |points| {
        format!("{HEAD}{OPENING}  2)  Doubles => 2                Takes\n      Wins {points} points\n")
    };
    assert_eq!(obstacle(&resigned(3)), ((7, 7), "POINTS_UNDECIDED"));
    assert_eq!(Transcript::of(&sheet(&resigned(4))).obstacle(), None);
    let borne_off = "  1)  Losses 1 point\n";
    assert_eq!(obstacle(&format!("{HEAD}{OPENING}  2) 52: Concedes\n")), ((6, 6), "POINTS_UNKNOWN"));
    assert_eq!(Transcript::of(&sheet(&format!("{HEAD}{borne_off}"))).obstacle(), None);
    let unfinished = format!("{HEAD}{OPENING} Game 2\n Alice : 0     Bob : 0\n{OPENING}");
    assert_eq!(obstacle(&unfinished), ((5, 34), "GAME_UNFINISHED"));
    let gap = format!("{HEAD}{OPENING}      Wins 1 point\n Game 2\n Alice : 2     Bob : 0\n{OPENING}");
    assert_eq!(obstacle(&gap), ((8, 2), "SCORE_GAP"));
}

#[test]
fn the_next_score_tells_what_was_conceded() {
    let text = format!("{HEAD}{OPENING}  2) 52: Concedes\n Game 2\n Alice : 0     Bob : 2\n{OPENING}");
    let transcript = Transcript::of(&sheet(&text));
    assert!(transcript.is_playable());
    let result = transcript.games[0].result.unwrap();
    assert_eq!((result.win.unwrap().kind, result.score), (WinKind::Gammon, Score::new(0, 2)));
}

/// Other formats say more than match files.
#[test]
fn resignations_may_be_offered_and_declined() {
    let mut sheet = sheet(&format!("{HEAD}{OPENING}"));
    let cells = [
        (Seat::One, Cell::OffersResignation { points: 1 }),
        (Seat::Two, Cell::DeclinesResignation),
        (Seat::One, Cell::OffersResignation { points: 2 }),
        (Seat::Two, Cell::AcceptsResignation),
    ];
    let entries = (6..).zip(cells).map(|(line, (seat, cell))| Entry { line, column: 1, seat, cell });
    sheet.games[0].entries.extend(entries);
    let transcript = Transcript::of(&sheet);
    let result = transcript.games[0].result.unwrap();
    assert_eq!((result.reason, result.score), (GameEndReason::Resigned, Score::new(0, 2)));
    let offer = Command::OfferResignation { seat: Seat::One, kind: WinKind::Gammon };
    assert_eq!(transcript.games[0].acts[6].command, offer);
}

#[test]
fn automatic_doubles_are_rolled_if_they_were_agreed() {
    let mut sheet = sheet(&format!("{}{OPENING}", HEAD.replace('7', "0")));
    sheet.games[0].automatic_doubles = 2;
    let halt = Transcript::of(&sheet).games[0].halt.clone();
    assert_eq!(halt.map(|halt| halt.fault), Some(Fault::AutomaticDoubles));

    let Length::Money(money) = sheet.rules.length else { panic!() };
    sheet.rules.length = Length::Money(MoneyRules { max_automatic_doubles: 2, ..money });
    let transcript = Transcript::of(&sheet);
    assert_eq!(transcript.oddities[0].kind, OddityKind::AutomaticDoubles { count: 2 });
    let end = transcript.chronicle().unwrap().replay(|_, _| {});
    assert_eq!(end.game().unwrap().cube.value.get(), 4);
}

#[test]
fn a_position_that_was_set_up_cannot_be_played_to() {
    let text = format!("{HEAD}; Set Pos=-b----E-C---eE---c-e----B-/0\n{OPENING}");
    assert_eq!(obstacle(&text), ((5, 1), "POSITION_SET_UP"));
}
