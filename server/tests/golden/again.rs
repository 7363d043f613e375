//! Deciding a log again: the commands are read out of their events, and the dice with them.

use std::collections::HashMap;

use chaquete_rules::{
    Command, DiceCommitment, DiceCup, DiceSource, Event, Match, Roll, Terms, Written, WrittenStep,
};
use chaquete_server::log::{self, ActorKind, Entry, Part, Seam, Stamp};
use uuid::Uuid;

/// The dice that a log says fell.
#[derive(Default)]
pub(crate) struct Fallen {
    rolls: HashMap<(u32, u32), Roll>,
    commitments: HashMap<u32, DiceCommitment>,
}

impl Fallen {
    fn of(entries: &[Entry]) -> Self {
        let (mut fallen, mut epoch) = (Self::default(), 0);
        for entry in entries {
            match &entry.event {
                Event::DiceCommitted(commitment) => {
                    epoch = commitment.epoch;
                    fallen.commitments.insert(epoch, DiceCommitment::clone(commitment));
                }
                Event::DiceRolled { roll, index, .. } => {
                    fallen.rolls.insert((epoch, *index), *roll);
                }
                _ => {}
            }
        }
        fallen
    }
}

impl DiceCup for Fallen {
    fn commit(&self, epoch: u32) -> Option<DiceCommitment> {
        self.commitments.get(&epoch).cloned()
    }

    fn roll(&self, epoch: u32, index: u32) -> Roll {
        self.rolls[&(epoch, index)]
    }
}

/// The lines of a log, decided again from what was asked for.
pub(crate) fn decided(uid: &Uuid, entries: &[Entry]) -> Vec<String> {
    let Event::MatchCreated(terms) = &entries[0].event else { panic!("a log begins with a creation") };
    let fallen = Fallen::of(entries);
    let cup = (terms.dice != DiceSource::External).then_some(&fallen as &dyn DiceCup);
    let mut seam = Seam { revision: 0, hash: log::initial_hash(uid), game: 0, rules: entries[0].rules };
    let mut state = Match::new(Terms::clone(terms));
    let mut lines = Vec::new();
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let Part::First { events, request } = first.part else {
            panic!("a command begins with its first event")
        };
        let (command, later) = rest.split_at(events.get() as usize);
        let decision = match &first.event {
            Event::MatchCreated(terms) => chaquete_rules::create(Terms::clone(terms), cup, first.time),
            _ => chaquete_rules::decide(&state, &read_command(command), cup, first.time).unwrap(),
        };
        for event in decision.events.iter().filter(|event| !matches!(event, Event::MatchCreated(_))) {
            chaquete_rules::evolve(&mut state, event, first.time).unwrap();
        }
        let stamp = Stamp { actor: first.actor.clone(), request, time: first.time };
        let sealed = log::seal(&seam, &stamp, &decision);
        let last = sealed.last().unwrap();
        seam = Seam {
            revision: last.revision,
            hash: last.hash,
            game: state.game().map_or(0, |game| game.number),
            rules: seam.rules,
        };
        lines.extend(sealed.into_iter().map(|event| String::from_utf8(event.bytes).unwrap()));
        rest = later;
    }
    lines
}

/// What was asked for, going by what it caused.
fn read_command(caused: &[Entry]) -> Command {
    let actor = &caused[0].actor;
    match caused[0].event.clone() {
        Event::DiceRolled { roll, .. } => {
            Command::Roll { seat: actor.seat.unwrap(), dice: roll.link.is_none().then_some(roll.dice) }
        }
        Event::MoveMade { seat, mv, .. } => {
            let steps = mv.steps().iter().map(|step| WrittenStep {
                source: step.source,
                target: step.target(),
                die: Some(step.die),
            });
            Command::Move { seat, written: Written::from_steps(steps) }
        }
        Event::DoubleOffered { seat, .. } => Command::Double { seat },
        Event::DoubleAccepted { seat, .. } => Command::AcceptDouble { seat },
        Event::DoubleDeclined { seat } => Command::DeclineDouble { seat },
        Event::DoubleBeavered { seat, .. } => Command::Beaver { seat },
        Event::ResignationOffered { seat, kind } => Command::OfferResignation { seat, kind },
        Event::ResignationAccepted { seat } => Command::AcceptResignation { seat },
        Event::ResignationDeclined { seat } => Command::DeclineResignation { seat },
        Event::PlayerReady { seat } => Command::MarkReady { seat },
        Event::TimeExpired { .. } if actor.kind == ActorKind::Server => Command::Expire,
        Event::TimeExpired { seat } => Command::ClaimTimeout { seat: seat.opponent() },
        Event::TimeCredited { duration, reason } => Command::CreditTime { duration, reason },
        Event::MatchPaused { reason } => Command::Pause { reason },
        Event::MatchResumed => Command::Resume,
        Event::SessionClosed => Command::CloseSession,
        Event::Adjudicated { reason, whole_match: false } => match &caused[1].event {
            Event::GameEnded(result) => Command::AdjudicateGame { win: result.win, reason },
            other => panic!("a game was decided by {other:?}"),
        },
        Event::Adjudicated { reason, whole_match: true } => match &caused[1].event {
            Event::MatchEnded { result, .. } => {
                Command::AdjudicateMatch { winner: result.winner.unwrap(), reason }
            }
            other => panic!("a match was decided by {other:?}"),
        },
        Event::MatchEnded { reason, .. } => Command::Cancel { reason },
        other => panic!("no command begins with {other:?}"),
    }
}
