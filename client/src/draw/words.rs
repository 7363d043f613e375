//! Small facts in words.

use chaquete_proto::v1::{
    Dice, Match, MatchRules, MatchState, Player, Score, Seat, Variant, WinKind, match_rules,
};

/// The name of the player at a seat: the display name, else the subject, else `?`.
#[must_use]
pub fn seat_name(players: &[Player], seat: Seat) -> &str {
    let index = match seat {
        Seat::One => 0,
        Seat::Two => 1,
        Seat::Unspecified => return "nobody",
    };
    let found = players.iter().find(|player| player.seat() == seat).or_else(|| players.get(index));
    let Some(player) = found else { return "?" };
    if player.display_name.is_empty() { &player.subject } else { &player.display_name }
}

/// The dice as they are written in records, for example `31`.
#[must_use]
pub fn dice(dice: Dice) -> String {
    format!("{}{}", dice.first, dice.second)
}

/// The score, seat one first.
#[must_use]
pub fn score(score: Option<Score>) -> String {
    let Score { one, two } = score.unwrap_or_default();
    format!("{one}-{two}")
}

/// The state of a match.
#[must_use]
pub fn match_state(game: &Match) -> &'static str {
    match game.state() {
        MatchState::Unspecified => "unknown",
        MatchState::Pending => "pending",
        MatchState::Active => "active",
        MatchState::Paused => "paused",
        MatchState::Completed => "completed",
        MatchState::Cancelled => "cancelled",
    }
}

/// The length of a match.
#[must_use]
pub fn rules(rules: Option<&MatchRules>) -> String {
    match rules.and_then(|rules| rules.length.as_ref()) {
        Some(match_rules::Length::Points(1)) => "1 point".to_owned(),
        Some(match_rules::Length::Points(points)) => format!("{points} points"),
        Some(match_rules::Length::MoneySession(_)) => "money".to_owned(),
        None => "?".to_owned(),
    }
}

/// The variant.
#[must_use]
pub fn variant(variant: Variant) -> &'static str {
    match variant {
        Variant::Unspecified | Variant::Standard => "standard",
        Variant::Nackgammon => "nackgammon",
        Variant::Hypergammon => "hypergammon",
        Variant::Longgammon => "longgammon",
    }
}

pub(crate) fn win_kind(kind: WinKind) -> &'static str {
    match kind {
        WinKind::Unspecified => "game",
        WinKind::Single => "single game",
        WinKind::Gammon => "gammon",
        WinKind::Backgammon => "backgammon",
    }
}

pub(crate) fn points(points: i32) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// What happened, and the reason that somebody gave for it, if any.
pub(crate) fn because(what: &str, reason: &str) -> String {
    if reason.is_empty() { what.to_owned() } else { format!("{what}: {}", plain(reason)) }
}

/// Text of somebody else as one line, of which nothing can command a terminal.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        if letter.is_control() {
            plain.extend(letter.escape_default());
        } else {
            plain.push(letter);
        }
    }
    plain
}
