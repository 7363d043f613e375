//! SGF files: small ones against what GNU Backgammon keeps of them, and what is read and written.

use chaquete_record::sheet::{Cell, Play};
use chaquete_record::{Chronicle, OddityKind, Transcript, sgf};
use chaquete_rules::{Event, Seat};

use crate::data::{cases, text};
use crate::imports::{Difference, normal, words};

/// Every difference from GNU Backgammon, with its reason.
const DIFFERENCES: [(&str, Difference, &str); 6] = [
    (
        "take_bearoff_words",
        Difference::Stricter,
        "it looks at no move whether it can be played: 12 is blocked",
    ),
    ("setup", Difference::Stricter, "a position set up in the middle of a game cannot be played to"),
    ("autodouble", Difference::Other, "we roll equal dice for the automatic double"),
    ("bad_dice", Difference::Stricter, "it drops a move whose dice are none, and goes on"),
    ("wrong_play", Difference::Stricter, "it looks at no move whether it can be played"),
    ("co_property", Difference::Stricter, "a position set up in the middle of a game cannot be played to"),
];

#[test]
fn differences_from_gnu_backgammon_are_known() {
    let all = cases("sgfs.jsonl");
    assert_eq!(all.len(), 18);
    let mut found = Vec::new();
    for case in &all {
        let ours = sgf::read(text(case, "sgf").as_bytes()).ok().map(|sheet| Transcript::of(&sheet));
        let halted = ours.as_ref().is_none_or(|ours| ours.games.iter().any(|game| game.halt.is_some()));
        let ours: Vec<Vec<String>> =
            ours.iter().flat_map(|ours| &ours.games).map(|game| words(&game.acts)).collect();
        let ours = ours.iter().map(|game| game.iter().map(|word| normal(word)).collect());
        let theirs = case["games"].as_array().map(|games| {
            let words = |game: &serde_json::Value| {
                game.as_array().unwrap().iter().map(|word| normal(word.as_str().unwrap())).collect()
            };
            games.iter().map(words).collect::<Vec<Vec<_>>>()
        });
        let difference = match (text(case, "outcome"), halted) {
            ("refused", true) | ("loaded, not shown", false) => Difference::None,
            ("refused", false) => Difference::Laxer,
            (_, true) => Difference::Stricter,
            _ if Some(ours.collect::<Vec<_>>()) == theirs => Difference::None,
            _ => Difference::Other,
        };
        if difference != Difference::None {
            found.push((text(case, "id"), difference));
        }
    }
    let known: Vec<_> = DIFFERENCES.iter().map(|(id, difference, _)| (*id, *difference)).collect();
    assert_eq!(found, known);
}

fn chronicle(file: &str) -> Chronicle {
    let transcript =
        Transcript::of(&sgf::read(file.as_bytes()).unwrap_or_else(|error| panic!("{file}: {error}")));
    transcript.chronicle().unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What happened after the match was created.
fn events(chronicle: &Chronicle) -> &[Event] {
    &chronicle.events()[1..]
}

/// The file as it is written again, without what names the program.
fn written_again(file: &str) -> String {
    let written = sgf::write(&chronicle(file)).unwrap().0;
    let again = chronicle(&written);
    assert_eq!(events(&again), events(&chronicle(file)), "{written}");
    assert_eq!(again.terms(), chronicle(file).terms());
    let (before, after) = written.split_once("AP[").unwrap();
    format!("{before}{}", after.split_once(']').unwrap().1)
}

#[test]
fn what_is_written_is_what_gnu_backgammon_writes() {
    for file in [
        "(;FF[4]GM[6]CA[UTF-8]MI[length:7][game:0][ws:0][bs:0]PW[Alice]PB[Bob]RU[Crawford]RE[B+6R]\n;W[31hefe]\n;B[double]\n;W[take]\n;B[64aggk])\n",
        "(;FF[4]GM[6]CA[UTF-8]MI[length:0][game:0][ws:0][bs:0]PW[Alice]PB[Bob]RU[Jacoby]CV[2]RE[W+4R]\n;W[31hefe]\n;B[64aggk]\n;W[double]\n;B[take])\n",
        "(;FF[4]GM[6]CA[UTF-8]MI[length:0][game:0][ws:0][bs:0]PW[Alice]PB[Bob]DT[2024-02-29]EV[Cup \\[1\\]]RO[2: final]PC[Oslo]AN[Eve]RU[Hypergammon3]\n;W[31xuwv]\n;PL[B]DI[64])\n",
        "(;FF[4]GM[6]CA[UTF-8]MI[length:0][game:0][ws:0][bs:0]PW[Alice]PB[Bob]RE[B+4]\n;W[31hefe]\n;B[double]\n;W[double]\n;B[double]\n;W[drop])\n",
        "(;FF[4]GM[6]CA[UTF-8]MI[length:3][game:0][ws:2][bs:0]PW[A\\\\B]PB[B:ob]RU[Crawford:CrawfordGame]\n;W[31hefe]\n;B[64aggk])\n",
        "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[A]PB[B]RU[NoCube:Crawford]RE[W+1R]\n;W[31hefe])\n",
    ] {
        // Escaped brackets need no escape where they open.
        assert_eq!(written_again(file), file.replace("\\[", "["));
    }
}

#[test]
fn names_and_texts_come_through_whatever_is_in_them() {
    let file = r"(;GM[6]PW[a\]b\\c\:d\
e	f]PB[ Bo
b ]C[first \] second]
;W[31hefe]C[third])";
    let sheet = sgf::read(file.as_bytes()).unwrap();
    let game = &sheet.games[0];
    assert_eq!((game.names.one.text.as_str(), game.names.two.text.as_str()), (r"a]b\c:de f", "Bo b"));
    assert_eq!((game.entries[0].line, game.entries[0].column), (4, 2));
    let comments: Vec<&str> = game.comments.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(comments, ["first ] second", "third"]);
    let again = chronicle(&sgf::write(&chronicle(file)).unwrap().0);
    assert_eq!(again.names().one, r"a]b\c:de f");
}

#[test]
fn files_are_latin_1_if_they_are_no_utf_8() {
    let sheet = sgf::read(b"(;GM[6]PW[J\xf8rn]PB[\xc5se];W[31hefe])").unwrap();
    assert_eq!(sheet.games[0].names.one.text, "J\u{f8}rn");
    assert_eq!(sheet.oddities[0].kind, OddityKind::NotUtf8);
}

/// What makes up a tree: remarks before it, variations, properties that are not known.
#[test]
fn only_the_first_variation_is_read() {
    let file = "
hello
(;GM[6]PW[A]PB[B]XY[1][2]GS[M:-inf 0][C:0]
 ;W[31hefe]A[0][hefe E ver 3 0.5 -inf]LU[-0.1]
 (;B[64aggk](;W[21fd])(;W[never\\] read)]))
 (;B[62never])
)
";
    let sheet = sgf::read(file.as_bytes()).unwrap();
    let entries: Vec<_> = sheet.games.iter().flat_map(|game| &game.entries).collect();
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[2].seat, Seat::One);
    assert!(matches!(&entries[2].cell, Cell::Roll { play: Play::Written { text, .. }, .. } if text == "fd"));
    let oddities: Vec<_> = sheet.oddities.iter().map(ToString::to_string).collect();
    assert_eq!(oddities, ["line 5, column 23: only the first variation is read, as it was played"]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (file, expected) in [
        ("", "1:1 NO_GAME"),
        ("words", "1:1 NO_GAME"),
        ("(;GM[1])", "1:1 NOT_BACKGAMMON"),
        ("(;GM[6])\n(;GM[1])", "2:1 NOT_BACKGAMMON"),
        ("(;GM[6])\n;GM[6])", "2:1 UNEXPECTED"),
        ("(;GM[6]) words", "1:10 UNEXPECTED"),
        (";GM[6])", "1:1 UNEXPECTED"),
        ("(;GM[6]))", "1:9 UNEXPECTED"),
        ("(GM[6];W[31])", "1:2 NO_GAME"),
        ("(;GM[6]", "1:8 CUT_OFF"),
        ("(;GM[6]\n;W[31he", "2:8 CUT_OFF"),
        ("(;GM[6]\n;W [31he]\n ; B\n)", "4:1 UNEXPECTED"),
        ("(;GM[6];W[31hefe]\u{e9}x)", "1:18 UNEXPECTED"),
        ("(;GM[6]MI[length:300])", "1:11 BAD_LENGTH"),
        ("(;GM[6]MI[length:3][ws:x])", "1:21 BAD_VALUE"),
        ("(;GM[6]MI[length:3][ws:3])", "1:8 SCORE_REACHES_LENGTH"),
        ("(;GM[6]RU[Crawford:Chouette])", "1:11 UNKNOWN_RULE"),
        ("(;GM[6]RE[A+1])", "1:11 BAD_VALUE"),
        ("(;GM[6]RE[W+])", "1:11 BAD_VALUE"),
        ("(;GM[6]CV[3])", "1:11 BAD_VALUE"),
        ("(;GM[6];W[37hefe])", "1:11 BAD_DICE"),
        ("(;GM[6];W[3])", "1:11 BAD_MOVE"),
        ("(;GM[6];W[31hef])", "1:11 BAD_MOVE"),
        ("(;GM[6];W[31zefe])", "1:11 BAD_MOVE"),
        ("(;GM[6];W[31hyfe])", "1:11 BAD_MOVE"),
        ("(;GM[6];W[11ababababab])", "1:11 BAD_MOVE"),
        ("(;GM[6];W[31hefe][31hefe])", "1:19 TOO_MANY_VALUES"),
        ("(;GM[6];DI[07])", "1:12 BAD_DICE"),
        ("(;GM[6];PL[x])", "1:12 BAD_VALUE"),
        ("(;GM[6]MI[length:3])\n(;GM[6]MI[length:5])", "2:1 OTHER_MATCH"),
    ] {
        let error = sgf::read(file.as_bytes()).expect_err(file);
        assert_eq!(format!("{}:{} {}", error.line, error.column, error.problem.code()), expected, "{file}");
    }
}

#[test]
fn a_file_is_bounded() {
    let code = |file: String| sgf::read(file.as_bytes()).unwrap_err().problem.code();
    assert_eq!(code(" ".repeat(sgf::MAX_BYTES + 1)), "FILE_TOO_LARGE");
    assert_eq!(code("(;GM[6])".repeat(sgf::MAX_GAMES + 1)), "TOO_MANY_GAMES");
    assert_eq!(code(format!("(;GM[6]{})", ";W[31]".repeat(sgf::MAX_ENTRIES + 1))), "TOO_MANY_ENTRIES");
    assert_eq!(code(format!("(;GM[6]{})", "EV[]".repeat(sgf::MAX_ROOT + 1))), "ROOT_TOO_LONG");
    // However deep it is: nobody walks the tree.
    assert_eq!(code("(".repeat(sgf::MAX_BYTES)), "CUT_OFF");
    assert_eq!(code(format!("(;GM[6]{}", "(;".repeat(1 << 20))), "CUT_OFF");
}
