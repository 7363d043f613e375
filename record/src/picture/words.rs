//! The position in words: for the lines of the picture, and for those who do not see it.

use std::fmt::Write as _;

use chaquete_rules::{CubeValue, GameEndReason, Seat};

use super::layout::Place;
use super::{HomeSide, LastMove, Picture};
use crate::{GamePosition, Offer, Play, Stage};

/// What is played.
pub(super) fn play(play: Play) -> String {
    match play {
        Play::Match { length, crawford } => {
            format!("{length}-point match{}", if crawford { ", Crawford game" } else { "" })
        }
        Play::Money { jacoby, beavers } => {
            let jacoby = if jacoby { ", Jacoby rule" } else { "" };
            format!("Money game{jacoby}{}", if beavers { ", beavers" } else { "" })
        }
    }
}

/// What is to be done by the seat to act, or that there is nothing to do.
pub(super) fn to_do(position: &GamePosition) -> String {
    match position.stage {
        Stage::OpeningRoll => "The opening roll is due".to_owned(),
        Stage::Roll => format!("to roll{}", or_double(position)),
        Stage::Move(dice) => format!("to play {dice}"),
        Stage::Offered(offer) => {
            let kind = match offer {
                Offer::Double => "double",
                Offer::Beaver => "beaver",
                Offer::Raccoon => "raccoon",
            };
            format!("to answer a {kind} to {}", 2 * position.cube.value.get())
        }
        Stage::ResignationOffered { kind, .. } => format!("to answer: the other resigns {kind}"),
        Stage::Over(reason) => format!("The game is over: {}", end(reason)),
    }
}

/// What may be done instead of rolling.
fn or_double(position: &GamePosition) -> &'static str {
    let cube = position.cube;
    let has_cube = cube.owner.is_none_or(|owner| owner == position.on_roll);
    let is_below = cube.value < position.cube_limit.unwrap_or(CubeValue::MAX);
    if has_cube && is_below && !position.play.is_crawford() { " or double" } else { "" }
}

fn end(reason: GameEndReason) -> &'static str {
    match reason {
        GameEndReason::BorneOff => "all checkers are off",
        GameEndReason::DoubleDeclined => "the double was declined",
        GameEndReason::Resigned => "the resignation was accepted",
        GameEndReason::Timeout => "time ran out",
        GameEndReason::Adjudicated => "it was adjudicated",
        GameEndReason::Void => "it does not count",
    }
}

/// A move with its dice as records write it: `31: 8/5 6/5`.
pub(super) fn last_move(last: &LastMove) -> String {
    let dice = last.dice.map(|dice| format!("{}{}: ", dice.first, dice.second)).unwrap_or_default();
    if last.played.steps().is_empty() { format!("{dice}no move") } else { format!("{dice}{}", last.played) }
}

impl Picture<'_> {
    /// What is to be done, and by whom: `Alice to play 3-1`.
    #[must_use]
    pub fn caption(&self) -> String {
        let who = self.position.seat_to_act().map(|seat| format!("{} ", self.name(seat))).unwrap_or_default();
        format!("{who}{}", to_do(&self.position))
    }

    /// All that the picture shows, in sentences.
    pub(super) fn description(&self) -> String {
        let mut text = String::new();
        for seat in [self.view.bottom, self.view.bottom.opponent()] {
            self.describe_seat(&mut text, seat);
        }
        let _ = write!(text, "{}.{} ", self.describe_cube(), self.describe_last_move());
        let home = match self.view.home {
            HomeSide::Left => "left",
            HomeSide::Right => "right",
        };
        let _ = write!(text, "{}. Home boards are at the {home}.", play(self.position.play));
        text
    }

    fn describe_seat(&self, text: &mut String, seat: Seat) {
        let colour = match seat {
            Seat::One => "light",
            Seat::Two => "dark",
        };
        let place = if seat == self.view.bottom { "bottom" } else { "top" };
        let pips = self.position.board.side(seat).pip_count();
        let points = self.position.score[seat];
        let _ = write!(
            text,
            "{} has the {colour} checkers, sits at the {place}, has won {} and has {} to go: {}. ",
            self.name(seat),
            counted(points, "point"),
            counted(pips.into(), "pip"),
            self.describe_checkers(seat)
        );
    }

    fn describe_checkers(&self, seat: Seat) -> String {
        let stack = |place: Place| {
            let count = self.count(seat, place);
            let at = match place {
                Place::Point(point) => format!("on point {point}"),
                Place::Bar => "on the bar".to_owned(),
                Place::Off => "borne off".to_owned(),
            };
            (count > 0).then(|| format!("{count} {at}"))
        };
        Place::all().filter_map(stack).collect::<Vec<_>>().join(", ")
    }

    fn describe_cube(&self) -> String {
        let cube = self.position.cube;
        if self.position.cube_limit == Some(CubeValue::ONE) {
            return "There is no cube".to_owned();
        }
        let place = cube.owner.map_or("in the middle".to_owned(), |seat| format!("with {}", self.name(seat)));
        format!("The cube is at {}, {place}", cube.value)
    }

    fn describe_last_move(&self) -> String {
        let describe =
            |last: LastMove| format!(" Last move of {}: {}.", self.name(last.seat), last_move(&last));
        self.last_move.map(describe).unwrap_or_default()
    }
}

fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
