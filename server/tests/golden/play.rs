//! Playing the golden matches: random settings, random commands, the same on every machine.

use std::num::NonZeroU32;

use chaquete_rules::{
    Automation, BySeat, ClockMode, Command, CubeValue, Dice, DiceSource, LegalMoves, Length, Match,
    MatchPoints, MatchRules, MoneyRules, OpeningRule, Phase, Seat, Terms, TimeControl, TimeLimit,
    TimeoutPolicy, Turn, Variant, Win, WinKind, Written,
};
use chaquete_server::{
    dice::{Cups, DiceKey, DiceKeys},
    log::{self, Actor, ActorKind, RULES_VERSION, Request, Seam, Stamp},
};
use uuid::Uuid;

/// The most commands of a match: enough to see everything, little enough to keep.
const COMMANDS: u64 = 45;

/// SplitMix64: small, and the same for ever.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

fn any_terms(chance: &mut Chance) -> Terms {
    let length = if chance.one_in(2) {
        let points = MatchPoints::new(chance.below(5) as u8 + 1).unwrap();
        Length::Points { points, crawford: !chance.one_in(4) }
    } else {
        Length::Money(MoneyRules {
            max_games: NonZeroU32::new(chance.below(4) as u32),
            jacoby: chance.one_in(2),
            max_beavers: chance.below(4) as u32,
            max_automatic_doubles: chance.below(3) as u32,
        })
    };
    let variant = chance.pick(&Variant::ALL);
    let rules = MatchRules {
        length,
        variant,
        max_cube: CubeValue::from_log2(chance.below(8) as u32).unwrap(),
        opening: chance.pick(&[OpeningRule::Standard, OpeningRule::SeatOne, OpeningRule::SeatTwo]),
        initial: chance
            .one_in(6)
            .then(|| Variant::Nackgammon.start())
            .filter(|_| variant == Variant::Standard),
    };
    let players = BySeat::new("u-17".to_owned(), "u-4711".to_owned());
    let dice = chance.pick(&[DiceSource::COMMITTED, DiceSource::External, DiceSource::COMMITTED]);
    Terms {
        time: any_time(chance),
        automation: Automation {
            roll_when_cube_unavailable: chance.one_in(2) && dice != DiceSource::External,
            play_forced_moves: chance.one_in(2),
            bear_off_greedily: chance.one_in(2),
        },
        ready_check: chance.one_in(4),
        ..Terms::new(players, rules, dice)
    }
}

fn any_time(chance: &mut Chance) -> Option<TimeControl> {
    let mode = chance.pick(&[ClockMode::SimpleDelay, ClockMode::Bronstein, ClockMode::Fischer]);
    let limit = chance.pick(&[
        TimeLimit::Clock { reserve: 120_000, mode, per_turn: 12_000 },
        TimeLimit::Clock { reserve: 20_000, mode, per_turn: 0 },
        TimeLimit::Action { limit: 60_000 },
    ]);
    let policies = [TimeoutPolicy::ForfeitMatch, TimeoutPolicy::ForfeitGame, TimeoutPolicy::Claim];
    let policy = chance.pick(&policies);
    chance.one_in(2).then_some(TimeControl { limit, policy })
}

/// Something that may be asked for; whether it is allowed is for the rules to say.
fn any_command(chance: &mut Chance, state: &Match, now: i64) -> (Actor, Command) {
    let seat = chance.pick(&Seat::BOTH);
    if state.overdue(now).is_some() && chance.one_in(2) {
        return (Actor::server(), Command::Expire);
    }
    let backend = |seat| Actor { kind: ActorKind::Backend, seat, subject: String::new() };
    let operator = Actor { kind: ActorKind::Operator, seat: None, subject: "op-1".to_owned() };
    let kind = chance.pick(&[WinKind::Single, WinKind::Gammon, WinKind::Backgammon]);
    let reason = "as agreed: r\u{e9}sum\u{e9} \u{1f3b2}".to_owned();
    match chance.below(400) {
        0..=2 => return (backend(None), Command::Pause { reason }),
        3..=4 => return (backend(None), Command::CloseSession),
        5 => return (operator, Command::AdjudicateGame { win: None, reason }),
        6..=7 => return (operator, Command::AdjudicateGame { win: Some(Win { seat, kind }), reason }),
        8 => return (operator, Command::AdjudicateMatch { winner: seat, reason }),
        9 => return (backend(None), Command::Cancel { reason }),
        10..=13 => return (Actor::server(), Command::CreditTime { duration: 1_500, reason }),
        _ if state.is_paused() => return (backend(None), Command::Resume),
        _ => {}
    }
    let Some(game) = state.game() else { return (backend(Some(seat)), Command::MarkReady { seat }) };
    let resigns = chance.one_in(25);
    let doubles = chance.one_in(2);
    let command = match game.phase {
        _ if resigns => Command::OfferResignation { seat, kind },
        Phase::Waiting { .. } => Command::MarkReady { seat },
        Phase::Turn(Turn::Roll { seat }) if doubles => Command::Double { seat },
        Phase::Turn(Turn::OpeningRoll) => roll(chance, state, seat),
        Phase::Turn(Turn::Roll { seat }) => roll(chance, state, seat),
        Phase::Turn(Turn::Move { seat, dice, .. }) => {
            let legal = LegalMoves::new(game.board.position(seat), dice);
            let chosen = legal.iter().nth(chance.below(legal.len().max(1) as u64) as usize);
            // A roll without a legal move is never waited for.
            let chosen = chosen.expect("there is a legal move");
            Command::Move { seat, written: Written::from(&chosen.mv) }
        }
        Phase::DoubleOffered(double) => {
            let seat = double.offered_by().opponent();
            let answers = [
                Command::AcceptDouble { seat },
                Command::Beaver { seat },
                Command::DeclineDouble { seat },
                Command::ClaimTimeout { seat: seat.opponent() },
            ];
            answers[chance.below(4) as usize].clone()
        }
        Phase::ResignationOffered(resignation) => {
            let seat = resignation.offered_by.opponent();
            if chance.one_in(2) {
                Command::AcceptResignation { seat }
            } else {
                Command::DeclineResignation { seat }
            }
        }
        Phase::Over(_) => Command::ClaimTimeout { seat },
    };
    let by = command.seat_action().map(|(seat, _)| seat);
    (backend(by), command)
}

fn roll(chance: &mut Chance, state: &Match, seat: Seat) -> Command {
    let mut die = || chance.below(6) as u8 + 1;
    let dice = Dice::new(die(), die());
    Command::Roll { seat, dice: dice.filter(|_| state.terms().dice == DiceSource::External) }
}

/// The lines of a golden match.
pub(crate) fn log_of(number: u64) -> Vec<String> {
    let mut chance = Chance(number);
    let uid = super::uid(number);
    let cups = Cups::new(DiceKeys::single(DiceKey::new("golden", [0x11; 32]).unwrap()), 4);
    let terms = any_terms(&mut chance);
    let mut now = 1_767_225_600_000 + number as i64 * 1_000_000;
    let cup = cups.cup(terms.dice, uid, None, None).unwrap();
    let mut decision = chaquete_rules::create(terms.clone(), cup.as_deref(), now);
    let mut actor = Actor { kind: ActorKind::Backend, seat: None, subject: String::new() };
    let mut state = Match::new(terms);
    let mut seam = Seam { revision: 0, hash: log::initial_hash(&uid), game: 0, rules: RULES_VERSION };
    let mut lines = Vec::new();
    for call in 0..COMMANDS {
        let by_server = actor.kind == ActorKind::Server;
        let id = Uuid::from_u128(u128::from(number) << 64 | u128::from(call) | 0x4000_8000_0000_0000_0000);
        let request = (!by_server).then_some(Request { id, digest: [call as u8; 32] });
        let sealed = log::seal(&seam, &Stamp { actor, request, time: now }, &decision);
        for event in decision.events.iter().skip(usize::from(call == 0)) {
            chaquete_rules::evolve(&mut state, event, now).unwrap();
        }
        let last = sealed.last().unwrap();
        let game = state.game().map_or(0, |game| game.number);
        seam = Seam { revision: last.revision, hash: last.hash, game, rules: seam.rules };
        lines.extend(sealed.into_iter().map(|event| String::from_utf8(event.bytes).unwrap()));
        if state.result().is_some() {
            break;
        }
        (actor, decision) = loop {
            now += chance.below(9_000) as i64;
            let (by, command) = any_command(&mut chance, &state, now);
            let cup = cups.cup(state.terms().dice, uid, None, state.commitment()).unwrap();
            if let Ok(decision) = chaquete_rules::decide(&state, &command, cup.as_deref(), now) {
                break (by, decision);
            }
        };
    }
    lines
}
