//! The results of a roll as the case files say them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::cases::legal_moves;
use super::gnu_id::gnu_id;

/// Checks the legal moves of a case against its results `r` and its number of dice `n`. Without a legal
/// move `r` holds the position itself.
pub(crate) fn check_results(case: &Value) {
    let legal = legal_moves(case);
    let mut results: Vec<_> = legal.iter().map(|legal| gnu_id(&legal.after.turned())).collect();
    if legal.is_empty() {
        results.push(gnu_id(&legal.position().turned()));
    }
    let different: BTreeSet<_> = results.iter().cloned().collect();
    let expected: BTreeSet<String> = serde_json::from_value(case["r"].clone()).unwrap();
    assert_eq!(different.len(), results.len(), "a result comes twice: {case}");
    assert_eq!(different, expected, "{case}");
    assert_eq!(legal.dice_used(), case["n"], "{case}");
}
