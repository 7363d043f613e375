//! Matches as messages have them.

use chaquete_proto::v1;
use chaquete_rules::{Match, MatchResult, Seat};
use uuid::Uuid;

use super::{
    dice, game, rules,
    scalar::{self, number},
    time,
    violations::{Path, Violations},
    words,
};
use crate::{
    clock::Millis,
    name::MatchName,
    store::{Head, Provenance, State},
    table::Table,
};

/// How much of a match is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Everything but position identifiers, annotations and the list of results of games.
    Basic,
    /// Everything.
    Full,
}

impl View {
    /// The view that a caller asks for; the default if it does not say.
    pub fn read(violations: &mut Violations, path: Path<'_>, view: i32, default: Self) -> Option<Self> {
        scalar::known(violations, path, view).map(|view| match view {
            v1::MatchView::Unspecified => default,
            v1::MatchView::Basic => Self::Basic,
            v1::MatchView::Full => Self::Full,
        })
    }
}

/// A match as it stands at this time. Only what the seats can do depends on the time: who may claim that
/// time has run out.
#[must_use]
pub fn match_at(table: &Table, view: View, now: Millis) -> v1::Match {
    let is_full = view == View::Full;
    v1::Match {
        state: words::match_state(table.head.state, table.standing().waiting).into(),
        revision: number(table.head.revision),
        score: Some(game::score(table.state.score())),
        current_game: current_game(table, view, now),
        result: table.state.result().map(|_| match_result(table, view)),
        labels: table.about.notes.labels.clone(),
        annotations: if is_full { table.about.notes.annotations.clone() } else { Default::default() },
        update_time: Some(scalar::timestamp(table.head.update_time)),
        start_time: table.start_time.map(scalar::timestamp),
        end_time: table.head.end_time.map(scalar::timestamp),
        dice_commitment: table
            .state
            .commitment()
            .map(|commitment| dice::dice_commitment(commitment, table.state.entropy())),
        awaited_contributions: dice::awaited(|by| table.state.awaits(by)),
        contribution_deadline: table.state.entropy().and_then(|e| e.deadline).map(scalar::timestamp),
        log_hash: table.head.hash.as_bytes().to_vec(),
        ..agreed(table)
    }
}

/// A match right after its last event: the same whenever it is told, so that a repeat of a call has the
/// answer of the first.
#[must_use]
pub fn match_then(table: &Table, view: View) -> v1::Match {
    match_at(table, view, table.head.update_time)
}

/// What is agreed on a match, and will not change.
#[must_use]
pub fn agreed(table: &Table) -> v1::Match {
    let terms = table.state.terms();
    let player = |seat| v1::Player {
        seat: words::seat(seat).into(),
        subject: terms.players[seat].clone(),
        display_name: table.about.display_names[seat].clone(),
    };
    v1::Match {
        name: table.name.to_string(),
        uid: table.key.uid.to_string(),
        players: Seat::BOTH.map(player).into(),
        rules: Some(rules::rules(&terms.rules)),
        dice_policy: Some(dice::dice_policy(terms.dice)),
        time_control: terms.time.map(time::time_control),
        automation: time::automation(terms.automation),
        ready_check: terms.ready_check,
        create_time: Some(scalar::timestamp(table.head.create_time)),
        imported: table.about.provenance == Provenance::Imported,
        rules_version: number(table.rules_version),
        ..v1::Match::default()
    }
}

/// What can be told of a match whose log or row is damaged.
#[must_use]
pub fn damaged_match(name: &MatchName, uid: Option<Uuid>, head: Option<&Head>) -> v1::Match {
    let told = v1::Match {
        name: name.to_string(),
        uid: uid.map(|uid| uid.to_string()).unwrap_or_default(),
        ..v1::Match::default()
    };
    let Some(head) = head else { return told };
    v1::Match {
        state: words::match_state(head.state, None).into(),
        revision: number(head.revision),
        create_time: Some(scalar::timestamp(head.create_time)),
        update_time: Some(scalar::timestamp(head.update_time)),
        end_time: head.end_time.map(scalar::timestamp),
        log_hash: head.hash.as_bytes().to_vec(),
        ..told
    }
}

/// The game being played, or the last one, as it stands at this time.
#[must_use]
pub fn current_game(table: &Table, view: View, now: Millis) -> Option<v1::Game> {
    let current = table.state.game()?;
    let end = (current.number as usize).checked_sub(1).and_then(|index| table.game_ends.get(index)).copied();
    let told = game::game(&table.state, current, end, now);
    let position_ids = (view == View::Full).then(|| game::position_ids_of(&table.state, current));
    Some(v1::Game { position_ids, ..told })
}

/// How a match ended, or stands.
#[must_use]
pub fn match_result(table: &Table, view: View) -> v1::MatchResult {
    let games = table.state.games().iter().zip(&table.game_ends);
    let games =
        games.filter(|_| view == View::Full).map(|(result, &end)| game::game_result(result, Some(end)));
    v1::MatchResult {
        games: games.collect(),
        end_time: table.head.end_time.map(scalar::timestamp),
        ..ended(&table.state, table.state.result())
    }
}

/// The result of a match without its games.
#[must_use]
pub fn ended(state: &Match, result: Option<&MatchResult>) -> v1::MatchResult {
    let winner = result.and_then(|result| result.winner);
    v1::MatchResult {
        r#final: result.is_some(),
        winner: words::seat_or_none(winner),
        winner_subject: winner.map(|seat| state.terms().players[seat].clone()).unwrap_or_default(),
        score: Some(game::score(result.map_or_else(|| state.score(), |result| result.score))),
        reason: result
            .map_or(v1::MatchEndReason::Unspecified, |result| words::match_end(result.reason))
            .into(),
        games: Vec::new(),
        end_time: None,
    }
}

/// Whether a match has come to its end.
#[must_use]
pub const fn is_ended(state: State) -> bool {
    matches!(state, State::Completed | State::Cancelled)
}
