//! Small match files, one for each dialect and defect, against what GNU Backgammon keeps of them.

use chaquete_record::{Act, Transcript, mat};
use chaquete_rules::{Command, Seat};

use crate::data::{cases, text};

/// How our reading differs from that of GNU Backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    /// Both read the same.
    None,
    /// We refuse or halt at what it keeps.
    Stricter,
    /// We read what it refuses or crashes at.
    Laxer,
    /// Both read it, differently.
    Other,
}

/// Every difference, with its reason.
const DIFFERENCES: [(&str, Difference, &str); 24] = [
    ("take_drop", Difference::Stricter, "the double at the end has no answer, and a roll follows"),
    ("dice_not_played", Difference::Stricter, "the steps are not those of the dice"),
    ("only_one_die_used", Difference::Stricter, "a die that could be played is left (A9)"),
    ("blocked", Difference::Stricter, "it leaves the illegal play out and goes on from the position before"),
    (
        "no_checker",
        Difference::Stricter,
        "it leaves the illegal play out and goes on from the position before",
    ),
    ("out_of_turn", Difference::Stricter, "nobody plays twice in a row"),
    ("opening_double", Difference::Stricter, "equal dice do not open a game (P7)"),
    ("bar_off_words", Difference::Stricter, "a play without dice: it drops it"),
    ("blank_forced", Difference::Stricter, "a move is missing that was not forced: nobody can go on"),
    ("double_not_owner", Difference::Stricter, "the opponent owns the cube (A22)"),
    ("take_without_double", Difference::Stricter, "nothing was offered: it drops the take"),
    ("comment_in_game", Difference::Other, "it plays the right cell before the comment a second time"),
    ("points_plural", Difference::Laxer, "the plural is plain enough"),
    ("length_65", Difference::Laxer, "we play matches to 255 points"),
    ("name_with_colon", Difference::Laxer, "it crashes"),
    (
        "merged_hit_end_star",
        Difference::Stricter,
        "the star contradicts the points written: two plays could be meant",
    ),
    ("name_empty_left", Difference::Laxer, "it crashes"),
    ("concedes", Difference::Other, "it drops the roll that was not played"),
    ("illegal_play", Difference::Stricter, "it goes on from the position that the record claims"),
    ("double_before_first", Difference::Stricter, "there is no double before the first roll (P2)"),
    ("crawford_double", Difference::Other, "at this score it is the Crawford game: the double in it is void"),
    (
        "swapped_columns_game2",
        Difference::Other,
        "it keeps the columns and exchanges the names, we keep the seats",
    ),
    ("crlf_only_cr", Difference::Laxer, "line ends of old machines are plain enough"),
    ("set_pos", Difference::Stricter, "a position set up in the middle of a game cannot be played to"),
];

/// A game as it is written in the vectors: `L31 8/5 6/5`, `R double`.
pub(crate) fn words(acts: &[Act]) -> Vec<String> {
    let mut words = Vec::new();
    let side = |seat: Seat| if seat == Seat::One { "L" } else { "R" };
    let mut acts = acts.iter().peekable();
    while let Some(act) = acts.next() {
        let word = match act.command {
            Command::Roll { seat, dice } => {
                let dice = dice.map_or_else(String::new, |dice| format!("{}{}", dice.first, dice.second));
                let played = acts.next_if(|next| matches!(next.command, Command::Move { .. }));
                // In an opening roll either seat may ask for the roll: the mover is the one who plays it.
                let seat = played.and_then(|act| act.command.seat_action()).map_or(seat, |(seat, _)| seat);
                let steps = played.and_then(|act| act.played).map_or_else(|| " unplayed".to_owned(), steps);
                format!("{}{dice}{steps}", side(seat))
            }
            Command::Double { seat } | Command::Beaver { seat } => format!("{} double", side(seat)),
            Command::AcceptDouble { seat } => format!("{} take", side(seat)),
            Command::DeclineDouble { seat } => format!("{} drop", side(seat)),
            Command::OfferResignation { seat, .. } => format!("{} resign", side(seat)),
            Command::AcceptResignation { .. } => continue,
            ref other => panic!("{other:?} in a transcript"),
        };
        words.push(word);
    }
    words
}

/// The steps as GNU Backgammon lists them.
fn steps(mv: chaquete_rules::Move) -> String {
    let mut steps: Vec<_> = mv.steps().iter().map(|s| (s.source.number(), s.target().number())).collect();
    steps.sort_by(|a, b| b.cmp(a));
    steps.iter().map(|(from, to)| format!(" {from}/{to}")).collect()
}

/// The dice of a word in order, and its steps in order: neither is a matter of taste.
pub(crate) fn normal(word: &str) -> String {
    let (head, steps) = word.split_once(' ').unwrap_or((word, ""));
    let mut head: Vec<char> = head.chars().collect();
    head.sort_unstable_by(|a, b| b.cmp(a));
    let mut steps: Vec<&str> = steps.split(' ').collect();
    steps.sort_unstable();
    format!("{head:?} {steps:?}")
}

#[test]
fn differences_from_gnu_backgammon_are_known() {
    let all = cases("mat_imports.jsonl");
    assert_eq!(all.len(), 61);
    let mut found = Vec::new();
    for case in &all {
        let theirs: Option<Vec<Vec<String>>> = case["games"].as_array().map(|games| {
            let words = |game: &serde_json::Value| {
                game.as_array().unwrap().iter().map(|word| normal(word.as_str().unwrap())).collect()
            };
            games.iter().map(words).collect()
        });
        let ours = mat::read(text(case, "mat").as_bytes()).ok().map(|record| Transcript::of(&record));
        let halted = ours.as_ref().is_none_or(|ours| ours.games.iter().any(|game| game.halt.is_some()));
        let same = ours.as_ref().map(|ours| {
            ours.games
                .iter()
                .map(|game| words(&game.acts).iter().map(|word| normal(word)).collect())
                .collect::<Vec<Vec<_>>>()
        }) == theirs;
        let difference = match (halted, theirs) {
            (true, Some(_)) => Difference::Stricter,
            (true, None) => Difference::None,
            (false, None) => Difference::Laxer,
            (false, Some(_)) if same => Difference::None,
            (false, Some(_)) => Difference::Other,
        };
        if difference != Difference::None {
            found.push((text(case, "id"), difference));
        }
    }
    let known: Vec<_> = DIFFERENCES.iter().map(|(id, difference, _)| (*id, *difference)).collect();
    assert_eq!(found, known);
}
