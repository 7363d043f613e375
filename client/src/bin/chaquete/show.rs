//! `chaquete show`.

use std::process::ExitCode;

use chaquete_client::proto::{GetMatchRequest, ListMatchEventsRequest, Match};
use chaquete_client::{Client, draw, match_name};

use crate::args::Show;
use crate::failure::Failure;
use crate::out;

pub(crate) async fn run(client: &Client, args: &Show) -> Result<ExitCode, Failure> {
    let name = match_name(&args.name);
    let game = get(client, &name).await?;
    if args.log {
        log(client, &game).await?;
    } else {
        out::text(draw::sheet(&game))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The match, with everything.
pub(crate) async fn get(client: &Client, name: &str) -> Result<Match, Failure> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    let answer = client.get_match(request).await.map_err(|error| Failure::about(name, error))?;
    Ok(answer.r#match.unwrap_or_default())
}

async fn log(client: &Client, game: &Match) -> Result<(), Failure> {
    let request = ListMatchEventsRequest { parent: game.name.clone(), ..ListMatchEventsRequest::default() };
    let mut events = client.events(request);
    while let Some(event) = events.next().await? {
        out::line(draw::event(&event, &game.players))?;
    }
    Ok(())
}
