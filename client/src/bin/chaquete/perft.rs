//! Counting all positions that some rolls can lead to: a check of the move generator, and of its speed.

use std::process::ExitCode;
use std::time::Instant;

use chaquete_record::GamePosition;
use chaquete_rules::{Dice, Position, Results, Seat, Variant};

use crate::failure::Failure;
use crate::out;

#[derive(Debug, clap::Args)]
pub(crate) struct Perft {
    /// How many rolls deep to count.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=9))]
    depth: u8,
    /// The position to count from: an ID of GNU Backgammon or an XGID. Default: the start of a game.
    #[arg(long, value_name = "ID")]
    position: Option<GamePosition>,
}

/// How many results there are after so many rolls; a roll without a legal move has one. The 21 different
/// rolls count once each. A game that is won does not go on.
fn count(start: &Position, rolls: &[Dice], buffers: &mut [Results]) -> u64 {
    let Some((buffer, deeper)) = buffers.split_first_mut() else { return 1 };
    let mut total = 0;
    for &dice in rolls {
        let pass = (buffer.fill(start, dice) == 0).then_some(*start);
        total += if deeper.is_empty() {
            buffer.len().max(1) as u64
        } else {
            let running = buffer.iter().chain(pass).filter(|after| !after.mover().is_finished());
            running.map(|after| count(&after.turned(), rolls, deeper)).sum()
        };
    }
    total
}

fn different_rolls() -> Vec<Dice> {
    Dice::all().filter(|dice| dice.first >= dice.second).collect()
}

/// Prints the count of each depth and how long it took.
#[expect(clippy::disallowed_methods, reason = "shows how long counting takes")]
pub(crate) fn run(perft: &Perft) -> Result<ExitCode, Failure> {
    let start = match &perft.position {
        Some(given) => given.position(),
        None => Variant::Standard.start().position(Seat::One),
    };
    let rolls = different_rolls();
    for depth in 1..=perft.depth {
        let began = Instant::now();
        let total = count(&start, &rolls, &mut vec![Results::new(); depth.into()]);
        let seconds = began.elapsed().as_secs_f64();
        let speed = total as f64 / seconds / 1e6;
        out::line(format_args!("{depth} {total:>18} in {seconds:>8.3} s, {speed:.0} million a second"))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_rolls_from_the_start() {
        let start = Variant::Standard.start().position(Seat::One);
        let rolls = different_rolls();
        assert_eq!(count(&start, &rolls, &mut vec![Results::new(); 1]), 447);
        assert_eq!(count(&start, &rolls, &mut vec![Results::new(); 2]), 202_782);
    }
}
