//! No input makes a reader panic, and the ids it reads it writes again.

use std::fs;

use chaquete_record::mat::MAX_BYTES;
use chaquete_record::{
    FibsBoard, GamePosition, MatchId, PositionId, SnowiePosition, Transcript, Xgid, mat, oldmoves, sgf,
};
use proptest::prelude::*;

use crate::data::root;
use crate::exports::import;
use crate::random::Random;

/// Texts that are nearly ids: every part of one, or something like it.
fn nearly_an_id() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[A-Za-z0-9+/]{14}",
        "[A-Za-z0-9+/]{12}",
        "[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}",
        "(XGID=)?[-A-Oa-o]{26}(:[-0-9DBR]{1,3}){8,10}",
        "XGID=-b----E-C---eE---c-e----B-:[0-9]{1,2}:(0|1|-1):(1|-1):(00|D|B|R|[1-6]{2}):[0-9]:[0-9]:[0-3]:[0-9]{1,2}:10",
        "4HPwATDgc/ABMA:[A-Za-z0-9+/]{11}[AE]",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn ids_never_panic_and_come_back(text in nearly_an_id()) {
        if let Ok(id) = text.parse::<PositionId>() {
            prop_assert_eq!(id.to_string(), text.clone());
            if let Ok(position) = id.position(15) {
                prop_assert_eq!(PositionId::of(&position), id);
            }
        }
        if let Ok(id) = text.parse::<MatchId>() {
            prop_assert_eq!(id.encode().ok().and_then(|text| text.parse().ok()), Some(id));
        }
        if let Ok(xgid) = text.parse::<Xgid>() {
            prop_assert_eq!(xgid.to_string().parse(), Ok(xgid));
        }
        if let Ok(position) = text.parse::<GamePosition>() {
            let xgid = position.xgid();
            prop_assert_eq!(xgid.to_string().parse(), Ok(xgid));
            if let Ok(id) = position.gnu_id() {
                let again = id.parse::<GamePosition>();
                prop_assert_eq!(again.map(|again| again.gnu_id()), Ok(Ok(id)));
            }
        }
    }
}

/// As many bytes as a reader takes, made of one piece.
fn full_of(head: &str, piece: &str) -> String {
    head.to_owned() + &piece.repeat((MAX_BYTES - head.len()) / piece.len())
}

/// The largest files, of one piece each: nothing stalls, and what is kept is not more than the file can say.
#[test]
fn the_largest_files_are_read_to_their_end() {
    let head = " 0 point match\n\n Game 1\n A : 0    B : 0\n";
    let pieces = [
        "\n",
        ";\n",
        "; [a \"b\"]\n",
        ":",
        ": 1  ",
        " 1)\n",
        "Takes\n",
        "  1) Takes Drops\n",
        "  1) 31: 8/5 6/5\n",
        "  1) 11: 8/7* 8/7* 6/5* 6/5*  22: 24/22\n",
        "Doubles Takes\n",
        "Wins 1\n",
        " Game 1\n A : 0    B : 0\n",
        "1) 1) ",
        "Illegal play ",
        "?? ",
        "\u{e9}\n",
    ];
    for piece in pieces {
        for head in ["", "7 point match\n", head] {
            let Ok(sheet) = mat::read(full_of(head, piece).as_bytes()) else { continue };
            let entries: usize = sheet.games.iter().map(|game| game.entries.len()).sum();
            assert!(entries <= MAX_BYTES / "Takes ".len() + 1, "{piece:?}");
            let transcript = Transcript::of(&sheet);
            assert_eq!(transcript.games.len(), sheet.games.len(), "{piece:?}");
        }
    }
}

/// Whether a reader reads a file.
type Reads = fn(&[u8]) -> bool;

/// So much of a text, over and over.
fn repeated(head: &str, text: &str) -> Vec<u8> {
    head.bytes().chain(text.bytes().cycle()).take(2 << 20).collect()
}

/// Files of two megabytes: a game or a match over and over, that with something changed, and anything.
#[test]
fn two_megabytes_of_anything_are_read_or_refused() {
    let mut random = Random::new(2);
    let real = fs::read(root().join("tests/data/corpus/06ea713902f8.mat")).unwrap();
    let (trees, _) = sgf::write(&import("06ea713902f8", &real)).unwrap();
    let remark = format!("C[{}]", "many words ".repeat(20));
    let sgf = repeated("", &trees.replace("\n;W", &format!("{remark}\n;W")));
    let listing = repeated(
        "Score is 0-0 in a 5 point match.\nA is X - B is O\n",
        "X: (3 1) 8-5 6-5\nO: (6 4) 1-7 7-11\nX: doubles\nO: accepts\n",
    );
    let readers: [(Reads, Vec<u8>); 3] = [
        (|bytes| mat::read(bytes).is_ok(), session().into_bytes()),
        (|bytes| sgf::read(bytes).is_ok(), [sgf, b"])".to_vec()].concat()),
        (|bytes| oldmoves::read(bytes).is_ok(), listing[..listing.len() - 40].to_vec()),
    ];
    for (read, file) in readers {
        read(&file);
        let last_line = file.iter().rposition(|&byte| byte == b'\n').unwrap();
        let last_tree = file.windows(2).rposition(|pair| pair == b")\n").map_or(last_line, |at| at + 2);
        assert!(read(&file[..last_tree]));
        for changes in [1, 1000] {
            let mut bytes = file.clone();
            for _ in 0..changes {
                bytes[random.below(file.len())] = random.pick(b"()[];:WB\\31 \nXO.-/*T");
            }
            read(&bytes);
        }
        let noise: Vec<u8> = (0..2 << 20).map(|_| random.below(256) as u8).collect();
        assert!(!read(&noise));
        let text: Vec<u8> = (0..2 << 20).map(|_| random.pick(b"()[];:WB\\31hefe \nXO.-/*T")).collect();
        read(&text);
        // Behind the head that such a file has.
        let head = file.iter().position(|&byte| byte == b'\n').unwrap();
        for anything in [noise, text] {
            read(&[&file[..=head], &anything[..file.len().min(2 << 20) - head - 1]].concat());
        }
    }
}

/// Long texts are no positions, and nobody reads them to the end to find out.
#[test]
fn two_megabytes_are_no_position() {
    for part in ["a", ":", ";", "0;", "board:", "XGID=\n", "11ccc:", "N0N:", "\n", "\u{fc}"] {
        let text = part.repeat((2 << 20) / part.len());
        assert!(text.parse::<GamePosition>().is_err(), "{part:?}");
        assert!(FibsBoard::parse(&text, 15).is_err() && SnowiePosition::parse(&text, 15).is_err());
        assert!(GamePosition::from_ogid(&text, 15).is_err());
    }
}

/// The largest session: real games, one after the other.
fn session() -> String {
    let text = fs::read_to_string(root().join("tests/data/corpus/25a1816ca8b6.mat")).unwrap();
    let game =
        text.replace("\r\n", "\n").split(" Game ").nth(1).unwrap().split_once('\n').unwrap().1.to_owned();
    full_of("0 point match\n", &format!(" Game 1\n{game}\n"))
}

#[test]
fn the_largest_session_is_followed_to_its_end() {
    let sheet = mat::read(session().as_bytes()).unwrap();
    let transcript = Transcript::of(&sheet);
    assert!(transcript.games.len() > 1_000);
    assert!(transcript.games.iter().all(|game| game.result.is_some()));
    assert_eq!(transcript.obstacle().unwrap().code(), "SCORE_GAP");
}
