use std::collections::BTreeMap;

use chaquete_proto::v1::time_control::Control;
use chaquete_rules::{Automation, DiceSource, TimeControl, TimeLimit, TimeoutPolicy};

use super::*;

fn player(subject: &str) -> v1::Player {
    v1::Player { subject: subject.to_owned(), ..v1::Player::default() }
}

fn request() -> v1::CreateMatchRequest {
    let rules =
        v1::MatchRules { length: Some(v1::match_rules::Length::Points(7)), ..v1::MatchRules::default() };
    v1::CreateMatchRequest {
        parent: "tenants/default".to_owned(),
        r#match: Some(v1::Match {
            players: vec![player("ann"), player("bob")],
            rules: Some(rules),
            ..v1::Match::default()
        }),
        ..v1::CreateMatchRequest::default()
    }
}

fn with(change: impl FnOnce(&mut v1::Match)) -> v1::CreateMatchRequest {
    let mut request = request();
    change(request.r#match.as_mut().unwrap());
    request
}

fn bad_fields(request: &v1::CreateMatchRequest) -> Vec<String> {
    let bad = read_creation(request, &Caller::Local, false).expect_err("a bad request");
    bad.violations.into_iter().map(|violation| violation.field).collect()
}

#[test]
fn a_plain_request_is_read() {
    let wanted = read_creation(&request(), &Caller::Local, false).unwrap();
    assert_eq!(wanted.creation.terms.players, BySeat::new("ann".to_owned(), "bob".to_owned()));
    assert_eq!(wanted.creation.terms.dice, DiceSource::COMMITTED);
    assert!(name::is_match_id(&wanted.creation.name.id));
    assert_eq!(wanted.creation.request, None);
    let again = read_creation(&request(), &Caller::Local, false).unwrap();
    assert_ne!(wanted.creation.name, again.creation.name);
}

#[test]
fn a_request_id_makes_the_match_id() {
    let request_id = "0190f3b2-7c4e-7a1b-8f00-0123456789ab".to_owned();
    let wanted =
        read_creation(&v1::CreateMatchRequest { request_id, ..request() }, &Caller::Local, false).unwrap();
    // printf 'chaquete/match-id/1\0default\0\x01\x90\xf3\xb2…' | sha256sum
    assert_eq!(wanted.creation.name.id, "mc61ee30cb59dd8134648cad3ee");
}

#[test]
fn the_name_to_be_is_the_name_that_is_made() {
    let request_id = "0190f3b2-7c4e-7a1b-8f00-0123456789ab".to_owned();
    let by_id = v1::CreateMatchRequest { request_id: request_id.clone(), ..request() };
    let named = v1::CreateMatchRequest { match_id: "club-night".to_owned(), request_id, ..request() };
    let named_only = v1::CreateMatchRequest { request_id: String::new(), ..named.clone() };
    for request in [by_id.clone(), named.clone(), named_only] {
        let made = read_creation(&request, &Caller::Local, false).unwrap().creation.name.to_string();
        assert_eq!(name_to_be(&request), Some(made));
    }
    assert_eq!(name_to_be(&request()), None);
    for (parent, request_id) in [("default", by_id.request_id.as_str()), (&by_id.parent, "x")] {
        let (parent, request_id) = (parent.to_owned(), request_id.to_owned());
        assert_eq!(name_to_be(&v1::CreateMatchRequest { parent, request_id, ..by_id.clone() }), None);
    }
    let malformed = v1::CreateMatchRequest { match_id: "X".to_owned(), r#match: None, ..named };
    assert_eq!(name_to_be(&malformed).as_deref(), Some("tenants/default/matches/X"));
}

#[test]
fn every_bad_field_of_a_request_is_told() {
    let empty = v1::CreateMatchRequest::default();
    assert_eq!(bad_fields(&empty), ["parent", "match"]);
    let bad = v1::CreateMatchRequest {
        parent: "tenants/Nobody".to_owned(),
        match_id: "1st".to_owned(),
        request_id: "no uuid".to_owned(),
        r#match: Some(v1::Match::default()),
        ..v1::CreateMatchRequest::default()
    };
    assert_eq!(bad_fields(&bad), ["parent", "request_id", "match_id", "match.players", "match.rules"]);
}

#[test]
fn players_are_two_in_the_order_of_their_seats() {
    let swapped = with(|wanted| {
        wanted.players[0].set_seat(v1::Seat::Two);
        wanted.players[1].seat = 7;
    });
    assert_eq!(bad_fields(&swapped), ["match.players[0].seat", "match.players[1].seat"]);
    let three = with(|wanted| wanted.players.push(player("cid")));
    assert_eq!(bad_fields(&three), ["match.players"]);
    let names = with(|wanted| {
        wanted.players[0] = v1::Player { display_name: "a\tb".to_owned(), ..player("") };
        wanted.players[1] = v1::Player { display_name: "é".repeat(64), ..player("bób") };
    });
    assert_eq!(
        bad_fields(&names),
        [
            "match.players[0].subject",
            "match.players[0].display_name",
            "match.players[1].subject",
            "match.players[1].display_name"
        ]
    );
    let hot_seat =
        with(|wanted| wanted.players[1] = v1::Player { display_name: "é".repeat(63), ..player("ann") });
    assert!(read_creation(&hot_seat, &Caller::Local, false).is_ok());
}

#[test]
fn labels_and_annotations_have_their_bounds() {
    let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    };
    let long = "v".repeat(64);
    let bad = with(|wanted| {
        wanted.labels = map(&[("Event", "x"), ("empty", ""), ("long", &long), ("ok", "é")]);
        wanted.annotations = map(&[("", "x"), ("empty", ""), ("zero", "a\0b")]);
    });
    assert_eq!(
        bad_fields(&bad),
        [
            r#"match.labels["Event"]"#,
            r#"match.labels["empty"]"#,
            r#"match.labels["long"]"#,
            r#"match.annotations[""]"#,
            r#"match.annotations["empty"]"#,
            r#"match.annotations["zero"]"#,
        ]
    );
    let many = with(|wanted| {
        wanted.labels = (0..33).map(|number| (format!("k{number}"), "v".to_owned())).collect();
        wanted.annotations = map(&[("k", &"v".repeat(16 * 1024))]);
    });
    assert_eq!(bad_fields(&many), ["match.labels", "match.annotations"]);
}

#[test]
fn dice_policies_fit_their_source() {
    let policy = |policy: v1::DicePolicy| with(|wanted| wanted.dice_policy = Some(policy));
    let seeded = v1::DicePolicy {
        source: v1::DiceSource::Seeded.into(),
        seed: vec![7; 32],
        ..v1::DicePolicy::default()
    };
    assert_eq!(bad_fields(&policy(seeded.clone())), ["match.dice_policy.source"]);
    let allowed = read_creation(&policy(seeded.clone()), &Caller::Local, true).unwrap();
    assert_eq!(allowed.creation.about.seed, Some([7; 32]));
    let short = v1::DicePolicy { seed: vec![7; 31], ..seeded };
    assert!(read_creation(&policy(short), &Caller::Local, true).is_err());

    let external = v1::DicePolicy {
        source: v1::DiceSource::External.into(),
        players_contribute: true,
        creator_commitment: vec![0; 32],
        contribution_timeout: Some(prost_types::Duration { seconds: -1, nanos: 0 }),
        seed: vec![7; 32],
    };
    assert_eq!(
        bad_fields(&policy(external)),
        [
            "match.dice_policy.players_contribute",
            "match.dice_policy.creator_commitment",
            "match.dice_policy.contribution_timeout",
            "match.dice_policy.seed",
        ]
    );
    let unknown = v1::DicePolicy { source: 9, creator_commitment: vec![0; 31], ..v1::DicePolicy::default() };
    assert_eq!(
        bad_fields(&policy(unknown)),
        ["match.dice_policy.source", "match.dice_policy.creator_commitment"]
    );
}

#[test]
fn who_contributes_to_the_dice_is_read() {
    let request = |players, creator: Option<[u8; 32]>, timeout: Option<i64>| {
        let policy = v1::DicePolicy {
            players_contribute: players,
            creator_commitment: creator.map(Vec::from).unwrap_or_default(),
            contribution_timeout: timeout.map(|seconds| prost_types::Duration { seconds, nanos: 0 }),
            ..v1::DicePolicy::default()
        };
        with(|wanted| wanted.dice_policy = Some(policy))
    };
    let contributing = |players, creator, timeout| {
        read_creation(&request(players, creator, timeout), &Caller::Local, false).unwrap().creation.terms.dice
    };
    let read = |players, creator, timeout| {
        DiceSource::Committed(chaquete_rules::Contributing::new(players, creator, timeout))
    };
    assert_eq!(contributing(true, None, None), read(true, None, 60_000));
    assert_eq!(contributing(true, Some([1; 32]), Some(1)), read(true, Some([1; 32]), 1_000));
    assert_eq!(contributing(false, Some([1; 32]), Some(86_400)), read(false, Some([1; 32]), 86_400_000));
    // Time for nobody.
    assert_eq!(contributing(false, None, Some(5)), DiceSource::COMMITTED);
    assert_eq!(bad_fields(&request(false, Some([0; 32]), None)), ["match.dice_policy.creator_commitment"]);
    assert_eq!(bad_fields(&request(true, None, Some(0))), ["match.dice_policy.contribution_timeout"]);
}

#[test]
fn time_limits_automation_and_readiness_are_read() {
    let deadline = |seconds| v1::TimeControl {
        control: Some(Control::ActionDeadline(v1::ActionDeadline {
            limit: Some(prost_types::Duration { seconds, nanos: 0 }),
        })),
        timeout_policy: v1::TimeoutPolicy::Claim.into(),
    };
    let agreed = with(|wanted| {
        wanted.time_control = Some(deadline(60));
        wanted.automation = Some(v1::Automation { play_forced_moves: true, ..v1::Automation::default() });
        wanted.ready_check = true;
    });
    let wanted = read_creation(&agreed, &Caller::Local, false).unwrap();
    let terms = wanted.creation.terms;
    let limit = TimeLimit::Action { limit: 60_000 };
    assert_eq!(terms.time, Some(TimeControl { limit, policy: TimeoutPolicy::Claim }));
    assert_eq!(terms.automation, Automation { play_forced_moves: true, ..Automation::NONE });
    assert!(terms.ready_check);

    let plain = read_creation(&request(), &Caller::Local, false).unwrap().creation.terms;
    assert_eq!((plain.time, plain.automation, plain.ready_check), (None, Automation::NONE, false));
    let untimed = with(|wanted| wanted.time_control = Some(v1::TimeControl::default()));
    assert_eq!(read_creation(&untimed, &Caller::Local, false).unwrap().creation.terms.time, None);

    let short = with(|wanted| {
        wanted.time_control = Some(deadline(59));
        let automation = v1::Automation { roll_when_cube_unavailable: true, ..v1::Automation::default() };
        wanted.automation = Some(automation);
        let external = v1::DiceSource::External.into();
        wanted.dice_policy = Some(v1::DicePolicy { source: external, ..v1::DicePolicy::default() });
    });
    assert_eq!(
        bad_fields(&short),
        ["match.time_control.action_deadline.limit", "match.automation.roll_when_cube_unavailable"]
    );
    let clock = with(|wanted| {
        let clock = v1::ClockControl { mode: 9, ..v1::ClockControl::default() };
        wanted.time_control =
            Some(v1::TimeControl { control: Some(Control::Clock(clock)), timeout_policy: 9 });
    });
    assert_eq!(
        bad_fields(&clock),
        [
            "match.time_control.timeout_policy",
            "match.time_control.clock.mode",
            "match.time_control.clock.reserve"
        ]
    );
}
