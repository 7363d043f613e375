//! Ids and records that are nearly right: a small corpus with something changed. None makes a reader panic, and
//! what is read is written as the same.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

#[path = "../../rules/tests/common"]
mod common {
    pub(crate) mod fuzz;
}

use chaquete_record::{
    FibsBoard, GamePosition, MatchId, PositionId, SnowiePosition, Transcript, Xgid, mat, oldmoves, sgf,
};
use chaquete_rules::{Dice, LegalMoves};
use common::fuzz::{fuzz, texts};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

#[test]
fn position_ids() {
    fuzz(&texts("ids.txt"), |text| {
        let Ok(id) = text.parse::<PositionId>() else { return };
        assert_eq!(id.to_string(), text);
        let Ok(position) = id.position(15) else { return };
        assert_eq!(PositionId::of(&position), id);
        for dice in Dice::all() {
            for legal in LegalMoves::new(position, dice).iter() {
                let after = PositionId::of(&legal.after).to_string().parse::<PositionId>().unwrap();
                assert_eq!(after.position(15), Ok(legal.after));
            }
        }
    });
}

#[test]
fn all_that_is_around_a_position() {
    fuzz(&texts("ids.txt"), |text| {
        if let Ok(id) = text.parse::<MatchId>() {
            assert_eq!(id.encode().unwrap().parse(), Ok(id));
        }
        if let Ok(xgid) = text.parse::<Xgid>() {
            assert_eq!(xgid.to_string().parse(), Ok(xgid));
        }
        if let Ok(position) = text.parse::<GamePosition>() {
            let xgid = position.xgid();
            assert_eq!(xgid.to_string().parse(), Ok(xgid));
        }
    });
}

#[test]
fn other_forms_of_positions() {
    fuzz(&texts("forms.txt"), |text| {
        if let Ok(position) = text.parse::<GamePosition>() {
            if let Ok(ogid) = position.ogid() {
                assert_eq!(ogid.parse::<GamePosition>().unwrap().ogid(), Ok(ogid));
            }
            assert_eq!(position.xgid().to_string().parse(), Ok(position.xgid()));
        }
        if let Ok(board) = FibsBoard::parse(&text, 15) {
            assert_eq!(FibsBoard::parse(&board.encode().unwrap(), 15), Ok(board));
        }
        if let Ok(read) = SnowiePosition::parse(&text, 15) {
            assert_eq!(SnowiePosition::parse(&read.encode().unwrap(), 15), Ok(read));
        }
    });
}

#[test]
fn sgf_files() {
    fuzz(&texts("sgf.txt"), |text| {
        let Ok(sheet) = sgf::read(text.as_bytes()) else { return };
        let Ok(chronicle) = Transcript::of(&sheet).chronicle() else { return };
        let (written, _) = sgf::write(&chronicle).unwrap();
        let again = Transcript::of(&sgf::read(written.as_bytes()).unwrap()).chronicle();
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}\n{written}"));
        assert_eq!(again.events()[1..], chronicle.events()[1..], "{written}");
    });
}

#[test]
fn listings_of_moves() {
    fuzz(&texts("oldmoves.txt"), |text| {
        let listing = text.replace('|', "\n");
        let Ok(sheet) = oldmoves::read(listing.as_bytes()) else { return };
        let transcript = Transcript::of(&sheet);
        assert_eq!(transcript.games.len(), sheet.games.len());
        assert_eq!(transcript.chronicle().is_ok(), transcript.is_playable());
    });
}

/// A real match with some bytes replaced, left out or put in.
fn mutated_match() -> impl Strategy<Value = Vec<u8>> {
    let names = ["06ea713902f8", "25a1816ca8b6", "69ac829f8dee", "cb8fde95c2ef"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/corpus");
    let files = names.map(|name| fs::read(folder.join(format!("{name}.mat"))).unwrap());
    let pieces = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        "[ 0-9/:*()\n]{0,3}".prop_map(String::into_bytes),
        "Doubles => 2|Beavers => 4|Takes|Drops|Wins 2 points|Losses 1 point|[?]{4}|Concedes| 1\\)|25/0|Game 1\n|: 0"
            .prop_map(String::into_bytes),
    ];
    let edits = vec((any::<Index>(), 0..40_usize, pieces), 0..12);
    (select(files.to_vec()), edits).prop_map(|(mut bytes, edits)| {
        for (at, removed, piece) in edits {
            let start = at.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, piece);
        }
        bytes
    })
}

#[test]
fn match_files() {
    fuzz(&prop_oneof![1 => vec(any::<u8>(), 0..400), 9 => mutated_match()], |bytes| {
        let Ok(sheet) = mat::read(&bytes) else { return };
        for entry in sheet.games.iter().flat_map(|game| &game.entries) {
            assert!(entry.line > 0 && entry.column > 0);
        }
        let transcript = Transcript::of(&sheet);
        assert_eq!(transcript.games.len(), sheet.games.len());
        assert!(transcript.oddities.is_sorted_by_key(|oddity| (oddity.line, oddity.column)));
        assert_eq!(transcript.chronicle().is_ok(), transcript.is_playable());
        let Ok(chronicle) = transcript.chronicle() else { return };
        let (text, _) = mat::write(&chronicle).unwrap();
        let again = Transcript::of(&mat::read(text.as_bytes()).unwrap()).chronicle().unwrap();
        let ended = |chronicle: &chaquete_record::Chronicle| chronicle.replay(|_, _| {}).score();
        assert_eq!(ended(&again), ended(&chronicle), "{text}");
    });
}
