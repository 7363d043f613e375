//! No text makes the readers of ids panic, and what they read they write again.

use chaquete_record::{GamePosition, MatchId, PositionId, Xgid};
use proptest::prelude::*;

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
