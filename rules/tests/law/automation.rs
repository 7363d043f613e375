//! What the server does without being asked, each thing as an event of its own.

use chaquete_rules::{
    Automation, Command, Contributions, Contributor, Decision, Dice, DiceCommitment, DiceCup, DiceSource,
    Event, MAX_AUTOMATIC, Match, MatchRules, Roll, Terms, create, decide,
};

use crate::kit::{One, Two, board, fold, from_board, money, play, points, terms};

/// The same roll for ever, after an opening roll.
struct Always {
    opening: (u8, u8),
    then: (u8, u8),
}

impl DiceCup for Always {
    fn commit(&self, _: u32, _: &Contributions) -> Option<DiceCommitment> {
        None
    }

    fn opens(&self, _: Contributor, _: &[u8; 32], _: &[u8; 32]) -> bool {
        false
    }

    fn roll(&self, _epoch: u32, index: u32, _: &Contributions) -> Roll {
        let (first, second) = if index == 1 { self.opening } else { self.then };
        Roll { dice: Dice::new(first, second).unwrap(), link: None }
    }
}

fn begin(rules: MatchRules, automation: Automation, cup: &Always) -> (Match, Decision) {
    let terms = Terms { dice: DiceSource::Seeded, automation, ..terms(rules) };
    let decision = create(terms.clone(), Some(cup), 0);
    (fold(Match::new(terms), &decision.events[1..], 0), decision)
}

#[test]
fn the_dice_are_rolled_when_the_cube_is_not_available() {
    let automation = Automation { roll_when_cube_unavailable: true, ..Automation::NONE };
    let cup = Always { opening: (3, 1), then: (6, 5) };
    // In a match to one point the cube is dead.
    let (state, _) = begin(points(1), automation, &cup);
    let decision = decide(&state, &play(One, "8/5 6/5"), Some(&cup), 0).unwrap();
    assert_eq!(decision.asked, 1, "the roll was not asked for");
    assert!(matches!(decision.events[1], Event::DiceRolled { seat: Some(Two), .. }));
    // Where seat two could double it is asked first.
    let (state, _) = begin(points(5), automation, &cup);
    let decision = decide(&state, &play(One, "8/5 6/5"), Some(&cup), 0).unwrap();
    assert_eq!((decision.asked, decision.events.len()), (1, 1));
}

#[test]
fn nobody_rolls_external_dice_by_itself() {
    let automation = Automation { roll_when_cube_unavailable: true, ..Automation::NONE };
    let terms = Terms { automation, ..terms(points(1)) };
    let game = crate::kit::given_terms(terms).opened();
    assert_eq!(game.state.game().unwrap().phase_kind(), chaquete_rules::PhaseKind::Roll);
}

#[test]
fn a_forced_move_is_played_and_an_open_choice_is_not() {
    let automation = Automation { play_forced_moves: true, ..Automation::NONE };
    let cup = Always { opening: (6, 5), then: (2, 1) };
    // 6-5 can only be played 24/13; 2-1 in several ways.
    let only_one = board(&[(24, 1), (3, 14)], &[(24, 1), (3, 14)]);
    let (state, decision) = begin(from_board(points(5), only_one), automation, &cup);
    assert!(matches!(decision.events[decision.asked..], [Event::MoveMade { seat: One, .. }]), "{decision:?}");
    let rolled = decide(&state, &Command::Roll { seat: Two, dice: None }, Some(&cup), 0).unwrap();
    assert_eq!((rolled.asked, rolled.events.len()), (1, 1));
    let (_, started) = begin(points(5), automation, &cup);
    assert_eq!(started.asked, started.events.len(), "the opening 6-5 has a choice");
}

#[test]
fn a_race_is_borne_off_greedily() {
    let automation = Automation { bear_off_greedily: true, ..Automation::NONE };
    let cup = Always { opening: (6, 5), then: (6, 5) };
    let home = board(&[(6, 2), (5, 2), (1, 2)], &[(6, 2), (5, 2), (1, 2)]);
    let (state, decision) = begin(from_board(points(5), home), automation, &cup);
    let Event::MoveMade { mv, .. } = decision.events[decision.asked] else { panic!("{decision:?}") };
    assert_eq!(mv.to_string(), "6/off 5/off");
    assert_eq!(state.game().unwrap().board.side(One).off(), 11);
}

#[test]
fn with_an_enemy_checker_to_meet_nothing_is_borne_off_by_itself() {
    let automation = Automation { bear_off_greedily: true, ..Automation::NONE };
    let cup = Always { opening: (6, 5), then: (6, 5) };
    for two in [&[(25, 1), (6, 2)], &[(22, 1), (6, 2)]] {
        let contact = board(&[(6, 2), (5, 2), (1, 2)], two);
        let (_, decision) = begin(from_board(points(5), contact), automation, &cup);
        assert_eq!(decision.asked, decision.events.len());
    }
}

#[test]
fn a_session_that_would_play_itself_for_ever_is_stopped() {
    let automation =
        Automation { roll_when_cube_unavailable: true, play_forced_moves: true, bear_off_greedily: true };
    let cup = Always { opening: (6, 5), then: (6, 5) };
    let last_checker = from_board(money(|_| {}), board(&[(1, 1)], &[(1, 1)]));
    let (_, decision) = begin(last_checker, automation, &cup);
    let automatic = decision.events.len() - decision.asked;
    assert!((MAX_AUTOMATIC..MAX_AUTOMATIC + 10).contains(&automatic), "{automatic}");
}
