//! `chaquete new`.

use std::process::ExitCode;

use chaquete_client::proto::{
    CreateMatchRequest, DicePolicy, DiceSource, Match, MatchRules, MoneySession, Player, Seat, Variant,
    match_rules::Length,
};
use chaquete_client::{Client, DEFAULT_TENANT};

use crate::args::New;
use crate::failure::Failure;

pub(crate) async fn run(client: &Client, args: &New) -> Result<ExitCode, Failure> {
    let created = client.create_match(request(args)?).await?;
    println!("{}", created.r#match.unwrap_or_default().name);
    Ok(ExitCode::SUCCESS)
}

fn request(args: &New) -> Result<CreateMatchRequest, Failure> {
    Ok(CreateMatchRequest {
        parent: DEFAULT_TENANT.to_owned(),
        match_id: args.id.clone(),
        r#match: Some(Match {
            players: vec![player(Seat::One, &args.one)?, player(Seat::Two, &args.two)?],
            rules: Some(rules(args)),
            dice_policy: Some(DicePolicy {
                source: DiceSource::from(args.dice).into(),
                seed: args.seed.as_ref().map(|seed| seed.0.clone()).unwrap_or_default(),
                ..DicePolicy::default()
            }),
            ..Match::default()
        }),
        ..CreateMatchRequest::default()
    })
}

fn player(seat: Seat, subject: &str) -> Result<Player, Failure> {
    if subject.is_empty() || !subject.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(Failure::Usage("a player is named by 1 to 128 printable ASCII characters"));
    }
    Ok(Player { seat: seat.into(), subject: subject.to_owned(), display_name: String::new() })
}

fn rules(args: &New) -> MatchRules {
    let length = match args.points {
        Some(points) => Length::Points(points),
        None => Length::MoneySession(MoneySession { max_games: args.games }),
    };
    MatchRules {
        length: Some(length),
        variant: Variant::from(args.variant).into(),
        crawford: args.no_crawford.then_some(false),
        jacoby: args.no_jacoby.then_some(false),
        max_beavers: args.beavers,
        max_cube_value: args.max_cube,
        ..MatchRules::default()
    }
}
