use super::*;
use crate::{access::Caller, execute::TooMuch, store::Notes, wire::order::read_order};

const NAME: &str = "tenants/default/matches/m1234";

fn facts(pairs: &[(&str, &str)]) -> Facts {
    pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn request(labels: Facts, annotations: Facts, mask: &[&str]) -> v1::UpdateMatchRequest {
    let wanted = v1::Match { name: NAME.to_owned(), labels, annotations, ..v1::Match::default() };
    let paths = mask.iter().map(|&path| path.to_owned()).collect();
    v1::UpdateMatchRequest {
        r#match: Some(wanted),
        update_mask: Some(FieldMask { paths }),
        ..v1::UpdateMatchRequest::default()
    }
}

fn change(labels: &[(&str, &str)], annotations: &[(&str, &str)], mask: &[&str]) -> NotesChange {
    let call = read_order(&request(facts(labels), facts(annotations), mask), &Caller::Local).unwrap();
    assert_eq!((call.name.to_string().as_str(), call.command), (NAME, Command::Update));
    call.notes.unwrap()
}

fn bad_fields(request: &v1::UpdateMatchRequest) -> Vec<String> {
    let bad = read_order(request, &Caller::Local).expect_err("a bad request");
    bad.violations.into_iter().map(|violation| violation.field).collect()
}

#[test]
fn what_the_mask_names_is_changed_and_nothing_else() {
    let before =
        Notes { labels: facts(&[("a", "1"), ("b", "2")]), annotations: facts(&[("x", "1"), ("y.z", "2")]) };
    let after = |labels, annotations, mask: &[&str]| {
        let Notes { labels, annotations } = change(labels, annotations, mask).apply(&before).unwrap();
        (labels, annotations)
    };
    let (labels, annotations) = after(&[("c", "3")], &[("x", "9")], &["labels"]);
    assert_eq!((labels, annotations), (facts(&[("c", "3")]), before.annotations.clone()));
    let (labels, annotations) = after(&[("a", "3"), ("c", "4")], &[], &["labels.a", "labels.b"]);
    assert_eq!((labels, annotations), (facts(&[("a", "3")]), before.annotations.clone()));
    let (labels, annotations) = after(&[("a", "9")], &[("y", "3")], &["annotations.y.z", "annotations.y"]);
    assert_eq!((labels, annotations), (before.labels.clone(), facts(&[("x", "1"), ("y", "3")])));
    // The whole says more than a key of it.
    let (labels, annotations) = after(&[("b", "5")], &[], &["labels.a", "labels", "annotations"]);
    assert_eq!((labels, annotations), (facts(&[("b", "5")]), facts(&[])));
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let missing = ["match.name", "update_mask"];
    assert_eq!(bad_fields(&v1::UpdateMatchRequest::default()), missing);
    assert_eq!(
        bad_fields(&v1::UpdateMatchRequest { update_mask: Some(FieldMask::default()), ..Default::default() }),
        missing
    );

    let mask =
        ["rules", "", "*", "labels.", "labels.A", "annotations.", "label", "labels.ok", "match.labels"];
    let unknown = request(facts(&[("ok", "1")]), Facts::new(), &mask);
    let paths: Vec<_> = [0, 1, 2, 3, 4, 5, 6, 8].map(|place| format!("update_mask.paths[{place}]")).into();
    assert_eq!(bad_fields(&unknown), paths);

    let labels = facts(&[("a", ""), ("b", "\n"), ("C", "unnamed")]);
    let annotations = facts(&[("n", "a\0"), ("e", "")]);
    let mask = ["labels.a", "labels.b", "annotations", "players"];
    let bad = v1::UpdateMatchRequest {
        expected_revision: -1,
        request_id: "x".to_owned(),
        ..request(labels, annotations, &mask)
    };
    let fields = [
        "update_mask.paths[3]",
        "match.labels[\"a\"]",
        "match.labels[\"b\"]",
        "match.annotations[\"e\"]",
        "match.annotations[\"n\"]",
        "expected_revision",
        "request_id",
    ];
    assert_eq!(bad_fields(&bad), fields);
}

#[test]
fn bounds_hold_for_what_comes_of_a_change() {
    let many = |count| (0..count).map(|n| (format!("k{n}"), "v".to_owned())).collect::<Facts>();
    let one_more = change(&[("new", "v")], &[], &["labels.new"]);
    let with = |labels| Notes { labels, annotations: Facts::new() };
    assert_eq!(one_more.apply(&with(many(31))).unwrap().labels.len(), 32);
    assert_eq!(one_more.apply(&with(many(32))), Err(TooMuch::Labels(33)));
    let another = change(&[("k0", "w")], &[], &["labels.k0"]);
    assert_eq!(another.apply(&with(many(32))).unwrap().labels.len(), 32);

    let longer = change(&[], &[("b", "1234")], &["annotations.b"]);
    let with = |bytes| Notes { labels: Facts::new(), annotations: facts(&[("a", &"x".repeat(bytes))]) };
    assert!(longer.apply(&with(MAX_ANNOTATIONS - 6)).is_ok());
    assert_eq!(longer.apply(&with(MAX_ANNOTATIONS - 5)), Err(TooMuch::Annotations(MAX_ANNOTATIONS + 1)));
}
