//! No request makes a reader panic, and none that is refused is refused without a reason.

use chaquete_proto::v1::{self, act_request::Action, convert_position_request::Source};
use proptest::prelude::*;
use prost::Message;

use super::{
    act,
    command::{self, By},
    creation, follow, order, position, query,
    violations::BadRequest,
};
use crate::access::Caller;

/// Requests with most of their fields set, to be damaged.
fn requests() -> Vec<Vec<u8>> {
    let duration = Some(prost_types::Duration { seconds: 10, nanos: 1 });
    let step = v1::Step { from: Some(24), to: Some(18), die: 6, hit: true };
    let side = v1::Side { points: vec![1; 24], bar: 1, off: 2, pip_count: 3 };
    let position = v1::Position {
        board: Some(v1::Board { one: Some(side.clone()), two: Some(side) }),
        seat_on_roll: 1,
        dice: Some(v1::Dice { first: 1, second: 2 }),
        cube: Some(v1::Cube { value: 2, owner: 1 }),
        score: Some(v1::Score { one: 1, two: 2 }),
        points: 5,
        crawford: true,
        variant: 1,
    };
    let rules = v1::MatchRules {
        length: Some(v1::match_rules::Length::Points(5)),
        initial_position: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10".to_owned(),
        ..v1::MatchRules::default()
    };
    let create = v1::CreateMatchRequest {
        parent: "tenants/default".to_owned(),
        r#match: Some(v1::Match {
            players: vec![v1::Player::default(); 2],
            rules: Some(rules),
            dice_policy: Some(v1::DicePolicy {
                contribution_timeout: duration,
                seed: vec![0; 32],
                ..v1::DicePolicy::default()
            }),
            labels: [("k".to_owned(), "v".to_owned())].into(),
            ..v1::Match::default()
        }),
        ..v1::CreateMatchRequest::default()
    };
    let paths = vec!["labels.k".to_owned(), "annotations".to_owned()];
    let update = v1::UpdateMatchRequest {
        r#match: create.r#match.clone(),
        update_mask: Some(prost_types::FieldMask { paths }),
        ..v1::UpdateMatchRequest::default()
    };
    let submit = v1::SubmitMoveRequest {
        r#move: Some(v1::Move { steps: vec![step; 2], notation: "24/18(2) bar/20*".to_owned() }),
        expected_revision: 7,
        ..v1::SubmitMoveRequest::default()
    };
    let act = v1::ActRequest { action: Some(Action::SubmitMove(submit.clone())), tag: 7, detail: 2 };
    let watch = v1::WatchMatchRequest { heartbeat_interval: duration, ..v1::WatchMatchRequest::default() };
    let convert = |source| v1::ConvertPositionRequest { source: Some(source) };
    vec![
        create.encode_to_vec(),
        update.encode_to_vec(),
        submit.encode_to_vec(),
        act.encode_to_vec(),
        watch.encode_to_vec(),
        convert(Source::Position(position)).encode_to_vec(),
        convert(Source::GnuId("4HPwATDgc/ABMA:cIkFAAAAAAAE".to_owned())).encode_to_vec(),
        convert(Source::Xgid("XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:2:3:0:7:10".to_owned()))
            .encode_to_vec(),
    ]
}

/// Reads the bytes as a request, if they are one; a refusal must name fields.
fn read<R: Message + Default + std::fmt::Debug, T>(bytes: &[u8], read: impl Fn(&R) -> Result<T, BadRequest>) {
    if let Ok(request) = R::decode(bytes)
        && let Err(bad) = read(&request)
    {
        assert!(!bad.violations.is_empty(), "{request:?}");
    }
}

fn read_as_everything(bytes: &[u8]) {
    let by = By { caller: &Caller::Local, seat: None };
    read(bytes, |request| creation::read_creation(request, &Caller::Local, true));
    read(bytes, |request: &v1::SubmitMoveRequest| command::read_action(request, by));
    read(bytes, |request: &v1::RollDiceRequest| command::read_action(request, by));
    read(bytes, |request: &v1::OfferResignationRequest| command::read_action(request, by));
    read(bytes, |request: &v1::ActRequest| {
        act::read_request(request.clone()).map(|(action, _)| act::match_name(&action).is_some())
    });
    read(bytes, |request: &v1::UpdateMatchRequest| order::read_order(request, by.caller));
    read(bytes, |request: &v1::CancelMatchRequest| order::read_order(request, by.caller));
    read(bytes, |request: &v1::PauseMatchRequest| order::read_order(request, by.caller));
    read(bytes, |request: &v1::AdjudicateGameRequest| order::read_order(request, by.caller));
    read(bytes, |request: &v1::AdjudicateMatchRequest| order::read_order(request, by.caller));
    read(bytes, query::read_get);
    read(bytes, query::read_legal_moves);
    read(bytes, query::read_match_list);
    read(bytes, query::read_event_list);
    read(bytes, query::read_watch);
    read(bytes, follow::read_follow);
    read(bytes, |request| match position::convert(request) {
        Err(position::Unconvertible::BadRequest(bad)) => Err(bad),
        Err(position::Unconvertible::Unparsable { because, .. }) => {
            assert!(!because.is_empty());
            Ok(())
        }
        Ok(_) => Ok(()),
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn damaged_requests_are_read_without_panic(
        which in 0..8_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut bytes = requests().swap_remove(which);
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        read_as_everything(&bytes);
    }

    #[test]
    fn any_text_is_read_as_an_identifier_or_a_move_without_panic(text in ".{0,80}", board in "[-A-Oa-o]{26}") {
        for text in [text.clone(), format!("XGID={board}:{text}"), format!("4HPwATDgc/ABMA:{text}")] {
            for source in [Source::GnuId(text.clone()), Source::Xgid(text.clone())] {
                let request = v1::ConvertPositionRequest { source: Some(source) };
                read_as_everything(&request.encode_to_vec());
            }
            let notation = Some(v1::Move { steps: Vec::new(), notation: text });
            let submit = v1::SubmitMoveRequest { r#move: notation, ..v1::SubmitMoveRequest::default() };
            read_as_everything(&submit.encode_to_vec());
        }
    }
}
