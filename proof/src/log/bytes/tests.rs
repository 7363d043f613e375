//! There is one way to write an entry, and the bytes of version 1 never change.

mod arbitrary;
mod golden;
mod golden_entropy;
mod golden_notes;
mod golden_time;

use proptest::prelude::*;

use super::*;
use crate::log::mutation::{mutate, mutation};

/// A roll in the middle of a match, as it is written.
const ROLL: &str = r#"{"v":1,"rules":1,"seq":7,"ms":1767225600123,"actor":"player/1/u-1","type":"dice_rolled","game":1,"events":2,"seat":1,"dice":"3-1","index":4,"opening":0,"auto_double":0}"#;

/// Keys of a call.
const REQUEST: &str = r#""request":"00000000-0000-0000-0000-000000000007""#;
const DIGEST: &str = r#""digest":"0707070707070707070707070707070707070707070707070707070707070707""#;

fn error(text: &str) -> String {
    decode(text.as_bytes()).unwrap_err().to_string()
}

/// Where a text begins in [`ROLL`].
fn place_of(text: &str) -> usize {
    ROLL.find(text).unwrap()
}

/// What decoding says when `from` is replaced in [`ROLL`].
fn changed(from: &str, to: &str) -> String {
    assert!(ROLL.contains(from), "{from}");
    error(&ROLL.replacen(from, to, 1))
}

#[test]
fn an_entry_is_read_as_it_is_written() {
    let entry = decode(ROLL.as_bytes()).unwrap();
    assert_eq!(entry.revision, 7);
    assert_eq!(entry.part, Part::First { events: NonZeroU32::new(2).unwrap(), request: None });
    assert_eq!(entry.actor.subject, "u-1");
    assert_eq!(String::from_utf8(encode(&entry)).unwrap(), ROLL);
}

#[test]
fn an_entry_tells_its_part_in_its_command() {
    let (id, events) = (Uuid::from_u128(7), NonZeroU32::new(2).unwrap());
    let request = Request { id, digest: [7; 32] };
    for (keys, part, request_id) in [
        ("\"events\":2,".to_owned(), Part::First { events, request: None }, None),
        (
            format!("\"events\":2,{REQUEST},{DIGEST},"),
            Part::First { events, request: Some(request) },
            Some(id),
        ),
        (format!("{REQUEST},"), Part::Later { request_id: Some(id) }, Some(id)),
        (String::new(), Part::Later { request_id: None }, None),
    ] {
        let text = ROLL.replacen("\"events\":2,", &keys, 1);
        let entry = decode(text.as_bytes()).unwrap();
        assert_eq!((entry.part, entry.part.request_id()), (part, request_id), "{keys}");
        assert_eq!(encode(&entry), text.as_bytes());
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(error(""), "at byte 0: `{` expected");
    assert_eq!(changed("{", "["), "at byte 0: `{` expected");
    assert_eq!(changed("\"v\":1", "\"v\":2"), "format version 2 is not known here");
    assert_eq!(changed("\"rules\":1,", ""), "at byte 6: the key `rules` expected");
    assert_eq!(changed("dice_rolled", "dice_eaten"), "there is no event of the type `dice_eaten`");
    assert_eq!(changed("\"seat\":1", "\"seat\":3"), "the value of `seat` is not 0, 1 or 2");
    assert_eq!(changed("3-1", "7-1"), "the value of `dice` is not two dice as `3-1`");
    assert_eq!(changed("\"opening\":0", "\"opening\":2"), "the value of `opening` is not 0 or 1");
    assert_eq!(changed("\"events\":2", "\"events\":0"), "the value of `events` is not 1 or more");
    assert_eq!(changed("player/1/", "ghost/1/"), "the value of `actor` is not kind/seat/subject");
    assert_eq!(changed("}", "}\n"), format!("at byte {}: the end expected", ROLL.len()));
    assert_eq!(changed("}", ""), format!("at byte {}: `}}` after the last key expected", ROLL.len() - 1));
}

#[test]
fn values_of_other_kinds_are_refused() {
    let no_integer = "the value of `seq` is not an integer in its range";
    for value in ["\"7\"", "true", "null", "", "-1", "4294967296", "99999999999999999999", "[7]", "{}", "-"] {
        assert_eq!(changed("\"seq\":7", &format!("\"seq\":{value}")), no_integer, "{value}");
    }
    let after_seq = place_of(",\"ms\"");
    for value in ["7.0", "7e0", "7 "] {
        let expected = format!("at byte {after_seq}: the key `ms` expected");
        assert_eq!(changed("\"seq\":7", &format!("\"seq\":{value}")), expected);
    }
    let expected = format!("at byte {}: a text expected", place_of("\"3-1\""));
    assert_eq!(changed("\"dice\":\"3-1\"", "\"dice\":31"), expected);
}

#[test]
fn keys_have_their_place() {
    for (from, to) in [
        ("\"rules\":1,\"seq\":7", "\"seq\":7,\"rules\":1"),
        ("\"seq\":7", "\"seq\":7,\"seq\":7"),
        ("\"game\":1,", "\"game\":1,\"note\":\"x\","),
        ("\"events\":2", "\"request\":\"\""),
        ("\"events\":2", &format!("\"events\":2,{REQUEST}")),
        ("\"events\":2", &format!("\"events\":2,{DIGEST}")),
        ("\"events\":2", &format!("{REQUEST},{DIGEST}")),
        ("\"events\":2", &format!("{REQUEST},\"events\":2,{DIGEST}")),
        ("\"auto_double\":0", "\"auto_double\":0,\"note\":1"),
        ("{\"v\"", "{,\"v\""),
        (",\"rules\"", "\"rules\""),
        (",\"rules\"", ", \"rules\""),
        ("\"rules\":", "\"rules\": "),
        ("\"rules\"", "\"r\\u0075les\""),
    ] {
        changed(from, to);
    }
}

#[test]
fn another_way_to_write_the_same_is_refused() {
    for (from, to) in [
        ("7,\"ms\"", "07,\"ms\""),
        ("0,\"auto", "-0,\"auto"),
        ("3-1", "03-1"),
        ("3-1", "+3-1"),
        ("-1\",\"type", "\\u002d1\",\"type"),
        ("1/u-1", "01/u-1"),
    ] {
        let at = place_of(from);
        let expected = format!("at byte {at}: not written in the one way the format allows");
        assert_eq!(changed(from, to), expected, "{to}");
    }
}

#[test]
fn texts_are_ascii_and_escaped_in_one_way() {
    let mut entry = decode(ROLL.as_bytes()).unwrap();
    entry.actor.subject = "a/b\"c\\d\n\u{7f}é\u{2028}🎲\0".to_owned();
    let text = String::from_utf8(encode(&entry)).unwrap();
    assert!(text.contains(r#""player/1/a/b\"c\\d\u000a\u007f\u00e9\u2028\ud83c\udfb2\u0000""#), "{text}");
    assert_eq!(decode(text.as_bytes()).unwrap(), entry);

    let text_error = "printable ASCII or the end of the text expected";
    for wrong in ["é", "\u{7f}", "\n", "\t"] {
        assert!(changed("u-1", wrong).ends_with(text_error), "{wrong:?}");
    }
    for wrong in [r"\n", r"\/", r"\x41", r"\u00E9", r"\u00e", r"\ud83c", r"\ud83cx", r"\udfb2\ud83c"] {
        assert!(changed("u-1", wrong).starts_with("at byte"), "{wrong}");
    }
}

#[test]
fn other_programs_agree_that_it_is_json() {
    for line in [golden::LINES, golden_time::LINES, golden_notes::LINES, golden_entropy::LINES]
        .into_iter()
        .flat_map(str::lines)
    {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = value.as_object().unwrap();
        assert!(object.values().all(|value| value.is_i64() || value.is_string()), "{line}");
        assert!(line.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{line}");
    }
}

#[test]
fn lengths_of_time_are_not_negative() {
    let line = |start: &str| golden_time::LINES.lines().find(|line| line.contains(start)).unwrap();
    for (start, key) in [
        (r#""type":"time_credited""#, "duration_ms"),
        (r#""reserve_ms""#, "reserve_ms"),
        (r#""reserve_ms""#, "per_turn_ms"),
        (r#""action_ms""#, "action_ms"),
    ] {
        let changed = line(start).replacen(&format!("\"{key}\":"), &format!("\"{key}\":-"), 1);
        let expected = format!("the value of `{key}` is not a number of milliseconds, 0 or more");
        assert_eq!(error(&changed), expected);
    }
}

#[test]
fn what_is_left_out_where_it_is_not_so_is_not_denied() {
    let terms = golden::LINES.lines().next().unwrap();
    for key in ["auto_roll", "auto_move", "auto_bear_off", "ready_check"] {
        let said = |value: u8| terms.replacen('}', &format!(",\"{key}\":{value}}}"), 1);
        assert!(decode(said(1).as_bytes()).is_ok(), "{key}");
        assert!(error(&said(0)).ends_with("not written in the one way the format allows"), "{key}");
        assert_eq!(error(&said(2)), format!("the value of `{key}` is not 0 or 1"));
    }
}

#[test]
fn a_game_that_does_not_count_has_no_kind() {
    let void = golden_time::LINES.lines().find(|line| line.contains(r#""reason":"void""#)).unwrap();
    assert!(void.contains(r#""winner":0,"reason""#), "{void}");
    assert!(
        error(&void.replacen(r#""winner":0,"#, r#""winner":0,"kind":"single","#, 1))
            .ends_with("`reason` expected")
    );
    assert!(error(&void.replacen(r#""winner":0,"#, r#""winner":1,"#, 1)).ends_with("`kind` expected"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_entry_is_read_as_it_was_written(entry in arbitrary::entry()) {
        let bytes = encode(&entry);
        prop_assert!(bytes.iter().all(|byte| matches!(byte, b' '..=b'~')));
        prop_assert_eq!(decode(&bytes), Ok(entry));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn what_is_read_from_changed_bytes_is_written_as_them(
        entry in arbitrary::entry(),
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        let mut bytes = encode(&entry);
        for mutation in &mutations {
            if !bytes.is_empty() {
                mutate(&mut bytes, mutation);
            }
        }
        if let Ok(entry) = decode(&bytes) {
            prop_assert_eq!(encode(&entry), bytes);
        }
    }
}
