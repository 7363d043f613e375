//! The enums of the contract and of the domain, value by value.

use chaquete_proto::v1;
use chaquete_rules::{
    Action, ClockMode, DiceSource, GameEndReason, MatchEndReason, MoveViolation, OpeningRule, PhaseKind,
    Seat, TimeoutPolicy, Variant, WinKind,
};

use crate::{
    log::ActorKind,
    store::{State, Waiting},
};

/// A seat.
#[must_use]
pub const fn seat(seat: Seat) -> v1::Seat {
    match seat {
        Seat::One => v1::Seat::One,
        Seat::Two => v1::Seat::Two,
    }
}

/// A seat or none, as the number that messages hold.
#[must_use]
pub fn seat_or_none(seat_or_none: Option<Seat>) -> i32 {
    seat_or_none.map_or(v1::Seat::Unspecified, seat).into()
}

/// The seat that is meant, if any.
#[must_use]
pub const fn read_seat(seat: v1::Seat) -> Option<Seat> {
    match seat {
        v1::Seat::Unspecified => None,
        v1::Seat::One => Some(Seat::One),
        v1::Seat::Two => Some(Seat::Two),
    }
}

/// Where a match is in its life.
#[must_use]
pub const fn match_state(state: State, waiting: Option<Waiting>) -> v1::MatchState {
    match (state, waiting) {
        (State::Active, Some(Waiting::Pending)) => v1::MatchState::Pending,
        (State::Active, Some(Waiting::Paused)) => v1::MatchState::Paused,
        (State::Active, None) => v1::MatchState::Active,
        (State::Completed, _) => v1::MatchState::Completed,
        (State::Cancelled, _) => v1::MatchState::Cancelled,
    }
}

/// What is to be done next in a game.
#[must_use]
pub const fn phase(phase: PhaseKind) -> v1::GamePhase {
    match phase {
        PhaseKind::Waiting => v1::GamePhase::Waiting,
        PhaseKind::OpeningRoll => v1::GamePhase::OpeningRoll,
        PhaseKind::Roll => v1::GamePhase::Roll,
        PhaseKind::Move => v1::GamePhase::Move,
        PhaseKind::DoubleOffered => v1::GamePhase::DoubleOffered,
        PhaseKind::ResignationOffered => v1::GamePhase::ResignationOffered,
        PhaseKind::Over => v1::GamePhase::Over,
    }
}

/// Something a seat can do.
#[must_use]
pub const fn action(action: Action) -> v1::Action {
    match action {
        Action::MarkReady => v1::Action::MarkReady,
        Action::ContributeEntropy => v1::Action::ContributeEntropy,
        Action::RollDice => v1::Action::RollDice,
        Action::SubmitMove => v1::Action::SubmitMove,
        Action::OfferDouble => v1::Action::OfferDouble,
        Action::AcceptDouble => v1::Action::AcceptDouble,
        Action::DeclineDouble => v1::Action::DeclineDouble,
        Action::BeaverDouble => v1::Action::BeaverDouble,
        Action::OfferResignation => v1::Action::OfferResignation,
        Action::AcceptResignation => v1::Action::AcceptResignation,
        Action::DeclineResignation => v1::Action::DeclineResignation,
        Action::ClaimTimeout => v1::Action::ClaimTimeout,
    }
}

/// By how much a game is won.
#[must_use]
pub const fn win_kind(kind: WinKind) -> v1::WinKind {
    match kind {
        WinKind::Single => v1::WinKind::Single,
        WinKind::Gammon => v1::WinKind::Gammon,
        WinKind::Backgammon => v1::WinKind::Backgammon,
    }
}

/// The kind that is meant, if any.
#[must_use]
pub const fn read_win_kind(kind: v1::WinKind) -> Option<WinKind> {
    match kind {
        v1::WinKind::Unspecified => None,
        v1::WinKind::Single => Some(WinKind::Single),
        v1::WinKind::Gammon => Some(WinKind::Gammon),
        v1::WinKind::Backgammon => Some(WinKind::Backgammon),
    }
}

/// Why a game ended.
#[must_use]
pub const fn game_end(reason: GameEndReason) -> v1::GameEndReason {
    match reason {
        GameEndReason::BorneOff => v1::GameEndReason::BorneOff,
        GameEndReason::DoubleDeclined => v1::GameEndReason::DoubleDeclined,
        GameEndReason::Resigned => v1::GameEndReason::Resigned,
        GameEndReason::Timeout => v1::GameEndReason::Timeout,
        GameEndReason::Adjudicated => v1::GameEndReason::Adjudicated,
        GameEndReason::Void => v1::GameEndReason::Void,
    }
}

/// Why a match ended.
#[must_use]
pub const fn match_end(reason: MatchEndReason) -> v1::MatchEndReason {
    match reason {
        MatchEndReason::PointsReached => v1::MatchEndReason::PointsReached,
        MatchEndReason::SessionClosed => v1::MatchEndReason::SessionClosed,
        MatchEndReason::Timeout => v1::MatchEndReason::Timeout,
        MatchEndReason::Adjudicated => v1::MatchEndReason::Adjudicated,
        MatchEndReason::Cancelled => v1::MatchEndReason::Cancelled,
    }
}

/// A variant.
#[must_use]
pub const fn variant(variant: Variant) -> v1::Variant {
    match variant {
        Variant::Standard => v1::Variant::Standard,
        Variant::Nackgammon => v1::Variant::Nackgammon,
        Variant::Hypergammon => v1::Variant::Hypergammon,
        Variant::LongGammon => v1::Variant::Longgammon,
    }
}

/// The variant that is meant.
#[must_use]
pub const fn read_variant(variant: v1::Variant) -> Variant {
    match variant {
        v1::Variant::Unspecified | v1::Variant::Standard => Variant::Standard,
        v1::Variant::Nackgammon => Variant::Nackgammon,
        v1::Variant::Hypergammon => Variant::Hypergammon,
        v1::Variant::Longgammon => Variant::LongGammon,
    }
}

/// How the first player of a game is found.
#[must_use]
pub const fn opening(opening: OpeningRule) -> v1::OpeningRule {
    match opening {
        OpeningRule::Standard => v1::OpeningRule::Standard,
        OpeningRule::SeatOne => v1::OpeningRule::SeatOne,
        OpeningRule::SeatTwo => v1::OpeningRule::SeatTwo,
    }
}

/// The rule that is meant.
#[must_use]
pub const fn read_opening(opening: v1::OpeningRule) -> OpeningRule {
    match opening {
        v1::OpeningRule::Unspecified | v1::OpeningRule::Standard => OpeningRule::Standard,
        v1::OpeningRule::SeatOne => OpeningRule::SeatOne,
        v1::OpeningRule::SeatTwo => OpeningRule::SeatTwo,
    }
}

/// Where dice come from.
#[must_use]
pub const fn dice_source(source: DiceSource) -> v1::DiceSource {
    match source {
        DiceSource::Committed(_) => v1::DiceSource::Committed,
        DiceSource::External => v1::DiceSource::External,
        DiceSource::Seeded => v1::DiceSource::Seeded,
    }
}

/// The source that is meant.
#[must_use]
pub const fn read_dice_source(source: v1::DiceSource) -> DiceSource {
    match source {
        v1::DiceSource::Unspecified | v1::DiceSource::Committed => DiceSource::COMMITTED,
        v1::DiceSource::External => DiceSource::External,
        v1::DiceSource::Seeded => DiceSource::Seeded,
    }
}

/// How the time per turn works.
#[must_use]
pub const fn clock_mode(mode: ClockMode) -> v1::ClockMode {
    match mode {
        ClockMode::SimpleDelay => v1::ClockMode::SimpleDelay,
        ClockMode::Bronstein => v1::ClockMode::Bronstein,
        ClockMode::Fischer => v1::ClockMode::Fischer,
    }
}

/// The mode that is meant.
#[must_use]
pub const fn read_clock_mode(mode: v1::ClockMode) -> ClockMode {
    match mode {
        v1::ClockMode::Unspecified | v1::ClockMode::SimpleDelay => ClockMode::SimpleDelay,
        v1::ClockMode::Bronstein => ClockMode::Bronstein,
        v1::ClockMode::Fischer => ClockMode::Fischer,
    }
}

/// What happens when time runs out.
#[must_use]
pub const fn timeout_policy(policy: TimeoutPolicy) -> v1::TimeoutPolicy {
    match policy {
        TimeoutPolicy::ForfeitMatch => v1::TimeoutPolicy::ForfeitMatch,
        TimeoutPolicy::ForfeitGame => v1::TimeoutPolicy::ForfeitGame,
        TimeoutPolicy::Claim => v1::TimeoutPolicy::Claim,
    }
}

/// The policy that is meant.
#[must_use]
pub const fn read_timeout_policy(policy: v1::TimeoutPolicy) -> TimeoutPolicy {
    match policy {
        v1::TimeoutPolicy::Unspecified | v1::TimeoutPolicy::ForfeitMatch => TimeoutPolicy::ForfeitMatch,
        v1::TimeoutPolicy::ForfeitGame => TimeoutPolicy::ForfeitGame,
        v1::TimeoutPolicy::Claim => TimeoutPolicy::Claim,
    }
}

/// A rule of play that a move breaks.
#[must_use]
pub const fn move_violation(violation: MoveViolation) -> v1::MoveViolation {
    match violation {
        MoveViolation::NoChecker => v1::MoveViolation::NoChecker,
        MoveViolation::BarFirst => v1::MoveViolation::BarFirst,
        MoveViolation::PointBlocked => v1::MoveViolation::PointBlocked,
        MoveViolation::DieNotAvailable => v1::MoveViolation::DieNotAvailable,
        MoveViolation::NotAllHome => v1::MoveViolation::NotAllHome,
        MoveViolation::HigherCheckerExists => v1::MoveViolation::HigherCheckerExists,
        MoveViolation::MustUseMoreDice => v1::MoveViolation::MustUseMoreDice,
        MoveViolation::MustUseLargerDie => v1::MoveViolation::MustUseLargerDie,
        MoveViolation::WrongDirection => v1::MoveViolation::WrongDirection,
        MoveViolation::Ambiguous => v1::MoveViolation::Ambiguous,
        MoveViolation::TooManySteps => v1::MoveViolation::TooManySteps,
    }
}

/// Who caused an event.
#[must_use]
pub const fn actor_kind(kind: ActorKind) -> v1::ActorKind {
    match kind {
        ActorKind::Player => v1::ActorKind::Player,
        ActorKind::Backend => v1::ActorKind::Backend,
        ActorKind::Operator => v1::ActorKind::Operator,
        ActorKind::Server => v1::ActorKind::Server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of a value without the prefix of its enum.
    fn tail<'a>(name: &'a str, prefix: &str) -> &'a str {
        name.strip_prefix(prefix).expect("the prefix of the enum")
    }

    #[test]
    fn codes_of_the_rules_are_names_of_the_contract() {
        for it in Action::ALL {
            assert_eq!(tail(action(it).as_str_name(), "ACTION_"), it.code());
        }
        for it in [
            PhaseKind::Waiting,
            PhaseKind::OpeningRoll,
            PhaseKind::Roll,
            PhaseKind::Move,
            PhaseKind::DoubleOffered,
            PhaseKind::ResignationOffered,
            PhaseKind::Over,
        ] {
            assert_eq!(tail(phase(it).as_str_name(), "GAME_PHASE_"), it.code());
        }
        for number in 1..=11 {
            let named = v1::MoveViolation::try_from(number).expect("a value of the contract");
            let found = [
                MoveViolation::NoChecker,
                MoveViolation::BarFirst,
                MoveViolation::PointBlocked,
                MoveViolation::DieNotAvailable,
                MoveViolation::NotAllHome,
                MoveViolation::HigherCheckerExists,
                MoveViolation::MustUseMoreDice,
                MoveViolation::MustUseLargerDie,
                MoveViolation::WrongDirection,
                MoveViolation::Ambiguous,
                MoveViolation::TooManySteps,
            ]
            .into_iter()
            .find(|&violation| move_violation(violation) == named)
            .expect("every rule can be broken");
            assert_eq!(tail(named.as_str_name(), "MOVE_VIOLATION_"), found.code());
        }
    }

    #[test]
    fn what_is_written_reads_the_same() {
        for it in Seat::BOTH {
            assert_eq!(read_seat(seat(it)), Some(it));
        }
        for it in Variant::ALL {
            assert_eq!(read_variant(variant(it)), it);
        }
        for it in [WinKind::Single, WinKind::Gammon, WinKind::Backgammon] {
            assert_eq!(read_win_kind(win_kind(it)), Some(it));
        }
        for it in [OpeningRule::Standard, OpeningRule::SeatOne, OpeningRule::SeatTwo] {
            assert_eq!(read_opening(opening(it)), it);
        }
        for it in [DiceSource::COMMITTED, DiceSource::External, DiceSource::Seeded] {
            assert_eq!(read_dice_source(dice_source(it)), it);
        }
    }
}
