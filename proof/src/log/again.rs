//! Deciding a log again: what was asked for is read out of the events that it caused, and the dice with them. If the
//! rules come to the same events, nothing in the log is against them.

use std::collections::HashMap;

use chaquete_rules::{
    Command, Contribution, Contributions, Contributor, Decision, Dice, DiceCommitment, DiceCup, DiceSource,
    Event, Match, Refusal, Roll, Seat, Terms, Written,
};

use crate::dice;

use super::{ActorKind, Entry, Part};

/// Why a log is not what the rules come to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {revision} is against the rules: {because}")]
pub struct AgainstRules {
    /// Number of the event.
    pub revision: u32,
    /// What is wrong.
    pub because: String,
    /// The rule that refuses what was asked for, if one does.
    pub refusal: Option<Refusal>,
}

impl AgainstRules {
    fn at(revision: u32, because: impl Into<String>) -> Self {
        Self { revision, because: because.into(), refusal: None }
    }

    fn refused(revision: u32, refusal: Refusal) -> Self {
        Self { revision, because: refusal.to_string(), refusal: Some(refusal) }
    }

    /// Whether the rules are against nothing but when it came: too late, or before its time.
    #[must_use]
    pub const fn is_of_time(&self) -> bool {
        matches!(
            self.refusal,
            Some(Refusal::TimeExpired { .. } | Refusal::TimeNotExpired { .. } | Refusal::ContributionsLate)
        )
    }
}

/// Decides a whole log again: the decisions that its events come from, one for each thing that was asked for.
///
/// # Errors
/// The first event that the rules do not come to.
pub fn decide_again(entries: &[Entry]) -> Result<Vec<Decision>, AgainstRules> {
    let Some(Entry { event: Event::MatchCreated(terms), time, .. }) = entries.first() else {
        return Err(AgainstRules::at(1, "a log begins with the creation"));
    };
    let fallen = Fallen::of(entries);
    let cup = (terms.dice != DiceSource::External).then_some(&fallen as &dyn DiceCup);
    let mut state = Match::new(Terms::clone(terms));
    let mut decisions = vec![chaquete_rules::create(Terms::clone(terms), cup, *time)];
    let mut rest = agree(&mut state, &decisions[0], entries)?;
    while let Some(first) = rest.first() {
        let command =
            command(rest, terms.dice).map_err(|because| AgainstRules::at(first.revision, because))?;
        let decision = chaquete_rules::decide(&state, &command, cup, first.time)
            .map_err(|refusal| AgainstRules::refused(first.revision, refusal))?;
        if decision.events.is_empty() {
            return Err(AgainstRules::at(first.revision, "the rules come to nothing"));
        }
        rest = agree(&mut state, &decision, rest)?;
        decisions.push(decision);
    }
    Ok(decisions)
}

/// Folds what was decided, which must be what the log says next; the log after it.
fn agree<'e>(
    state: &mut Match,
    decision: &Decision,
    entries: &'e [Entry],
) -> Result<&'e [Entry], AgainstRules> {
    let revision = entries.first().map_or(0, |entry| entry.revision);
    for (number, event) in (0..).zip(&decision.events) {
        let against = |because: &str| AgainstRules::at(revision + number, because);
        match entries.get(number as usize) {
            Some(entry) if number > 0 && matches!(entry.part, Part::First { .. }) => {
                return Err(against("what was decided at once is said to be of two commands"));
            }
            Some(entry) if entry.event == *event => {}
            Some(_) => return Err(against("the rules come to another event")),
            None => return Err(against("the log ends in the middle of what was decided at once")),
        }
        if !matches!(event, Event::MatchCreated(_)) {
            let time = entries.first().map_or(0, |first| first.time);
            chaquete_rules::evolve(state, event, time).map_err(|error| against(&error.to_string()))?;
        }
    }
    Ok(&entries[decision.events.len()..])
}

/// What was asked for, going by what it caused.
fn command(caused: &[Entry], source: DiceSource) -> Result<Command, String> {
    let first = &caused[0];
    // The roll with which an epoch of dice begins is what was asked for, not the commitment before it.
    let mut events =
        caused.iter().map(|entry| &entry.event).skip_while(|event| matches!(event, Event::DiceCommitted(_)));
    let (asked, next) = (events.next().unwrap_or(&first.event), events.next());
    Ok(match asked.clone() {
        Event::DiceRolled { seat, roll, .. } => Command::Roll {
            // Either may throw the opening dice.
            seat: first.actor.seat.or(seat).unwrap_or(Seat::One),
            dice: (source == DiceSource::External).then_some(roll.dice),
        },
        Event::MoveMade { seat, mv, .. } => Command::Move { seat, written: Written::from(&mv) },
        Event::DoubleOffered { seat, .. } => Command::Double { seat },
        Event::DoubleAccepted { seat, .. } => Command::AcceptDouble { seat },
        Event::DoubleDeclined { seat } => Command::DeclineDouble { seat },
        Event::DoubleBeavered { seat, .. } => Command::Beaver { seat },
        Event::ResignationOffered { seat, kind } => Command::OfferResignation { seat, kind },
        Event::ResignationAccepted { seat } => Command::AcceptResignation { seat },
        Event::ResignationDeclined { seat } => Command::DeclineResignation { seat },
        Event::EntropyCommitted { by, commitment } => {
            Command::Contribute { by, contribution: Contribution::Commitment(commitment) }
        }
        Event::EntropyOpened { by, opening } => {
            Command::Contribute { by, contribution: Contribution::Opening(opening) }
        }
        Event::PlayerReady { seat } => Command::MarkReady { seat },
        // A match ends by the server alone where contributions to the dice are missing.
        Event::TimeExpired { .. } | Event::MatchEnded { .. } if first.actor.kind == ActorKind::Server => {
            Command::Expire
        }
        Event::TimeExpired { seat } => Command::ClaimTimeout { seat: seat.opponent() },
        Event::TimeCredited { duration, reason } => Command::CreditTime { duration, reason },
        Event::MatchPaused { reason } => Command::Pause { reason },
        Event::MatchResumed => Command::Resume,
        Event::SessionClosed => Command::CloseSession,
        Event::MatchUpdated => Command::Update,
        Event::Adjudicated { reason, whole_match: false } => match next {
            Some(Event::GameEnded(result)) => Command::AdjudicateGame { win: result.win, reason },
            _ => return Err("a game was decided, but has no end".to_owned()),
        },
        Event::Adjudicated { reason, whole_match: true } => match next {
            Some(Event::MatchEnded { result, .. }) => match result.winner {
                Some(winner) => Command::AdjudicateMatch { winner, reason },
                None => return Err("a match was decided, but nobody has won".to_owned()),
            },
            _ => return Err("a match was decided, but has no end".to_owned()),
        },
        Event::MatchEnded { reason, .. } => Command::Cancel { reason },
        Event::MatchCreated(_)
        | Event::DiceCommitted(_)
        | Event::GameStarted { .. }
        | Event::TurnForfeited { .. }
        | Event::GameEnded(_) => return Err("nothing that is asked for begins with this event".to_owned()),
    })
}

/// The dice that a log says fell.
#[derive(Default)]
struct Fallen {
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
    fn commit(&self, epoch: u32, _: &Contributions) -> Option<DiceCommitment> {
        self.commitments.get(&epoch).cloned()
    }

    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        dice::opens(by, commitment, opening)
    }

    /// What the log does not have makes another event than it has, whatever it is: but not the same for ever, since
    /// there are rolls after which the next one follows at once.
    fn roll(&self, epoch: u32, index: u32, _: &Contributions) -> Roll {
        let other = || Dice::all().nth(index as usize % 36).map(|dice| Roll { dice, link: None });
        self.rolls.get(&(epoch, index)).copied().or_else(other).expect("there are dice")
    }
}

#[cfg(test)]
mod tests {
    use chaquete_rules::WinKind;

    use super::*;
    use crate::{
        golden,
        log::{StoredEvent, decode},
        played,
    };

    fn golden() -> Vec<Vec<Entry>> {
        let logs = golden::logs(|n| uuid::Uuid::from_u128(n as u128));
        let entries =
            |(_, log): (_, Vec<StoredEvent>)| log.iter().map(|event| decode(&event.bytes)).collect();
        logs.into_iter().map(entries).collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn what_was_decided_is_decided_again() {
        for log in golden() {
            let decisions = decide_again(&log).unwrap();
            let events: Vec<_> = decisions.into_iter().flat_map(|decision| decision.events).collect();
            assert!(events.iter().eq(log.iter().map(|entry| &entry.event)));
        }
    }

    /// Any event left out, doubled, cut off in the middle or changed shows at that event, or soon after.
    #[test]
    fn what_was_not_decided_shows() {
        let mut shown = 0;
        for log in golden().into_iter().take(40) {
            for n in 1..log.len() {
                let mut missing = log.clone();
                missing.remove(n);
                let mut twice = log.clone();
                twice.insert(n, log[n].clone());
                for changed in [missing, twice] {
                    // Some things may happen or not, such as a change of labels.
                    shown += u32::from(decide_again(&changed).is_err());
                }
                let mut resigned = log.clone();
                if let Event::ResignationOffered { seat, kind: WinKind::Single } = log[n].event {
                    resigned[n].event = Event::ResignationAccepted { seat };
                    assert!(decide_again(&resigned).is_err());
                }
            }
        }
        assert!(shown > 2_500, "{shown}");
        assert_eq!(decide_again(&[]).unwrap_err().revision, 1);
    }

    /// After so many rolls the dice are committed to anew, by the roll that needs it.
    #[test]
    fn a_log_with_several_epochs_of_dice_is_decided_again() {
        let log = played::session(uuid::Uuid::from_u128(7), 10_000, None).log;
        let entries: Vec<_> = log.iter().map(|event| decode(&event.bytes).unwrap()).collect();
        let epochs = entries.iter().filter(|entry| matches!(entry.event, Event::DiceCommitted(_))).count();
        assert_eq!(epochs, 2);
        let decided: usize =
            decide_again(&entries).unwrap().iter().map(|decision| decision.events.len()).sum();
        assert_eq!(decided, entries.len());
        assert_eq!(decide_again(&entries[..2]).unwrap_err().revision, 3);
    }

    #[test]
    fn an_illegal_move_is_against_the_rules() {
        let log = golden().into_iter().find(|log| log.iter().filter(|e| is_move(e)).count() > 3).unwrap();
        let moves: Vec<_> = (0..log.len()).filter(|&n| is_move(&log[n])).collect();
        let mut changed = log.clone();
        changed[moves[2]].event = log[moves[1]].event.clone();
        let told = decide_again(&changed).unwrap_err();
        assert_eq!(told.revision, log[moves[2]].revision, "{told}");
    }

    fn is_move(entry: &Entry) -> bool {
        matches!(entry.event, Event::MoveMade { .. })
    }
}
