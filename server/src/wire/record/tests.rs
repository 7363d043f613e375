use super::*;

fn fields(bad: BadRequest) -> Vec<String> {
    bad.violations.into_iter().map(|violation| violation.field).collect()
}

#[test]
fn everything_wrong_with_an_import_is_told_at_once() {
    let bad = v1::ImportMatchRequest {
        parent: "elsewhere".to_owned(),
        match_id: "X".to_owned(),
        format: 77,
        labels: [("Bad Key".to_owned(), String::new())].into(),
        request_id: "no uuid".to_owned(),
        players: vec![v1::Player::default()],
        ..v1::ImportMatchRequest::default()
    };
    let mut told = fields(read_import(&bad).unwrap_err());
    told.dedup();
    let expected = ["parent", "match_id", "format", "content", "labels", "request_id", "players"];
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "{told}");
    }
    let too_large = v1::ImportMatchRequest {
        parent: "tenants/default".to_owned(),
        format: 1,
        content: vec![b' '; MAX_RECORD + 1],
        ..v1::ImportMatchRequest::default()
    };
    assert_eq!(fields(read_import(&too_large).unwrap_err()), ["content"]);
    let of_a_log = v1::ImportMatchRequest {
        format: 3,
        content: vec![b'{'],
        players: ["ann", "bob"]
            .map(|subject| v1::Player { subject: subject.into(), ..v1::Player::default() })
            .into(),
        ..too_large
    };
    assert_eq!(fields(read_import(&of_a_log).unwrap_err()), ["players"]);
    let nothing = read_export(&v1::ExportMatchRequest::default()).unwrap_err();
    assert_eq!(fields(nothing), ["name", "format"]);
}

#[test]
fn names_of_records_become_names_for_people() {
    assert_eq!(shown("Ann\u{7} Lee\n"), "Ann Lee");
    assert_eq!(shown(&"\u{e9}".repeat(100)), "\u{e9}".repeat(63));
}
