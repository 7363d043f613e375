//! What was measured, for people and for programs.

use std::{fmt::Write, time::Duration};

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};

use crate::{
    load::{Load, Mode},
    measure::Measured,
    meter::Failed,
    pgbench::Pgbench,
};

/// All that was measured once, one after the other.
#[derive(Debug)]
pub(crate) struct Round {
    /// The best rate of pgbench.
    pub(crate) pgbench: Option<Pgbench>,
    /// Each load.
    pub(crate) loads: Vec<(Load, Measured)>,
}

impl Round {
    fn of(&self, load: Load) -> Option<&Measured> {
        self.loads.iter().find(|(other, _)| *other == load).map(|(_, measured)| measured)
    }
}

/// A figure of a load.
struct Figure {
    /// In JSON.
    name: &'static str,
    /// Over its column.
    heading: &'static str,
    shown: Shown,
    /// How it is taken from a round; `None`: there is no such thing there.
    take: fn(&Round, Load, &Measured) -> Option<f64>,
}

/// How a figure is shown.
#[derive(Clone, Copy)]
enum Shown {
    /// The median, with so many decimals.
    Median(usize),
    /// The median, and between what it lay.
    Spread,
}

/// All figures, in the order of their columns.
const FIGURES: [Figure; 12] = [
    Figure {
        name: "actions_per_second",
        heading: "actions/s",
        shown: Shown::Median(0),
        take: |_, _, measured| Some(measured.rate()),
    },
    Figure {
        name: "rate_of_pgbench",
        heading: "÷ P",
        shown: Shown::Spread,
        take: |round, _, measured| Some(measured.rate() / round.pgbench?.rate),
    },
    Figure {
        name: "rate_of_memory",
        heading: "÷ memory",
        shown: Shown::Spread,
        take: |round, load, measured| Some(measured.rate() / round.of(load.with(Mode::Memory))?.rate()),
    },
    Figure {
        name: "rate_of_single",
        heading: "÷ single",
        shown: Shown::Spread,
        take: |round, load, measured| {
            Some(measured.rate() / round.of(load.with(Mode::PostgresSingle))?.rate())
        },
    },
    Figure {
        name: "p50_ms",
        heading: "p50 ms",
        shown: Shown::Median(2),
        take: |_, _, measured| millis(measured, 0.5),
    },
    Figure {
        name: "p99_ms",
        heading: "p99 ms",
        shown: Shown::Median(2),
        take: |_, _, measured| millis(measured, 0.99),
    },
    Figure {
        name: "p99_9_ms",
        heading: "p99.9 ms",
        shown: Shown::Median(2),
        take: |_, _, measured| millis(measured, 0.999),
    },
    Figure {
        name: "p99_of_memory",
        heading: "p99 ÷ memory",
        shown: Shown::Spread,
        take: |round, load, measured| {
            Some(millis(measured, 0.99)? / millis(round.of(load.with(Mode::Memory))?, 0.99)?)
        },
    },
    Figure {
        name: "server_cpu_us",
        heading: "server µs",
        shown: Shown::Median(1),
        take: |_, _, measured| Some(micros_each(measured, measured.cpu.server)),
    },
    Figure {
        name: "database_cpu_us",
        heading: "database µs",
        shown: Shown::Median(1),
        take: |_, _, measured| Some(micros_each(measured, measured.cpu.database?)),
    },
    Figure {
        name: "client_cpu_us",
        heading: "client µs",
        shown: Shown::Median(1),
        take: |_, _, measured| Some(micros_each(measured, measured.cpu.client)),
    },
    Figure {
        name: "actions_per_transaction",
        heading: "batch",
        shown: Shown::Median(1),
        take: |_, _, measured| Some(measured.latencies.len() as f64 / measured.transactions? as f64),
    },
];

fn millis(measured: &Measured, quantile: f64) -> Option<f64> {
    let any = !measured.latencies.is_empty();
    any.then(|| measured.latencies.value_at_quantile(quantile) as f64 / 1e3)
}

fn micros_each(measured: &Measured, used: Duration) -> f64 {
    used.as_secs_f64() * 1e6 / measured.latencies.len() as f64
}

/// What a figure was in each round that has it.
struct Taken(Vec<f64>);

impl Taken {
    fn new(rounds: &[Round], take: impl Fn(&Round) -> Option<f64>) -> Self {
        // Of a load that came to nothing there is nothing to be had.
        Self(rounds.iter().filter_map(take).filter(|figure| figure.is_finite()).collect())
    }

    fn of(figure: &Figure, load: Load, rounds: &[Round]) -> Self {
        Self::new(rounds, |round| (figure.take)(round, load, round.of(load)?))
    }

    fn median(&self) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let lower = sorted.get(sorted.len().checked_sub(1)? / 2)?;
        let upper = sorted.get(sorted.len() / 2)?;
        Some((lower + upper) / 2.0)
    }

    fn text(&self, shown: Shown) -> String {
        let Some(median) = self.median() else { return "–".to_owned() };
        match shown {
            Shown::Median(decimals) => format!("{median:.decimals$}"),
            Shown::Spread if self.0.len() == 1 => format!("{median:.2}"),
            Shown::Spread => {
                let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
                let most = self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                format!("{median:.2} ({least:.2}–{most:.2})")
            }
        }
    }

    fn json(&self) -> Value {
        json!({ "median": self.median(), "rounds": self.0 })
    }
}

/// P of each round, and what a transaction of pgbench costs the database.
fn pgbench(rounds: &[Round]) -> (Taken, Taken) {
    let rate = |round: &Round| Some(round.pgbench?.rate);
    let cost = |round: &Round| Some(round.pgbench?.database_cpu.as_secs_f64() * 1e6);
    (Taken::new(rounds, rate), Taken::new(rounds, cost))
}

/// Everything as a table: medians over the rounds, and between what they lay.
pub(crate) fn table(loads: &[Load], rounds: &[Round]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["load"].into_iter().chain(FIGURES.iter().map(|figure| figure.heading)));
    for &load in loads {
        let cells = FIGURES.iter().map(|figure| Taken::of(figure, load, rounds).text(figure.shown));
        table.add_row([load.to_string()].into_iter().chain(cells));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = String::new();
    let (rate, cost) = pgbench(rounds);
    if let Some(clients) = rounds.first().and_then(|round| Some(round.pgbench?.clients)) {
        let (rate, cost) = (rate.text(Shown::Spread), cost.text(Shown::Median(1)));
        let _ = writeln!(
            text,
            "P: {rate} transactions a second, by pgbench with {clients} sessions; {cost} µs of the database each"
        );
    }
    let _ = writeln!(text, "{table}");
    for (load, kind, failed) in failures(rounds) {
        let _ = writeln!(text, "{load}: {} failed with {kind}, the first: {}", failed.count, failed.first);
    }
    text
}

/// The same as JSON, with the figures of every round.
pub(crate) fn json(loads: &[Load], rounds: &[Round]) -> Value {
    let (rate, cost) = pgbench(rounds);
    let of_load = |&load: &Load| {
        let figures =
            FIGURES.iter().map(|figure| (figure.name.to_owned(), Taken::of(figure, load, rounds).json()));
        (load.to_string(), Value::Object(figures.collect()))
    };
    let failures: Vec<_> = failures(rounds)
        .map(|(load, kind, failed)| {
            json!({ "load": load.to_string(), "code": kind, "count": failed.count, "first": failed.first })
        })
        .collect();
    json!({
        "pgbench": {
            "sessions": rounds.first().and_then(|round| Some(round.pgbench?.clients)),
            "transactions_per_second": rate.json(),
            "database_cpu_us": cost.json(),
        },
        "loads": loads.iter().map(of_load).collect::<Map<_, _>>(),
        "failures": failures,
    })
}

/// All that failed, round by round.
fn failures(rounds: &[Round]) -> impl Iterator<Item = (Load, &str, &Failed)> {
    rounds.iter().flat_map(|round| &round.loads).flat_map(|(load, measured)| {
        measured.failures.iter().map(move |(kind, failed)| (*load, kind.as_str(), failed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_has_as_many_figures_on_either_side() {
        for (figures, median) in [
            (vec![], None),
            (vec![3.0], Some(3.0)),
            (vec![9.0, 1.0], Some(5.0)),
            (vec![9.0, 1.0, 2.0], Some(2.0)),
        ] {
            assert_eq!(Taken(figures.clone()).median(), median, "{figures:?}");
        }
    }

    #[test]
    fn a_ratio_is_shown_with_its_spread() {
        assert_eq!(Taken(vec![]).text(Shown::Spread), "–");
        assert_eq!(Taken(vec![1.5]).text(Shown::Spread), "1.50");
        assert_eq!(Taken(vec![3.0, 1.0, 2.0]).text(Shown::Spread), "2.00 (1.00–3.00)");
        assert_eq!(Taken(vec![3.0, 1.0, 2.0]).text(Shown::Median(1)), "2.0");
    }
}
