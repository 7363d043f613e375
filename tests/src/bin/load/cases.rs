//! Questions about the rules, as they come up in a match.

use chaquete_proto::v1::{
    ApplyMoveRequest, Match, Position, RollDiceRequest, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient,
};
use chaquete_tests::current_game;
use tonic::{Status, transport::Channel};

use crate::table::{Deed, Style, Table};

/// Every move of a match that is played for it, with the position before it as the server describes it.
pub(crate) async fn cases(channel: &Channel, style: Style) -> Result<Vec<ApplyMoveRequest>, Status> {
    let mut matches = MatchServiceClient::new(channel.clone());
    let mut play = PlayServiceClient::new(channel.clone());
    let mut table = Table::new(0, style);
    let mut rolled = Position::default();
    let mut cases = Vec::new();
    loop {
        match table.next().0 {
            Deed::Create(_) if !cases.is_empty() => return Ok(cases),
            Deed::Create(request) => drop(matches.create_match(*request).await?),
            Deed::Roll(request) => rolled = roll(&mut play, request).await?,
            Deed::Play(request) => {
                cases.push(ApplyMoveRequest {
                    position: Some(rolled.clone()),
                    r#move: request.r#move.clone(),
                });
                play.submit_move(request).await?;
            }
        }
    }
}

async fn roll(play: &mut PlayServiceClient<Channel>, request: RollDiceRequest) -> Result<Position, Status> {
    let rolled: Match = play.roll_dice(request).await?.into_inner().r#match.unwrap_or_default();
    let game = current_game(&rolled);
    Ok(Position {
        board: game.board.clone(),
        seat_on_roll: game.seat_on_roll,
        dice: game.dice,
        ..Position::default()
    })
}
