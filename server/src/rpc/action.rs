//! What is done in a match, the same whether it is asked for by a call of its own or on an `Act` stream.

use chaquete_proto::v1;
use chaquete_rules::LegalMoves;

use super::{answer, check_tenant};
use crate::{
    execute::{Done, Executor},
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
pub(super) async fn play<A: TurnAction>(executor: &Executor, request: &A) -> Result<Done, Error> {
    let call = command::read_action(request)?;
    if request.is_only_checked() {
        Ok(Done::nothing(executor.consider(call).await?))
    } else {
        Ok(executor.act(call).await?)
    }
}

/// Creates a match, or only checks that it could be.
pub(super) async fn create(
    executor: &Executor,
    request: &v1::CreateMatchRequest,
    allow_seeded_dice: bool,
) -> Result<Done, Error> {
    let wanted = creation::read_creation(request, allow_seeded_dice)?;
    check_tenant(&wanted.creation.name.tenant)?;
    if wanted.validate_only {
        Ok(Done::nothing(executor.consider_creation(wanted.creation).await?))
    } else {
        Ok(executor.create(wanted.creation).await?)
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
