//! Requests of the match service.

use chaquete_proto::v1::{self, match_rules::Length, time_control::Control};
use tonic::Code;

use crate::support::{Bare, Case, ID, check, creation, duration, refused};

fn wanted(request: &mut v1::CreateMatchRequest) -> &mut v1::Match {
    request.r#match.as_mut().unwrap()
}

fn rules(request: &mut v1::CreateMatchRequest) -> &mut v1::MatchRules {
    wanted(request).rules.as_mut().unwrap()
}

fn policy(request: &mut v1::CreateMatchRequest) -> &mut v1::DicePolicy {
    wanted(request).dice_policy.as_mut().unwrap()
}

fn money(request: &mut v1::CreateMatchRequest, max_games: i32) {
    rules(request).length = Some(Length::MoneySession(v1::MoneySession { max_games }));
}

fn label(request: &mut v1::CreateMatchRequest, key: &str, value: &str) {
    wanted(request).labels.insert(key.to_owned(), value.to_owned());
}

fn annotation(request: &mut v1::CreateMatchRequest, key: &str, value: &str) {
    wanted(request).annotations.insert(key.to_owned(), value.to_owned());
}

const ENVELOPE: &[Case<v1::CreateMatchRequest>] = &[
    (|it| *it = Default::default(), &["parent", "match"]),
    (|it| it.parent.clear(), &["parent"]),
    (|it| it.parent = "default".to_owned(), &["parent"]),
    (|it| it.parent = "tenants/default/matches/m1234".to_owned(), &["parent"]),
    (|it| it.r#match = None, &["match"]),
    (|it| it.match_id = "abc".to_owned(), &["match_id"]),
    (|it| it.match_id = "a".repeat(64), &["match_id"]),
    (|it| it.match_id = "Abcd".to_owned(), &["match_id"]),
    (|it| it.match_id = "1abc".to_owned(), &["match_id"]),
    (|it| it.request_id = "1".to_owned(), &["request_id"]),
    (|it| it.request_id = ID.replace('-', ""), &["request_id"]),
    (|it| it.request_id = "00000000-0000-0000-0000-000000000000".to_owned(), &["request_id"]),
    (
        |it| {
            it.parent.clear();
            it.match_id = "?".to_owned();
            it.request_id = "?".to_owned();
            it.r#match = Some(v1::Match::default());
        },
        &["parent", "request_id", "match_id", "match.players", "match.rules"],
    ),
];

const PLAYERS: &[Case<v1::CreateMatchRequest>] = &[
    (|it| wanted(it).players.clear(), &["match.players"]),
    (|it| wanted(it).players.truncate(1), &["match.players"]),
    (|it| wanted(it).players.push(v1::Player::default()), &["match.players"]),
    (|it| wanted(it).players[0].subject.clear(), &["match.players[0].subject"]),
    (|it| wanted(it).players[0].subject = "a".repeat(129), &["match.players[0].subject"]),
    (|it| wanted(it).players[1].subject = "a\u{7f}".to_owned(), &["match.players[1].subject"]),
    (|it| wanted(it).players[1].subject = "é".to_owned(), &["match.players[1].subject"]),
    (|it| wanted(it).players[0].seat = 2, &["match.players[0].seat"]),
    (|it| wanted(it).players[1].seat = 3, &["match.players[1].seat"]),
    (|it| wanted(it).players[0].seat = -1, &["match.players[0].seat"]),
    (|it| wanted(it).players[0].display_name = "é".repeat(64), &["match.players[0].display_name"]),
    (|it| wanted(it).players[0].display_name = "a\nb".to_owned(), &["match.players[0].display_name"]),
];

const RULES: &[Case<v1::CreateMatchRequest>] = &[
    (|it| wanted(it).rules = None, &["match.rules"]),
    (|it| rules(it).length = None, &["match.rules"]),
    (|it| rules(it).length = Some(Length::Points(0)), &["match.rules.points"]),
    (|it| rules(it).length = Some(Length::Points(-1)), &["match.rules.points"]),
    (|it| rules(it).length = Some(Length::Points(256)), &["match.rules.points"]),
    (|it| rules(it).variant = 5, &["match.rules.variant"]),
    (|it| rules(it).jacoby = Some(true), &["match.rules.jacoby"]),
    (|it| rules(it).max_beavers = 1, &["match.rules.max_beavers"]),
    (|it| rules(it).max_automatic_doubles = 1, &["match.rules.max_automatic_doubles"]),
    (|it| rules(it).max_cube_value = 3, &["match.rules.max_cube_value"]),
    (|it| rules(it).max_cube_value = -2, &["match.rules.max_cube_value"]),
    (|it| rules(it).max_cube_value = 8192, &["match.rules.max_cube_value"]),
    (|it| rules(it).opening = 4, &["match.rules.opening"]),
    (|it| rules(it).initial_position = "?".to_owned(), &["match.rules.initial_position"]),
    (|it| rules(it).initial_position = "A".repeat(14), &["match.rules.initial_position"]),
    (|it| rules(it).initial_position = "A".repeat(10_000), &["match.rules.initial_position"]),
    (|it| rules(it).initial_position = "XGID=:".to_owned(), &["match.rules.initial_position"]),
    (|it| money(it, -1), &["match.rules.money_session.max_games"]),
    (
        |it| {
            money(it, 0);
            rules(it).crawford = Some(true);
            rules(it).max_beavers = -1;
            rules(it).max_automatic_doubles = -1;
        },
        &["match.rules.crawford", "match.rules.max_beavers", "match.rules.max_automatic_doubles"],
    ),
];

const DICE: &[Case<v1::CreateMatchRequest>] = &[
    (|it| policy(it).source = 4, &["match.dice_policy.source"]),
    (|it| policy(it).players_contribute = true, &["match.dice_policy.players_contribute"]),
    (|it| policy(it).creator_commitment = vec![0; 32], &["match.dice_policy.creator_commitment"]),
    (
        |it| {
            policy(it).source = 1;
            policy(it).creator_commitment = vec![0; 31];
        },
        &["match.dice_policy.creator_commitment"],
    ),
    (|it| policy(it).contribution_timeout = duration(-1), &["match.dice_policy.contribution_timeout"]),
    (|it| policy(it).seed = vec![0; 32], &["match.dice_policy.seed"]),
    (|it| policy(it).source = 3, &["match.dice_policy.seed"]),
    (
        |it| {
            policy(it).source = 3;
            policy(it).seed = vec![0; 33];
        },
        &["match.dice_policy.seed"],
    ),
];

const CLOCKS: &[Case<v1::CreateMatchRequest>] = &[
    (
        |it| {
            wanted(it).time_control = Some(v1::TimeControl {
                control: Some(Control::Clock(Default::default())),
                timeout_policy: 4,
            });
        },
        &["match.time_control.timeout_policy", "match.time_control.clock.reserve"],
    ),
    (
        |it| {
            let clock = v1::ClockControl { reserve: duration(0), mode: 4, per_turn: duration(-1) };
            wanted(it).time_control =
                Some(v1::TimeControl { control: Some(Control::Clock(clock)), timeout_policy: 0 });
        },
        &[
            "match.time_control.clock.mode",
            "match.time_control.clock.reserve",
            "match.time_control.clock.per_turn",
        ],
    ),
    (
        |it| {
            let deadline = v1::ActionDeadline { limit: duration(59) };
            wanted(it).time_control =
                Some(v1::TimeControl { control: Some(Control::ActionDeadline(deadline)), timeout_policy: 0 });
        },
        &["match.time_control.action_deadline.limit"],
    ),
];

const FACTS: &[Case<v1::CreateMatchRequest>] = &[
    (|it| label(it, "k", ""), &[r#"match.labels["k"]"#]),
    (|it| label(it, "", "v"), &[r#"match.labels[""]"#]),
    (|it| label(it, "K", "v"), &[r#"match.labels["K"]"#]),
    (|it| label(it, "k", &"v".repeat(64)), &[r#"match.labels["k"]"#]),
    (|it| label(it, "k", "a\0b"), &[r#"match.labels["k"]"#]),
    (|it| (0..33).for_each(|number| label(it, &format!("k{number}"), "v")), &["match.labels"]),
    (|it| annotation(it, "k", ""), &[r#"match.annotations["k"]"#]),
    (|it| annotation(it, "", "v"), &[r#"match.annotations[""]"#]),
    (|it| annotation(it, "k", "a\0b"), &[r#"match.annotations["k"]"#]),
    (|it| annotation(it, "k", &"v".repeat(16 * 1024)), &["match.annotations"]),
];

#[tokio::test]
async fn create_match() {
    for bare in Bare::both_ways().await {
        for cases in [ENVELOPE, PLAYERS, RULES, DICE, CLOCKS, FACTS] {
            check(async |request| bare.act(request).await, creation(), cases).await;
        }
        assert_eq!(bare.match_count().await, 0);
        bare.created("m1234").await;
        assert_eq!(bare.match_count().await, 1, "what is not spoiled is created");
    }
}

#[tokio::test]
async fn cancel_match() {
    let bare = Bare::start().await;
    let created = bare.created("m1234").await;
    let valid = v1::CancelMatchRequest {
        name: created.name.clone(),
        reason: "rain".to_owned(),
        ..Default::default()
    };
    let cases: &[Case<v1::CancelMatchRequest>] = &[
        (|it| *it = Default::default(), &["name", "reason"]),
        (|it| it.name = "m1234".to_owned(), &["name"]),
        (|it| it.name = "tenants/default/matches/M1234".to_owned(), &["name"]),
        (|it| it.reason.clear(), &["reason"]),
        (|it| it.reason = "é".repeat(501), &["reason"]),
        (|it| it.reason = "a\0b".to_owned(), &["reason"]),
        (|it| it.expected_revision = -1, &["expected_revision"]),
        (|it| it.request_id = "x".to_owned(), &["request_id"]),
    ];
    check(async |request| bare.matches.clone().cancel_match(request).await, valid, cases).await;
    assert_eq!(bare.revision(&created.name).await, created.revision);
}

#[tokio::test]
async fn tokens() {
    let bare = Bare::start().await;
    let name = bare.created("m1234").await.name;
    let valid = v1::IssueTokenRequest {
        parent: "tenants/default".to_owned(),
        role: v1::Role::Spectator.into(),
        subject: "press".to_owned(),
        r#match: name,
        ttl: duration(60),
    };
    let cases: &[Case<v1::IssueTokenRequest>] = &[
        (|it| *it = Default::default(), &["parent", "role", "subject"]),
        (|it| it.parent = "default".to_owned(), &["parent"]),
        (|it| it.role = v1::Role::Backend.into(), &["role"]),
        (|it| it.role = 99, &["role"]),
        (|it| it.subject = "a\0b".to_owned(), &["subject"]),
        (|it| it.subject = "x".repeat(129), &["subject"]),
        (|it| it.r#match.clear(), &["match"]),
        (|it| it.r#match = "tenants/other/matches/m1234".to_owned(), &["match"]),
        (|it| it.ttl = duration(59), &["ttl"]),
        (|it| it.ttl = duration(86_401), &["ttl"]),
    ];
    check(async |request| bare.matches.clone().issue_token(request).await, valid, cases).await;
    let valid = v1::RevokeTokensRequest { parent: "tenants/default".to_owned(), subject: "press".to_owned() };
    let cases: &[Case<v1::RevokeTokensRequest>] = &[
        (|it| *it = Default::default(), &["parent", "subject"]),
        (|it| it.parent = "tenants/".to_owned(), &["parent"]),
        (|it| it.subject = "é".to_owned(), &["subject"]),
    ];
    check(async |request| bare.matches.clone().revoke_tokens(request).await, valid, cases).await;
}

#[tokio::test]
async fn reads() {
    let bare = Bare::start().await;
    let name = bare.created("m1234").await.name;
    check(
        async |request| bare.matches.clone().get_match(request).await,
        v1::GetMatchRequest { name: name.clone(), view: 0 },
        &[
            (|it| *it = Default::default(), &["name"]),
            (
                |it| {
                    it.name.push('/');
                    it.view = 3;
                },
                &["name", "view"],
            ),
        ],
    )
    .await;
    check(
        async |request| bare.matches.clone().get_match_result(request).await,
        v1::GetMatchResultRequest { name: name.clone() },
        &[(|it| it.name.clear(), &["name"])],
    )
    .await;
    check(
        async |request| bare.matches.clone().list_matches(request).await,
        v1::ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() },
        &[
            (|it| it.parent.clear(), &["parent"]),
            (|it| it.page_size = -1, &["page_size"]),
            (|it| it.order_by = "update_time".to_owned(), &["order_by"]),
            (|it| it.view = 9, &["view"]),
            (
                |it| {
                    it.parent = "tenants/".to_owned();
                    it.page_size = i32::MIN;
                    it.order_by = "create_time,end_time".to_owned();
                    it.view = -1;
                },
                &["parent", "page_size", "order_by", "view"],
            ),
        ],
    )
    .await;
    check(
        async |request| bare.matches.clone().list_match_events(request).await,
        v1::ListMatchEventsRequest { parent: name.clone(), ..Default::default() },
        &[
            (|it| it.parent.clear(), &["parent"]),
            (|it| it.page_size = -1, &["page_size"]),
            (|it| it.after_revision = -1, &["after_revision"]),
            (|it| it.wait_for = duration(61), &["wait_for"]),
            (|it| it.wait_for = duration(-1), &["wait_for"]),
        ],
    )
    .await;
    check(
        async |request| bare.matches.clone().watch_match(request).await,
        v1::WatchMatchRequest { name, ..Default::default() },
        &[
            (|it| it.name.clear(), &["name"]),
            (|it| it.after_revision = -1, &["after_revision"]),
            (|it| (it.snapshot, it.after_revision) = (true, 1), &["after_revision"]),
            (|it| it.heartbeat_interval = duration(4), &["heartbeat_interval"]),
            (|it| it.heartbeat_interval = duration(61), &["heartbeat_interval"]),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_bad_filter_is_told_with_its_place() {
    let bare = Bare::start().await;
    for (filter, position) in [
        ("state = ", "8"),
        ("state = \"MATCH_STATE_ACTIVE\" AND color = 3", "33"),
        (&*"f".repeat(2_001), "2000"),
    ] {
        let parent = "tenants/default".to_owned();
        let request = v1::ListMatchesRequest { parent, filter: filter.to_owned(), ..Default::default() };
        let refused = refused(bare.matches.clone().list_matches(request).await);
        assert_eq!((refused.code, &*refused.reason), (Code::InvalidArgument, "INVALID_FILTER"), "{filter}");
        assert_eq!(refused.metadata["position"], position, "{filter}");
        assert_eq!(refused.fields, ["filter"]);
    }
}
