//! The legal set against that of the crate `bkgm`, which other people wrote: on random hard positions, on
//! positions from random games, and on the sample from real play. `bkgm` may list a result twice, so sets are
//! compared.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod as_numbers;
    pub(crate) mod files;
    pub(crate) mod hard;
    pub(crate) mod numbers;
    pub(crate) mod random;
    pub(crate) mod rolls;
    pub(crate) mod theirs;
}

use std::collections::BTreeSet;

use chaquete_rules::{Dice, Position, Results, Seat, Variant};
use common::as_numbers::as_numbers;
use common::hard::hard_position;
use common::numbers::{Numbers, position};
use common::random::Random;
use common::rolls::rolls;
use common::theirs::Theirs;
use proptest::prelude::*;

/// Our results and theirs, each from the view of the one who moves next.
fn both(start: &Position, dice: Dice) -> [BTreeSet<Numbers>; 2] {
    let mut results = Results::new();
    let dice_used = results.fill(start, dice);
    let pass = (dice_used == 0).then_some(*start);
    let ours = results.iter().chain(pass).map(|after| as_numbers(&after.turned())).collect();
    let theirs = Theirs::new(start, dice).results().into_iter().map(Numbers::from).collect();
    [ours, theirs]
}

fn assert_agree(start: &Position, dice: Dice) {
    let [ours, theirs] = both(start, dice);
    assert_eq!(ours, theirs, "{}-{} in {:?}", dice.first, dice.second, as_numbers(start));
}

#[test]
fn rolls_from_real_play() {
    for (position, dice) in rolls() {
        assert_agree(&position, dice);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn every_roll_of_a_hard_position(seed: u64) {
        let start = position(&hard_position(&mut Random(seed))).unwrap();
        // Where a side has borne off everything, the game is over, and `bkgm` takes no such position.
        prop_assume!(!start.mover().is_finished() && !start.opponent().is_finished());
        Dice::all().for_each(|dice| assert_agree(&start, dice));
    }

    #[test]
    fn every_roll_of_a_random_game(seed: u64) {
        let mut random = Random(seed);
        let mut position = Variant::Standard.start().position(Seat::One);
        let mut results = Results::new();
        while !position.opponent().is_finished() {
            Dice::all().for_each(|dice| assert_agree(&position, dice));
            let dice = Dice::all().nth(random.below(36)).unwrap();
            results.fill(&position, dice);
            let nth = random.below(results.len().max(1));
            position = results.iter().nth(nth).unwrap_or(position).turned();
        }
    }
}

/// Thousands of positions usually, a hundred thousand with `CHAQUETE_SLOW=1`.
fn cases() -> u32 {
    if std::env::var_os("CHAQUETE_SLOW").is_some() { 5_000 } else { 100 }
}
