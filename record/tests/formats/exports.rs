//! Matches written in each format: read again they are the same match.

use std::path::Path;

use chaquete_record::{Chronicle, Facts, Remark, Sheet, Transcript, mat, sgf};
use chaquete_rules::{
    BySeat, Command, Dice, DiceSource, Length, Match, MatchPoints, MatchRules, MoneyRules, Seat, Terms,
    Variant, Win, WinKind, create, decide, evolve,
};

use crate::data::{files, sample, shared_corpus};

/// A format of files.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// The file of a match, and what it could not hold.
    write: fn(&Chronicle) -> (String, Vec<Remark>),
    /// What a file says, or what is wrong with it.
    read: fn(&str) -> Result<Sheet, String>,
    /// How GNU Backgammon reads one.
    pub(crate) gnubg: &'static str,
    /// What it makes of a roll that was not played and can be played in one way only.
    pub(crate) forced: Forced,
}

/// What becomes of a roll that can be played in one way only.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forced {
    /// It is played.
    Played,
    /// It stays as it is.
    Kept,
}

pub(crate) const MAT: Format = Format {
    write: |chronicle| mat::write(chronicle).unwrap(),
    read: |text| mat::read(text.as_bytes()).map_err(|error| error.to_string()),
    gnubg: "import mat",
    forced: Forced::Played,
};

pub(crate) const SGF: Format = Format {
    write: |chronicle| sgf::write(chronicle).unwrap(),
    read: |text| sgf::read(text.as_bytes()).map_err(|error| error.to_string()),
    gnubg: "load match",
    forced: Forced::Kept,
};

impl Format {
    /// The file of a match, and the codes of what it could not hold.
    pub(crate) fn export(self, chronicle: &Chronicle) -> (String, Vec<&'static str>) {
        let (text, remarks) = (self.write)(chronicle);
        (text, remarks.iter().map(|remark| remark.kind.code()).collect())
    }

    /// The match that a file tells, if it can be played.
    pub(crate) fn transcript(self, text: &str) -> Transcript {
        Transcript::of(&(self.read)(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
    }
}

/// The match that a match file tells.
pub(crate) fn import(name: &str, bytes: &[u8]) -> Chronicle {
    let sheet = mat::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    Transcript::of(&sheet).chronicle().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes a match and reads it again; gives the codes of what the file could not hold.
fn there_and_back(format: Format, name: &str, chronicle: &Chronicle) -> Vec<&'static str> {
    let (text, remarks) = format.export(chronicle);
    let again = format.transcript(&text).chronicle();
    let again = again.unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(again.events()[1..], chronicle.events()[1..], "{name}\n{text}");
    assert_eq!(again.facts(), chronicle.facts(), "{name}");
    // What was agreed comes back, but for what the file says that it does not hold.
    if !remarks.iter().any(|code| code.starts_with("TERM_") || *code == "NAME_CHANGED") {
        assert_eq!(again.terms(), chronicle.terms(), "{name}");
    }
    remarks
}

fn all_of(format: Format, folder: &Path) -> usize {
    let files = files(folder);
    for (name, bytes) in &files {
        let remarks = there_and_back(format, name, &import(name, bytes));
        let nameless = String::from_utf8_lossy(bytes).lines().any(|line| line.starts_with("  : 0"));
        let known = |code| {
            ["MATCH_UNFINISHED", "TERM_CUBE_LIMIT"].contains(&code) || nameless && code == "NAME_CHANGED"
        };
        assert!(remarks.iter().all(|&code| known(code)), "{name}: {remarks:?}");
    }
    files.len()
}

#[test]
fn the_sample_is_written_and_read_as_the_same() {
    assert_eq!([MAT, SGF].map(|format| all_of(format, &sample())), [14, 14]);
}

#[test]
fn the_whole_corpus_is_written_and_read_as_the_same() {
    let Some(folder) = shared_corpus() else { return };
    assert_eq!([MAT, SGF].map(|format| all_of(format, &folder)), [135, 135]);
}

/// The lines of the games of a match in which these commands were given, and what could not be written.
fn written(rules: MatchRules, commands: &[Command]) -> (Vec<String>, Vec<&'static str>) {
    let names = BySeat::new("Alice".to_owned(), "Bob".to_owned());
    let terms = Terms::new(names.clone(), rules, DiceSource::External);
    let mut state = Match::new(terms.clone());
    let mut events = create(terms, None, 0).events;
    let mut folded = 1;
    for command in commands {
        events[folded..].iter().for_each(|event| evolve(&mut state, event, 0).unwrap());
        folded = events.len();
        events.extend(decide(&state, command, None, 0).unwrap().events);
    }
    let (text, remarks) = MAT.export(&Chronicle::new(names, Facts::default(), events).unwrap());
    let (_, games) = text.split_once(" point match\n").unwrap();
    (games.lines().map(str::to_owned).collect(), remarks)
}

const ONE: Seat = Seat::One;
const TWO: Seat = Seat::Two;

fn roll(seat: Seat, first: u8, second: u8) -> Command {
    Command::Roll { seat, dice: Dice::new(first, second) }
}

fn play(seat: Seat, written: &str) -> Command {
    Command::Move { seat, written: written.parse().unwrap() }
}

fn money(max_beavers: u32, max_automatic_doubles: u32) -> MatchRules {
    let length =
        Length::Money(MoneyRules { max_games: None, jacoby: true, max_beavers, max_automatic_doubles });
    MatchRules { length, ..MatchRules::money() }
}

/// Seat two opens with 3-1, and it is for seat one to go on.
fn opening() -> Vec<Command> {
    vec![roll(ONE, 1, 3), play(TWO, "8/5 6/5")]
}

fn after_opening(commands: &[Command]) -> Vec<Command> {
    [&opening(), commands].concat()
}

#[test]
fn the_take_of_a_beaver_is_told_by_the_roll() {
    let commands = after_opening(&[
        Command::Double { seat: ONE },
        Command::Beaver { seat: TWO },
        Command::AcceptDouble { seat: ONE },
        roll(ONE, 6, 4),
        play(ONE, "24/14"),
    ]);
    let (lines, remarks) = written(money(2, 0), &commands);
    let expected = [
        "",
        " Game 1",
        " Alice : 0                       Bob : 0",
        "  1)                             31: 8/5 6/5",
        "  2)  Doubles => 2                Beavers => 4",
        "  3) 64: 24/18 18/14              ",
    ];
    assert_eq!(lines, expected);
    assert_eq!(remarks, ["MATCH_UNFINISHED"]);

    // No roll follows that could tell it.
    let (lines, _) = written(money(2, 0), &commands[..5]);
    assert_eq!(lines.last().unwrap().trim(), "3)  Takes");
}

#[test]
fn who_wins_is_written_where_every_program_finds_it() {
    let drop = after_opening(&[Command::Double { seat: ONE }, Command::DeclineDouble { seat: TWO }]);
    let (lines, _) = written(money(0, 0), &drop);
    assert_eq!(lines[4..], ["  2)  Doubles => 2                Drops", "      Wins 1 point"]);

    let moved = [
        roll(ONE, 6, 4),
        play(ONE, "24/14"),
        Command::Double { seat: TWO },
        Command::DeclineDouble { seat: ONE },
    ];
    let (lines, _) = written(money(0, 0), &after_opening(&moved));
    assert_eq!(lines[5..], ["  3)  Drops                       Wins 1 point"]);

    let resigned = |seat: Seat| {
        let kind = WinKind::Gammon;
        let commands =
            [Command::OfferResignation { seat, kind }, Command::AcceptResignation { seat: seat.opponent() }];
        let rules = MatchRules::points(MatchPoints::new(7).unwrap());
        written(rules, &after_opening(&[&[roll(ONE, 6, 4)], &commands[..]].concat())).0
    };
    assert_eq!(resigned(TWO)[4..], ["  2) 64: ????                     ", "      Wins 2 points"]);
    assert_eq!(resigned(ONE)[5..], ["                                  Wins 2 points"]);
}

#[test]
fn what_has_no_place_is_told() {
    let reason = String::new;
    let win = Some(Win { seat: ONE, kind: WinKind::Gammon });
    let gammon = |seat| Command::OfferResignation { seat, kind: WinKind::Gammon };
    let cases: [(MatchRules, Vec<Command>, &[&str]); 9] = [
        (money(1, 0), vec![], &["TERM_BEAVERS", "MATCH_UNFINISHED"]),
        (
            money(0, 1),
            vec![roll(ONE, 4, 4)],
            &["TERM_AUTOMATIC_DOUBLES", "AUTOMATIC_DOUBLES", "MATCH_UNFINISHED"],
        ),
        (money(0, 0), vec![roll(ONE, 4, 4)], &["EQUAL_OPENING_DICE", "MATCH_UNFINISHED"]),
        (
            money(0, 0),
            after_opening(&[gammon(ONE), Command::DeclineResignation { seat: TWO }]),
            &["RESIGNATION_LEFT_OUT", "MATCH_UNFINISHED"],
        ),
        (
            money(0, 0),
            after_opening(&[gammon(ONE), Command::AcceptResignation { seat: TWO }, Command::CloseSession]),
            &["RESIGNED_FOR_LESS"],
        ),
        (
            money(0, 0),
            after_opening(&[Command::AdjudicateGame { win, reason: reason() }]),
            &["END_CHANGED", "MATCH_UNFINISHED"],
        ),
        (
            money(0, 0),
            after_opening(&[Command::AdjudicateGame { win: None, reason: reason() }]),
            &["VOID_GAME", "MATCH_UNFINISHED"],
        ),
        (money(0, 0), after_opening(&[Command::Cancel { reason: reason() }]), &["MATCH_END"]),
        (
            MatchRules::points(MatchPoints::new(65).unwrap()),
            vec![Command::Pause { reason: reason() }],
            &["MATCH_TOO_LONG", "BESIDE_PLAY", "MATCH_UNFINISHED"],
        ),
    ];
    for (rules, commands, expected) in cases {
        assert_eq!(written(rules, &commands).1, expected);
    }
}

#[test]
fn a_game_adjudicated_under_a_double_is_written_without_it() {
    let seat = Some(Win { seat: TWO, kind: WinKind::Single });
    let adjudicated = Command::AdjudicateGame { win: seat, reason: "he left".to_owned() };
    let (lines, remarks) =
        written(money(0, 0), &after_opening(&[Command::Double { seat: ONE }, adjudicated]));
    assert_eq!(lines[4..], ["                                  Wins 1 point"]);
    assert_eq!(remarks, ["END_CHANGED", "MATCH_UNFINISHED"]);
}

/// The double was taken by the beaver, which itself nobody has answered.
#[test]
fn a_game_adjudicated_under_a_beaver_is_written_without_it() {
    let adjudicated = Command::AdjudicateGame {
        win: Some(Win { seat: ONE, kind: WinKind::Single }),
        reason: String::new(),
    };
    let commands = [Command::Double { seat: ONE }, Command::Beaver { seat: TWO }, adjudicated];
    let (lines, remarks) = written(money(2, 0), &after_opening(&commands));
    assert_eq!(lines[4..], ["  2)  Doubles => 2                Takes", "      Wins 2 points"]);
    assert_eq!(remarks, ["END_CHANGED", "MATCH_UNFINISHED"]);
}

#[test]
fn names_are_written_so_that_every_program_reads_them() {
    let cases = [
        ("Alice", "Alice"),
        ("", "Player 1"),
        ("  Ann  Lee ", "Ann  Lee"),
        ("A:B", "A.B"),
        ("Ann,1706", "Ann.1706"),
        ("Ann, Lee", "Ann, Lee"),
        ("Game 7", "Game.7"),
        ("; tag", "tag"),
        ("a\nb", "a b"),
        ("\u{c4}\u{e4}", "\u{c4}\u{e4}"),
        ("1234567890123456789012345678901234", "1234567890123456789012345678901"),
    ];
    for (name, expected) in cases {
        let names = BySeat::new(name.to_owned(), "Bob".to_owned());
        let terms = Terms::new(names.clone(), money(0, 0), DiceSource::External);
        let events = create(terms, None, 0).events;
        let chronicle = Chronicle::new(names, Facts::default(), events).unwrap();
        let (text, remarks) = MAT.export(&chronicle);
        let line = text.lines().find(|line| line.ends_with("Bob : 0")).unwrap();
        assert_eq!(line.split(" : ").next().unwrap(), format!(" {expected}"));
        assert_eq!(remarks.contains(&"NAME_CHANGED"), name != expected, "{name:?}");
        // Whatever the columns cannot hold, the tags do, but for line ends and blanks around it.
        let again = Transcript::of(&mat::read(text.as_bytes()).unwrap());
        assert_eq!(again.names.one, name.replace('\n', " ").trim(), "{name:?}");
    }
}

#[test]
fn a_start_position_of_its_own_has_no_place() {
    let board = Variant::Nackgammon.start();
    let rules = MatchRules { initial: Some(board), ..MatchRules::money() };
    let terms = Terms::new(BySeat::default(), rules, DiceSource::External);
    let events = create(terms, None, 0).events;
    let chronicle = Chronicle::new(BySeat::default(), Facts::default(), events).unwrap();
    assert_eq!(mat::write(&chronicle).unwrap_err().code(), "START_POSITION");
}
