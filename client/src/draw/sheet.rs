//! A match as one sheet of text: board, players, dice, what is to be done.

use std::fmt::Write as _;

use chaquete_proto::v1::{Action, Cube, Dice, Game, GamePhase, Match, MatchState, Seat};

use super::ending::{game_kind, match_ended};
use super::time::{clock, limits};
use super::words::{dice, match_state, points, rules, seat_name, variant, win_kind};

/// Everything a person wants to know about a match: its state, the board, whose turn it is, and the
/// identifiers under which other programs know the position.
#[must_use]
pub fn sheet(game: &Match) -> String {
    let mut text = String::new();
    head(&mut text, game);
    match &game.current_game {
        Some(current) => table(&mut text, game, current),
        None => text.push_str("no game yet\n"),
    }
    if let Some(result) = game.result.as_ref().filter(|result| result.r#final) {
        let _ = writeln!(text, "{}", match_ended(result, &game.players, ""));
    }
    text
}

fn head(text: &mut String, game: &Match) {
    let _ = writeln!(text, "{}  {}  revision {}", game.name, match_state(game), game.revision);
    let rules_of = game.rules.as_ref();
    let kind = rules_of.map(|rules| variant(rules.variant())).unwrap_or_default();
    let _ = write!(text, "{}, {kind}", rules(rules_of));
    if let Some(current) = &game.current_game {
        let crawford = if current.crawford { " (Crawford)" } else { "" };
        let _ = write!(text, ", game {}{crawford}", current.number);
    }
    text.push('\n');
    if let Some(limits) = game.time_control.as_ref().and_then(limits) {
        let _ = writeln!(text, "{limits}");
    }
}

fn table(text: &mut String, game: &Match, current: &Game) {
    let board = current.board.clone().unwrap_or_default();
    let cube = current.cube.unwrap_or(Cube { value: 1, owner: Seat::Unspecified.into() });
    text.push('\n');
    player(text, game, current, Seat::Two);
    text.push_str(&super::board(&board, &cube));
    player(text, game, current, Seat::One);
    let _ = writeln!(text, "\n{}", now(game, current));
    if let Some(ids) = &current.position_ids {
        let _ = writeln!(text, "{}\nGNU {}:{}", ids.xgid, ids.gnu_position_id, ids.gnu_match_id);
    }
}

fn player(text: &mut String, game: &Match, current: &Game, seat: Seat) {
    let score = game.score.unwrap_or_default();
    let board = current.board.as_ref();
    let (checker, side, score) = match seat {
        Seat::Two => ('O', board.and_then(|board| board.two.as_ref()), score.two),
        Seat::One | Seat::Unspecified => ('X', board.and_then(|board| board.one.as_ref()), score.one),
    };
    let pips = side.map_or(0, |side| side.pip_count);
    let name = seat_name(&game.players, seat);
    let clock = current.clocks.iter().find(|clock| clock.seat() == seat).map(clock).unwrap_or_default();
    let _ = writeln!(text, " {checker}  {name}: {}, pip count {pips}{clock}", points(score));
}

/// How things stand: what is to be done, unless the match is over or paused.
fn now(game: &Match, current: &Game) -> String {
    let to_do = to_do(game, current);
    match game.state() {
        _ if current.phase() == GamePhase::Over => to_do,
        MatchState::Completed | MatchState::Cancelled => "the game was not finished".to_owned(),
        MatchState::Paused => format!("paused; when it goes on: {to_do}"),
        _ => match who_may(current, Action::ClaimTimeout).next() {
            Some(seat) => format!("{to_do}; {} may claim that time is up", mark(game, seat)),
            None => to_do,
        },
    }
}

/// What is to be done next, and by whom.
fn to_do(game: &Match, current: &Game) -> String {
    let actor = mark(game, current.seat_to_act());
    match current.phase() {
        GamePhase::Unspecified => "?".to_owned(),
        GamePhase::Waiting => waiting(game, current),
        GamePhase::OpeningRoll => "the opening roll is due".to_owned(),
        GamePhase::Roll => format!("{actor} to roll{}", if may_double(current) { " or double" } else { "" }),
        GamePhase::Move => format!("{actor} to move {}", current.dice.map(dice).unwrap_or_default()),
        GamePhase::DoubleOffered => {
            let value = current.pending_double.map(|double| double.value).unwrap_or_default();
            format!("{actor} to answer a double to {value}")
        }
        GamePhase::ResignationOffered => {
            let kind = current.pending_resignation.map(|offer| offer.kind()).unwrap_or_default();
            let rolled = current.dice.map(|rolled: Dice| format!(" ({} rolled)", dice(rolled)));
            format!("{actor} to answer the resignation of a {}{}", win_kind(kind), rolled.unwrap_or_default())
        }
        GamePhase::Over => over(game, current),
    }
}

fn over(game: &Match, current: &Game) -> String {
    match &current.result {
        Some(result) if result.winner() != Seat::Unspecified => {
            let winner = mark(game, result.winner());
            format!("{winner} won a {}: {}", game_kind(result), points(result.points))
        }
        Some(_) => "the game is void".to_owned(),
        None => "the game is over".to_owned(),
    }
}

/// Who is still to say that it is ready. Nobody can while the match is paused.
fn waiting(game: &Match, current: &Game) -> String {
    let missing: Vec<String> = who_may(current, Action::MarkReady).map(|seat| mark(game, seat)).collect();
    match missing.is_empty() {
        true => "waiting until both are ready".to_owned(),
        false => format!("waiting for {} to be ready", missing.join(" and ")),
    }
}

fn may_double(current: &Game) -> bool {
    who_may(current, Action::OfferDouble).any(|seat| seat == current.seat_to_act())
}

/// The seats that can do something now.
fn who_may(current: &Game, action: Action) -> impl Iterator<Item = Seat> {
    let seats = current.actions.iter().filter(move |seat| seat.actions().any(|one| one == action));
    seats.map(|actions| actions.seat())
}

fn mark(game: &Match, seat: Seat) -> String {
    let checker = match seat {
        Seat::One => "X",
        Seat::Two => "O",
        Seat::Unspecified => "?",
    };
    format!("{checker} {}", seat_name(&game.players, seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::time_control::Control;
    use chaquete_proto::v1::{
        Board, ClockControl, MatchEndReason, MatchResult, MatchRules, Player, PositionIds, Score,
        SeatActions, SeatClock, Side, TimeControl, match_rules,
    };

    fn game() -> Match {
        let player = |name: &str| Player { subject: "s".to_owned(), display_name: name.to_owned(), seat: 0 };
        let side = |pips| Some(Side { points: vec![0; 24], bar: 0, off: 0, pip_count: pips });
        Match {
            name: "tenants/default/matches/final".to_owned(),
            state: MatchState::Active.into(),
            revision: 57,
            players: vec![player("Alice"), player("Bob")],
            rules: Some(MatchRules { length: Some(match_rules::Length::Points(7)), ..MatchRules::default() }),
            score: Some(Score { one: 6, two: 1 }),
            current_game: Some(Game {
                number: 3,
                phase: GamePhase::Move.into(),
                seat_to_act: Seat::Two.into(),
                dice: Some(Dice { first: 3, second: 1 }),
                board: Some(Board { one: side(152), two: side(167) }),
                cube: Some(Cube { value: 1, owner: Seat::Unspecified.into() }),
                crawford: true,
                position_ids: Some(PositionIds {
                    gnu_position_id: "4HPwATDgc/ABMA".to_owned(),
                    gnu_match_id: "cAkAAAAAAAAA".to_owned(),
                    xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10".to_owned(),
                }),
                ..Game::default()
            }),
            ..Match::default()
        }
    }

    #[test]
    fn a_sheet_says_what_matters() {
        let sheet = sheet(&game());
        let lines: Vec<&str> = sheet.lines().collect();
        assert_eq!(lines[0], "tenants/default/matches/final  active  revision 57");
        assert_eq!(lines[1], "7 points, standard, game 3 (Crawford)");
        assert_eq!(lines[3], " O  Bob: 1 point, pip count 167");
        assert_eq!(lines[lines.len() - 5], " X  Alice: 6 points, pip count 152");
        assert_eq!(lines[lines.len() - 3], "O Bob to move 31");
        assert_eq!(lines[lines.len() - 2], "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10");
        assert_eq!(lines[lines.len() - 1], "GNU 4HPwATDgc/ABMA:cAkAAAAAAAAA");
    }

    #[test]
    fn a_match_without_a_game_has_no_board() {
        let waiting = Match { current_game: None, ..game() };
        assert!(sheet(&waiting).ends_with("no game yet\n"));
    }

    /// The lines of the sheet of the match, changed.
    fn with(change: impl FnOnce(&mut Match, &mut Game)) -> Vec<String> {
        let mut game = game();
        let mut current = game.current_game.take().expect("a game");
        current.position_ids = None;
        change(&mut game, &mut current);
        game.current_game = Some(current);
        sheet(&game).lines().map(str::to_owned).collect()
    }

    fn actions(seat: Seat, actions: &[Action]) -> SeatActions {
        SeatActions { seat: seat.into(), actions: actions.iter().map(|&action| action.into()).collect() }
    }

    #[test]
    fn a_timed_match_shows_its_limits_and_clocks() {
        let seconds = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
        let flag_time = Some(prost_types::Timestamp { seconds: 1_769_860_800, nanos: 0 });
        let lines = with(|game, current| {
            let clock = ClockControl { reserve: seconds(600), ..ClockControl::default() };
            game.time_control = Some(TimeControl { control: Some(Control::Clock(clock)), timeout_policy: 3 });
            current.clocks = vec![
                SeatClock { seat: 1, reserve: seconds(588), flag_time: None },
                SeatClock { seat: 2, reserve: seconds(60), flag_time },
            ];
            current.actions = vec![actions(Seat::One, &[Action::ClaimTimeout])];
        });
        assert_eq!(lines[2], "clock 10m; running out of time loses the match once it is claimed");
        assert_eq!(lines[4], " O  Bob: 1 point, pip count 167, clock 1m, to act by 2026-01-31T12:00:00Z");
        assert!(lines.contains(&" X  Alice: 6 points, pip count 152, clock 9m48s".to_owned()));
        assert_eq!(lines.last().expect("a line"), "O Bob to move 31; X Alice may claim that time is up");
    }

    #[test]
    fn a_game_that_waits_says_for_whom() {
        let ready = [Action::MarkReady];
        for (may, told) in [
            (vec![actions(Seat::One, &ready), actions(Seat::Two, &ready)], "X Alice and O Bob to be ready"),
            (vec![actions(Seat::One, &[]), actions(Seat::Two, &ready)], "O Bob to be ready"),
        ] {
            let lines = with(|_, current| {
                current.set_phase(GamePhase::Waiting);
                current.actions = may;
            });
            assert_eq!(lines.last().expect("a line"), &format!("waiting for {told}"));
        }
    }

    #[test]
    fn a_paused_match_says_so() {
        let lines = with(|game, _| game.set_state(MatchState::Paused));
        assert_eq!(lines[0], "tenants/default/matches/final  paused  revision 57");
        assert_eq!(lines.last().expect("a line"), "paused; when it goes on: O Bob to move 31");
    }

    #[test]
    fn nothing_is_to_be_done_in_a_match_that_has_ended() {
        let ended = |state, reason: MatchEndReason, winner: Seat| {
            let (winner, reason) = (winner.into(), reason.into());
            let result = MatchResult { r#final: true, winner, reason, ..MatchResult::default() };
            let lines = with(|game, _| {
                game.set_state(state);
                game.result = Some(result);
            });
            lines[lines.len() - 2..].join("; ")
        };
        assert_eq!(
            ended(MatchState::Completed, MatchEndReason::Timeout, Seat::One),
            "the game was not finished; Alice wins the match on time, 0-0"
        );
        assert_eq!(
            ended(MatchState::Cancelled, MatchEndReason::Cancelled, Seat::Unspecified),
            "the game was not finished; the match is cancelled"
        );
    }
}
