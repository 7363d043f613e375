//! How the games of a match ended: one text for all of them, one word a game.

use chaquete_rules::{CubeValue, GameEndReason, GameResult, Moment, Seat, Win, WinKind};

use crate::log::{
    Word,
    bytes::values::{parse_score, score_text},
};

/// `1/2/3/b/4/12/0/0-12`: number, winner, how many times the cube was won, first letter of the reason, cube,
/// points, whether the Jacoby rule reduced it, score. Winner and times are 0 where the game does not count.
pub(super) fn games_text(games: &[GameResult]) -> String {
    let words = games.iter().map(|result| {
        let GameResult { number, win, reason, cube, points, jacoby_applied, score } = *result;
        let winner = win.map_or(0, |win| win.seat.number());
        let times = win.map_or(0, |win| win.kind.multiplier());
        let (reason, cube, jacoby) = (letter(reason), cube.get(), u8::from(jacoby_applied));
        format!("{number}/{winner}/{times}/{reason}/{cube}/{points}/{jacoby}/{}", score_text(score))
    });
    words.collect::<Vec<_>>().join(" ")
}

pub(super) fn parse_games(text: &str) -> Option<Vec<GameResult>> {
    words(text).map(parse_game).collect()
}

fn parse_game(text: &str) -> Option<GameResult> {
    let [number, winner, times, reason, cube, points, jacoby, score] = parts(text)?;
    let win = match winner {
        "0" if times == "0" => None,
        winner => Some(Win {
            seat: Seat::from_number(winner.parse().ok()?)?,
            kind: WinKind::from_multiplier(times.parse().ok()?)?,
        }),
    };
    Some(GameResult {
        number: number.parse().ok()?,
        win,
        reason: GameEndReason::ALL.iter().copied().find(|&value| letter(value) == reason)?,
        cube: CubeValue::new(cube.parse().ok()?)?,
        points: points.parse().ok()?,
        jacoby_applied: jacoby.parse::<u8>().ok()? == 1,
        score: parse_score(score)?,
    })
}

/// No two reasons begin alike.
fn letter(reason: GameEndReason) -> &'static str {
    &reason.word()[..1]
}

/// `57/1767225600123`: revision and time.
pub(super) fn ends_text(ends: &[(u32, Moment)]) -> String {
    let words = ends.iter().map(|(revision, time)| format!("{revision}/{time}"));
    words.collect::<Vec<_>>().join(" ")
}

pub(super) fn parse_ends(text: &str) -> Option<Vec<(u32, Moment)>> {
    let parse = |text| {
        let [revision, time] = parts(text)?;
        Some((revision.parse().ok()?, time.parse().ok()?))
    };
    words(text).map(parse).collect()
}

/// The parts of a word between slashes, if there are so many.
pub(super) fn parts<const N: usize>(text: &str) -> Option<[&str; N]> {
    let parts: Vec<_> = text.split('/').collect();
    parts.try_into().ok()
}

/// An empty text has no words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|_| !text.is_empty())
}
