//! Ids that are nearly right: a small corpus with something changed. None makes a reader panic, and what is
//! read is written as the same.

#[path = "../../rules/tests/common"]
mod common {
    pub(crate) mod fuzz;
}

use chaquete_record::{GamePosition, MatchId, PositionId, Xgid};
use chaquete_rules::{Dice, LegalMoves};
use common::fuzz::{fuzz, texts};

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
