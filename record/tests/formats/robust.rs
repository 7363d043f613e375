//! No input makes a reader panic, and the ids it reads it writes again.

use std::fs;

use chaquete_record::{GamePosition, MatchId, PositionId, Transcript, Xgid, mat};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::data::root;

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

/// A real match with some bytes replaced, left out or put in.
fn mutated_match() -> impl Strategy<Value = Vec<u8>> {
    let names = ["06ea713902f8", "25a1816ca8b6", "69ac829f8dee", "cb8fde95c2ef"];
    let files = names.map(|name| fs::read(root().join(format!("tests/data/corpus/{name}.mat"))).unwrap());
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn match_files_never_panic(bytes in prop_oneof![1 => vec(any::<u8>(), 0..400), 9 => mutated_match()]) {
        if let Ok(record) = mat::read(&bytes) {
            for entry in record.games.iter().flat_map(|game| &game.entries) {
                prop_assert!(entry.line > 0 && entry.column > 0);
            }
            let transcript = Transcript::of(&record);
            prop_assert_eq!(transcript.games.len(), record.games.len());
            prop_assert!(transcript.oddities.is_sorted_by_key(|oddity| oddity.line));
            prop_assert_eq!(transcript.chronicle().is_ok(), transcript.is_playable());
        }
    }
}
