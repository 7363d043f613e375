//! Whether rolls look like those of fair dice. Statistics catch gross faults only: what proves dice is their proof.
//!
//! The null hypothesis is always that all faces come up equally often and that no die knows of another. A test that
//! so few rolls cannot carry is left out. Nothing is corrected for there being several tests: of `n` of them with
//! fair dice one has a p-value below `p` in up to `n` times `p` of all cases.

use chaquete_rules::{Dice, Die};
use statrs::{
    distribution::{ChiSquared, ContinuousCDF},
    function::erf::erfc,
};

/// Ways in which two dice can fall.
const COMBINATIONS: usize = 36;

/// Fewer than so many in any class, and the chi-square distribution is none of what is counted.
const MIN_EXPECTED: f64 = 5.0;

/// Fewer than so many pairs of rolls, and their correlation is not normally distributed.
const MIN_PAIRS: u64 = 100;

/// Sum of two fair dice: mean and variance.
const SUM: (i64, f64) = (7, 35.0 / 6.0);

/// What is counted of rolls, and enough to test them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollCounts {
    combinations: [u64; COMBINATIONS],
    /// Of each of the two dice, how often each face came after each face of the same die in the roll before.
    successions: [[u64; COMBINATIONS]; 2],
    /// Over all pairs of successive rolls, the products of how far their sums are from the mean.
    products: i64,
}

impl Default for RollCounts {
    fn default() -> Self {
        let none = [0; COMBINATIONS];
        Self { combinations: none, successions: [none; 2], products: 0 }
    }
}

/// What a test found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Which test.
    pub id: &'static str,
    /// The test statistic.
    pub statistic: f64,
    /// Degrees of freedom; 0 if the test has none.
    pub degrees_of_freedom: u32,
    /// Probability of a statistic at least as extreme with fair dice.
    pub p_value: f64,
}

impl RollCounts {
    /// Counts rolls in their order. Whoever rolls elsewhere counts elsewhere, and adds: nothing is a successor of
    /// anything there.
    pub fn count(&mut self, rolls: impl IntoIterator<Item = Dice>) {
        let mut before: Option<Dice> = None;
        for roll in rolls {
            self.combinations[cell(roll.first, roll.second)] += 1;
            if let Some(before) = before {
                self.successions[0][cell(before.first, roll.first)] += 1;
                self.successions[1][cell(before.second, roll.second)] += 1;
                self.products += from_mean(before) * from_mean(roll);
            }
            before = Some(roll);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        let sum = |ours: &mut [u64], others: &[u64]| {
            ours.iter_mut().zip(others).for_each(|(ours, others)| *ours += others);
        };
        sum(&mut self.combinations, &other.combinations);
        sum(self.successions.as_flattened_mut(), other.successions.as_flattened());
        self.products += other.products;
    }

    /// How many rolls were counted.
    #[must_use]
    pub fn rolls(&self) -> u64 {
        self.combinations.iter().sum()
    }

    /// How often first die `i / 6 + 1` came with second die `i % 6 + 1`.
    #[must_use]
    pub const fn combinations(&self) -> &[u64; COMBINATIONS] {
        &self.combinations
    }

    /// How many of the rolls were doubles.
    #[must_use]
    pub fn doubles(&self) -> u64 {
        self.combinations.iter().step_by(7).sum()
    }

    /// All tests that so many rolls can carry.
    #[must_use]
    pub fn tests(&self) -> Vec<Test> {
        let tests = [
            self.faces(),
            self.all_combinations(),
            self.doubles_among_all(),
            self.successive(),
            self.serial(),
        ];
        tests.into_iter().flatten().collect()
    }

    /// Every face comes up equally often.
    fn faces(&self) -> Option<Test> {
        let mut faces = [0; 6];
        for (at, count) in self.combinations.iter().enumerate() {
            faces[at / 6] += count;
            faces[at % 6] += count;
        }
        goodness_of_fit("chi_square_faces", &faces, &[1.0 / 6.0; 6])
    }

    /// Every combination comes up equally often.
    fn all_combinations(&self) -> Option<Test> {
        let fair = [1.0 / COMBINATIONS as f64; COMBINATIONS];
        goodness_of_fit("chi_square_combinations", &self.combinations, &fair)
    }

    /// One roll in six is a double.
    fn doubles_among_all(&self) -> Option<Test> {
        let doubles = self.doubles();
        let counts = [doubles, self.rolls() - doubles];
        goodness_of_fit("chi_square_doubles", &counts, &[1.0 / 6.0, 5.0 / 6.0])
    }

    /// A die does not depend on the same die of the roll before. Both dice have a table of their own, with the
    /// margins as they are, so that dice which only prefer a face do not fail here as well. That a roll is the second
    /// of one pair and the first of the next is no matter for independence within a chain.
    fn successive(&self) -> Option<Test> {
        let pairs: u64 = self.successions[0].iter().sum();
        (pairs as f64 / COMBINATIONS as f64 >= MIN_EXPECTED).then_some(())?;
        let (first, second) = (independence(&self.successions[0]), independence(&self.successions[1]));
        chi_square("chi_square_successive", first.0 + second.0, first.1 + second.1)
    }

    /// Sums of successive rolls do not go together: their correlation, in standard deviations.
    fn serial(&self) -> Option<Test> {
        let pairs: u64 = self.successions[0].iter().sum();
        let statistic = self.products as f64 / (SUM.1 * (pairs as f64).sqrt());
        let p_value = erfc(statistic.abs() / std::f64::consts::SQRT_2);
        let test = Test { id: "serial_correlation", statistic, degrees_of_freedom: 0, p_value };
        (pairs >= MIN_PAIRS).then_some(test)
    }
}

fn cell(row: Die, column: Die) -> usize {
    usize::from(row.pips() - 1) * 6 + usize::from(column.pips() - 1)
}

fn from_mean(roll: Dice) -> i64 {
    i64::from(roll.first.pips() + roll.second.pips()) - SUM.0
}

/// Whether classes are as large as they should be.
fn goodness_of_fit(id: &'static str, counts: &[u64], fair: &[f64]) -> Option<Test> {
    let all = counts.iter().sum::<u64>() as f64;
    let mut statistic = 0.0;
    for (&count, &share) in counts.iter().zip(fair) {
        let expected = all * share;
        (expected >= MIN_EXPECTED).then_some(())?;
        statistic += (count as f64 - expected).powi(2) / expected;
    }
    chi_square(id, statistic, counts.len() as u32 - 1)
}

/// The chi-square of a table of six rows and columns against their independence, and its degrees of freedom: rows and
/// columns without anything in them have none.
fn independence(table: &[u64; COMBINATIONS]) -> (f64, u32) {
    let margin = |line: &dyn Fn(usize) -> usize| (0..6).map(|at| table[line(at)]).sum::<u64>();
    let rows: [u64; 6] = std::array::from_fn(|row| margin(&|at| row * 6 + at));
    let columns: [u64; 6] = std::array::from_fn(|column| margin(&|at| at * 6 + column));
    let all = table.iter().sum::<u64>() as f64;
    let mut statistic = 0.0;
    for (at, &count) in table.iter().enumerate() {
        let expected = rows[at / 6] as f64 * columns[at % 6] as f64 / all;
        if expected > 0.0 {
            statistic += (count as f64 - expected).powi(2) / expected;
        }
    }
    let freedom =
        |margins: &[u64]| (margins.iter().filter(|&&margin| margin > 0).count() as u32).saturating_sub(1);
    (statistic, freedom(&rows) * freedom(&columns))
}

fn chi_square(id: &'static str, statistic: f64, degrees_of_freedom: u32) -> Option<Test> {
    let distribution = ChiSquared::new(f64::from(degrees_of_freedom)).ok()?;
    Some(Test { id, statistic, degrees_of_freedom, p_value: distribution.sf(statistic) })
}

#[cfg(test)]
mod tests;
