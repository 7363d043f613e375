//! Matches that tests create and play, through the client like everybody else.

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{
    Action, CancelMatchRequest, CreateMatchRequest, Game, GetLegalMovesRequest, LegalMoves, LegalMovesView,
    ListMatchEventsRequest, Match, MatchEvent, MatchRules, Move, Player, RollDiceRequest, Seat,
    SubmitMoveRequest, match_rules::Length,
};

/// The usual rules of a match to this many points.
#[must_use]
pub fn rules_to(points: i32) -> MatchRules {
    MatchRules { length: Some(Length::Points(points)), ..MatchRules::default() }
}

/// A request to create a match between alice and bob under these rules, with committed dice.
#[must_use]
pub fn new_match(rules: MatchRules) -> CreateMatchRequest {
    let player = |seat: Seat, subject: &str| Player {
        seat: seat.into(),
        subject: subject.to_owned(),
        display_name: String::new(),
    };
    let players = vec![player(Seat::One, "alice"), player(Seat::Two, "bob")];
    let new = Match { players, rules: Some(rules), ..Match::default() };
    CreateMatchRequest {
        parent: "tenants/default".to_owned(),
        r#match: Some(new),
        ..CreateMatchRequest::default()
    }
}

/// The game that is being played.
///
/// # Panics
/// There is none.
#[must_use]
pub fn current_game(played: &Match) -> &Game {
    played.current_game.as_ref().expect("a game is being played")
}

/// The seat that has to act.
#[must_use]
pub fn seat_to_act(played: &Match) -> Seat {
    current_game(played).seat_to_act()
}

/// The legal moves of the roll on the board, as a list.
///
/// # Errors
/// What the server refused.
///
/// # Panics
/// The answer holds none.
pub async fn legal_moves(client: &Client, name: &str) -> Result<LegalMoves, Error> {
    let view = LegalMovesView::List.into();
    let answer = client.get_legal_moves(GetLegalMovesRequest { name: name.to_owned(), view }).await?;
    Ok(answer.legal_moves.expect("the moves were asked for"))
}

/// Picks one of so many things, another each time and the same on every run with this seed.
pub fn any_of(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |count| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    }
}

/// Does what the seat to act has to do: plays the move that `choose` picks of so many, or rolls. Doubles
/// and resignations are offered by nobody here.
///
/// # Errors
/// What the server refused.
///
/// # Panics
/// The answer holds no match.
pub async fn act(
    client: &Client,
    played: &Match,
    choose: &mut impl FnMut(usize) -> usize,
) -> Result<Match, Error> {
    let (name, seat) = (played.name.clone(), seat_to_act(played).into());
    let may_move = current_game(played).actions.iter().any(|a| a.actions().any(|a| a == Action::SubmitMove));
    let next = if may_move {
        let moves = legal_moves(client, &name).await?.moves;
        let chosen: Option<Move> = moves[choose(moves.len())].r#move.clone();
        let request = SubmitMoveRequest { name, seat, r#move: chosen, ..SubmitMoveRequest::default() };
        client.submit_move(request).await?.r#match
    } else {
        client.roll_dice(RollDiceRequest { name, seat, ..RollDiceRequest::default() }).await?.r#match
    };
    Ok(next.expect("the match after the action"))
}

/// Plays a match with dice of the server until it has ended.
///
/// # Errors
/// What the server refused.
pub async fn play_to_the_end(
    client: &Client,
    mut played: Match,
    choose: &mut impl FnMut(usize) -> usize,
) -> Result<Match, Error> {
    while played.result.is_none() {
        played = act(client, &played, choose).await?;
    }
    Ok(played)
}

/// Cancels a match.
///
/// # Errors
/// What the server refused.
///
/// # Panics
/// The answer holds no match.
pub async fn cancel(client: &Client, name: &str) -> Result<Match, Error> {
    let (name, reason) = (name.to_owned(), "enough".to_owned());
    let cancelled = client.cancel_match(CancelMatchRequest { name, reason, ..Default::default() }).await?;
    Ok(cancelled.r#match.expect("the match as it ended"))
}

/// All events of a match.
///
/// # Errors
/// What the server refused.
pub async fn events(client: &Client, name: &str) -> Result<Vec<MatchEvent>, Error> {
    client.events(ListMatchEventsRequest { parent: name.to_owned(), ..Default::default() }).all().await
}
