//! Entries of a log as messages have them.

use chaquete_proto::v1::{self, match_event::Kind};
use chaquete_record::PositionId;
use chaquete_rules::{Event, Seat};

use super::{
    dice, game,
    scalar::{self, number},
    state, turn, words,
};
use crate::{
    log::{Actor, Entry, Hash},
    store::Notes,
    table::Table,
};

/// An entry of a log, with its hash and that of the entry before.
///
/// `table` is its match at any revision: what is agreed is taken from there, and what is kept beside the log as it is
/// there.
#[must_use]
pub fn event(table: &Table, entry: &Entry, previous: Option<Hash>, hash: Hash) -> v1::MatchEvent {
    v1::MatchEvent {
        revision: number(entry.revision),
        event_time: Some(scalar::timestamp(entry.time)),
        game_number: number(entry.game),
        actor: Some(actor(&entry.actor)),
        request_id: entry.part.request_id().map(|id| id.to_string()).unwrap_or_default(),
        previous_hash: previous.map(|previous| previous.as_bytes().to_vec()).unwrap_or_default(),
        hash: hash.as_bytes().to_vec(),
        kind: Some(kind(table, entry)),
    }
}

fn actor(actor: &Actor) -> v1::Actor {
    v1::Actor {
        kind: words::actor_kind(actor.kind).into(),
        seat: words::seat_or_none(actor.seat),
        subject: actor.subject.clone(),
    }
}

fn kind(table: &Table, entry: &Entry) -> Kind {
    let of = |seat: Seat| i32::from(words::seat(seat));
    match &entry.event {
        Event::MatchCreated(_) => {
            Kind::MatchCreated(Box::new(v1::MatchCreated { r#match: Some(created(table)) }))
        }
        Event::DiceCommitted(commitment) => Kind::DiceCommitted(v1::DiceCommitted {
            commitment: Some(dice::dice_commitment(commitment, None)),
        }),
        Event::EntropyCommitted { by, commitment } => Kind::EntropyCommitted(v1::EntropyCommitted {
            seat: words::seat_or_none(by.seat()),
            commitment: commitment.to_vec(),
        }),
        Event::EntropyOpened { by, opening } => Kind::EntropyOpened(v1::EntropyOpened {
            seat: words::seat_or_none(by.seat()),
            opening: opening.to_vec(),
        }),
        Event::GameStarted { board, crawford, cube } => Kind::GameStarted(v1::GameStarted {
            board: Some(game::board(board)),
            crawford: *crawford,
            cube: Some(game::cube(*cube)),
        }),
        Event::DiceRolled { seat, roll, index, opening, automatic_double } => {
            Kind::DiceRolled(v1::DiceRolled {
                seat: words::seat_or_none(*seat),
                dice: Some(turn::dice(roll.dice)),
                opening: *opening,
                automatic_double: *automatic_double,
                roll_index: number(*index),
                link: roll.link.map(Vec::from).unwrap_or_default(),
            })
        }
        Event::MoveMade { seat, mv, after } => Kind::MoveMade(v1::MoveMade {
            seat: of(*seat),
            r#move: Some(turn::mv(mv)),
            gnu_position_id: PositionId::of(after).to_string(),
        }),
        Event::TurnForfeited { seat } => Kind::TurnForfeited(v1::TurnForfeited { seat: of(*seat) }),
        Event::DoubleOffered { seat, value } => {
            Kind::DoubleOffered(v1::DoubleOffered { seat: of(*seat), value: number(value.get()) })
        }
        Event::DoubleAccepted { seat, value } => {
            Kind::DoubleAccepted(v1::DoubleAccepted { seat: of(*seat), value: number(value.get()) })
        }
        Event::DoubleDeclined { seat } => Kind::DoubleDeclined(v1::DoubleDeclined { seat: of(*seat) }),
        Event::DoubleBeavered { seat, value } => {
            Kind::DoubleBeavered(v1::DoubleBeavered { seat: of(*seat), value: number(value.get()) })
        }
        Event::ResignationOffered { seat, kind } => Kind::ResignationOffered(v1::ResignationOffered {
            seat: of(*seat),
            kind: words::win_kind(*kind).into(),
        }),
        Event::ResignationAccepted { seat } => {
            Kind::ResignationAccepted(v1::ResignationAccepted { seat: of(*seat) })
        }
        Event::ResignationDeclined { seat } => {
            Kind::ResignationDeclined(v1::ResignationDeclined { seat: of(*seat) })
        }
        Event::PlayerReady { seat } => Kind::PlayerReady(v1::PlayerReady { seat: of(*seat) }),
        Event::TimeExpired { seat } => Kind::TimeExpired(v1::TimeExpired { seat: of(*seat) }),
        Event::TimeCredited { duration, reason } => Kind::TimeCredited(v1::TimeCredited {
            duration: Some(scalar::time_span(*duration)),
            reason: reason.clone(),
        }),
        Event::MatchPaused { reason } => Kind::MatchPaused(v1::MatchPaused { reason: reason.clone() }),
        Event::MatchResumed => Kind::MatchResumed(v1::MatchResumed {}),
        Event::MatchUpdated => {
            let Notes { labels, annotations } = table.about.notes.clone();
            Kind::MatchUpdated(v1::MatchUpdated { labels, annotations })
        }
        Event::SessionClosed => Kind::SessionClosed(v1::SessionClosed {}),
        Event::Adjudicated { reason, whole_match } => {
            Kind::Adjudicated(v1::Adjudicated { reason: reason.clone(), whole_match: *whole_match })
        }
        Event::GameEnded(result) => Kind::GameEnded(v1::GameEnded {
            result: Some(game::game_result(result, Some((entry.revision, entry.time)))),
        }),
        Event::MatchEnded { result, reason } => Kind::MatchEnded(v1::MatchEnded {
            result: Some(v1::MatchResult {
                end_time: Some(scalar::timestamp(entry.time)),
                ..state::ended(&table.state, Some(result))
            }),
            reason: reason.clone(),
        }),
    }
}

/// The match right after its creation.
fn created(table: &Table) -> v1::Match {
    let waits = table.state.terms().ready_check;
    v1::Match {
        state: if waits { v1::MatchState::Pending } else { v1::MatchState::Active }.into(),
        revision: 1,
        update_time: Some(scalar::timestamp(table.head.create_time)),
        ..state::agreed(table)
    }
}
