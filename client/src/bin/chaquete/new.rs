//! `chaquete new`.

use std::process::ExitCode;

use chaquete_client::RetryPolicy;
use chaquete_client::proto::time_control::Control;
use chaquete_client::proto::{
    ActionDeadline, Automation, ClockControl, ClockMode, CreateMatchRequest, DicePolicy, DiceSource, Match,
    MatchRules, MoneySession, Player, Seat, TimeControl, TimeoutPolicy, Variant, match_rules::Length,
};

use crate::args::{Helpers, Limits, New, Server};
use crate::failure::Failure;
use crate::out;

pub(crate) async fn run(server: &Server, args: &New) -> Result<ExitCode, Failure> {
    // What cannot be meant is told without a server.
    let request = request(server, args)?;
    let client = crate::connect(server, RetryPolicy::default()).await?;
    let name = client.create_match(request).await?.r#match.unwrap_or_default().name;
    out::line(&name).map_err(|failure| failure.after_creation(&name))?;
    Ok(ExitCode::SUCCESS)
}

fn request(server: &Server, args: &New) -> Result<CreateMatchRequest, Failure> {
    if let Some(contradiction) = args.contradiction() {
        return Err(Failure::Usage(contradiction));
    }
    Ok(CreateMatchRequest {
        parent: server.tenant.0.clone(),
        match_id: args.id.clone(),
        r#match: Some(Match {
            players: vec![player(Seat::One, &args.one)?, player(Seat::Two, &args.two)?],
            rules: Some(rules(args)),
            dice_policy: Some(DicePolicy {
                source: DiceSource::from(args.dice).into(),
                seed: args.seed.as_ref().map(|seed| seed.0.clone()).unwrap_or_default(),
                ..DicePolicy::default()
            }),
            time_control: time_control(&args.limits),
            automation: automation(&args.helpers),
            ready_check: args.ready_check,
            ..Match::default()
        }),
        ..CreateMatchRequest::default()
    })
}

/// A player of a match to be.
pub(crate) fn player(seat: Seat, subject: &str) -> Result<Player, Failure> {
    let length = 1..=128;
    if !length.contains(&subject.len()) || !subject.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
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
        max_automatic_doubles: args.automatic_doubles,
        max_cube_value: args.max_cube,
        ..MatchRules::default()
    }
}

/// The limits of time, if there are any.
fn time_control(limits: &Limits) -> Option<TimeControl> {
    let clock = limits.clock.map(|reserve| {
        Control::Clock(ClockControl {
            reserve: Some(reserve.0),
            mode: limits.mode.map_or(ClockMode::Unspecified, ClockMode::from).into(),
            per_turn: limits.per_turn.map(|span| span.0),
        })
    });
    let deadline =
        limits.action_deadline.map(|limit| Control::ActionDeadline(ActionDeadline { limit: Some(limit.0) }));
    let policy = limits.timeout.map_or(TimeoutPolicy::Unspecified, TimeoutPolicy::from);
    let control = clock.or(deadline)?;
    Some(TimeControl { control: Some(control), timeout_policy: policy.into() })
}

/// What the server is to do without being asked, if anything.
fn automation(helpers: &Helpers) -> Option<Automation> {
    let wanted = Automation {
        roll_when_cube_unavailable: helpers.auto_roll,
        play_forced_moves: helpers.auto_move,
        bear_off_greedily: helpers.auto_bear_off,
    };
    (wanted != Automation::default()).then_some(wanted)
}
