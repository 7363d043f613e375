//! Random games, written as the tersest server writes them, are followed to the same end.

use chaquete_record::{GameTranscript, Transcript, mat};
use chaquete_rules::{Dice, GameEndReason, LegalMove, LegalMoves, Position, Seat, Variant, Win, WinKind};
use proptest::prelude::*;

use crate::random::Random;

/// A game played at random, and its file.
struct Played {
    moves: Vec<String>,
    text: String,
    winner: Seat,
    kind: WinKind,
    omitted: usize,
}

/// The move that bears off most, if no other bears off as much.
fn greedy(legal: &LegalMoves) -> Option<LegalMove> {
    let off = |legal: &LegalMove| legal.after.mover().off();
    let most = legal.iter().map(|legal| off(&legal)).max()?;
    let mut best = legal.iter().filter(|legal| off(legal) == most && most > legal_off(legal));
    best.next().filter(|_| best.next().is_none())
}

/// Checkers that were off before the move.
fn legal_off(legal: &LegalMove) -> u8 {
    let borne_off = legal.mv.steps().iter().filter(|step| step.target().number() == 0).count();
    legal.after.mover().off() - borne_off as u8
}

/// Plays a game of Hypergammon: seat one opens with 3-1; moves that need not be written are left out.
fn play(mut random: impl FnMut() -> usize) -> Played {
    let mut position: Position = Variant::Hypergammon.start().position(Seat::One);
    let (mut seat, mut dice) = (Seat::One, Dice::new(3, 1).unwrap());
    let mut text = "; [Variation \"HyperGammon\"]\n0 point match\n Game 1\n A : 0    B : 0\n".to_owned();
    let (mut moves, mut omitted) = (Vec::new(), 0);
    loop {
        let legal = LegalMoves::new(position, dice);
        let gap = if seat == Seat::One { "" } else { "                              " };
        let mut written = String::new();
        if !legal.is_empty() {
            let choice = legal.iter().nth(random() % legal.len()).unwrap();
            let needless = legal.len() == 1 || greedy(&legal).is_some_and(|best| best.after == choice.after);
            omitted += usize::from(needless && legal.len() > 1);
            written = if needless { String::new() } else { choice.mv.to_string() };
            moves.push(choice.mv.to_string());
            position = choice.after;
        }
        text += &format!("  1) {gap}{}{}: {written}\n", dice.first, dice.second);
        if position.mover().is_finished() {
            let kind = WinKind::of_finished(&position.turned());
            text += &format!("  2) {gap}Wins {} points\n", kind.multiplier());
            return Played { moves, text, winner: seat, kind, omitted };
        }
        (position, seat) = (position.turned(), seat.opponent());
        dice = Dice::all().nth(random() % 36).unwrap();
    }
}

/// The moves in their canonical notation: the order of steps does not matter.
fn moves(game: &GameTranscript) -> Vec<String> {
    game.acts.iter().filter_map(|act| act.played).map(|mv| mv.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn moves_left_out_are_found_again(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let game = play(|| random.below(usize::MAX));
        let transcript = Transcript::of(&mat::read(game.text.as_bytes()).unwrap());
        let followed = &transcript.games[0];
        prop_assert_eq!(&followed.halt, &None, "{}", game.text);
        prop_assert_eq!(moves(followed), game.moves, "{}", game.text);
        let result = followed.result.unwrap();
        prop_assert_eq!(result.reason, GameEndReason::BorneOff);
        prop_assert_eq!(result.win, Some(Win { seat: game.winner, kind: game.kind }));
        let found = transcript.oddities.iter().filter(|oddity| oddity.kind.code() == "BEAR_OFF_OMITTED").count();
        prop_assert_eq!(found, game.omitted);
    }
}
