//! Once the buffer is large enough, listing results allocates nothing.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod files;
    pub(crate) mod numbers;
    pub(crate) mod rolls;
}

use allocation_counter::measure;
use chaquete_rules::Results;
use common::rolls::rolls;

#[test]
fn results_in_a_used_buffer_allocate_nothing() {
    let rolls = rolls();
    let mut results = Results::new();
    let mut fill = || {
        let mut pips = 0;
        for (position, dice) in &rolls {
            results.fill(position, *dice);
            pips += results.iter().map(|after| u64::from(after.mover().pip_count())).sum::<u64>();
        }
        pips
    };
    let first = fill();
    let again = measure(|| assert_eq!(fill(), first));
    assert_eq!(again.count_total, 0, "allocations");
}
