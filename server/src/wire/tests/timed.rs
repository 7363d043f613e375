//! Matches with clocks, readiness, pauses and decisions.

use chaquete_record::Xgid;
use chaquete_rules::{
    Automation, ClockMode, GameEndReason, MatchEndReason, TimeControl, TimeLimit, TimeoutPolicy, Win,
};

use super::*;

const CLOCK: TimeLimit = TimeLimit::Clock { reserve: 60_000, mode: ClockMode::SimpleDelay, per_turn: 12_000 };

/// A match to five points under these limits.
fn timed(limit: TimeLimit, policy: TimeoutPolicy) -> Played {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    let rules = MatchRules::points(MatchPoints::new(5).unwrap());
    let time = Some(TimeControl { limit, policy });
    Played::on(Terms { time, ..Terms::new(players, rules, DiceSource::External) })
}

/// A match to five points in which every game waits for both.
fn with_ready_check() -> Played {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    let rules = MatchRules::points(MatchPoints::new(5).unwrap());
    Played::on(Terms { ready_check: true, ..Terms::new(players, rules, DiceSource::External) })
}

fn told(played: &Played) -> v1::Match {
    state::match_then(&played.table, View::Full)
}

fn game(played: &Played) -> v1::Game {
    told(played).current_game.unwrap()
}

const fn moment(seconds: i64) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds, nanos: 0 }
}

const fn span(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

fn actions(game: &v1::Game, seat: Seat) -> Vec<v1::Action> {
    let index = usize::from(seat == Seat::Two);
    game.actions[index].actions().collect()
}

fn kinds(played: &Played, count: usize) -> Vec<Kind> {
    let told = played.told();
    told[told.len() - count..].iter().map(|event| event.kind.clone().unwrap()).collect()
}

#[test]
fn an_untimed_match_has_no_clocks() {
    let told = told(&Played::new(5));
    assert_eq!((told.time_control, told.automation, told.ready_check), (None, None, false));
    assert!(told.current_game.unwrap().clocks.is_empty());
}

#[test]
fn the_clock_of_the_seat_to_act_tells_its_flag() {
    let mut played = timed(CLOCK, TimeoutPolicy::ForfeitMatch);
    let clock = |seat: v1::Seat, reserve, flag_time| v1::SeatClock { seat: seat.into(), reserve, flag_time };
    let (one, two) = (v1::Seat::One, v1::Seat::Two);
    assert_eq!(game(&played).clocks, [clock(one, span(60), None), clock(two, span(60), None)]);
    played.roll(Seat::One, 3, 1);
    let flag = Some(moment(3 + 12 + 60));
    assert_eq!(game(&played).clocks, [clock(one, span(60), flag), clock(two, span(60), None)]);
    // 20 s are 8 s more than the delay.
    let mv = Command::Move { seat: Seat::One, written: "8/5 6/5".parse().unwrap() };
    played.act_at(&mv, 23_000);
    let flag = Some(moment(23 + 12 + 60));
    assert_eq!(game(&played).clocks, [clock(one, span(52), None), clock(two, span(60), flag)]);
    played.act_at(&Command::Pause { reason: "rain".to_owned() }, 24_000);
    assert_eq!(game(&played).clocks, [clock(one, span(52), None), clock(two, span(60), None)]);

    let control = told(&played).time_control.unwrap();
    assert_eq!(control.timeout_policy(), v1::TimeoutPolicy::ForfeitMatch);
    let Some(Kind::MatchCreated(created)) = played.told()[0].kind.clone() else { panic!("no creation") };
    assert_eq!(created.r#match.unwrap().time_control, Some(control));
}

#[test]
fn a_deadline_for_each_action_has_no_reserve() {
    let mut played = timed(TimeLimit::Action { limit: 60_000 }, TimeoutPolicy::ForfeitGame);
    played.roll(Seat::Two, 1, 3);
    let clocks = game(&played).clocks;
    assert_eq!(clocks.iter().map(|clock| clock.reserve).collect::<Vec<_>>(), [None, None]);
    assert_eq!(clocks.iter().map(|clock| clock.flag_time).collect::<Vec<_>>(), [None, Some(moment(63))]);
}

#[test]
fn what_a_seat_can_do_depends_on_when_it_is_told() {
    let mut played = timed(CLOCK, TimeoutPolicy::Claim);
    played.roll(Seat::One, 3, 1);
    let at = |now| state::match_at(&played.table, View::Full, now).current_game.unwrap();
    let flag = 3_000 + 12_000 + 60_000;
    assert!(!actions(&at(flag - 1), Seat::Two).contains(&v1::Action::ClaimTimeout));
    assert!(actions(&at(flag), Seat::Two).contains(&v1::Action::ClaimTimeout));
    assert!(!actions(&at(flag), Seat::One).contains(&v1::Action::ClaimTimeout));
    assert_eq!(at(3_000), game(&played), "a command is answered as of its own time");
    let rest = |game: v1::Game| v1::Game { actions: Vec::new(), ..game };
    assert_eq!(rest(at(flag)), rest(at(0)), "nothing else depends on the time");

    played.act_at(&Command::ClaimTimeout { seat: Seat::Two }, flag);
    let ended = told(&played);
    let result = ended.result.as_ref().unwrap();
    assert_eq!((result.winner(), result.reason()), (v1::Seat::Two, v1::MatchEndReason::Timeout));
    assert_eq!(ended.state(), v1::MatchState::Completed);
    assert_eq!(ended.current_game.unwrap().clocks[0].flag_time, None);
    let [Kind::TimeExpired(expired), Kind::MatchEnded(_)] = &kinds(&played, 2)[..] else {
        panic!("{:?}", kinds(&played, 2))
    };
    assert_eq!(expired.seat(), v1::Seat::One);
}

#[test]
fn a_repeat_is_answered_as_the_call_was() {
    use prost::Message;
    let mut played = timed(CLOCK, TimeoutPolicy::Claim);
    played.roll(Seat::One, 3, 1);
    let first = told(&played).encode_to_vec();
    let revision = played.table.head.revision as usize;
    played.act_at(&Command::ClaimTimeout { seat: Seat::Two }, 99_000);
    let (table, events) = (&played.table, &played.events[..revision]);
    let again = Table::fold(table.name.clone(), table.key, Arc::clone(&table.about), events).unwrap();
    assert_eq!(state::match_then(&again, View::Full).encode_to_vec(), first);
}

#[test]
fn the_first_game_is_pending_until_both_are_ready() {
    let mut played = with_ready_check();
    let pending = told(&played);
    assert_eq!((pending.state(), pending.ready_check), (v1::MatchState::Pending, true));
    let waiting = pending.current_game.unwrap();
    assert_eq!((waiting.phase(), waiting.seat_to_act()), (v1::GamePhase::Waiting, v1::Seat::Unspecified));
    assert_eq!(actions(&waiting, Seat::One), [v1::Action::MarkReady]);
    let Some(Kind::MatchCreated(created)) = played.told()[0].kind.clone() else { panic!("no creation") };
    assert_eq!(created.r#match.unwrap().state(), v1::MatchState::Pending);

    played.act(&Command::MarkReady { seat: Seat::Two });
    assert_eq!(told(&played).state(), v1::MatchState::Pending);
    assert!(actions(&game(&played), Seat::Two).is_empty());
    let ready = |seat: v1::Seat| Kind::PlayerReady(v1::PlayerReady { seat: seat.into() });
    assert_eq!(kinds(&played, 1), [ready(v1::Seat::Two)]);
    played.act(&Command::MarkReady { seat: Seat::One });
    assert_eq!(told(&played).state(), v1::MatchState::Active);
    assert_eq!(game(&played).phase(), v1::GamePhase::OpeningRoll);

    let win = Some(Win { seat: Seat::One, kind: WinKind::Single });
    played.act(&Command::AdjudicateGame { win, reason: "seen".to_owned() });
    assert_eq!(game(&played).phase(), v1::GamePhase::Waiting);
    assert_eq!(told(&played).state(), v1::MatchState::Active, "a game has ended");
}

#[test]
fn a_paused_match_says_so_and_lets_nobody_act() {
    let mut played = timed(CLOCK, TimeoutPolicy::ForfeitMatch);
    played.roll(Seat::One, 3, 1).act(&Command::Pause { reason: "rain".to_owned() });
    assert_eq!(told(&played).state(), v1::MatchState::Paused);
    assert!(Seat::BOTH.iter().all(|&seat| actions(&game(&played), seat).is_empty()));
    assert_eq!(kinds(&played, 1), [Kind::MatchPaused(v1::MatchPaused { reason: "rain".to_owned() })]);
    played.act(&Command::Resume);
    assert_eq!(told(&played).state(), v1::MatchState::Active);
    assert_eq!(kinds(&played, 1), [Kind::MatchResumed(v1::MatchResumed {})]);

    played.act(&Command::CreditTime { duration: 5_250, reason: "the service was down".to_owned() });
    let duration = Some(prost_types::Duration { seconds: 5, nanos: 250_000_000 });
    let credited = v1::TimeCredited { duration, reason: "the service was down".to_owned() };
    assert_eq!(kinds(&played, 1), [Kind::TimeCredited(credited)]);

    played.act(&Command::Pause { reason: "rain".to_owned() });
    played.act(&Command::Cancel { reason: "flood".to_owned() });
    assert_eq!(told(&played).state(), v1::MatchState::Cancelled, "the end counts more than the pause");
}

#[test]
fn a_void_game_is_won_by_nobody() {
    let mut played = Played::new(5);
    played.roll(Seat::One, 3, 1);
    played.act(&Command::AdjudicateGame { win: None, reason: "a bad board".to_owned() });
    let games = told(&played).current_game.unwrap().number;
    assert_eq!(games, 2, "the next one begins");
    let voided = state::match_result(&played.table, View::Full).games[0];
    assert_eq!((voided.winner(), voided.kind()), (v1::Seat::Unspecified, v1::WinKind::Unspecified));
    assert_eq!((voided.reason(), voided.points), (v1::GameEndReason::Void, 0));
    let [Kind::Adjudicated(decided), Kind::GameEnded(ended), _] = &kinds(&played, 3)[..] else {
        panic!("{:?}", kinds(&played, 3))
    };
    assert_eq!((decided.reason.as_str(), decided.whole_match), ("a bad board", false));
    assert_eq!(ended.result, Some(voided));

    played.act(&Command::AdjudicateMatch { winner: Seat::Two, reason: "seen".to_owned() });
    let result = told(&played).result.unwrap();
    assert_eq!((result.winner(), result.reason()), (v1::Seat::Two, v1::MatchEndReason::Adjudicated));
    let [Kind::Adjudicated(decided), Kind::MatchEnded(_)] = &kinds(&played, 2)[..] else {
        panic!("{:?}", kinds(&played, 2))
    };
    assert!(decided.whole_match);
}

#[test]
fn a_session_that_is_closed_says_so() {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    let mut played = Played::on(Terms::new(players, MatchRules::money(), DiceSource::External));
    played.act(&Command::CloseSession);
    assert_eq!(kinds(&played, 2)[0], Kind::SessionClosed(v1::SessionClosed {}));
    assert_eq!(told(&played).result.unwrap().reason(), v1::MatchEndReason::SessionClosed);
}

#[test]
fn what_the_server_does_by_itself_is_told_as_its_own() {
    let players = BySeat::new("ann".to_owned(), "bob".to_owned());
    // One checker each, on the last point.
    let xgid = Xgid::parse(&format!("XGID=-A{}a-:0:0:1:00:0:0:0:5:6", "-".repeat(22)), 15).unwrap();
    let usual = MatchRules::points(MatchPoints::new(5).unwrap());
    let rules = MatchRules { initial: Some(xgid.board), ..usual };
    let automation = Automation { bear_off_greedily: true, ..Automation::NONE };
    let mut played = Played::on(Terms { automation, ..Terms::new(players, rules, DiceSource::External) });
    let wanted = v1::Automation { bear_off_greedily: true, ..v1::Automation::default() };
    assert_eq!(told(&played).automation, Some(wanted));
    played.roll(Seat::One, 3, 1);
    let events = played.told();
    let (asked, automatic) = events[events.len() - 4..].split_first().unwrap();
    assert!(matches!(asked.kind, Some(Kind::DiceRolled(_))), "{asked:?}");
    assert_eq!(asked.actor.as_ref().unwrap().kind(), v1::ActorKind::Backend);
    assert!(matches!(automatic[0].kind, Some(Kind::MoveMade(_))), "{automatic:?}");
    for event in automatic {
        assert_eq!(event.actor, Some(v1::Actor { kind: v1::ActorKind::Server.into(), ..Default::default() }));
        assert!(event.request_id.is_empty());
    }
}

#[test]
fn every_end_has_its_word() {
    use super::super::words;
    for (reason, word) in [
        (GameEndReason::Timeout, v1::GameEndReason::Timeout),
        (GameEndReason::Adjudicated, v1::GameEndReason::Adjudicated),
        (GameEndReason::Void, v1::GameEndReason::Void),
    ] {
        assert_eq!(words::game_end(reason), word);
    }
    assert_eq!(words::match_end(MatchEndReason::Timeout), v1::MatchEndReason::Timeout);
    assert_eq!(words::match_end(MatchEndReason::Adjudicated), v1::MatchEndReason::Adjudicated);
}
