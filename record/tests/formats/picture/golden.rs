//! One picture as it is, byte by byte: whoever changes how pictures look sees what changes.

use std::fs;

use chaquete_record::picture::{LastMove, Picture, View};
use chaquete_rules::{BySeat, Dice, Die, Move, Seat, Source, Step};

use super::games::xgid;
use crate::data::root;

#[test]
fn a_picture_is_the_same_everywhere() {
    let step = |source, die, hit| Step {
        source: Source::from_number(source).unwrap(),
        die: Die::new(die).unwrap(),
        hit,
    };
    let played = Move::new(&[step(13, 4, false), step(24, 3, true)]).unwrap();
    let picture = Picture {
        position: xgid("XGID=a---B-D-CA--eD---c-e-Aa---:1:1:-1:63:0:1:0:3:10"),
        names: BySeat::new("Alice & Co", "Łukasz"),
        last_move: Some(LastMove { seat: Seat::One, dice: Dice::new(4, 3), played }),
        view: View::of(Seat::One),
    };
    let path = root().join("tests/data/pictures/hit.svg");
    // `CHAQUETE_MAKE_GOLDEN=1` writes it anew, to be looked at before it is committed.
    if std::env::var_os("CHAQUETE_MAKE_GOLDEN").is_some() {
        fs::write(&path, picture.svg()).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(picture.svg() == golden, "the picture is another than {}", path.display());
}
