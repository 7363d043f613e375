//! The reader of match files: what it understands, and where it says what is wrong.

use chaquete_record::mat::{self, MAX_BYTES, MAX_GAMES, MAX_LINE};
use chaquete_record::sheet::{Cell, Play, Sheet};
use chaquete_record::{Date, Facts, OddityKind};
use chaquete_rules::{Length, Seat};

const HEAD: &str = " 7 point match\n\n Game 1\n Alice : 0                      Bob : 0\n";

fn read(text: &str) -> Sheet {
    mat::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// What a line of a game says: the seats and the cells.
fn cells(line: &str) -> Vec<(Seat, Cell)> {
    let record = read(&format!("{HEAD}{line}\n"));
    record.games[0].entries.iter().map(|entry| (entry.seat, entry.cell.clone())).collect()
}

/// Line, column and code of the error in a text.
fn error(text: impl AsRef<[u8]>) -> (u32, u32, &'static str) {
    let error = mat::read(text.as_ref()).unwrap_err();
    (error.line, error.column, error.problem.code())
}

fn names(line: &str) -> (String, String, u32, u32) {
    let game = &read(&format!("0 point match\nGame 1\n{line}\n")).games[0];
    (game.names.one.text.clone(), game.names.two.text.clone(), game.start.one, game.start.two)
}

#[test]
fn cells_are_found_wherever_they_stand() {
    let takes = |seat| (seat, Cell::Takes);
    assert_eq!(cells("  1)  Takes"), [takes(Seat::One)]);
    assert_eq!(cells("  1)                              Takes"), [takes(Seat::Two)]);
    assert_eq!(cells("  1)\t\t\tTakes"), [takes(Seat::Two)]);
    assert_eq!(cells(" 10) Takes   Drops"), [takes(Seat::One), (Seat::Two, Cell::Drops)]);
    assert_eq!(
        cells("                                  Wins 3 points and the match"),
        [(Seat::Two, Cell::Wins { points: 3, and_the_match: true })]
    );
    assert_eq!(cells("  36)                                   "), []);
}

#[test]
fn two_turns_in_one_line_are_two_rows() {
    let cells = cells(" 24) 43: 21/18 18/14              24)  Losses 2 point                 Wins 2 point");
    assert_eq!(
        cells[1..],
        [
            (Seat::One, Cell::Losses { points: 2 }),
            (Seat::Two, Cell::Wins { points: 2, and_the_match: false })
        ]
    );
}

#[test]
fn all_words_for_a_roll_without_a_move_are_known() {
    for (text, expected) in [
        ("", Play::Blank),
        ("Cannot Move", Play::CannotMove),
        ("????", Play::Unplayed),
        ("???", Play::Unplayed),
        ("Concedes", Play::Concedes),
        ("Illegal play (0;0;A B;1;)", Play::Illegal { position: "0;0;A B;1;".to_owned() }),
    ] {
        let cells = cells(&format!("  1) 62: {text}   31: 8/5 6/5"));
        let [(Seat::One, Cell::Roll { play, .. }), (Seat::Two, Cell::Roll { .. })] = &cells[..] else {
            panic!("{cells:?}")
        };
        assert_eq!(*play, expected);
    }
    assert_eq!(cells("  1) 00: ????"), [(Seat::One, Cell::NoRoll)]);
    let apart = cells("  1) 62:                        Concedes");
    assert_eq!(apart[1], (Seat::Two, Cell::Concedes));
}

#[test]
fn names_may_be_anything() {
    let expect = |one: &str, two: &str| (one.to_owned(), two.to_owned(), 1, 2);
    assert_eq!(names(" Alice : 1                      Bob : 2"), expect("Alice", "Bob"));
    assert_eq!(names("  : 1                           Bob : 2"), expect("", "Bob"));
    assert_eq!(names(" Alice : 1                       : 2"), expect("Alice", ""));
    assert_eq!(names("Alice:1 Bob:2"), expect("Alice", "Bob"));
    assert_eq!(names(" A:B : 1                        C:D : 2"), expect("A:B", "C:D"));
    assert_eq!(names(" A:3 B : 1                        C:4 D : 2"), expect("A:3 B", "C:4 D"));
    assert_eq!(names(" Game 9 : 1                     Bob : 2"), expect("Game 9", "Bob"));
    assert_eq!(names(" Ali Ce : 1\tBob : 2"), expect("Ali Ce", "Bob"));
    let rated = read("0 point match\nGame 1\n Al,ice,1706 : 0    Bob : 0\n");
    let name = &rated.games[0].names.one;
    assert_eq!((name.text.as_str(), name.rating), ("Al,ice", Some(1706)));
}

#[test]
fn bytes_and_line_ends_do_not_matter() {
    let plain = format!("{HEAD}  1) 31: 8/5 6/5\n");
    let expected = read(&plain);
    for text in [format!("\u{feff}{}", plain.replace('\n', "\r\n")), plain.replace('\n', "\r")] {
        assert_eq!(read(&text), expected);
    }
    let latin1: Vec<u8> = plain.replace("Alice", "Ren\u{e9}").chars().map(|c| c as u8).collect();
    let record = mat::read(&latin1).unwrap();
    assert_eq!(record.oddities[0].kind, OddityKind::NotUtf8);
    assert_eq!(record.games[0].names.one.text, "Ren\u{e9}");
}

#[test]
fn tags_and_comments_are_kept() {
    let record = read(&format!("; [Crawford \"Off\"]\n# free\n; [Event \"A \"B\"\"]\n{HEAD}; inside\n"));
    assert_eq!(record.tag("crawford"), Some("Off"));
    assert_eq!(record.facts.event.as_deref(), Some("A \"B\""));
    assert_eq!(record.tag("EVENT"), Some("A \"B\""));
    assert_eq!((record.comments[0].line, record.comments[0].text.as_str()), (2, "free"));
    assert_eq!(record.games[0].comments[0].text, "inside");
}

#[test]
fn the_head_tells_where_and_when() {
    let head = "; [Event \"Open\"]\n; [Round \"3\"]\n; [Site \"Nowhere\"]\n; [EventDate \"2024.02.29\"]\n; [Transcriber \"T\"]";
    let text = |text: &str| Some(text.to_owned());
    let expected = Facts {
        event: text("Open"),
        round: text("3"),
        site: text("Nowhere"),
        date: Date::new(2024, 2, 29),
        transcriber: text("T"),
    };
    assert_eq!(read(&format!("{head}\n{HEAD}")).facts, expected);
    let bad = read(&format!("; [EventDate \"2023.02.29\"]\n{HEAD}"));
    assert_eq!((bad.facts.date, bad.tag("EventDate")), (None, Some("2023.02.29")));
}

#[test]
fn a_match_without_limit_is_money_play() {
    let sheet = read("9999 point match\nGame 1\n A : 12000    B : 0\n");
    assert_eq!(sheet.oddities[0].kind, OddityKind::LengthUnlimited);
    assert!(matches!(sheet.rules.length, Length::Money(_)));
}

#[test]
fn errors_name_the_place() {
    assert_eq!(error(""), (1, 1, "NO_LENGTH"));
    assert_eq!(error("; x\n  hello\n"), (2, 3, "NO_LENGTH"));
    assert_eq!(error(" 99999 point match"), (1, 2, "BAD_LENGTH"));
    assert_eq!(error(" 256 point match"), (1, 2, "BAD_LENGTH"));
    assert_eq!(error("; x\n ; [Variation \"Plakoto\"]\n1 point match"), (2, 2, "UNKNOWN_VARIATION"));
    assert_eq!(error("; [CubeLimit \"3\"]\n1 point match"), (1, 1, "BAD_CUBE_LIMIT"));
    assert_eq!(error("7 point match\n"), (2, 1, "NO_GAME"));
    assert_eq!(error("7 point match\n Takes\n"), (2, 2, "NO_GAME"));
    assert_eq!(error("7 point match\n Game 1\n"), (2, 1, "NO_SCORE"));
    assert_eq!(error("7 point match\n Game 1\n\n Alice  Bob"), (4, 2, "NO_SCORE"));
    assert_eq!(error("7 point match\n Game 1\n Alice : 7    Bob : 0"), (3, 2, "SCORE_REACHES_LENGTH"));
    let in_line = |line: &str| error(format!("{HEAD}{line}"));
    assert_eq!(in_line("  1) hello"), (5, 6, "UNREADABLE"));
    assert_eq!(in_line("  1) Takes it"), (5, 6, "UNREADABLE"));
    assert_eq!(in_line("  1) 71: 8/5"), (5, 6, "BAD_DICE"));
    assert_eq!(in_line("  1) 00: 8/5"), (5, 6, "BAD_DICE"));
    assert_eq!(in_line("  1) 31: 8/5 26/5"), (5, 14, "BAD_MOVE"));
    assert_eq!(in_line("  1) Wins points"), (5, 6, "BAD_POINTS"));
    assert_eq!(in_line("  1) Takes Takes Takes"), (5, 18, "TOO_MANY_CELLS"));
    assert_eq!(in_line("  1) Takes 2) Takes 3) Takes"), (5, 21, "TOO_MANY_CELLS"));
}

#[test]
fn limits_are_errors_and_not_memory() {
    assert_eq!(error(vec![b' '; MAX_BYTES + 1]), (1, 1, "FILE_TOO_LARGE"));
    assert_eq!(error(format!("7 point match\n{}", " ".repeat(MAX_LINE + 1))), (2, 1, "LINE_TOO_LONG"));
    let games = " Game 1\n A : 0    B : 0\n".repeat(MAX_GAMES + 1);
    assert_eq!(error(format!("7 point match\n{games}")), (2 * MAX_GAMES as u32 + 2, 1, "TOO_MANY_GAMES"));
}

#[test]
fn errors_do_not_carry_whole_lines_along() {
    let error = mat::read(format!("{HEAD}  1) 31: {}", "8/5 ".repeat(900)).as_bytes()).unwrap_err();
    assert!(error.to_string().len() < 200, "{error}");
}
