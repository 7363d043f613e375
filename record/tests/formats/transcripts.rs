//! How a recorded match is followed, as stories.

use chaquete_record::{Fault, OddityKind, Sheet, Transcript, mat};
use chaquete_rules::{Command, GameEndReason, Score, Seat, Win, WinKind};

/// A transcript of games to this length; each game is given as its score and its lines.
fn follow(head: &str, games: &[&str]) -> Transcript {
    Transcript::of(&sheet(head, games))
}

fn sheet(head: &str, games: &[&str]) -> Sheet {
    let mut text = format!("{head}\n");
    for (number, game) in (1..).zip(games) {
        text += &format!("\n Game {number}\n{game}\n");
    }
    mat::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

fn codes(transcript: &Transcript) -> Vec<&'static str> {
    transcript.oddities.iter().map(|oddity| oddity.kind.code()).collect()
}

const OPENING: &str = " Alice : 0                      Bob : 0\n  1) 31: 8/5 6/5                 64: 24/14\n";

#[test]
fn the_opener_has_the_higher_die() {
    let transcript =
        follow("7 point match", &[" A : 0     B : 0\n  1)                             52: 13/8 24/22"]);
    let Command::Roll { dice: Some(dice), .. } = transcript.games[0].acts[0].command else { panic!() };
    assert_eq!((dice.first.pips(), dice.second.pips()), (2, 5));
}

#[test]
fn a_win_in_the_middle_is_a_resignation_of_the_right_size() {
    for (points, kind) in [(1, WinKind::Single), (2, WinKind::Gammon), (3, WinKind::Backgammon)] {
        let transcript = follow("7 point match", &[&format!("{OPENING}      Wins {points} point")]);
        let result = transcript.games[0].result.unwrap();
        let win = Win { seat: Seat::One, kind };
        assert_eq!((result.win, result.reason), (Some(win), GameEndReason::Resigned));
    }
}

#[test]
fn the_answer_to_a_beaver_is_told_by_the_roll() {
    let game = format!("{OPENING}  2)  Doubles => 2                Beavers => 4\n  3) 52: 13/8 24/22");
    let transcript = follow("0 point match", &[&game]);
    let game = &transcript.games[0];
    assert_eq!(game.halt, None);
    let commands: Vec<_> = game.acts[4..7].iter().map(|act| act.command.clone()).collect();
    let (one, two) = (Seat::One, Seat::Two);
    assert_eq!(
        commands,
        [Command::Double { seat: one }, Command::Beaver { seat: two }, Command::AcceptDouble { seat: one }]
    );
}

#[test]
fn a_double_in_the_crawford_game_is_void() {
    let lead = format!("{OPENING}      Wins 2 points");
    let crawford =
        " Alice : 2                      Bob : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n";
    let taken = format!(
        "{crawford}  2)  Takes                      64: 24/14\n                                  Wins 1"
    );
    let transcript = follow("3 point match", &[&lead, &taken]);
    assert_eq!(codes(&transcript), ["CRAWFORD_DOUBLE", "MATCH_UNFINISHED"]);
    assert_eq!(transcript.score, Score::new(2, 1));

    let dropped = format!("{crawford}  2)  Drops                       Wins 1 point");
    let transcript = follow("3 point match", &[&lead, &dropped]);
    let result = transcript.games[1].result.unwrap();
    let winner = result.win.map(|win| win.seat);
    assert_eq!((winner, result.points, result.reason), (Some(Seat::Two), 1, GameEndReason::Resigned));

    let off = follow("; [Crawford \"Off\"]\n3 point match", &[&lead, &dropped]);
    assert_eq!(off.games[1].result.unwrap().reason, GameEndReason::DoubleDeclined);
}

#[test]
fn doubling_goes_on_after_the_crawford_game() {
    let games = [
        format!("{OPENING}      Wins 2 points"),
        OPENING.replace("Alice : 0", "Alice : 2") + "                                  Wins 1",
        OPENING.replace("Alice : 0", "Alice : 2").replace("Bob : 0", "Bob : 1")
            + "  2) 52: 13/8 24/22               Doubles => 2\n  3)  Drops                       Wins 1",
    ];
    let transcript = follow("3 point match", &games.each_ref().map(String::as_str));
    assert_eq!(transcript.games.iter().map(|game| game.crawford).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(codes(&transcript), ["MATCH_UNFINISHED"]);
    assert_eq!(transcript.score, Score::new(2, 2));
}

#[test]
fn what_cannot_be_known_of_a_late_start_is_said() {
    let late = OPENING.replace("Alice : 0", "Alice : 4").replace("Bob : 0", "Bob : 3");
    let mut sheet = sheet("5 point match", &[&late]);
    let transcript = Transcript::of(&sheet);
    assert_eq!(
        codes(&transcript),
        ["START_SCORE", "CRAWFORD_UNKNOWN", "GAME_UNFINISHED", "MATCH_UNFINISHED"]
    );
    let obstacle = transcript.obstacle().unwrap();
    assert_eq!((obstacle.place(), obstacle.code()), ((4, 2), "CRAWFORD_UNKNOWN"));

    // Somebody may know it.
    for crawford in [false, true] {
        sheet.games[0].crawford = Some(crawford);
        let chronicle = Transcript::of(&sheet).chronicle().unwrap();
        let end = chronicle.replay(|_, _| {});
        assert_eq!((end.score(), end.game().unwrap().crawford), (Score::new(4, 3), crawford));
    }
}

#[test]
fn a_late_start_is_led_up_to() {
    let starts = [
        ("5 point match", (2, 3), false),
        ("5 point match", (0, 3), false),
        // Whoever has nothing has lost no Crawford game.
        ("5 point match", (4, 0), true),
        ("5 point match", (0, 4), true),
        // Two Crawford games there are not.
        ("5 point match", (4, 4), false),
        ("; [Crawford \"Off\"]\n5 point match", (4, 3), false),
        ("0 point match", (7, 20), false),
        ("; [Jacoby \"On\"]\n0 point match", (7, 20), false),
    ];
    for (head, (one, two), crawford) in starts {
        let late = OPENING.replace("Alice : 0", &format!("Alice : {one}"));
        let transcript = follow(head, &[&late.replace("Bob : 0", &format!("Bob : {two}"))]);
        let end = transcript.chronicle().unwrap_or_else(|error| panic!("{head}: {error}")).replay(|_, _| {});
        assert_eq!(end.score(), Score::new(one, two), "{head}");
        assert_eq!(end.game().unwrap().crawford, crawford, "{head} {one}-{two}");
        assert!(end.games().iter().all(|game| game.reason == GameEndReason::Adjudicated));
    }
    let absurd = OPENING.replace("Alice : 0", "Alice : 4000000");
    assert_eq!(follow("0 point match", &[&absurd]).obstacle().unwrap().code(), "START_SCORE");
}

#[test]
fn players_who_change_columns_keep_their_seats() {
    let second = "      Wins 1 point\n";
    let swapped = OPENING.replace("Alice : 0", "Bob : 0").replace("      Bob : 0", "    Alice : 1");
    let transcript = follow("5 point match", &[&format!("{OPENING}{second}"), &format!("{swapped}{second}")]);
    assert_eq!(codes(&transcript), ["COLUMNS_SWAPPED", "MATCH_UNFINISHED"]);
    assert_eq!(transcript.score, Score::new(1, 1));
}

#[test]
fn a_double_dropped_without_a_word_is_dropped() {
    let game = format!("{OPENING}  2)  Doubles => 2\n      Wins 1 point");
    let transcript = follow("0 point match", &[&game]);
    assert_eq!(codes(&transcript), ["DROP_OMITTED"]);
    assert_eq!(transcript.games[0].result.unwrap().reason, GameEndReason::DoubleDeclined);

    let absurd = format!("{OPENING}  2)  Doubles => 2\n                                  Wins 1 point");
    let transcript = follow("0 point match", &[&absurd]);
    assert_eq!(transcript.games[0].halt.as_ref().map(|halt| &halt.fault), Some(&Fault::DoubleUnanswered));
}

#[test]
fn a_game_without_a_play_ends_before_the_first_roll() {
    let transcript = follow(
        "1 point match",
        &[" A : 0     B : 0\n  1)  Losses 1 point              Wins 1 point and the match"],
    );
    assert_eq!(codes(&transcript), ["LOSSES", "NOTHING_PLAYED"]);
    assert_eq!(transcript.winner(), Some(Seat::Two));
}

#[test]
fn the_loser_alone_may_tell_the_end() {
    let transcript = follow("0 point match", &[&format!("{OPENING} Losses 2 point")]);
    assert_eq!(codes(&transcript), ["LOSSES", "WINS_OMITTED"]);
    assert_eq!(transcript.score, Score::new(0, 2));
}

#[test]
fn scores_that_do_not_follow_are_told() {
    let games = [
        format!("{OPENING}      Wins 1 point and the match"),
        OPENING.replace("Alice : 0", "Alice : 3") + "                                  Wins 3",
        OPENING.replace("Alice : 0", "Alice : 3").replace("Bob : 0", "Bob : 3"),
    ];
    let transcript = follow("5 point match", &games.each_ref().map(String::as_str));
    assert_eq!(codes(&transcript), ["MATCH_NOT_WON", "SCORE_GAP", "GAME_UNFINISHED", "MATCH_UNFINISHED"]);
    assert_eq!(
        transcript.oddities[1].kind,
        OddityKind::ScoreGap { expected: Score::new(1, 0), found: Score::new(3, 0) }
    );
    assert!(!transcript.is_playable());
}

#[test]
fn variants_begin_where_they_begin() {
    let transcript = follow(
        "; [Variation \"HyperGammon (3)\"]\n0 point match",
        &[" A : 0    B : 0\n  1) 61: 24/17                   21: 24/23 22/20"],
    );
    assert_eq!(transcript.games[0].halt, None);
    assert_eq!(transcript.games[0].acts.len(), 4);
}
