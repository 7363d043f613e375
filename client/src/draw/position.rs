//! A position that belongs to no match.

use std::fmt::Write as _;

use chaquete_proto::v1::{Board, Cube, Seat, Side};
use chaquete_record::GamePosition;
use chaquete_record::picture::{Picture, View};
use chaquete_rules::{self as rules, BySeat};

/// A position of which nothing else is known: the board, what is to be done, and the identifiers under which
/// other programs know it.
///
/// ```
/// use chaquete_client::draw;
///
/// let text = draw::position(&"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?);
/// assert!(text.contains("\nX to play 3-1\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n"));
/// # Ok::<(), chaquete_record::GamePositionError>(())
/// ```
#[must_use]
pub fn position(position: &GamePosition) -> String {
    let one = Some(side(position.board.side(rules::Seat::One)));
    let two = Some(side(position.board.side(rules::Seat::Two)));
    let mut text = super::board(&Board { one, two }, &cube(position.cube));
    let names = BySeat::new("X", "O");
    let view = View::of(rules::Seat::One);
    let caption = Picture { position: *position, names, last_move: None, view }.caption();
    let _ = writeln!(text, "\n{caption}\n{}", position.xgid());
    if let Ok(id) = position.gnu_id() {
        let _ = writeln!(text, "GNU {id}");
    }
    text
}

fn side(side: &rules::Side) -> Side {
    Side {
        points: side.points().iter().copied().map(i32::from).collect(),
        bar: side.bar().into(),
        off: side.off().into(),
        pip_count: side.pip_count().into(),
    }
}

fn cube(cube: rules::Cube) -> Cube {
    let owner = match cube.owner {
        None => Seat::Unspecified,
        Some(rules::Seat::One) => Seat::One,
        Some(rules::Seat::Two) => Seat::Two,
    };
    // At most 4096, so it fits.
    Cube { value: cube.value.get() as i32, owner: owner.into() }
}
