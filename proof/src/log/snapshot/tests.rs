//! A snapshot is what was written, to the bit, or nothing. That it is the match at all is tested over the golden
//! matches.

use chaquete_rules::{Phase, Score, Seat, Turn, WinKind};
use proptest::prelude::*;

use super::*;
use crate::log::mutation::{mutate, mutation};

const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

/// A match to seven points in its fourth game. Its checksum was computed with
/// `(printf 'bgsnap/1\0\0\1…\17'; sed 's/,"sha256".*//' snapshot_v1.json | tr -d '\n') | sha256sum`.
const EXAMPLE: &str = include_str!("../../../../tests/data/log/snapshot_v1.json").trim_ascii_end();

/// What goes before the checksum of [`EXAMPLE`].
fn example() -> &'static str {
    &EXAMPLE[..EXAMPLE.len() - SEAL_LEN]
}

/// A text with the checksum that belongs to it.
fn sealed(written: &[u8]) -> Vec<u8> {
    let sum = hex::encode(&checksum(written, &UID));
    [written, format!(",\"sha256\":\"{sum}\"}}").as_bytes()].concat()
}

/// [`EXAMPLE`] with `from` replaced and the checksum made again.
fn changed(from: &str, to: &str) -> Result<Snapshot, BadSnapshot> {
    assert!(example().contains(from), "{from}");
    decode_snapshot(&sealed(example().replacen(from, to, 1).as_bytes()), &UID)
}

#[test]
fn a_snapshot_is_read_as_it_is_written() {
    let snapshot = decode_snapshot(EXAMPLE.as_bytes(), &UID).unwrap();
    assert_eq!((snapshot.revision, snapshot.rules_version), (67, 1));
    assert!(snapshot.hash.to_string().starts_with("70d5db5f7a66c1cd"));
    assert_eq!((snapshot.create_time, snapshot.update_time), (1_767_225_600_000, 1_767_225_922_610));
    assert_eq!((snapshot.start_time, snapshot.end_time), (Some(1_767_225_600_000), None));
    assert_eq!(snapshot.game_ends[2], (41, 1_767_225_766_220));
    let state = &snapshot.state;
    assert_eq!((state.score(), state.rolls()), (Score::new(1, 4), 21));
    assert_eq!(state.clocks().unwrap().flag(), Some((Seat::One, 1_767_225_922_610 + 12_000 + 793_110)));
    let game = state.game().unwrap();
    assert_eq!((game.number, game.turn_number, game.cube.owner), (4, 10, Some(Seat::Two)));
    let Phase::ResignationOffered(resignation) = game.phase else { panic!("{:?}", game.phase) };
    assert_eq!((resignation.offered_by, resignation.kind), (Seat::Two, WinKind::Single));
    assert!(matches!(resignation.turn, Turn::Move { seat: Seat::One, opening: false, .. }));

    assert_eq!(encode_snapshot(&snapshot, &UID), EXAMPLE.as_bytes());
}

#[test]
fn the_example_of_the_page_is_a_snapshot() {
    assert!(include_str!("../../../../docs/log-format.md").contains(EXAMPLE));
    let value: serde_json::Value = serde_json::from_str(EXAMPLE).unwrap();
    assert_eq!(value["game"]["board"], "MueUgwBiD/iAIQ");
    assert!(EXAMPLE.bytes().all(|byte| matches!(byte, b' '..=b'~')));
}

#[test]
fn every_flipped_bit_is_found() {
    for at in 0..EXAMPLE.len() {
        for bit in 0..8 {
            let mut bytes = EXAMPLE.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            assert_eq!(decode_snapshot(&bytes, &UID), Err(BadSnapshot::Checksum), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn what_is_cut_off_or_of_another_match_is_refused() {
    for length in 0..EXAMPLE.len() {
        let cut = &EXAMPLE.as_bytes()[..length];
        assert_eq!(decode_snapshot(cut, &UID), Err(BadSnapshot::Checksum), "{length} bytes");
    }
    let longer = format!("{EXAMPLE}\n");
    assert_eq!(decode_snapshot(longer.as_bytes(), &UID), Err(BadSnapshot::Checksum));
    let other = Uuid::from_u128(UID.as_u128() + 1);
    assert_eq!(decode_snapshot(EXAMPLE.as_bytes(), &other), Err(BadSnapshot::Checksum));
}

#[test]
fn what_is_no_snapshot_is_refused_whatever_its_checksum() {
    let phase =
        r#""phase":"resignation_offered","by":2,"kind":"single","goes_on":"move","seat":1,"dice":"4-3""#;
    let ends = r#""game_ends":"12/1767225647548 33/1767225743939 41/1767225766220""#;
    for (from, to, expected) in [
        (r#""v":1"#, r#""v":2"#, "format version 2 is not known here"),
        (r#""seq":67,"#, "", "the key `seq` expected"),
        (r#""seq":67"#, r#""seq":067"#, "not written in the one way the format allows"),
        (r#"7,"hash""#, r#"7,"note":1,"hash""#, "the key `hash` expected"),
        (r#""seq":67"#, r#""seq":0"#, "the snapshot contradicts itself: a match before its first event"),
        (r#""terms":{"#, r#""terms":["#, "`{` expected"),
        (r#""auto_move":1},"#, r#""auto_move":1,"#, "`}` after the last key expected"),
        ("3/1/1/d/", "3/1/1/x/", "the value of `games` is not results of games"),
        ("3/1/1/d/", "3/0/1/d/", "the value of `games` is not results of games"),
        ("0/1-4", "2/1-4", "not written in the one way the format allows"),
        ("41/1767225766220", "41", "the value of `game_ends` is not revisions and times"),
        (phase, r#""phase":"over""#, "no match comes to this: time runs, though no seat has to act"),
        (r#""move","seat":1,"dice":"4-3""#, r#""over""#, "the value of `goes_on` is not a turn that goes on"),
        (r#""by":2"#, r#""by":0"#, "the value of `by` is not 1 or 2"),
        (r#""wound":"1/4"#, r#""wound":"1"#, "the value of `wound` is not a turn as `1/2/31/roll/1`"),
        ("814472", "-1", "the value of `reserve_two` is not a number of milliseconds, 0 or more"),
        (
            r#""owner":2"#,
            r#""owner":0"#,
            "no match comes to this: a cube has an owner once it was turned, and only then",
        ),
        (
            r#""start_ms":1767225600000,"#,
            "",
            "the snapshot contradicts itself: a first game without its time, or a time without it",
        ),
        (r#""start_ms""#, r#""end_ms":7,"start_ms""#, "the key `terms` expected"),
        (
            r#","terms""#,
            r#","end_ms":7,"terms""#,
            "the snapshot contradicts itself: a result without its time, or a time without it",
        ),
        (ends, r#""game_ends":"""#, "the snapshot contradicts itself: not one end for each game"),
        (" 41/", " 33/", "the snapshot contradicts itself: games that end before they begin"),
        (" 41/", " 68/", "the snapshot contradicts itself: a game that ends after the last event"),
    ] {
        let error = changed(from, to).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{from} -> {to}: {error}");
    }
}

#[test]
fn a_game_is_over_only_if_it_has_ended() {
    let from = example().find(r#""games":""#).unwrap();
    let to = example().find(r#","dice""#).unwrap();
    let mut text = example().to_owned();
    text.replace_range(from..to, r#""games":"","game_ends":"""#);
    let text = text.replacen("resignation_offered", "over", 1);
    let error = decode_snapshot(&sealed(text.as_bytes()), &UID).unwrap_err().to_string();
    assert_eq!(error, "the value of `phase` is not that of a game that has not ended");
}

#[test]
fn commitments_of_nobody_are_left_out() {
    let with = |digit: &str| {
        changed(r#""},"rolls""#, &format!(r#"","commit_two":"{}"}},"rolls""#, digit.repeat(64)))
    };
    let contributed = with("1").unwrap();
    assert_eq!(contributed.state.commitment().unwrap().commitments, [[0; 32], [0x11; 32], [0; 32]]);
    assert!(matches!(with("0"), Err(BadSnapshot::Format(BadEntry::NotCanonical { .. }))));
}

/// Snapshots in several phases: what goes before their checksums.
fn variants() -> Vec<String> {
    let phase =
        r#""phase":"resignation_offered","by":2,"kind":"single","goes_on":"move","seat":1,"dice":"4-3""#;
    let phases = [
        phase,
        r#""phase":"roll","seat":1"#,
        r#""phase":"move","seat":1,"dice":"6-6""#,
        r#""declined_two":"gammon","phase":"roll","seat":1"#,
        r#""phase":"double_offered","seat":2,"offered":4,"beavers":0"#,
    ];
    phases.map(|other| example().replacen(phase, other, 1)).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(decode_snapshot(&bytes, &UID), Err(BadSnapshot::Checksum));
        prop_assert!(decode_snapshot(&sealed(&bytes), &UID).is_err());
    }

    #[test]
    fn what_is_read_from_changed_bytes_is_written_as_them(
        text in prop::sample::select(variants()),
        mutations in prop::collection::vec(mutation(), 0..4),
    ) {
        let mut bytes = text.into_bytes();
        for mutation in &mutations {
            if !bytes.is_empty() {
                mutate(&mut bytes, mutation);
            }
        }
        let bytes = sealed(&bytes);
        let read = decode_snapshot(&bytes, &UID);
        prop_assert!(read.is_ok() || !mutations.is_empty(), "{:?}", read);
        if let Ok(snapshot) = read {
            prop_assert_eq!(encode_snapshot(&snapshot, &UID), bytes);
        }
    }
}
