//! Events in words.

use chaquete_proto::v1::{
    DiceRolled, GameResult, GameStarted, MatchEndReason, MatchEvent, MatchResult, Player, Seat,
    match_event::Kind,
};

use super::words::{dice, points, score, seat_name, win_kind};

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
            ended.result.as_ref().map_or_else(|| "the match ends".to_owned(), |end| match_ended(end, players))
        }
        Kind::MatchPaused(paused) => format!("paused: {}", paused.reason),
        Kind::MatchResumed(_) => "resumed".to_owned(),
        Kind::Adjudicated(decision) => format!("adjudicated: {}", decision.reason),
        Kind::DiceCommitted(_) => "the server commits to the dice".to_owned(),
        Kind::EntropyCommitted(entropy) => format!("{} commits to entropy", name(entropy.seat())),
        Kind::EntropyOpened(entropy) => format!("{} opens its entropy", name(entropy.seat())),
        Kind::TimeCredited(credit) => format!("time is given back: {}", credit.reason),
        Kind::SessionClosed(_) => "the session is closed".to_owned(),
    }
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

fn game_ended(result: &GameResult, players: &[Player]) -> String {
    if result.winner() == Seat::Unspecified {
        return "the game is void".to_owned();
    }
    format!(
        "{} wins a {}, {}: {}",
        seat_name(players, result.winner()),
        win_kind(result.kind()),
        points(result.points),
        score(result.score_after)
    )
}

fn match_ended(result: &MatchResult, players: &[Player]) -> String {
    if result.reason() == MatchEndReason::Cancelled {
        return "the match is cancelled".to_owned();
    }
    format!("{} wins the match, {}", seat_name(players, result.winner()), score(result.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::{Dice, GameEnded, Move, MoveMade, Score, WinKind};

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
    fn a_kind_that_came_later_is_no_error() {
        assert_eq!(line(None), "    7  something this program does not know");
    }
}
