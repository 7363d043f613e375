//! Lengths of time as they are written in options.

use std::str::FromStr;

use prost_types::Duration;

/// Units and how many milliseconds they have, the largest first.
const UNITS: [(&str, i64); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

const WRONG: &str = "a time is written like 90s, 10m, 1h30m or 2d";

/// A length of time: `90s`, `10m`, `1h30m`, `2d`, `500ms`; each unit once, the largest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span(pub(crate) Duration);

impl FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let millis = millis(text).ok_or(WRONG)?;
        // The remainder is below a thousand, and its nanoseconds far below the limit of the field.
        let nanos = i32::try_from(millis % 1_000 * 1_000_000).map_err(|_| WRONG)?;
        Ok(Self(Duration { seconds: millis / 1_000, nanos }))
    }
}

fn millis(text: &str) -> Option<i64> {
    let mut total = None;
    let mut rest = text;
    // It goes on behind the unit that was found last: no unit comes twice, or after a smaller one.
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let (count, unit_and_more) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let end = unit_and_more.find(|c: char| c.is_ascii_digit()).unwrap_or(unit_and_more.len());
        let (unit, more) = unit_and_more.split_at(end);
        let &(_, millis) = units.find(|(name, _)| *name == unit)?;
        let part = count.parse::<i64>().ok()?.checked_mul(millis)?;
        total = Some(part.checked_add(total.unwrap_or_default())?);
        rest = more;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, seconds, nanos) in [
            ("90s", 90, 0),
            ("10m", 600, 0),
            ("2h", 7_200, 0),
            ("1h30m", 5_400, 0),
            ("2d", 172_800, 0),
            ("1d2h3m4s5ms", 93_784, 5_000_000),
            ("1500ms", 1, 500_000_000),
            ("0s", 0, 0),
        ] {
            assert_eq!(text.parse(), Ok(Span(Duration { seconds, nanos })), "{text}");
        }
    }

    #[test]
    fn what_is_shown_can_be_written() {
        for text in ["90061001ms", "12s", "9m48s", "0s", "1h1ms"] {
            let Span(span) = text.parse().expect("a time");
            let shown = chaquete_client::draw::span(&span);
            assert_eq!(shown.parse(), Ok(Span(span)), "{shown}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let wrong = ["", "10", "m", "-5s", "+5s", "1.5h", "10 m", "5s10m", "1m1m", "10min", "5µs", "1m5"];
        for text in wrong.into_iter().chain(["9223372036854775807d", "99999999999999999999s", "١s"]) {
            assert_eq!(text.parse::<Span>(), Err(WRONG), "{text}");
        }
    }
}
