//! Random play under random rules: what a seat is told it can do is exactly what is accepted.

use std::num::NonZeroU32;

use chaquete_rules::{
    Action, Automation, ClockMode, Command, Contribution, Contributor, CubeValue, Event, LegalMoves, Length,
    MatchRules, Millis, OpeningRule, Seat, Terms, TimeControl, TimeLimit, TimeoutPolicy, Variant, WinKind,
    Written,
};

use crate::common::random::Random;
use crate::kit::{Play, given_terms, money, play, points, roll, terms};

const MATCHES: u64 = 400;
const COMMANDS: u32 = 600;

impl Random {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn any_rules(random: &mut Random) -> MatchRules {
    let length = if random.flip() {
        let mut length = points(random.below(7) as u8 + 1).length;
        if let Length::Points { crawford, .. } = &mut length {
            *crawford = random.flip();
        }
        length
    } else {
        money(|money| {
            money.max_games = NonZeroU32::new(random.below(4) as u32);
            money.jacoby = random.flip();
            money.max_beavers = random.below(4) as u32;
            money.max_automatic_doubles = random.below(3) as u32;
        })
        .length
    };
    MatchRules {
        length,
        variant: random.pick(&Variant::ALL),
        max_cube: CubeValue::from_log2(random.below(7) as u32).unwrap(),
        opening: random.pick(&[OpeningRule::Standard, OpeningRule::SeatOne, OpeningRule::SeatTwo]),
        initial: None,
    }
}

fn any_time(random: &mut Random) -> Option<TimeControl> {
    let per_turn = random.below(15_000) as Millis;
    let mode = random.pick(&[ClockMode::SimpleDelay, ClockMode::Bronstein, ClockMode::Fischer]);
    let limit = random.pick(&[
        TimeLimit::Clock { reserve: 600_000, mode, per_turn },
        TimeLimit::Action { limit: per_turn + 1_000 },
    ]);
    let policies = [TimeoutPolicy::ForfeitMatch, TimeoutPolicy::ForfeitGame, TimeoutPolicy::Claim];
    random.flip().then(|| TimeControl { limit, policy: random.pick(&policies) })
}

fn any_terms(random: &mut Random) -> Terms {
    let automation = Automation {
        roll_when_cube_unavailable: random.flip(),
        play_forced_moves: random.flip(),
        bear_off_greedily: random.flip(),
    };
    let rules = any_rules(random);
    Terms { time: any_time(random), automation, ready_check: random.flip(), ..terms(rules) }
}

fn any_legal_move(game: &Play, seat: Seat, random: &mut Random) -> Option<Written> {
    let running = game.state.game()?;
    let legal = LegalMoves::new(running.board.position(seat), running.dice()?);
    let nth = random.below(legal.len().max(1));
    Some(Written::from(&legal.iter().nth(nth)?.mv))
}

/// Every command that could stand for an action, one of them sensible if there is one.
fn attempts(game: &Play, seat: Seat, action: Action, random: &mut Random) -> Vec<Command> {
    match action {
        Action::RollDice => vec![roll(seat, random.below(6) as u8 + 1, random.below(6) as u8 + 1)],
        Action::SubmitMove => match any_legal_move(game, seat, random) {
            Some(written) => vec![Command::Move { seat, written }],
            None => vec![play(seat, "13/7")],
        },
        Action::OfferDouble => vec![Command::Double { seat }],
        Action::AcceptDouble => vec![Command::AcceptDouble { seat }],
        Action::DeclineDouble => vec![Command::DeclineDouble { seat }],
        Action::BeaverDouble => vec![Command::Beaver { seat }],
        Action::OfferResignation => [WinKind::Single, WinKind::Gammon, WinKind::Backgammon]
            .map(|kind| Command::OfferResignation { seat, kind })
            .to_vec(),
        Action::AcceptResignation => vec![Command::AcceptResignation { seat }],
        Action::DeclineResignation => vec![Command::DeclineResignation { seat }],
        Action::MarkReady => vec![Command::MarkReady { seat }],
        Action::ClaimTimeout => vec![Command::ClaimTimeout { seat }],
        Action::ContributeEntropy => {
            let (by, bytes) = (Contributor::of(Some(seat)), [1; 32]);
            [Contribution::Commitment(bytes), Contribution::Opening(bytes)]
                .map(|contribution| Command::Contribute { by, contribution })
                .to_vec()
        }
    }
}

/// One match under random rules, by random commands.
fn random_match(seed: u64) -> Play {
    let mut random = Random(seed);
    let mut game = given_terms(any_terms(&mut random));
    for _ in 0..COMMANDS {
        let mut accepted = Vec::new();
        for seat in Seat::BOTH {
            for action in Action::ALL {
                let attempts = attempts(&game, seat, action, &mut random);
                let working: Vec<_> =
                    attempts.into_iter().filter(|command| game.when(command).is_ok()).collect();
                let told = game.state.actions(seat, game.now).contains(&action);
                assert_eq!(
                    told,
                    !working.is_empty(),
                    "seed {seed}: {seat:?} {action} in {:?}",
                    game.state.game()
                );
                accepted.extend(working);
            }
        }
        if game.state.result().is_some() {
            assert!(accepted.is_empty(), "seed {seed}: a match that has ended takes no action");
            break;
        }
        if let Some(late) = game.state.overdue(game.now) {
            let claims = [Action::ClaimTimeout];
            assert_eq!(
                game.state.actions(late.opponent(), game.now),
                claims,
                "seed {seed}: nothing else is left"
            );
            game = game.then(&Command::Expire);
            continue;
        }
        assert!(!accepted.is_empty(), "seed {seed}: a dead end");
        // Resigning ends games quickly, so it is made rarer than play.
        let resigns = |command: &Command| matches!(command, Command::OfferResignation { .. });
        if accepted.iter().any(|command| !resigns(command)) && random.below(40) > 0 {
            accepted.retain(|command| !resigns(command));
        }
        let before = game.score();
        let command = accepted.swap_remove(random.below(accepted.len()));
        game = game.then(&command).after(random.below(3_000) as Millis);
        assert!(game.score().0 >= before.0 && game.score().1 >= before.1, "seed {seed}: a score fell");
    }
    game
}

#[test]
fn what_a_seat_is_told_it_can_do_is_exactly_what_is_accepted() {
    let mut ended = 0;
    for seed in 0..MATCHES {
        let game = random_match(seed);
        ended += u64::from(game.state.result().is_some());
        assert_limits_hold(&game, seed);
    }
    assert!(ended > MATCHES / 4, "only {ended} matches came to an end");
}

/// The cube stays within its limit, and there is one Crawford game at most.
fn assert_limits_hold(game: &Play, seed: u64) {
    let limit = game.state.terms().rules.max_cube;
    assert!(game.state.games().iter().all(|result| result.cube <= limit), "seed {seed}");
    let crawford =
        game.events.iter().filter(|event| matches!(event, Event::GameStarted { crawford: true, .. }));
    assert!(crawford.count() <= 1, "seed {seed}");
}
