//! How reads and watches fare as the matches on Postgres become more.
//!
//! At each size it measures, call after call: a match that is kept folded and one that is not, pages of lists, and how
//! long 100 watchers on another server take to hear of an action. The new matches are all running, each with its
//! creation and the events that follow by itself.

use std::{error::Error, time::Duration};

use chaquete_proto::v1::{
    ActRequest, CreateMatchRequest, Dice, DicePolicy, DiceSource, GetMatchRequest, ListMatchesRequest,
    ResponseDetail, RollDiceRequest, WatchMatchRequest, act_request::Action, act_response::Outcome,
    match_service_client::MatchServiceClient, play_service_client::PlayServiceClient,
};
use chaquete_server::{config::Config, store::suite::cluster::Cluster};
use chaquete_tests::{Postgres, Service, new_match, rules_to};
use clap::Parser;
use comfy_table::Table;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::mpsc, task::JoinSet, time::Instant};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Channel, Endpoint};

/// Measures reads and watches at sizes of the store; the smallest is that which has 101 pages and more.
#[derive(Parser)]
#[command(name = "growth")]
struct Options {
    /// The sizes, in matches, each at least half as large again as the one before.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "10000,100000,1000000",
        value_parser = clap::value_parser!(u32).range(6_000..)
    )]
    matches: Vec<u32>,

    /// How many calls of each kind are made at each size.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    calls: u32,
}

/// Each player has so many matches.
const MATCHES_EACH: u32 = 200;

/// How many creations are unanswered at any time.
const UNDER_WAY: u32 = 1_000;

/// How many watch one match.
const WATCHERS: usize = 100;

type Failure = Box<dyn Error + Send + Sync>;

fn id(number: u32) -> String {
    format!("grown-{number}")
}

fn name(number: u32) -> String {
    format!("tenants/default/matches/{}", id(number))
}

fn creation(number: u32, of: u32) -> CreateMatchRequest {
    let mut request = new_match(rules_to(7));
    request.match_id = id(number);
    let new = request.r#match.get_or_insert_default();
    let players = of / MATCHES_EACH;
    for (seat, player) in (0..).zip(&mut new.players) {
        // Two different players, and every player in as many matches as any other.
        player.subject = format!("p{}", (2 * number + seat) % players);
    }
    let source = DiceSource::External.into();
    new.dice_policy = Some(DicePolicy { source, ..DicePolicy::default() });
    request
}

/// Creates the matches from one number to another, over one stream.
async fn create(channel: Channel, from: u32, to: u32) -> Result<(), Failure> {
    let (requests, sent) = mpsc::channel(UNDER_WAY as usize);
    let create = |number: u32| ActRequest {
        tag: number.into(),
        action: Some(Action::CreateMatch(Box::new(creation(number, to)))),
        detail: ResponseDetail::Revision.into(),
    };
    let mut next = from..to;
    for number in next.by_ref().take(UNDER_WAY as usize) {
        requests.send(create(number)).await?;
    }
    let mut answers = PlayServiceClient::new(channel).act(ReceiverStream::new(sent)).await?.into_inner();
    for _ in from..to {
        let answer = answers.message().await?.ok_or("the stream ended early")?;
        if let Some(Outcome::Error(error)) = answer.outcome {
            return Err(error.message.into());
        }
        if let Some(number) = next.next() {
            requests.send(create(number)).await?;
        }
    }
    Ok(())
}

/// Calls again and again; the median and the 99th percentile of how long it took.
async fn timed<F: Future<Output = Result<(), Failure>>>(
    calls: u32,
    mut call: impl FnMut() -> F,
) -> Result<String, Failure> {
    let mut took = Vec::new();
    for _ in 0..calls {
        let begin = Instant::now();
        call().await?;
        took.push(begin.elapsed());
    }
    Ok(shown(took))
}

fn shown(mut took: Vec<Duration>) -> String {
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    format!("{:.2} ({:.2})", at(50), at(99))
}

async fn get(matches: &MatchServiceClient<Channel>, number: u32) -> Result<(), Failure> {
    let request = GetMatchRequest { name: name(number), ..GetMatchRequest::default() };
    matches.clone().get_match(request).await?;
    Ok(())
}

/// Reads a page of 50; the token of the next one.
async fn page(matches: &MatchServiceClient<Channel>, filter: &str, token: String) -> Result<String, Failure> {
    let request = ListMatchesRequest {
        parent: "tenants/default".to_owned(),
        filter: filter.to_owned(),
        page_token: token,
        ..ListMatchesRequest::default()
    };
    let answer = matches.clone().list_matches(request).await?.into_inner();
    if answer.matches.len() != 50 {
        return Err(format!("a page of {}", answer.matches.len()).into());
    }
    Ok(answer.next_page_token)
}

/// How long it takes until all who watch a match on one server have heard of what is done on another.
async fn fan_out(acting: Channel, watching: Channel, number: u32) -> Result<Duration, Failure> {
    let mut watchers = Vec::new();
    for _ in 0..WATCHERS {
        let request =
            WatchMatchRequest { name: name(number), snapshot: true, ..WatchMatchRequest::default() };
        let mut stream = MatchServiceClient::new(watching.clone()).watch_match(request).await?.into_inner();
        stream.message().await?.ok_or("a watch ended early")?;
        watchers.push(stream);
    }
    let request = GetMatchRequest { name: name(number), ..GetMatchRequest::default() };
    let got = MatchServiceClient::new(acting.clone()).get_match(request).await?.into_inner();
    let begin = Instant::now();
    let request = RollDiceRequest {
        name: name(number),
        seat: 1,
        expected_revision: got.r#match.unwrap_or_default().revision,
        dice: Some(Dice { first: 6, second: 5 }),
        ..RollDiceRequest::default()
    };
    PlayServiceClient::new(acting).roll_dice(request).await?;
    let mut heard: JoinSet<Result<Duration, Failure>> = JoinSet::new();
    for mut stream in watchers {
        heard.spawn(async move {
            stream.message().await?.ok_or("a watch ended early")?;
            Ok(begin.elapsed())
        });
    }
    let mut last = Duration::ZERO;
    while let Some(one) = heard.join_next().await {
        last = last.max(one??);
    }
    Ok(last)
}

async fn measure(
    options: &Options,
    size: u32,
    [server, forgetful]: [&Channel; 2],
) -> Result<Vec<String>, Failure> {
    let chance = std::cell::RefCell::new(StdRng::seed_from_u64(1));
    let any = || chance.borrow_mut().random_range(0..size);
    let [matches, cold] = [server, forgetful].map(|channel| MatchServiceClient::new(channel.clone()));
    let calls = options.calls;
    let players = size / MATCHES_EACH;
    let of_any = || format!("players.subject:\"p{}\"", any() % players);
    let mut far = String::new();
    for _ in 0..100 {
        far = page(&matches, "", far).await?;
    }
    get(&matches, 0).await?;
    let mut watched = Vec::new();
    for number in 0..20 {
        watched.push(fan_out(server.clone(), forgetful.clone(), size - 1 - number).await?);
    }
    Ok(vec![
        size.to_string(),
        timed(calls, || get(&matches, 0)).await?,
        timed(calls, || get(&cold, any())).await?,
        timed(calls, async || page(&matches, "", String::new()).await.map(drop)).await?,
        timed(calls, async || page(&matches, "", far.clone()).await.map(drop)).await?,
        timed(calls, async || page(&matches, &of_any(), String::new()).await.map(drop)).await?,
        shown(watched),
    ])
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let options = Options::parse();
    let cluster = Cluster::start(&[]).await?;
    let postgres = Postgres::on(&cluster).await;
    let server = postgres.serve().await;
    // It keeps no match, so each is read anew.
    let forgetful = Service::start_with(Config { tables: 0, ..postgres.config() }).await;
    let mut channels = Vec::new();
    for service in [&server, &forgetful] {
        channels.push(Endpoint::from_shared(service.endpoint())?.tcp_nodelay(true).connect().await?);
    }
    let mut table = Table::new();
    table.load_style(comfy_table::presets::ASCII_MARKDOWN).set_header([
        "matches",
        "GetMatch, kept",
        "GetMatch, read",
        "ListMatches",
        "its 101st page",
        "of a player",
        "100 watchers",
    ]);
    let mut from = 0;
    for &size in &options.matches {
        create(channels[0].clone(), from, size).await?;
        cluster.maintenance().execute("CHECKPOINT").await?;
        // As Postgres does by itself some minutes later.
        postgres.database.execute("VACUUM ANALYZE").await?;
        table.add_row(measure(&options, size, [&channels[0], &channels[1]]).await?);
        from = size;
    }
    println!("ms, median (p99)\n{table}");
    Ok(())
}
