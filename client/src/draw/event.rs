//! Events in words.

use chaquete_proto::v1::{
    DiceRolled, GameStarted, MatchEvent, Player, Seat, TimeCredited, match_event::Kind,
};

use super::ending::{game_ended, match_ended};
use super::time::span;
use super::words::{because, dice, seat_name, win_kind};

/// One line about an event, for example `  12  Alice rolls 31`, with the names of the players.
#[must_use]
pub fn event(event: &MatchEvent, players: &[Player]) -> String {
    let what = event.kind.as_ref().map_or_else(
        || "something this program does not know".to_owned(),
        |kind| describe(kind, event.game_number, players),
    );
    format!("{:>5}  {what}", event.revision)
}

fn describe(kind: &Kind, game: i32, players: &[Player]) -> String {
    let name = |seat: Seat| seat_name(players, seat);
    match kind {
        Kind::MatchCreated(_) => "the match is created".to_owned(),
        Kind::MatchUpdated(_) => "labels or annotations change".to_owned(),
        Kind::PlayerReady(ready) => format!("{} is ready", name(ready.seat())),
        Kind::GameStarted(started) => game_started(started, game),
        Kind::DiceRolled(rolled) => dice_rolled(rolled, players),
        Kind::MoveMade(made) => {
            let notation = made.r#move.as_ref().map(|played| played.notation.as_str()).unwrap_or_default();
            format!("{} plays {notation}", name(made.seat()))
        }
        Kind::TurnForfeited(turn) => format!("{} cannot move", name(turn.seat())),
        Kind::DoubleOffered(double) => format!("{} doubles to {}", name(double.seat()), double.value),
        Kind::DoubleAccepted(double) => format!("{} takes at {}", name(double.seat()), double.value),
        Kind::DoubleDeclined(double) => format!("{} drops", name(double.seat())),
        Kind::DoubleBeavered(double) => format!("{} beavers to {}", name(double.seat()), double.value),
        Kind::ResignationOffered(offer) => {
            format!("{} offers to resign a {}", name(offer.seat()), win_kind(offer.kind()))
        }
        Kind::ResignationAccepted(answer) => format!("{} accepts the resignation", name(answer.seat())),
        Kind::ResignationDeclined(answer) => format!("{} declines the resignation", name(answer.seat())),
        Kind::TimeExpired(expired) => format!("the time of {} is up", name(expired.seat())),
        Kind::GameEnded(ended) => {
            ended.result.as_ref().map_or_else(|| "the game ends".to_owned(), |end| game_ended(end, players))
        }
        Kind::MatchEnded(ended) => {
            let told = |end| match_ended(end, players, &ended.reason);
            ended.result.as_ref().map_or_else(|| "the match ends".to_owned(), told)
        }
        Kind::MatchPaused(paused) => because("the match is paused", &paused.reason),
        Kind::MatchResumed(_) => "the match goes on".to_owned(),
        Kind::Adjudicated(decision) => {
            let what = if decision.whole_match { "the match is decided" } else { "the game is decided" };
            because(what, &decision.reason)
        }
        Kind::DiceCommitted(_) => "the server commits to the dice".to_owned(),
        Kind::EntropyCommitted(entropy) => {
            format!("{} commits to a part of the dice", contributor(entropy.seat(), players))
        }
        Kind::EntropyOpened(entropy) => {
            format!("{} opens a part of the dice", contributor(entropy.seat(), players))
        }
        Kind::TimeCredited(credit) => time_credited(credit),
        Kind::SessionClosed(_) => "the session is closed".to_owned(),
    }
}

/// Who adds to the dice: a player, or the backend that created the match.
fn contributor(seat: Seat, players: &[Player]) -> &str {
    match seat {
        Seat::Unspecified => "the creator",
        seat => seat_name(players, seat),
    }
}

/// The log does not say to whom: it is whoever had to act.
fn time_credited(credit: &TimeCredited) -> String {
    let time = span(&credit.duration.unwrap_or_default());
    because(&format!("{time} of time is given back to the side to act"), &credit.reason)
}

fn game_started(started: &GameStarted, number: i32) -> String {
    let crawford = if started.crawford { " (Crawford)" } else { "" };
    format!("game {number} begins{crawford}")
}

fn dice_rolled(rolled: &DiceRolled, players: &[Player]) -> String {
    let roll = rolled.dice.map(dice).unwrap_or_default();
    match (rolled.opening, rolled.seat()) {
        (true, Seat::Unspecified) if rolled.automatic_double => {
            format!("the opening roll is {roll}: the cube doubles, again")
        }
        (true, Seat::Unspecified) => format!("the opening roll is {roll}: again"),
        (true, seat) => format!("the opening roll is {roll}: {} begins", seat_name(players, seat)),
        (false, seat) => format!("{} rolls {roll}", seat_name(players, seat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::{
        Adjudicated, Dice, EntropyOpened, GameEnded, GameResult, MatchEndReason, MatchEnded, MatchPaused,
        MatchResult, MatchResumed, Move, MoveMade, PlayerReady, Score, SessionClosed, TimeExpired, WinKind,
    };

    fn line(kind: Option<Kind>) -> String {
        let player = |subject: &str| Player { subject: subject.to_owned(), ..Player::default() };
        event(
            &MatchEvent { revision: 7, game_number: 2, kind, ..MatchEvent::default() },
            &[player("ann"), player("ben")],
        )
    }

    #[test]
    fn rolls_and_moves() {
        let rolled = |seat: Seat, opening| {
            Some(Kind::DiceRolled(DiceRolled {
                seat: seat.into(),
                dice: Some(Dice { first: 3, second: 1 }),
                opening,
                ..DiceRolled::default()
            }))
        };
        assert_eq!(line(rolled(Seat::One, true)), "    7  the opening roll is 31: ann begins");
        assert_eq!(line(rolled(Seat::Unspecified, true)), "    7  the opening roll is 31: again");
        assert_eq!(line(rolled(Seat::Two, false)), "    7  ben rolls 31");
        let played = Move { notation: "8/5 6/5".to_owned(), ..Move::default() };
        let made = MoveMade { seat: Seat::Two.into(), r#move: Some(played), ..MoveMade::default() };
        assert_eq!(line(Some(Kind::MoveMade(made))), "    7  ben plays 8/5 6/5");
    }

    #[test]
    fn the_end_of_a_game() {
        let result = GameResult {
            winner: Seat::One.into(),
            kind: WinKind::Gammon.into(),
            points: 4,
            score_after: Some(Score { one: 5, two: 2 }),
            ..GameResult::default()
        };
        let ended = Kind::GameEnded(GameEnded { result: Some(result) });
        assert_eq!(line(Some(ended)), "    7  ann wins a gammon, 4 points: 5-2");
    }

    #[test]
    fn a_session_that_is_closed_level_has_no_winner() {
        assert_eq!(line(Some(Kind::SessionClosed(SessionClosed {}))), "    7  the session is closed");
        let level = MatchResult {
            reason: MatchEndReason::SessionClosed.into(),
            score: Some(Score { one: 3, two: 3 }),
            ..MatchResult::default()
        };
        let ended = MatchEnded { result: Some(level), reason: String::new() };
        assert_eq!(line(Some(Kind::MatchEnded(ended))), "    7  the session ends level, 3-3");
    }

    #[test]
    fn what_happens_beside_the_board() {
        let (seat, reason) = (Seat::Two.into(), "rain".to_owned());
        let duration = Some(prost_types::Duration { seconds: 90, nanos: 0 });
        let decided = |whole_match| Kind::Adjudicated(Adjudicated { reason: reason.clone(), whole_match });
        for (kind, told) in [
            (Kind::PlayerReady(PlayerReady { seat }), "ben is ready"),
            (Kind::TimeExpired(TimeExpired { seat }), "the time of ben is up"),
            (
                Kind::TimeCredited(TimeCredited { duration, reason: reason.clone() }),
                "1m30s of time is given back to the side to act: rain",
            ),
            (Kind::MatchPaused(MatchPaused { reason: reason.clone() }), "the match is paused: rain"),
            (Kind::MatchPaused(MatchPaused::default()), "the match is paused"),
            (Kind::MatchResumed(MatchResumed {}), "the match goes on"),
            (decided(false), "the game is decided: rain"),
            (decided(true), "the match is decided: rain"),
            (Kind::EntropyOpened(EntropyOpened::default()), "the creator opens a part of the dice"),
        ] {
            assert_eq!(line(Some(kind)), format!("    7  {told}"));
        }
    }

    #[test]
    fn a_reason_stays_on_its_line() {
        let reason = "a\nb\u{1b}[2J é".to_owned();
        let paused = line(Some(Kind::MatchPaused(MatchPaused { reason })));
        assert_eq!(paused, "    7  the match is paused: a\\nb\\u{1b}[2J é");
    }

    #[test]
    fn a_kind_that_came_later_is_no_error() {
        assert_eq!(line(None), "    7  something this program does not know");
    }
}
