//! Who may do what when (P1 to P11), and the traps others fell into.

use chaquete_rules::{
    Action, BySeat, ClockMode, Command, Contributions, Contributor, CubeViolation, Dice, DiceCommitment,
    DiceCup, DiceSource, Event, Match, MatchRules, PhaseKind, ROLLS_PER_EPOCH, Refusal, Roll, Seat, Terms,
    TimeControl, TimeLimit, TimeoutPolicy, WinKind, create, decide,
};

use crate::kit::{
    One, Play, Two, board, fold, from_board, given, given_terms, money, play, points, roll, terms,
};

fn wrong_phase(action: Action, phase: PhaseKind) -> Refusal {
    Refusal::WrongPhase { action, phase }
}

/// Every command, for a seat.
fn commands(seat: Seat) -> Vec<Command> {
    let mut commands = vec![
        roll(seat, 6, 1),
        play(seat, "13/7 8/7"),
        Command::Double { seat },
        Command::AcceptDouble { seat },
        Command::DeclineDouble { seat },
        Command::Beaver { seat },
        Command::AcceptResignation { seat },
        Command::DeclineResignation { seat },
    ];
    commands.extend(
        [WinKind::Single, WinKind::Gammon, WinKind::Backgammon]
            .map(|kind| Command::OfferResignation { seat, kind }),
    );
    commands
}

fn accepted(game: &Play, seat: Seat) -> Vec<Action> {
    let mut actions: Vec<_> = commands(seat)
        .iter()
        .filter(|command| game.when(command).is_ok())
        .filter_map(|command| command.seat_action())
        .map(|(_, action)| action)
        .collect();
    actions.dedup();
    actions
}

#[test]
fn p01_while_a_double_is_pending_only_its_answer_is_possible() {
    let pending = given(points(5)).opened().double(Two);
    assert_eq!(accepted(&pending, Two), []);
    assert_eq!(accepted(&pending, One), [Action::AcceptDouble, Action::DeclineDouble]);
    let phase = PhaseKind::DoubleOffered;
    pending
        .refused(&roll(Two, 6, 1), wrong_phase(Action::RollDice, phase))
        .refused(&Command::Double { seat: Two }, wrong_phase(Action::OfferDouble, phase))
        .refused(&play(Two, "13/7"), wrong_phase(Action::SubmitMove, phase))
        .refused(
            &Command::OfferResignation { seat: One, kind: WinKind::Single },
            wrong_phase(Action::OfferResignation, phase),
        );
}

#[test]
fn p02_a_double_after_the_roll_by_the_non_owner_and_on_the_opening_turn_have_three_reasons() {
    let refused = |game: &Play, seat| game.when(&Command::Double { seat }).unwrap_err();
    let opening = given(points(5)).roll(One, 3, 1);
    let rolled = given(points(5)).opened().roll(Two, 2, 1);
    let taken = given(points(5)).opened().double(Two).take(One).roll(Two, 2, 1).play(Two, "13/10");
    let not_owned = taken.roll(One, 2, 1).play(One, "13/10");
    let reasons = [refused(&opening, One), refused(&rolled, Two), refused(&not_owned, Two)];
    let expected = [CubeViolation::OpeningTurn, CubeViolation::AlreadyRolled, CubeViolation::NotOwner];
    assert_eq!(reasons, expected.map(Refusal::CubeNotAvailable));
}

#[test]
fn p03_nobody_answers_the_own_double() {
    let pending = given(points(5)).opened().double(Two);
    let mine = Refusal::NotYourTurn { seat: Two, seat_to_act: One };
    pending
        .refused(&Command::AcceptDouble { seat: Two }, mine)
        .refused(&Command::DeclineDouble { seat: Two }, mine);
}

#[test]
fn p05_a_declined_resignation_leaves_the_game_where_it_was() {
    for before in [given(points(5)), given(points(5)).opened(), given(points(5)).opened().roll(Two, 2, 1)] {
        let declined = before.clone().resign(One, WinKind::Gammon).decline_resignation(Two);
        let mut game = declined.state.game().unwrap().clone();
        game.declined = BySeat::default();
        assert_eq!(Some(&game), before.state.game());
    }
}

#[test]
fn p05_while_a_resignation_is_pending_only_its_answer_is_possible() {
    let pending = given(points(5)).opened().resign(Two, WinKind::Single);
    assert_eq!(accepted(&pending, Two), []);
    assert_eq!(accepted(&pending, One), [Action::AcceptResignation, Action::DeclineResignation]);
}

#[test]
fn p05_after_a_refusal_only_a_larger_resignation_may_be_offered_in_that_turn() {
    let offer = |kind| Command::OfferResignation { seat: One, kind };
    let declined = given(points(5)).opened().resign(One, WinKind::Gammon).decline_resignation(Two);
    let too_small = |kind| Refusal::ResignationNotAvailable { kind, declined: WinKind::Gammon };
    let declined = declined
        .refused(&offer(WinKind::Single), too_small(WinKind::Single))
        .refused(&offer(WinKind::Gammon), too_small(WinKind::Gammon));
    let all = declined.clone().resign(One, WinKind::Backgammon).decline_resignation(Two);
    assert!(!all.state.actions(One, 0).contains(&Action::OfferResignation));
    // The other seat has not been refused anything, and the next turn is another position.
    declined.clone().resign(Two, WinKind::Single);
    declined.roll(Two, 2, 1).play(Two, "13/10").resign(One, WinKind::Single);
}

#[test]
fn p07_an_opening_4_4_is_rolled_again_and_leaves_the_cube_alone() {
    let again = given(points(5)).roll(One, 4, 4);
    assert_eq!(again.cube(), (1, None));
    assert_eq!(again.state.game().unwrap().phase_kind(), PhaseKind::OpeningRoll);
    // With automatic doubles the cube goes to 2 and stays in the middle.
    assert_eq!(given(money(|money| money.max_automatic_doubles = 1)).roll(One, 4, 4).cube(), (2, None));
}

#[test]
fn p07_automatic_doubles_stop_at_the_limit_of_the_cube() {
    let mut rules = money(|money| money.max_automatic_doubles = 5);
    rules.max_cube = chaquete_rules::CubeValue::new(2).unwrap();
    assert_eq!(given(rules).roll(One, 4, 4).roll(One, 5, 5).cube(), (2, None));
}

#[test]
fn p08_the_seat_with_the_5_plays_an_opening_5_2_without_a_double_before() {
    let game = given(points(5)).roll(One, 2, 5);
    assert_eq!(game.state.game().unwrap().seat_to_act(), Some(Two));
    game.refused(&Command::Double { seat: Two }, Refusal::CubeNotAvailable(CubeViolation::OpeningTurn))
        .play(Two, "13/8 13/11");
}

#[test]
fn p08_before_the_opening_roll_nobody_is_on_roll() {
    let phase = PhaseKind::OpeningRoll;
    given(points(5))
        .refused(&Command::Double { seat: One }, wrong_phase(Action::OfferDouble, phase))
        .refused(&play(One, "8/5 6/5"), wrong_phase(Action::SubmitMove, phase));
}

#[test]
fn p11_reading_changes_nothing() {
    let game = given(points(5)).opened();
    let before = game.state.clone();
    for seat in Seat::BOTH {
        assert!(!game.state.actions(seat, 0).is_empty());
        for command in commands(seat) {
            let _unused = game.when(&command);
        }
    }
    assert_eq!(game.state, before);
}

#[test]
fn one_cannot_roll_twice_nor_play_twice_nor_out_of_turn() {
    let rolled = given(points(5)).opened().roll(Two, 6, 4);
    let not_yours = Refusal::NotYourTurn { seat: One, seat_to_act: Two };
    let rolled = rolled
        .refused(&roll(Two, 6, 4), wrong_phase(Action::RollDice, PhaseKind::Move))
        .refused(&play(One, "24/14"), not_yours);
    rolled
        .play(Two, "24/14")
        .refused(&play(Two, "24/14"), wrong_phase(Action::SubmitMove, PhaseKind::Roll))
        .refused(&roll(Two, 1, 1), Refusal::NotYourTurn { seat: Two, seat_to_act: One });
}

#[test]
fn external_dice_come_with_every_roll() {
    let without = Command::Roll { seat: One, dice: None };
    given(points(5)).refused(&without, Refusal::DiceNotAccepted);
}

#[test]
fn a_cancelled_match_has_no_result_and_takes_no_further_action() {
    let game = given(points(5)).opened().then(&Command::Cancel { reason: "power cut".to_owned() });
    let result = game.state.result().unwrap();
    assert_eq!((result.winner, game.score()), (None, (0, 0)));
    assert_eq!(Seat::BOTH.map(|seat| game.state.actions(seat, 0)), [vec![], vec![]]);
    game.refused(&roll(Two, 1, 2), Refusal::MatchNotActive)
        .refused(&Command::Cancel { reason: "again".to_owned() }, Refusal::MatchNotActive);
}

#[test]
fn what_is_beside_the_log_may_change_at_any_time_and_changes_nothing_of_the_match() {
    let time = Some(TimeControl {
        limit: TimeLimit::Clock { reserve: 60_000, mode: ClockMode::Bronstein, per_turn: 1_000 },
        policy: TimeoutPolicy::Claim,
    });
    let created = given_terms(Terms { time, ready_check: true, ..terms(points(5)) });
    let ready =
        created.clone().then(&Command::MarkReady { seat: One }).then(&Command::MarkReady { seat: Two });
    let rolled = ready.clone().after(10).opened().after(10).roll(Two, 6, 4);
    let late = rolled.clone().after(1_000_000);
    let paused = rolled.clone().after(10).then(&Command::Pause { reason: "tea".to_owned() });
    let ended = rolled.clone().then(&Command::Cancel { reason: "power cut".to_owned() });
    for before in [created, ready, rolled, late, paused, ended] {
        let before = before.after(500);
        let after = before.clone().then(&Command::Update);
        assert_eq!((after.events.last(), &after.state), (Some(&Event::MatchUpdated), &before.state));
    }
}

#[test]
fn a_player_closed_out_may_still_double() {
    let closed_out = board(&[(25, 1), (6, 14)], &[(6, 3), (5, 3), (4, 3), (3, 2), (2, 2), (1, 2)]);
    let game = given(from_board(points(5), closed_out)).roll(Two, 6, 5);
    assert_eq!(game.state.game().unwrap().seat_to_act(), Some(Two));
    game.roll(Two, 6, 5).play(Two, "6/off 5/off").double(One).take(Two).roll(One, 1, 2);
}

/// Dice that fall as written down beforehand, as committed dice do.
struct Written(&'static [(u8, u8)]);

impl DiceCup for Written {
    fn commit(&self, epoch: u32, _: &Contributions) -> Option<DiceCommitment> {
        Some(DiceCommitment {
            key_id: "k".to_owned(),
            epoch,
            anchor: [epoch as u8; 32],
            commitments: [[0; 32]; 3],
        })
    }

    fn opens(&self, _: Contributor, _: &[u8; 32], _: &[u8; 32]) -> bool {
        false
    }

    fn roll(&self, _epoch: u32, index: u32, _: &Contributions) -> Roll {
        let (first, second) = self.0[(index as usize - 1) % self.0.len()];
        Roll { dice: Dice::new(first, second).unwrap(), link: Some([index as u8; 32]) }
    }
}

fn own_dice(rules: MatchRules) -> Terms {
    Terms { dice: DiceSource::COMMITTED, ..terms(rules) }
}

fn created(terms: Terms, cup: &Written) -> Match {
    fold(Match::new(terms.clone()), &create(terms, Some(cup), 0).events[1..], 0)
}

fn decided(state: &Match, command: &Command, cup: &Written) -> Vec<Event> {
    decide(state, command, Some(cup), 0).unwrap().events
}

#[test]
fn with_dice_of_the_server_a_game_opens_by_itself_and_rolls_are_numbered_without_gaps() {
    let cup = Written(&[(3, 3), (2, 2), (1, 4), (6, 5)]);
    let state = created(own_dice(points(5)), &cup);
    let game = state.game().unwrap();
    assert_eq!((game.seat_to_act(), game.dice(), state.rolls()), (Some(Two), Dice::new(1, 4), 3));
    let state = fold(state.clone(), &decided(&state, &play(Two, "24/23 13/9"), &cup), 0);
    let rolled = decided(&state, &Command::Roll { seat: One, dice: None }, &cup);
    assert!(matches!(rolled[0], Event::DiceRolled { index: 4, roll: Roll { link: Some(_), .. }, .. }));
    let dice_of_ones_own = decide(&state, &roll(One, 6, 6), Some(&cup), 0);
    assert_eq!(dice_of_ones_own, Err(Refusal::DiceNotAccepted));
}

#[test]
fn a_new_epoch_is_committed_to_before_its_first_roll() {
    let cup = Written(&[(4, 1)]);
    let mut state = created(own_dice(money(|_| {})), &cup);
    // Every game that is resigned opens the next one with one roll.
    for _ in 1..ROLLS_PER_EPOCH {
        state = next_game(&state, &cup).0;
    }
    assert_eq!((state.rolls(), state.commitment().unwrap().epoch), (ROLLS_PER_EPOCH, 0));
    let (state, events) = next_game(&state, &cup);
    let committed = events.iter().position(|event| matches!(event, Event::DiceCommitted(_))).unwrap();
    assert!(matches!(events[committed + 1], Event::DiceRolled { index: 1, .. }));
    assert_eq!((state.rolls(), state.commitment().unwrap().epoch), (1, 1));
}

fn next_game(state: &Match, cup: &Written) -> (Match, Vec<Event>) {
    let resign = Command::OfferResignation { seat: One, kind: WinKind::Single };
    let offered = fold(state.clone(), &decided(state, &resign, cup), 0);
    let events = decided(&offered, &Command::AcceptResignation { seat: Two }, cup);
    (fold(offered, &events, 0), events)
}
