//! How games and matches end, in words.

use chaquete_proto::v1::{GameEndReason, GameResult, MatchEndReason, MatchResult, Player, Seat};

use super::words::{because, points, score, seat_name, win_kind};

/// How a game ended, with the score after it.
pub(super) fn game_ended(result: &GameResult, players: &[Player]) -> String {
    let score = score(result.score_after);
    if result.winner() == Seat::Unspecified {
        return format!("the game is void: {score}");
    }
    format!(
        "{} wins a {}{}, {}: {score}",
        seat_name(players, result.winner()),
        game_kind(result),
        match result.reason() {
            GameEndReason::Timeout => " on time",
            GameEndReason::Adjudicated => " by decision",
            _ => "",
        },
        points(result.points),
    )
}

/// What was won, and whether it counts less than it is.
pub(super) fn game_kind(result: &GameResult) -> String {
    // Without a word on it the points would look wrong.
    let jacoby = if result.jacoby_applied { " (single by the Jacoby rule)" } else { "" };
    format!("{}{jacoby}", win_kind(result.kind()))
}

/// How a match ended. `why` is what whoever cancelled it said.
pub(super) fn match_ended(result: &MatchResult, players: &[Player], why: &str) -> String {
    let reason = result.reason();
    if reason == MatchEndReason::Cancelled {
        return because("the match is cancelled", why);
    }
    let what = if reason == MatchEndReason::SessionClosed { "session" } else { "match" };
    let score = score(result.score);
    let winner = match result.winner() {
        Seat::Unspecified if reason == MatchEndReason::SessionClosed => {
            return format!("the session ends level, {score}");
        }
        Seat::Unspecified => return format!("the match ends without a winner, {score}"),
        seat => seat_name(players, seat),
    };
    let how = match reason {
        MatchEndReason::Timeout => " on time",
        MatchEndReason::Adjudicated => " by decision",
        _ => "",
    };
    format!("{winner} wins the {what}{how}, {score}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::{Score, WinKind};

    fn players() -> [Player; 2] {
        ["ann", "ben"].map(|subject| Player { subject: subject.to_owned(), ..Player::default() })
    }

    #[test]
    fn a_game_says_who_won_it_and_how() {
        let ended = |winner: Seat, kind: WinKind, points, reason: GameEndReason| {
            let score_after = Some(Score { one: 5, two: 2 });
            let (winner, kind, reason) = (winner.into(), kind.into(), reason.into());
            GameResult { winner, kind, points, reason, score_after, ..GameResult::default() }
        };
        let told = |result: &GameResult| game_ended(result, &players());
        let gammon = ended(Seat::One, WinKind::Gammon, 4, GameEndReason::BorneOff);
        assert_eq!(told(&gammon), "ann wins a gammon, 4 points: 5-2");
        let jacoby = GameResult { jacoby_applied: true, points: 1, ..gammon };
        assert_eq!(told(&jacoby), "ann wins a gammon (single by the Jacoby rule), 1 point: 5-2");
        let late = ended(Seat::Two, WinKind::Single, 1, GameEndReason::Timeout);
        assert_eq!(told(&late), "ben wins a single game on time, 1 point: 5-2");
        let decided = ended(Seat::Two, WinKind::Single, 2, GameEndReason::Adjudicated);
        assert_eq!(told(&decided), "ben wins a single game by decision, 2 points: 5-2");
        let void = ended(Seat::Unspecified, WinKind::Unspecified, 0, GameEndReason::Void);
        assert_eq!(told(&void), "the game is void: 5-2");
    }

    #[test]
    fn a_match_says_who_won_it_if_anybody_did() {
        let told = |winner: Seat, reason: MatchEndReason, why: &str| {
            let (winner, reason) = (winner.into(), reason.into());
            let score = Some(Score { one: 3, two: 3 });
            let result = MatchResult { winner, reason, score, ..MatchResult::default() };
            match_ended(&result, &players(), why)
        };
        for (winner, reason, text) in [
            (Seat::One, MatchEndReason::PointsReached, "ann wins the match, 3-3"),
            (Seat::Two, MatchEndReason::SessionClosed, "ben wins the session, 3-3"),
            (Seat::Unspecified, MatchEndReason::SessionClosed, "the session ends level, 3-3"),
            (Seat::One, MatchEndReason::Timeout, "ann wins the match on time, 3-3"),
            (Seat::One, MatchEndReason::Adjudicated, "ann wins the match by decision, 3-3"),
            (Seat::Unspecified, MatchEndReason::Unspecified, "the match ends without a winner, 3-3"),
            (Seat::Unspecified, MatchEndReason::Cancelled, "the match is cancelled"),
        ] {
            assert_eq!(told(winner, reason, ""), text);
        }
        let why = told(Seat::Unspecified, MatchEndReason::Cancelled, "ann has gone");
        assert_eq!(why, "the match is cancelled: ann has gone");
    }
}
