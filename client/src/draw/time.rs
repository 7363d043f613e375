//! Times, limits and clocks in words.

use chaquete_proto::v1::{
    ClockControl, ClockMode, SeatClock, TimeControl, TimeoutPolicy, time_control::Control,
};
use prost_types::{Duration, DurationError, Timestamp};

/// A length of time as the command line reads it, for example `1h30m` or `9m48s250ms`.
///
/// ```
/// use chaquete_client::draw;
///
/// assert_eq!(draw::span(&prost_types::Duration { seconds: 5_400, nanos: 0 }), "1h30m");
/// ```
#[must_use]
pub fn span(span: &Duration) -> String {
    match std::time::Duration::try_from(*span) {
        Ok(length) => positive(length),
        Err(DurationError::NegativeDuration(length)) => format!("-{}", positive(length)),
        // No length of time at all, or one longer than the contract has.
        Err(_) => "?".to_owned(),
    }
}

fn positive(length: std::time::Duration) -> String {
    let seconds = length.as_secs();
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3_600 % 24, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
        (length.subsec_millis().into(), "ms"),
    ];
    let text: String =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// A moment to the second, for example `2026-01-31T12:00:00Z`.
#[must_use]
pub fn moment(moment: Timestamp) -> String {
    let exact = moment.to_string();
    match exact.split_once('.') {
        Some((seconds, _)) => format!("{seconds}Z"),
        None => exact,
    }
}

/// The limits of a match; `None` if it is untimed.
pub(super) fn limits(control: &TimeControl) -> Option<String> {
    let limit = match control.control.as_ref()? {
        Control::Clock(clock) => of_clock(clock),
        Control::ActionDeadline(deadline) => {
            format!("{} for each action", span(&deadline.limit.unwrap_or_default()))
        }
    };
    let loss = match control.timeout_policy() {
        TimeoutPolicy::Unspecified | TimeoutPolicy::ForfeitMatch => "running out of time loses the match",
        TimeoutPolicy::ForfeitGame => "running out of time loses the game",
        TimeoutPolicy::Claim => "running out of time loses the match once it is claimed",
    };
    Some(format!("{limit}; {loss}"))
}

fn of_clock(clock: &ClockControl) -> String {
    let reserve = span(&clock.reserve.unwrap_or_default());
    let Some(per_turn) = clock.per_turn.filter(|time| *time != Duration::default()) else {
        return format!("clock {reserve}");
    };
    let mode = match clock.mode() {
        ClockMode::Unspecified | ClockMode::SimpleDelay => "delay",
        ClockMode::Bronstein => "Bronstein",
        ClockMode::Fischer => "Fischer",
    };
    format!("clock {reserve}, {} a turn ({mode})", span(&per_turn))
}

/// A clock as it was when its turn began, and when its time is up if it runs: `, clock 9m48s, to act by …`.
pub(super) fn clock(clock: &SeatClock) -> String {
    let reserve = clock.reserve.map(|reserve| format!(", clock {}", span(&reserve)));
    let flag = clock.flag_time.map(|flag| format!(", to act by {}", moment(flag)));
    reserve.unwrap_or_default() + &flag.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::ActionDeadline;

    fn seconds(seconds: i64) -> Option<Duration> {
        Some(Duration { seconds, nanos: 0 })
    }

    #[test]
    fn lengths_of_time_leave_out_what_they_do_not_have() {
        let shown = |seconds, nanos| span(&Duration { seconds, nanos });
        assert_eq!(shown(0, 0), "0s");
        assert_eq!(shown(588, 250_000_000), "9m48s250ms");
        assert_eq!(shown(90_000, 0), "1d1h");
        assert_eq!(shown(-2, 0), "-2s");
    }

    #[test]
    fn limits_say_what_running_out_of_time_costs() {
        let clock = |mode: ClockMode, per_turn, policy: TimeoutPolicy| {
            let clock = ClockControl { reserve: seconds(600), mode: mode.into(), per_turn };
            let control = Some(Control::Clock(clock));
            limits(&TimeControl { control, timeout_policy: policy.into() }).expect("limits")
        };
        assert_eq!(
            clock(ClockMode::SimpleDelay, seconds(12), TimeoutPolicy::ForfeitGame),
            "clock 10m, 12s a turn (delay); running out of time loses the game"
        );
        assert_eq!(
            clock(ClockMode::Fischer, seconds(0), TimeoutPolicy::Unspecified),
            "clock 10m; running out of time loses the match"
        );
        let deadline = Some(Control::ActionDeadline(ActionDeadline { limit: seconds(172_800) }));
        let policy = TimeoutPolicy::Claim.into();
        assert_eq!(
            limits(&TimeControl { control: deadline, timeout_policy: policy }).as_deref(),
            Some("2d for each action; running out of time loses the match once it is claimed")
        );
        assert_eq!(limits(&TimeControl::default()), None);
    }

    #[test]
    fn a_clock_says_when_it_is_up_only_while_it_runs() {
        let flag_time = Some(Timestamp { seconds: 1_769_860_800, nanos: 123_000_000 });
        let of = |reserve, flag_time| clock(&SeatClock { seat: 1, reserve, flag_time });
        assert_eq!(of(seconds(588), flag_time), ", clock 9m48s, to act by 2026-01-31T12:00:00Z");
        assert_eq!(of(seconds(588), None), ", clock 9m48s");
        assert_eq!(of(None, flag_time), ", to act by 2026-01-31T12:00:00Z");
        assert_eq!(of(None, None), "");
    }
}
