//! `chaquete watch`.

use std::process::ExitCode;

use chaquete_client::proto::{
    Match, MatchEndReason, MatchState, MatchUpdate, WatchMatchRequest, match_event::Kind,
};
use chaquete_client::{Watched, draw};

use crate::args::{Server, Watch};
use crate::failure::Failure;
use crate::{out, show};

pub(crate) async fn run(server: &Server, args: &Watch) -> Result<ExitCode, Failure> {
    let name = server.match_name(&args.name);
    let client = crate::connect(server, args.retry()).await?;
    let mut game = before(show::get(&client, &name).await?);
    let mut watch = client.watch_match(WatchMatchRequest {
        name: name.clone(),
        after_revision: args.after,
        include_game: args.board,
        ..WatchMatchRequest::default()
    });
    while let Some(watched) = watch.next().await.map_err(|error| Failure::about(&name, error))? {
        if let Watched::Update(update) = watched {
            tell(&mut game, *update, args.board)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The match as it was before its end: the events tell the rest.
fn before(game: Match) -> Match {
    Match { result: None, state: MatchState::Active.into(), ..game }
}

fn tell(game: &mut Match, update: MatchUpdate, board: bool) -> Result<(), Failure> {
    let Some(event) = update.event else { return Ok(()) };
    out::line(draw::event(&event, &game.players))?;
    game.revision = event.revision;
    if update.game.is_some() {
        game.current_game = update.game;
        game.score = update.score;
    }
    let turn_ends =
        matches!(event.kind, Some(Kind::MoveMade(_) | Kind::GameStarted(_) | Kind::MatchEnded(_)));
    if let Some(kind) = event.kind {
        happened(game, kind);
    }
    if board && turn_ends {
        out::text(format_args!("\n{}\n", draw::sheet(game)))?;
    }
    Ok(())
}

/// What an event makes of the match itself; the game comes with the event.
fn happened(game: &mut Match, kind: Kind) {
    match kind {
        Kind::MatchPaused(_) => game.set_state(MatchState::Paused),
        Kind::MatchResumed(_) => game.set_state(MatchState::Active),
        Kind::MatchEnded(ended) => {
            let cancelled =
                ended.result.as_ref().is_some_and(|result| result.reason() == MatchEndReason::Cancelled);
            game.set_state(if cancelled { MatchState::Cancelled } else { MatchState::Completed });
            game.result = ended.result;
        }
        _ => {}
    }
}
