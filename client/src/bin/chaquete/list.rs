//! `chaquete list`.

use std::process::ExitCode;

use chaquete_client::proto::{ListMatchesRequest, Match, Seat};
use chaquete_client::{RetryPolicy, draw, match_id};
use comfy_table::Table;

use crate::args::{List, Server};
use crate::failure::Failure;
use crate::out;

/// The most matches that the server gives in one page.
const LARGEST_PAGE: usize = 500;

pub(crate) async fn run(server: &Server, args: &List) -> Result<ExitCode, Failure> {
    let client = crate::connect(server, RetryPolicy::default()).await?;
    let limit = args.limit.get();
    let mut matches = client.matches(ListMatchesRequest {
        parent: server.tenant.0.clone(),
        // One more shows whether there are more.
        page_size: i32::try_from(limit.saturating_add(1).min(LARGEST_PAGE)).unwrap_or_default(),
        filter: args.filter.clone(),
        order_by: args.order.clone(),
        ..ListMatchesRequest::default()
    });
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["MATCH", "STATE", "SEAT ONE", "SEAT TWO", "SCORE", "LENGTH", "CREATED"]);
    let mut more = false;
    while let Some(game) = matches.next().await? {
        if table.row_count() == limit {
            more = true;
            break;
        }
        table.add_row(row(&game));
    }
    out::line(&table)?;
    if more {
        out::line("and more: see --limit")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(game: &Match) -> [String; 7] {
    [
        match_id(&game.name).to_owned(),
        draw::match_state(game).to_owned(),
        draw::seat_name(&game.players, Seat::One).to_owned(),
        draw::seat_name(&game.players, Seat::Two).to_owned(),
        draw::score(game.score),
        draw::rules(game.rules.as_ref()),
        game.create_time.map(draw::moment).unwrap_or_default(),
    ]
}
