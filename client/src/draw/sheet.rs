//! A match as one sheet of text: board, players, dice, what is to be done.

use std::fmt::Write as _;

use chaquete_proto::v1::{Board, Cube, Dice, Game, GamePhase, Match, Seat};

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
        let winner = seat_name(&game.players, result.winner());
        let _ = writeln!(text, "won by {winner}, {}", super::score(result.score));
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
}

fn table(text: &mut String, game: &Match, current: &Game) {
    let board = current.board.clone().unwrap_or_default();
    let cube = current.cube.unwrap_or(Cube { value: 1, owner: Seat::Unspecified.into() });
    text.push('\n');
    player(text, game, &board, Seat::Two);
    text.push_str(&super::board(&board, &cube));
    player(text, game, &board, Seat::One);
    let _ = writeln!(text, "\n{}", to_do(game, current));
    if let Some(ids) = &current.position_ids {
        let _ = writeln!(text, "{}\nGNU {}:{}", ids.xgid, ids.gnu_position_id, ids.gnu_match_id);
    }
}

fn player(text: &mut String, game: &Match, board: &Board, seat: Seat) {
    let score = game.score.unwrap_or_default();
    let (checker, side, score) = match seat {
        Seat::Two => ('O', &board.two, score.two),
        Seat::One | Seat::Unspecified => ('X', &board.one, score.one),
    };
    let pips = side.as_ref().map_or(0, |side| side.pip_count);
    let name = seat_name(&game.players, seat);
    let _ = writeln!(text, " {checker}  {name}: {}, pip count {pips}", points(score));
}

/// What is to be done next, and by whom.
fn to_do(game: &Match, current: &Game) -> String {
    let actor = mark(game, current.seat_to_act());
    match current.phase() {
        GamePhase::Unspecified => "?".to_owned(),
        GamePhase::Waiting => "waiting until both are ready".to_owned(),
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
            format!("{winner} won a {}: {}", win_kind(result.kind()), points(result.points))
        }
        _ => "the game is over".to_owned(),
    }
}

fn may_double(current: &Game) -> bool {
    use chaquete_proto::v1::Action;
    current
        .actions
        .iter()
        .filter(|actions| actions.seat == current.seat_to_act)
        .any(|actions| actions.actions().any(|action| action == Action::OfferDouble))
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
    use chaquete_proto::v1::{MatchRules, MatchState, Player, PositionIds, Score, Side, match_rules};

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
}
