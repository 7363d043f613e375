//! How dice fell, as callers ask for it and are told of it.

use chaquete_proof::dice::statistics::Test;
use chaquete_proto::v1;

use super::{
    scalar,
    violations::{BadRequest, Path, Violations},
};
use crate::{audit::Counted, name};

/// Whose rolls are to be counted; `None`: everybody's.
///
/// # Errors
/// Nobody can be called so.
pub fn read_subject(request: &v1::ComputeDiceStatisticsRequest) -> Result<Option<String>, BadRequest> {
    let mut violations = Violations::default();
    scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let subject = Some(&request.subject).filter(|subject| !subject.is_empty());
    violations.check(
        subject.is_none_or(|subject| name::is_subject(subject)),
        Path::root("subject"),
        "has 1 to 128 printable ASCII characters, or is empty",
    );
    violations.finish(Some(subject.cloned()))
}

/// What was counted, and what the tests of it found.
#[must_use]
pub fn statistics(counted: &Counted) -> v1::ComputeDiceStatisticsResponse {
    let Counted { rolls, matches } = counted;
    v1::ComputeDiceStatisticsResponse {
        roll_count: long(rolls.rolls()),
        match_count: long(*matches),
        combination_counts: rolls.combinations().iter().copied().map(long).collect(),
        double_count: long(rolls.doubles()),
        tests: rolls.tests().iter().map(test).collect(),
    }
}

fn test(test: &Test) -> v1::StatisticalTest {
    v1::StatisticalTest {
        id: test.id.to_owned(),
        statistic: test.statistic,
        degrees_of_freedom: scalar::number(test.degrees_of_freedom),
        p_value: test.p_value,
    }
}

fn long(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
