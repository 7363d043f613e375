//! The last move of a game, looked for from the end of the log.

use chaquete_proto::v1::match_event::Kind;
use chaquete_proto::v1::{ListMatchEventsRequest, Match, MatchEvent, Move, Step};
use chaquete_record::picture::LastMove;
use chaquete_rules::{self as rules, Die, Source};

use super::position::{dice, seat};
use crate::{Client, Error};

/// How many events are asked for at a time: a turn has four at most, unless resignations are declined.
const SOME: i32 = 32;

/// The move that led to the board of a match as it was read, with its dice; `None` before the first of a game.
///
/// # Errors
/// What the server refused, or what kept it from answering.
pub async fn last_move(client: &Client, game: &Match) -> Result<Option<LastMove>, Error> {
    let mut search = Search::of(game);
    let mut end = game.revision;
    while end > 0 {
        let start = (end - SOME).max(0);
        let mut events = events(client, game, start, end).await?;
        events.reverse();
        if let Some(found) = events.iter().find_map(|event| search.look(event)) {
            return Ok(found);
        }
        end = start;
    }
    Ok(search.found)
}

/// The events after one revision up to another. The match may have gone on since.
async fn events(client: &Client, game: &Match, start: i32, end: i32) -> Result<Vec<MatchEvent>, Error> {
    let mut pages = client.events(ListMatchEventsRequest {
        parent: game.name.clone(),
        after_revision: start,
        page_size: end - start,
        ..ListMatchEventsRequest::default()
    });
    let mut events = Vec::new();
    while let Some(event) = pages.next().await? {
        let is_last = event.revision >= end;
        events.push(event);
        if is_last {
            break;
        }
    }
    Ok(events)
}

/// What was found so far, going back.
struct Search {
    game_number: i32,
    /// The move, as long as its dice are missing.
    found: Option<LastMove>,
}

impl Search {
    fn of(game: &Match) -> Self {
        Self { game_number: game.current_game.as_ref().map_or(0, |current| current.number), found: None }
    }

    /// Looks at the event before those that were looked at; `Some` when nothing is left to be looked for.
    fn look(&mut self, event: &MatchEvent) -> Option<Option<LastMove>> {
        // Events of the match itself have no game.
        if event.game_number != 0 && event.game_number < self.game_number {
            return Some(self.found);
        }
        match (event.kind.as_ref()?, self.found) {
            (Kind::GameStarted(_), found) => return Some(found),
            (Kind::DiceRolled(rolled), Some(last)) => {
                return Some(Some(LastMove { dice: rolled.dice.and_then(dice), ..last }));
            }
            (Kind::MoveMade(made), None) => {
                let played = played(made.r#move.as_ref());
                let last =
                    seat(made.seat()).zip(played).map(|(seat, played)| LastMove { seat, dice: None, played });
                // One that is not understood is not shown.
                let Some(last) = last else { return Some(None) };
                self.found = Some(last);
            }
            (Kind::TurnForfeited(lost), None) => {
                let last = |seat| LastMove { seat, dice: None, played: rules::Move::EMPTY };
                self.found = seat(lost.seat()).map(last);
            }
            _ => {}
        }
        None
    }
}

fn played(made: Option<&Move>) -> Option<rules::Move> {
    let steps: Option<Vec<_>> = made?.steps.iter().map(step).collect();
    rules::Move::new(&steps?)
}

fn step(step: &Step) -> Option<rules::Step> {
    let source = Source::from_number(u8::try_from(step.from()).ok()?)?;
    Some(rules::Step { source, die: Die::new(u8::try_from(step.die).ok()?)?, hit: step.hit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chaquete_proto::v1::{
        Dice, DiceRolled, DoubleOffered, Game, GameStarted, MoveMade, PlayerReady, Seat, TurnForfeited,
    };

    fn rolled(first: i32, second: i32) -> Kind {
        Kind::DiceRolled(DiceRolled { dice: Some(Dice { first, second }), ..DiceRolled::default() })
    }

    fn made(seat: Seat, steps: &[(i32, i32)]) -> Kind {
        let step =
            |&(from, die): &(i32, i32)| Step { from: Some(from), to: Some(from - die), die, hit: false };
        let steps = steps.iter().map(step).collect();
        let r#move = Some(Move { steps, notation: String::new() });
        Kind::MoveMade(MoveMade { seat: seat.into(), r#move, ..MoveMade::default() })
    }

    /// What is found in game 2 with these events of it.
    fn found(kinds: Vec<Kind>) -> Option<String> {
        let current_game = Some(Game { number: 2, ..Game::default() });
        let mut search = Search::of(&Match { current_game, ..Match::default() });
        let event = |game_number, kind| MatchEvent { game_number, kind: Some(kind), ..MatchEvent::default() };
        let mut log = vec![event(1, rolled(6, 6)), event(1, made(Seat::One, &[(24, 6)]))];
        log.extend(kinds.into_iter().map(|kind| event(2, kind)));
        let last =
            log.iter().rev().find_map(|event| search.look(event)).expect("the beginning of the game")?;
        let dice = last.dice.map(|dice| dice.to_string()).unwrap_or_default();
        Some(format!("{:?} {dice} {}", last.seat, last.played))
    }

    fn started(kinds: Vec<Kind>) -> Vec<Kind> {
        [vec![Kind::GameStarted(GameStarted::default())], kinds].concat()
    }

    #[test]
    fn the_last_move_is_found_with_its_dice() {
        let doubled = Kind::DoubleOffered(DoubleOffered::default());
        let log = started(vec![rolled(3, 1), made(Seat::One, &[(8, 3), (6, 1)]), doubled]);
        assert_eq!(found(log.clone()).as_deref(), Some("One 3-1 8/5 6/5"));
        let next = [log, vec![rolled(6, 5), made(Seat::Two, &[(24, 6), (18, 5)]), rolled(2, 1)]].concat();
        assert_eq!(found(next).as_deref(), Some("Two 6-5 24/13"));
    }

    #[test]
    fn a_turn_without_a_move_is_the_last_one() {
        let lost = Kind::TurnForfeited(TurnForfeited { seat: Seat::Two.into() });
        let log = started(vec![rolled(3, 1), made(Seat::One, &[(8, 3)]), rolled(6, 6), lost]);
        assert_eq!(found(log).as_deref(), Some("Two 6-6 "));
    }

    #[test]
    fn moves_of_the_game_before_are_not_shown() {
        assert_eq!(found(started(vec![])), None);
        assert_eq!(found(started(vec![rolled(3, 1)])), None);
        // The players are not ready for the next game.
        assert_eq!(found(vec![Kind::PlayerReady(PlayerReady::default())]), None);
    }

    #[test]
    fn a_move_that_is_not_understood_is_not_shown() {
        assert_eq!(found(started(vec![rolled(3, 1), made(Seat::One, &[(8, 7)])])), None);
        assert_eq!(found(started(vec![rolled(3, 1), made(Seat::Unspecified, &[(8, 3)])])), None);
    }

    #[test]
    fn a_move_whose_dice_are_not_told_is_shown_without() {
        assert_eq!(found(started(vec![made(Seat::One, &[(8, 3)])])).as_deref(), Some("One  8/5"));
    }
}
