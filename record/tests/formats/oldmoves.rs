//! Listings of moves from FIBS: small ones against what GNU Backgammon keeps of them, and what is read.

use chaquete_record::{OddityKind, Transcript, oldmoves};
use chaquete_rules::{GameEndReason, Score, Seat, Win, WinKind};

use crate::data::{cases, text};
use crate::imports::{normal, words};

fn transcript(listing: &str) -> Transcript {
    Transcript::of(&oldmoves::read(listing.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{listing}")))
}

#[test]
fn listings_agree_with_gnu_backgammon() {
    let all = cases("oldmoves.jsonl");
    assert_eq!(all.len(), 3);
    for case in &all {
        let ours = transcript(text(case, "text"));
        assert!(ours.games.iter().all(|game| game.halt.is_none()), "{case}");
        // A roll that could not be played is no other word there.
        let bare = |word: &String| normal(&word.replace(" unplayed", ""));
        let ours = ours.games.iter().map(|game| words(&game.acts).iter().map(bare).collect());
        let theirs = case["games"].as_array().unwrap().iter().map(|game| {
            game.as_array().unwrap().iter().map(|word| normal(word.as_str().unwrap())).collect::<Vec<_>>()
        });
        assert_eq!(ours.collect::<Vec<Vec<_>>>(), theirs.collect::<Vec<_>>(), "{case}");
    }
}

/// GNU Backgammon makes a single game of every resignation.
#[test]
fn what_was_resigned_is_told_by_the_points() {
    let game = &transcript(text(&cases("oldmoves.jsonl")[0], "text")).games[0];
    let result = game.result.unwrap();
    assert_eq!(result.win, Some(Win { seat: Seat::One, kind: WinKind::Gammon }));
    assert_eq!((result.points, result.reason), (4, GameEndReason::Resigned));
}

#[test]
fn resignations_are_offered_and_answered() {
    let listing = "Score is 0-0 in an unlimited match.
A is X - B is O
X: (3 1) 8-5 6-5
O: wants to resign. X will win 2 points.
X: rejects
O: (6 1) 12-18 17-18
O: wants to resign. X will win 3 points
X: accepts
X: wins 3 points
";
    let transcript = transcript(listing);
    assert!(transcript.is_playable(), "{:?}", transcript.obstacle());
    assert_eq!(transcript.score, Score::new(3, 0));
    assert_eq!(transcript.games[0].acts.len(), 8);
}

/// The points of O ascend; some programs write them as O sees them.
#[test]
fn the_moves_of_o_are_read_from_either_side() {
    let both = ["12-18 17-18", "13-7 8-7"].map(|moves| {
        let listing = format!(
            "Score is 0-0 in a 3 point match.\nA is X - B is O\nX: (3 1) 8-5 6-5\nO: (6 1) {moves}\n"
        );
        transcript(&listing).games[0].acts.iter().filter_map(|act| act.played).collect::<Vec<_>>()
    });
    assert_eq!(both[0], both[1]);
    let last = both[0].last().unwrap();
    assert_eq!(last.to_string(), "13/7 8/7");
}

/// Players change sides, and the server gives the scores in the wrong order: both is found out.
#[test]
fn scores_in_the_wrong_order_are_set_right() {
    let first = "Score is 0-0 in a 5 point match.\nA is X - B is O\nX: (3 1) 8-5 6-5\nO: doubles\nX: rejects\nO: wins 1 point\n\n";
    let same = format!("{first}Score is 0-1 in a 5 point match.\nA is X - B is O\n");
    let swapped = format!("{first}Score is 1-0 in a 5 point match.\nA is X - B is O\n");
    let sides = format!("{first}Score is 1-0 in a 5 point match.\nB is X - A is O\n");
    let both = format!("{first}Score is 0-1 in a 5 point match.\nB is X - A is O\n");
    for (listing, oddities) in [
        (same, vec![]),
        (swapped, vec!["SCORES_SWAPPED"]),
        (sides, vec!["COLUMNS_SWAPPED"]),
        (both, vec!["SCORES_SWAPPED", "COLUMNS_SWAPPED"]),
    ] {
        let transcript = transcript(&listing);
        assert_eq!(transcript.games[1].start, Score::new(0, 1), "{listing}");
        let found = transcript.oddities.iter().map(|oddity| oddity.kind.code());
        let found: Vec<_> = found.filter(|code| code.ends_with("SWAPPED")).collect();
        assert_eq!(found, oddities, "{listing}");
    }
    let gap = transcript(&format!("{first}Score is 0-3 in a 5 point match.\nA is X - B is O\n"));
    assert!(gap.oddities.iter().any(|oddity| matches!(oddity.kind, OddityKind::ScoreGap { .. })));
}

#[test]
fn words_around_the_games_are_not_read() {
    let listing = "> oldmoves A\r\n> Score is 0-0 in a 3 point match.\r\n\r\nA is X - B is O\r\nX: (3 1) 8-5 6-5\r\n\r\nB shouts: hi\r\n";
    let sheet = oldmoves::read(listing.as_bytes()).unwrap();
    assert_eq!((sheet.games.len(), sheet.games[0].entries.len()), (1, 1));
    assert_eq!((sheet.games[0].entries[0].line, sheet.games[0].entries[0].column), (5, 1));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let head = "Score is 0-0 in a 5 point match.\nA is X - B is O\n";
    for (listing, expected) in [
        (String::new(), "1:1 NO_GAME"),
        ("words".to_owned(), "1:1 NO_GAME"),
        ("X: doubles".to_owned(), "1:1 NO_GAME"),
        ("Score is 0-0".to_owned(), "1:1 BAD_SCORE"),
        ("Score is a-b in a 5 point match.".to_owned(), "1:1 BAD_SCORE"),
        ("Score is 0-0 in a 300 point match.".to_owned(), "1:1 BAD_LENGTH"),
        ("Score is 5-0 in a 5 point match.".to_owned(), "1:1 SCORE_REACHES_LENGTH"),
        ("Score is 0-0 in a 5 point match.\nX: doubles".to_owned(), "2:1 NO_NAMES"),
        (format!("{head}X: (3 1) 8-5 6-5\n and then"), "4:2 UNREADABLE"),
        (format!("{head}X: (3 1) 8-5 6-5\n\nO: doubles"), "5:1 UNREADABLE"),
        (format!("{head}X: redoubles"), "3:4 UNREADABLE"),
        (format!("{head}X: (3 7) 8-5"), "3:4 BAD_DICE"),
        (format!("{head}X: (31) 8-5"), "3:4 BAD_DICE"),
        (format!("{head}X: (3 1) 8-5 6"), "3:14 BAD_MOVE"),
        (format!("{head}X: wins many points"), "3:4 BAD_POINTS"),
        (format!("{head}\nScore is 0-0 in a 7 point match."), "4:1 OTHER_MATCH"),
        (format!("{head}\nScore is 0-0 in a 5 point match.\nA is X - C is O"), "5:1 OTHER_MATCH"),
        (" ".repeat(oldmoves::MAX_LINE + 1), "1:1 LINE_TOO_LONG"),
        ("\n".repeat(oldmoves::MAX_BYTES + 1), "1:1 FILE_TOO_LARGE"),
        (head.repeat(oldmoves::MAX_GAMES + 1), "4002:1 TOO_MANY_GAMES"),
    ] {
        let error = oldmoves::read(listing.as_bytes()).expect_err(&listing);
        assert_eq!(format!("{}:{} {}", error.line, error.column, error.problem.code()), expected);
    }
}
