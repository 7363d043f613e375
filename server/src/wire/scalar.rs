//! Fields that many requests have: names, revisions, ids, enums, times.

use std::{ops::RangeInclusive, time::Duration};

use chaquete_proto::v1;
use chaquete_rules::Seat;
use uuid::Uuid;

use super::{
    violations::{Path, Violations},
    words,
};
use crate::{
    clock::Millis,
    name::{self, MatchName},
};

/// The name of a match.
pub fn match_name(violations: &mut Violations, path: Path<'_>, text: &str) -> Option<MatchName> {
    let name = MatchName::parse(text);
    violations.check(name.is_some(), path, "must be `tenants/{tenant}/matches/{match}`");
    name
}

/// The tenant that owns what is asked for.
pub fn tenant(violations: &mut Violations, path: Path<'_>, text: &str) -> Option<String> {
    let tenant = name::parse_tenant(text);
    violations.check(tenant.is_some(), path, "must be `tenants/{tenant}`");
    tenant.map(str::to_owned)
}

/// A `request_id`, which may be left out.
pub fn request_id(violations: &mut Violations, path: Path<'_>, text: &str) -> Option<Option<Uuid>> {
    if text.is_empty() {
        return Some(None);
    }
    // The usual form only: the others that the parser knows are the same id in disguise.
    let id = Uuid::parse_str(text).ok().filter(|id| text.len() == 36 && !id.is_nil());
    violations.check(
        id.is_some(),
        path,
        "must be a UUID as 32 hexadecimal digits in groups of 8-4-4-4-12, not all zero, or empty",
    );
    id.map(Some)
}

/// A number from 0 up.
pub fn count(violations: &mut Violations, path: Path<'_>, number: i32) -> Option<u32> {
    let count = u32::try_from(number).ok();
    violations.check(count.is_some(), path, "must not be negative");
    count
}

/// An `expected_revision`; 0: not checked.
pub fn expected_revision(violations: &mut Violations, path: Path<'_>, number: i32) -> Option<Option<u32>> {
    count(violations, path, number).map(|revision| Some(revision).filter(|&revision| revision != 0))
}

/// How many entries a page has: 0 means the default, more than the most means the most.
pub fn page_size(
    violations: &mut Violations,
    path: Path<'_>,
    number: i32,
    default: u32,
    most: u32,
) -> Option<u32> {
    count(violations, path, number).map(|size| if size == 0 { default } else { size.min(most) })
}

/// A value of an enum that this server knows.
pub fn known<E: TryFrom<i32>>(violations: &mut Violations, path: Path<'_>, number: i32) -> Option<E> {
    let known = E::try_from(number).ok();
    if known.is_none() {
        violations.add(path, format!("{number} is no value of this enum that is known here"));
    }
    known
}

/// The seat that acts.
pub fn acting_seat(violations: &mut Violations, path: Path<'_>, number: i32) -> Option<Seat> {
    let seat = words::read_seat(known(violations, path, number)?);
    violations.check(seat.is_some(), path, "is required: SEAT_ONE or SEAT_TWO");
    seat
}

/// A time span within bounds, if it is given.
pub fn duration(
    violations: &mut Violations,
    path: Path<'_>,
    given: Option<&prost_types::Duration>,
    bounds: RangeInclusive<Duration>,
) -> Option<Option<Duration>> {
    let Some(&given) = given else { return Some(None) };
    let duration = Duration::try_from(given).ok().filter(|duration| bounds.contains(duration));
    let (least, most) = (bounds.start().as_secs_f64(), bounds.end().as_secs_f64());
    violations.check(duration.is_some(), path, format!("must be from {least} s to {most} s"));
    duration.map(Some)
}

/// A time span within bounds as the domain has it, if it is given. What is finer than the domain is refused
/// rather than rounded: both sides must mean the same.
pub fn millis(
    violations: &mut Violations,
    path: Path<'_>,
    given: Option<&prost_types::Duration>,
    bounds: RangeInclusive<Duration>,
) -> Option<Option<Millis>> {
    let Some(span) = duration(violations, path, given, bounds)? else { return Some(None) };
    let is_whole = span.subsec_nanos().is_multiple_of(1_000_000);
    violations.check(is_whole, path, "must be in whole milliseconds");
    is_whole.then(|| Some(Millis::try_from(span.as_millis()).unwrap_or(Millis::MAX)))
}

/// A required text of so many characters, without control characters.
pub fn text(violations: &mut Violations, path: Path<'_>, text: &str, most: usize) -> Option<String> {
    let fits = (1..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    violations
        .check(fits, path, format!("is required: 1 to {most} characters, none of them a control character"))
        .then(|| text.to_owned())
}

/// Two dice of 1 to 6 pips each.
pub fn dice(violations: &mut Violations, path: Path<'_>, dice: v1::Dice) -> Option<chaquete_rules::Dice> {
    let mut die = |field, pips| {
        let die = u8::try_from(pips).ok().and_then(chaquete_rules::Die::new);
        violations.check(die.is_some(), path.field(field), "must be 1 to 6");
        die
    };
    let (first, second) = (die("first", dice.first), die("second", dice.second));
    Some(chaquete_rules::Dice { first: first?, second: second? })
}

/// A moment.
#[must_use]
pub const fn timestamp(time: Millis) -> prost_types::Timestamp {
    // Less than a thousand milliseconds fit into nanoseconds.
    let nanos = time.rem_euclid(1_000) as i32 * 1_000_000;
    prost_types::Timestamp { seconds: time.div_euclid(1_000), nanos }
}

/// A time span.
#[must_use]
pub const fn time_span(span: Millis) -> prost_types::Duration {
    // Less than a thousand milliseconds fit into nanoseconds. Both parts have the sign of the whole.
    prost_types::Duration { seconds: span / 1_000, nanos: (span % 1_000) as i32 * 1_000_000 }
}

/// A number of the domain where messages have a signed one. Beyond what fits it stays at the end.
#[must_use]
pub fn number(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T>(read: impl Fn(&mut Violations) -> Option<T>) -> Result<T, String> {
        let mut violations = Violations::default();
        let value = read(&mut violations);
        violations.finish(value).map_err(|bad| bad.to_string())
    }

    #[test]
    fn a_request_id_is_a_uuid_in_its_usual_form() {
        let id = "0190f3b2-7c4e-7a1b-8f00-0123456789ab";
        let path = Path::root("request_id");
        assert_eq!(read(|v| request_id(v, path, id)), Ok(Some(Uuid::parse_str(id).unwrap())));
        assert_eq!(read(|v| request_id(v, path, &id.to_uppercase())), read(|v| request_id(v, path, id)));
        assert_eq!(read(|v| request_id(v, path, "")), Ok(None));
        let braced = format!("{{{id}}}");
        for wrong in ["x", &id[..35], &id.replace('-', ""), &braced, "00000000-0000-0000-0000-000000000000"] {
            assert!(read(|v| request_id(v, path, wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_have_their_bounds() {
        let path = Path::root("n");
        assert!(read(|v| count(v, path, -1)).is_err());
        assert_eq!(read(|v| expected_revision(v, path, 0)), Ok(None));
        assert_eq!(read(|v| expected_revision(v, path, 7)), Ok(Some(7)));
        assert_eq!(read(|v| page_size(v, path, 0, 50, 500)), Ok(50));
        assert_eq!(read(|v| page_size(v, path, 501, 50, 500)), Ok(500));
        assert!(read(|v| known::<v1::Seat>(v, path, 3)).is_err());
        assert!(read(|v| acting_seat(v, path, 0)).is_err());
        assert_eq!(read(|v| acting_seat(v, path, 2)), Ok(Seat::Two));
    }

    #[test]
    fn durations_have_their_bounds() {
        let bounds = Duration::from_secs(5)..=Duration::from_secs(60);
        let given = |seconds, nanos| {
            let given = prost_types::Duration { seconds, nanos };
            read(|v| duration(v, Path::root("d"), Some(&given), bounds.clone()))
        };
        assert_eq!(given(5, 0), Ok(Some(Duration::from_secs(5))));
        assert_eq!(given(4, 999_999_999).unwrap_err(), "d: must be from 5 s to 60 s");
        assert!(given(60, 1).is_err());
        assert!(given(-5, 0).is_err());
        assert!(given(i64::MAX, i32::MIN).is_err());
        let whole = |nanos| {
            let given = prost_types::Duration { seconds: 5, nanos };
            read(|v| millis(v, Path::root("d"), Some(&given), bounds.clone()))
        };
        assert_eq!(whole(7_000_000), Ok(Some(5_007)));
        assert_eq!(whole(7_000_001).unwrap_err(), "d: must be in whole milliseconds");
        assert_eq!(time_span(5_007), prost_types::Duration { seconds: 5, nanos: 7_000_000 });
    }

    #[test]
    fn moments_before_1970_have_positive_nanoseconds() {
        assert_eq!(timestamp(1_234), prost_types::Timestamp { seconds: 1, nanos: 234_000_000 });
        assert_eq!(timestamp(-1), prost_types::Timestamp { seconds: -1, nanos: 999_000_000 });
    }
}
