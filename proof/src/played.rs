//! Matches that tests play by themselves, with dice that are committed to: the only logs of tests with a proof of dice
//! and of any length.

use std::{cell::RefCell, collections::HashMap};

use chaquete_rules::{
    Action, BySeat, Command, Contributions, Contributor, CubeValue, Decision, DiceCommitment, DiceCup,
    DiceSource, Event, LegalMoves, Length, Match, MatchRules, MoneyRules, OpeningRule, Phase, Roll, Seat,
    Terms, TimeControl, Turn, Variant, Written,
};
use uuid::Uuid;

use crate::{
    dice::{Beacon, Binding, Chain, opens, roll},
    log::{
        Actor, ActorKind, Facts, RULES_VERSION, Request, Seam, Stamp, StoredEvent, decode, initial_hash, seal,
    },
};

/// A match that was played, as it is stored.
#[derive(Clone, Debug)]
pub struct Played {
    /// What is said beside the log.
    pub facts: Facts,
    /// The log.
    pub log: Vec<StoredEvent>,
}

/// The secret of all dice of tests.
const SECRET: [u8; 32] = [0x11; 32];

/// The dice of a match.
struct Cup {
    uid: Uuid,
    chains: RefCell<HashMap<u32, Chain>>,
}

impl Cup {
    fn with<T>(&self, epoch: u32, ask: impl FnOnce(&Chain) -> T) -> T {
        ask(self.chains.borrow_mut().entry(epoch).or_insert_with(|| Chain::new(&SECRET, &self.uid, epoch)))
    }
}

impl DiceCup for Cup {
    fn commit(&self, epoch: u32, commitments: &Contributions) -> Option<DiceCommitment> {
        let anchor = self.with(epoch, |chain| *chain.anchor());
        let commitments = commitments.0.map(Option::unwrap_or_default);
        Some(DiceCommitment { key_id: "played".to_owned(), epoch, anchor, commitments })
    }

    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        opens(by, commitment, opening)
    }

    fn roll(&self, epoch: u32, index: u32, contributions: &Contributions) -> Roll {
        self.with(epoch, |chain| {
            let binding = Binding::new(&self.uid, chain.anchor(), contributions, &Beacon::default());
            let link = chain.link(index).expect("an epoch ends before its chain");
            Roll { dice: roll(&link, &binding, index), link: Some(link) }
        })
    }
}

/// A money session of at least so many events, a second for each action.
///
/// # Panics
/// The rules have changed.
#[must_use]
pub fn session(uid: Uuid, events: usize, time: Option<TimeControl>) -> Played {
    let cup = Cup { uid, chains: RefCell::default() };
    let money = MoneyRules { max_games: None, jacoby: true, max_beavers: 1, max_automatic_doubles: 1 };
    let rules = MatchRules {
        length: Length::Money(money),
        variant: Variant::Standard,
        max_cube: CubeValue::from_log2(6).expect("a cube shows 64"),
        opening: OpeningRule::Standard,
        initial: None,
    };
    let players = BySeat::new("u-17".to_owned(), "u-4711".to_owned());
    let terms = Terms { time, ..Terms::new(players, rules, DiceSource::COMMITTED) };
    let mut now = 1_767_225_600_000;
    let mut state = Match::new(terms.clone());
    let mut decision = chaquete_rules::create(terms, Some(&cup), now);
    let mut seam = Seam { revision: 0, hash: initial_hash(&uid), game: 0, rules: RULES_VERSION };
    let (mut log, mut seat): (Vec<StoredEvent>, _) = (Vec::new(), None);
    for call in 0.. {
        fold(&mut state, &decision, now);
        let request = Request { id: Uuid::from_u128(call), digest: [call as u8; 32] };
        let actor = Actor { kind: ActorKind::Backend, seat, subject: "table-3".to_owned() };
        log.extend(seal(&seam, &Stamp { actor, request: Some(request), time: now }, &decision));
        let last = log.last().expect("something was decided");
        let game = state.game().map_or(0, |game| game.number);
        seam = Seam { revision: last.revision, hash: last.hash, game, ..seam };
        if log.len() >= events {
            break;
        }
        now += 1_000;
        let command = next(&state, call);
        seat = command.seat_action().map(|(seat, _)| seat);
        decision = chaquete_rules::decide(&state, &command, Some(&cup), now).expect("it is allowed");
    }
    let facts = facts(uid, &log).expect("a log begins with a creation");
    Played { facts, log }
}

fn fold(state: &mut Match, decision: &Decision, now: i64) {
    let events = decision.events.iter().filter(|event| !matches!(event, Event::MatchCreated(_)));
    for event in events {
        chaquete_rules::evolve(state, event, now).expect("what was decided can be folded");
    }
}

/// What is asked for next: by turns this and that, so that everything comes.
fn next(state: &Match, call: u128) -> Command {
    let game = state.game().expect("a session goes on");
    match game.phase {
        _ if call % 37 == 36 => Command::Update,
        Phase::Turn(Turn::Roll { seat }) if call.is_multiple_of(5) && may_double(state, seat) => {
            Command::Double { seat }
        }
        Phase::Turn(Turn::OpeningRoll) => Command::Roll { seat: Seat::One, dice: None },
        Phase::Turn(Turn::Roll { seat }) => Command::Roll { seat, dice: None },
        Phase::Turn(Turn::Move { seat, dice, .. }) => {
            let legal = LegalMoves::new(game.board.position(seat), dice);
            let chosen = legal.iter().nth(call as usize % legal.len().max(1));
            // A roll without a legal move is never waited for.
            let chosen = chosen.expect("there is a legal move");
            Command::Move { seat, written: Written::from(&chosen.mv) }
        }
        Phase::DoubleOffered(double) => {
            let seat = double.offered_by().opponent();
            if call.is_multiple_of(3) {
                Command::DeclineDouble { seat }
            } else {
                Command::AcceptDouble { seat }
            }
        }
        _ => unreachable!("nobody resigns or waits here"),
    }
}

fn may_double(state: &Match, seat: Seat) -> bool {
    state.permits(seat, Action::OfferDouble, 0).is_ok()
}

/// What a log comes to; `None` if it is none.
#[must_use]
pub fn facts(uid: Uuid, log: &[StoredEvent]) -> Option<Facts> {
    let entries = log.iter().map(|event| decode(&event.bytes)).collect::<Result<Vec<_>, _>>().ok()?;
    Facts::follow("tenants/default/matches/played".to_owned(), uid, log.last()?.hash, &entries)
}
