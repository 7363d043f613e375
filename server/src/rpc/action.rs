//! What is done in a match, the same whether it is asked for by a call of its own or on an `Act` stream.

use chaquete_proto::v1;
use chaquete_rules::LegalMoves;

use super::{answer, visit::Visit};
use crate::{
    execute::Done,
    status::Error,
    table::{Damaged, Table},
    wire::{
        command::{self, Told, TurnAction},
        creation, game,
        legal::{self, LegalMovesView},
        state::{self, View},
    },
};

/// Carries out what a seat does, or only checks it.
pub(super) async fn play<A: TurnAction>(visit: &Visit, request: &A) -> Result<Done, Error> {
    let call = command::read_action(request, visit.acting(request.head()).await?)?;
    if request.is_only_checked() {
        Ok(Done::nothing(visit.consider(call).await?))
    } else {
        visit.act(call).await
    }
}

/// Creates a match, or only checks that it could be.
pub(super) async fn create(
    visit: &Visit,
    request: &v1::CreateMatchRequest,
    allow_seeded_dice: bool,
) -> Result<Done, Error> {
    let wanted = creation::read_creation(request, visit.caller(), allow_seeded_dice)?;
    if wanted.validate_only {
        Ok(Done::nothing(visit.consider_creation(wanted.creation).await?))
    } else {
        visit.create(wanted.creation).await
    }
}

/// All that can be told of what was done.
pub(super) fn told(done: &Done, moves: Option<LegalMovesView>) -> Result<Told, Damaged> {
    Ok(Told {
        done: state::match_then(&done.table, View::Full),
        events: answer::events(done)?,
        legal_moves: moves.and_then(|view| legal_moves(&done.table, view)),
    })
}

/// The legal moves of the roll on the board, if there is one to be played.
pub(super) fn legal_moves(table: &Table, view: LegalMovesView) -> Option<v1::LegalMoves> {
    let (seat, dice, board) = game::roll_to_play(&table.state)?;
    Some(legal::legal_moves(seat, &LegalMoves::new(board.position(seat), dice), view))
}
