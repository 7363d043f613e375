//! `chaquete show`.

use std::process::ExitCode;

use chaquete_client::proto::{GetMatchRequest, ListMatchEventsRequest, Match, Seat};
use chaquete_client::{Client, RetryPolicy, draw, picture};
use chaquete_record::GamePosition;
use chaquete_record::picture::Picture;
use chaquete_rules::BySeat;

use crate::args::{Destination, PictureArgs, Server, Show};
use crate::failure::Failure;
use crate::{file, out};

pub(crate) async fn run(server: &Server, args: &Show) -> Result<ExitCode, Failure> {
    if let Some(contradiction) = args.picture.contradiction() {
        return Err(Failure::Usage(contradiction));
    }
    match (&args.id, &args.name) {
        (Some(position), _) => show_position(position, &args.picture)?,
        (None, name) => {
            show_match(server, &server.match_name(name.as_deref().unwrap_or_default()), args).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn show_match(server: &Server, name: &str, args: &Show) -> Result<(), Failure> {
    let client = crate::connect(server, RetryPolicy::default()).await?;
    let game = get(&client, name).await?;
    if args.log {
        log(&client, &game).await
    } else if args.picture.is_wanted() {
        draw_match(&client, &game, &args.picture).await
    } else {
        out::text(draw::sheet(&game))
    }
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

async fn draw_match(client: &Client, game: &Match, args: &PictureArgs) -> Result<(), Failure> {
    let no_position = |error| Failure::NoPosition { name: game.name.clone(), error };
    let position = picture::position(game).map_err(no_position)?;
    let last_move = picture::last_move(client, game).await?;
    let name = |seat| draw::seat_name(&game.players, seat);
    let names = BySeat::new(name(Seat::One), name(Seat::Two));
    write(&Picture { position, names, last_move, view: args.view() }, args)
}

/// Shows a position of which nothing else is known: its seats are called as in an XGID.
fn show_position(position: &GamePosition, args: &PictureArgs) -> Result<(), Failure> {
    if !args.is_wanted() {
        return out::text(draw::position(position));
    }
    let names = BySeat::new("X", "O");
    write(&Picture { position: *position, names, last_move: None, view: args.view() }, args)
}

fn write(picture: &Picture<'_>, args: &PictureArgs) -> Result<(), Failure> {
    if let Some(destination) = &args.svg {
        put(destination, picture.svg().as_bytes())?;
    }
    if let Some(destination) = &args.png {
        put(destination, &picture::png(picture, args.size.unwrap_or_default())?)?;
    }
    Ok(())
}

fn put(destination: &Destination, bytes: &[u8]) -> Result<(), Failure> {
    match destination {
        Destination::StandardOutput => out::bytes(bytes),
        Destination::File(path) => file::write(path, bytes),
    }
}
