//! Clocks, deadlines, pauses, and what running out of time costs.

use chaquete_rules::{
    Action, ClockMode, Command, Event, GameEndReason, MatchEndReason, MatchRules, Millis, Refusal, Seat,
    Terms, TimeControl, TimeLimit, TimeoutPolicy, WinKind,
};

use crate::kit::{One, Play, Two, given_terms, money, points, roll, terms};

const SECOND: Millis = 1_000;
const MINUTE: Millis = 60 * SECOND;

fn clock(mode: ClockMode) -> TimeLimit {
    TimeLimit::Clock { reserve: 2 * MINUTE, mode, per_turn: 12 * SECOND }
}

fn timed(rules: MatchRules, limit: TimeLimit, policy: TimeoutPolicy) -> Play {
    given_terms(Terms { time: Some(TimeControl { limit, policy }), ..terms(rules) })
}

fn with(mode: ClockMode) -> Play {
    timed(points(5), clock(mode), TimeoutPolicy::ForfeitMatch)
}

fn reserve(game: &Play, seat: Seat) -> Millis {
    game.state.clocks().unwrap().reserve(seat)
}

fn flag(game: &Play) -> Option<(Seat, Millis)> {
    game.state.clocks().unwrap().flag()
}

#[test]
fn nobodys_time_runs_before_the_opening_roll_of_external_dice() {
    let game = with(ClockMode::SimpleDelay).after(10 * MINUTE);
    assert_eq!(flag(&game), None);
    assert_eq!(flag(&game.roll(One, 3, 1)), Some((One, 12 * MINUTE + 12 * SECOND)));
}

#[test]
fn with_a_simple_delay_the_reserve_runs_only_after_it() {
    let game = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(10 * SECOND).play(One, "8/5 6/5");
    assert_eq!(reserve(&game, One), 2 * MINUTE);
    let game = game.after(13 * SECOND).roll(Two, 2, 1);
    let game = game.after(4 * SECOND).play(Two, "13/10");
    assert_eq!(reserve(&game, Two), 2 * MINUTE - 5 * SECOND, "roll and move share the delay of one turn");
}

#[test]
fn bronstein_gives_back_what_was_used_but_only_after_acting() {
    let game = with(ClockMode::Bronstein).roll(One, 3, 1);
    assert_eq!(flag(&game), Some((One, 2 * MINUTE)), "the reserve runs at once");
    let game = game.after(20 * SECOND).play(One, "8/5 6/5");
    assert_eq!(reserve(&game, One), 2 * MINUTE - 8 * SECOND);
    let game = game.after(5 * SECOND).roll(Two, 2, 1).play(Two, "13/10");
    assert_eq!(reserve(&game, Two), 2 * MINUTE, "never more than before");
}

#[test]
fn fischer_adds_before_each_turn() {
    let game = with(ClockMode::Fischer).roll(One, 3, 1);
    assert_eq!(reserve(&game, One), 2 * MINUTE + 12 * SECOND);
    let game = game.after(5 * SECOND).play(One, "8/5 6/5");
    assert_eq!(reserve(&game, One), 2 * MINUTE + 7 * SECOND, "time saved is kept");
}

#[test]
fn answering_is_the_answerers_time_and_does_not_wind_the_doublers_clock_again() {
    let opened = with(ClockMode::SimpleDelay).roll(One, 3, 1).play(One, "8/5 6/5");
    let doubled = opened.after(10 * SECOND).double(Two);
    assert_eq!(flag(&doubled), Some((One, 10 * SECOND + 2 * MINUTE + 12 * SECOND)));
    let taken = doubled.after(15 * SECOND).take(One);
    assert_eq!(reserve(&taken, One), 2 * MINUTE - 3 * SECOND);
    // Seat two used 10 of its 12 seconds before it doubled.
    assert_eq!(flag(&taken), Some((Two, 25 * SECOND + 2 * SECOND + 2 * MINUTE)));
}

#[test]
fn a_fischer_increment_comes_once_a_turn_and_never_for_an_answer() {
    let opened = with(ClockMode::Fischer).roll(One, 3, 1).play(One, "8/5 6/5");
    let before = (reserve(&opened, One), reserve(&opened, Two));
    let taken = opened.double(Two).take(One);
    assert_eq!((reserve(&taken, One), reserve(&taken, Two)), before);
}

#[test]
fn a_declined_resignation_lets_the_same_clock_go_on() {
    let opened = with(ClockMode::SimpleDelay).roll(One, 3, 1).play(One, "8/5 6/5").after(9 * SECOND);
    let declined = opened.resign(Two, WinKind::Single).after(30 * SECOND).decline_resignation(One);
    assert_eq!(flag(&declined), Some((Two, 39 * SECOND + 3 * SECOND + 2 * MINUTE)));
}

#[test]
fn a_deadline_for_each_action_begins_anew_with_each_action() {
    let limit = TimeLimit::Action { limit: MINUTE };
    let game = timed(points(5), limit, TimeoutPolicy::ForfeitMatch).roll(One, 3, 1);
    assert_eq!(flag(&game), Some((One, MINUTE)));
    let game = game.after(50 * SECOND).play(One, "8/5 6/5");
    assert_eq!(flag(&game), Some((Two, 50 * SECOND + MINUTE)));
    let rolled = game.clone().after(50 * SECOND).roll(Two, 2, 1);
    assert_eq!(flag(&rolled), Some((Two, 100 * SECOND + MINUTE)), "rolling and moving are two actions");
    let taken = game.after(50 * SECOND).double(Two).take(One);
    assert_eq!(flag(&taken), Some((Two, 100 * SECOND + MINUTE)));
}

#[test]
fn offering_to_resign_does_not_put_a_deadline_off() {
    let limit = TimeLimit::Action { limit: MINUTE };
    let game = timed(points(5), limit, TimeoutPolicy::ForfeitMatch).roll(One, 3, 1).after(50 * SECOND);
    let declined = game.resign(One, WinKind::Single).after(20 * SECOND).decline_resignation(Two);
    assert_eq!(flag(&declined), Some((One, 80 * SECOND)), "ten seconds were left");
}

#[test]
fn whoever_runs_out_of_time_can_do_nothing_and_loses_the_match() {
    let late = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(2 * MINUTE + 12 * SECOND);
    assert_eq!(late.state.overdue(late.now), Some(One));
    let too_late = Refusal::TimeExpired { seat: One };
    let late = late
        .refused(&crate::kit::play(One, "8/5 6/5"), too_late)
        .refused(&Command::OfferResignation { seat: Two, kind: WinKind::Single }, too_late);
    assert_eq!(late.state.actions(One, late.now), []);
    assert_eq!(late.state.actions(Two, late.now), [Action::ClaimTimeout]);
    let ended = late.then(&Command::Expire);
    let result = ended.state.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(Two), MatchEndReason::Timeout));
    ended.refused(&Command::Expire, Refusal::MatchNotActive);
}

#[test]
fn a_moment_before_the_flag_falls_everything_is_in_time() {
    let game = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(2 * MINUTE + 12 * SECOND - 1);
    let flag = Some(2 * MINUTE + 12 * SECOND);
    game.refused(&Command::Expire, Refusal::TimeNotExpired { flag })
        .refused(&Command::ClaimTimeout { seat: Two }, Refusal::TimeNotExpired { flag })
        .refused(&Command::ClaimTimeout { seat: One }, Refusal::TimeNotExpired { flag: None })
        .play(One, "8/5 6/5");
}

#[test]
fn a_game_lost_on_time_costs_what_declining_would() {
    let game = timed(points(5), clock(ClockMode::Fischer), TimeoutPolicy::ForfeitGame);
    let doubled =
        game.roll(One, 3, 1).play(One, "8/5 6/5").double(Two).take(One).roll(Two, 2, 1).play(Two, "13/10");
    let redoubled = doubled.double(One).after(3 * MINUTE).then(&Command::Expire);
    let result = redoubled.state.games()[0];
    assert_eq!((result.reason, result.points), (GameEndReason::Timeout, 2), "the stake before the redouble");
    assert_eq!(redoubled.score(), (2, 0));
    assert!(redoubled.state.result().is_none());
}

#[test]
fn where_time_has_to_be_claimed_nothing_happens_until_it_is() {
    let game = timed(points(5), clock(ClockMode::SimpleDelay), TimeoutPolicy::Claim);
    let late = game.roll(One, 3, 1).after(5 * MINUTE);
    assert_eq!((late.state.overdue(late.now), late.state.deadline()), (None, None));
    late.clone().play(One, "8/5 6/5");
    let claimed = late.then(&Command::ClaimTimeout { seat: Two });
    assert_eq!(claimed.state.result().unwrap().winner, Some(Two));
}

#[test]
fn an_untimed_match_has_nothing_to_claim() {
    let game = given_terms(terms(points(5))).roll(One, 3, 1).after(1_000 * MINUTE);
    game.refused(&Command::ClaimTimeout { seat: Two }, Refusal::TimeNotExpired { flag: None })
        .refused(&Command::Expire, Refusal::TimeNotExpired { flag: None });
}

#[test]
fn a_pause_stops_the_clocks_and_refuses_actions() {
    let pause = Command::Pause { reason: "power cut".to_owned() };
    let game = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(5 * SECOND).then(&pause);
    assert_eq!(flag(&game), None);
    let game = game.after(60 * MINUTE);
    assert_eq!(Seat::BOTH.map(|seat| game.state.actions(seat, game.now)), [vec![], vec![]]);
    let game = game
        .refused(&roll(Two, 1, 2), Refusal::MatchPaused)
        .refused(&Command::Expire, Refusal::TimeNotExpired { flag: None })
        .refused(&pause, Refusal::MatchPaused);
    let game = game.then(&Command::Resume).refused(&Command::Resume, Refusal::MatchNotPaused);
    assert_eq!(flag(&game), Some((One, 60 * MINUTE + 12 * SECOND + 2 * MINUTE)));
}

#[test]
fn a_pause_does_not_save_who_was_too_late_before_it() {
    let late = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(5 * MINUTE);
    late.refused(&Command::Pause { reason: "please".to_owned() }, Refusal::TimeExpired { seat: One });
}

#[test]
fn time_given_back_moves_the_flag() {
    let game = with(ClockMode::SimpleDelay).roll(One, 3, 1).after(5 * MINUTE);
    let credit = Command::CreditTime { duration: 4 * MINUTE, reason: "service down".to_owned() };
    let game = game.then(&credit);
    assert_eq!(
        (flag(&game), game.state.credited()),
        (Some((One, 6 * MINUTE + 12 * SECOND)), Some(5 * MINUTE))
    );
    for duration in [0, -1] {
        let nothing = Command::CreditTime { duration, reason: String::new() };
        assert_eq!(game.when(&nothing), Err(Refusal::NothingToCredit));
    }
    game.play(One, "8/5 6/5");
}

#[test]
fn each_game_waits_until_both_are_ready_and_nobodys_time_runs_meanwhile() {
    let time =
        Some(TimeControl { limit: clock(ClockMode::SimpleDelay), policy: TimeoutPolicy::ForfeitMatch });
    let game = given_terms(Terms { ready_check: true, time, ..terms(points(5)) }).after(MINUTE);
    assert_eq!(game.state.actions(One, game.now), [Action::MarkReady]);
    let ready = Command::MarkReady { seat: One };
    let one = game.then(&ready);
    let one = one.refused(&ready, Refusal::NotYourTurn { seat: One, seat_to_act: Two });
    assert_eq!((one.state.actions(One, one.now), flag(&one)), (vec![], None));
    let both = one.then(&Command::MarkReady { seat: Two }).roll(One, 3, 1);
    let next = both.won_by(One, WinKind::Single);
    assert_eq!(next.state.actions(Two, next.now), [Action::MarkReady]);
}

#[test]
fn an_adjudicated_game_counts_as_decided_and_a_void_one_not_at_all() {
    let at_crawford = given_terms(terms(points(3))).won_by(One, WinKind::Gammon).opened();
    assert!(at_crawford.state.game().unwrap().crawford);
    let adjudicate = |win| Command::AdjudicateGame { win, reason: "dispute".to_owned() };
    let void = at_crawford.clone().then(&adjudicate(None));
    let result = void.state.games()[1];
    assert_eq!((result.win, result.reason, result.points), (None, GameEndReason::Void, 0));
    assert!(void.state.game().unwrap().crawford, "the Crawford game is still to be played");
    let win = chaquete_rules::Win { seat: Two, kind: WinKind::Gammon };
    let decided = at_crawford.then(&adjudicate(Some(win)));
    assert_eq!((decided.score(), decided.state.games()[1].reason), ((2, 2), GameEndReason::Adjudicated));
    assert!(
        decided.events.contains(&Event::Adjudicated { reason: "dispute".to_owned(), whole_match: false })
    );
}

#[test]
fn an_adjudicated_match_has_the_winner_it_was_given() {
    let decided = given_terms(terms(points(3)))
        .won_by(One, WinKind::Gammon)
        .then(&Command::AdjudicateMatch { winner: Two, reason: "cheating".to_owned() });
    let result = decided.state.result().unwrap();
    assert_eq!(
        (result.winner, result.reason, decided.score()),
        (Some(Two), MatchEndReason::Adjudicated, (2, 0))
    );
}

#[test]
fn a_money_session_is_closed_only_between_two_games() {
    let close = Command::CloseSession;
    let session = given_terms(terms(money(|_| {}))).won_by(One, WinKind::Single);
    let playing = session.clone().opened().refused(&close, Refusal::SessionNotClosable);
    playing.double(Two).refused(&close, Refusal::SessionNotClosable);
    let closed = session.then(&close);
    let result = closed.state.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(One), MatchEndReason::SessionClosed));
    given_terms(terms(points(3))).refused(&close, Refusal::SessionNotClosable);
}
