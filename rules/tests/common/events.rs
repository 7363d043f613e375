//! Matches of random play, as the events that make them.

use chaquete_rules::{
    Action, BySeat, Command, Dice, DiceSource, Event, LegalMoves, Match, MatchPoints, MatchRules, Moment,
    Seat, Terms, Written, create, decide, evolve,
};

use super::random::Random;

/// A match to five points in which all is done at random, with doubles and their answers: its terms, and
/// its events after the first, which are a second apart.
pub(crate) fn match_of_random_play(seed: u64) -> (Terms, Vec<Event>) {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    let rules = MatchRules::points(MatchPoints::new(5).unwrap());
    let terms = Terms::new(players, rules, DiceSource::External);
    let mut random = Random(seed);
    let mut state = Match::new(terms.clone());
    let mut events: Vec<Event> = create(terms.clone(), None, 0).events.split_off(1);
    let mut folded = 0;
    loop {
        for event in &events[folded..] {
            evolve(&mut state, event, 1000 * folded as Moment).unwrap();
            folded += 1;
        }
        if state.result().is_some() {
            return (terms, events);
        }
        let command = next(&state, &mut random);
        events.extend(decide(&state, &command, None, 1000 * folded as Moment).unwrap().events);
    }
}

/// Something that a seat can do, anything but resigning.
fn next(state: &Match, random: &mut Random) -> Command {
    let can: Vec<_> = Seat::BOTH
        .into_iter()
        .flat_map(|seat| state.actions(seat, 0).into_iter().map(move |action| (seat, action)))
        .filter(|&(_, action)| action != Action::OfferResignation)
        .collect();
    let (seat, action) = can[random.below(can.len())];
    match action {
        Action::SubmitMove => Command::Move { seat, written: any_move(state, seat, random) },
        Action::OfferDouble if random.below(4) == 0 => Command::Double { seat },
        Action::AcceptDouble => Command::AcceptDouble { seat },
        Action::DeclineDouble => Command::DeclineDouble { seat },
        _ => Command::Roll { seat, dice: Dice::all().nth(random.below(36)) },
    }
}

fn any_move(state: &Match, seat: Seat, random: &mut Random) -> Written {
    let game = state.game().unwrap();
    let legal = LegalMoves::new(game.board.position(seat), game.dice().unwrap());
    let chosen = legal.iter().nth(random.below(legal.len())).unwrap().mv;
    Written::from(&chosen)
}
