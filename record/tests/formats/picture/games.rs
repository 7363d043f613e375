//! Positions and games to draw.

use chaquete_record::GamePosition;
use chaquete_record::picture::{HomeSide, LastMove, Picture, View};
use chaquete_rules::{Board, BySeat, Dice, LegalMoves, Move, Position, Seat, Setup, SideSetup, Variant};

use crate::data::cases;

pub(crate) fn views() -> impl Iterator<Item = View> {
    let sides = [HomeSide::Right, HomeSide::Left];
    Seat::BOTH.into_iter().flat_map(move |bottom| sides.map(|home| View { bottom, home }))
}

pub(crate) fn picture(position: GamePosition, view: View) -> Picture<'static> {
    Picture { position, names: BySeat::new("Alice", "Bob"), last_move: None, view }
}

pub(crate) fn xgid(text: &str) -> GamePosition {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The 200 arrangements of checkers that position IDs are tested with, as plain counts: seat one to move.
pub(crate) fn arrangements() -> Vec<(BySeat<Vec<u8>>, Position)> {
    let counts = |case: &serde_json::Value, side: &str| -> Vec<u8> {
        case[side].as_array().unwrap().iter().map(|count| count.as_u64().unwrap() as u8).collect()
    };
    let setup =
        |counts: &[u8]| SideSetup { points: counts[..24].try_into().unwrap(), bar: counts[24], off: None };
    let of = |case: &serde_json::Value| {
        let (one, two) = (counts(case, "mover"), counts(case, "opponent"));
        let setup = Setup { mover: setup(&one), opponent: setup(&two), checkers: 15 };
        (BySeat::new(one, two), setup.position().unwrap())
    };
    cases("position_ids.jsonl").iter().map(of).collect()
}

/// One turn of a game.
pub(crate) struct Turn {
    pub(crate) before: Board,
    pub(crate) after: Board,
    pub(crate) last: LastMove,
}

/// All turns of a game of random moves.
pub(crate) fn random_game(seed: u64) -> Vec<Turn> {
    let mut state = seed;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut board = Variant::Standard.start();
    let (mut seat, mut turns) = (Seat::One, Vec::new());
    while Seat::BOTH.iter().all(|&seat| !board.side(seat).is_finished()) {
        let dice = Dice::all().nth(random(36)).unwrap();
        let legal = LegalMoves::new(board.position(seat), dice);
        let (played, after) = match legal.len() {
            0 => (Move::EMPTY, board),
            several => {
                let choice = legal.iter().nth(random(several)).unwrap();
                (choice.mv, Board::from_position(choice.after, seat))
            }
        };
        turns.push(Turn { before: board, after, last: LastMove { seat, dice: Some(dice), played } });
        (board, seat) = (after, seat.opponent());
    }
    turns
}
