//! How enums and seats are written in tables: the same in every engine, and in the words of logs.

use chaquete_proof::{log::Word, words};
use chaquete_rules::Seat;

use super::Waiting;

/// A value, or what is wrong with it.
pub(super) type Read<T> = Result<T, String>;

words!(Waiting { Pending: "pending", Paused: "paused" });

/// The value of a word.
pub(super) fn read_word<T: Word>(word: &str) -> Read<T> {
    T::from_word(word).ok_or_else(|| format!("{word:?} is not known"))
}

/// The number of a seat.
pub(super) const fn seat_number(seat: Seat) -> u8 {
    match seat {
        Seat::One => 1,
        Seat::Two => 2,
    }
}

/// The seat of a number.
pub(super) fn read_seat(number: u8) -> Read<Seat> {
    match number {
        1 => Ok(Seat::One),
        2 => Ok(Seat::Two),
        _ => Err(format!("{number} is no seat")),
    }
}
