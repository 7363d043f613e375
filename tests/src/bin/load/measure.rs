//! One load on one server.

use std::{error::Error, iter, sync::Arc, time::Duration};

use hdrhistogram::Histogram;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tonic::transport::{Channel, Endpoint};

use crate::{
    act,
    cases::cases,
    load::{Load, Mode, Transport},
    meter::{Failures, Meter},
    options::Options,
    stand::{Cpu, Stand},
    table::Table,
    unary::Caller,
};

/// What was measured of a load.
#[derive(Debug)]
pub(crate) struct Measured {
    /// For how long.
    pub(crate) time: Duration,
    /// Of each answer how long it took, in microseconds.
    pub(crate) latencies: Histogram<u64>,
    /// Calls that failed, also those before.
    pub(crate) failures: Failures,
    /// CPU time in that time.
    pub(crate) cpu: Cpu,
    /// Transactions that wrote, if there is a database beside the server.
    pub(crate) transactions: Option<u64>,
}

impl Measured {
    pub(crate) fn actions(&self) -> u64 {
        self.latencies.len()
    }

    pub(crate) fn rate(&self) -> f64 {
        self.actions() as f64 / self.time.as_secs_f64()
    }
}

/// Puts a load on a server, lets it run in, and measures.
pub(crate) async fn measure(
    load: Load,
    stand: &Stand<'_>,
    options: &Options,
) -> Result<Measured, Box<dyn Error>> {
    let meter = Arc::new(Meter::new());
    let mut players = start(load, stand, options, &meter).await?;
    run_in(&meter, options.matches(load) as u64, &mut players).await;
    sleep(options.warm_up()).await;

    let (transactions, cpu) = (stand.transactions().await?, stand.cpu()?);
    let began = Instant::now();
    meter.begin();
    sleep(options.measured()).await;
    meter.end();
    let time = began.elapsed();
    let (cpu, transactions) = (used(cpu, stand.cpu()?), since(transactions, stand.transactions().await?));

    while players.join_next().await.transpose()?.is_some() {}
    let (latencies, failures) = meter.read();
    Ok(Measured { time, latencies, failures, cpu, transactions })
}

/// Waits until there were as many answers as there are matches: until then they are only created. Or until nobody
/// plays any more, because nobody can.
async fn run_in(meter: &Meter, matches: u64, players: &mut JoinSet<()>) {
    let some = async { while players.join_next().await.is_some() {} };
    let all = async {
        while meter.answered() < matches {
            sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! { () = some => {}, () = all => {} }
}

fn used(begin: Cpu, end: Cpu) -> Cpu {
    Cpu {
        server: end.server - begin.server,
        database: begin.database.zip(end.database).map(|(begin, end)| end - begin),
        client: end.client - begin.client,
    }
}

fn since(begin: Option<u64>, end: Option<u64>) -> Option<u64> {
    begin.zip(end).map(|(begin, end)| end - begin)
}

/// Starts all that make calls.
async fn start(
    load: Load,
    stand: &Stand<'_>,
    options: &Options,
    meter: &Arc<Meter>,
) -> Result<JoinSet<()>, Box<dyn Error>> {
    let channels = connect(stand.endpoint(), options.connections(load)).await?;
    let groups = groups(load, options);
    let mut players = JoinSet::new();
    match load.transport {
        Transport::Unary => {
            let cases = if load.mode == Mode::Rules {
                cases(&channels[0], options.style()).await?
            } else {
                Vec::new()
            };
            for (number, (tables, channel)) in groups.into_iter().zip(channels.iter().cycle()).enumerate() {
                let caller = match load.mode {
                    Mode::Echo => Caller::Info,
                    Mode::Rules => Caller::Rules(Box::new(cases.clone().into_iter().cycle().skip(number))),
                    Mode::Memory | Mode::Sqlite | Mode::Postgres | Mode::PostgresSingle => {
                        Caller::Play { tables, at: 0 }
                    }
                };
                players.spawn(caller.call(channel.clone(), Arc::clone(meter)));
            }
        }
        Transport::Act => {
            let streams = shares(groups, channels.len());
            for (channel, groups) in channels.into_iter().zip(streams) {
                players.spawn(act::stream(channel, groups, Arc::clone(meter)));
            }
        }
    }
    Ok(players)
}

async fn connect(endpoint: &str, count: usize) -> Result<Vec<Channel>, tonic::transport::Error> {
    let endpoint = Endpoint::from_shared(endpoint.to_owned())?.tcp_nodelay(true);
    let mut channels = Vec::new();
    for _ in 0..count {
        channels.push(endpoint.connect().await?);
    }
    Ok(channels)
}

/// The tables, in as many groups as calls are to be under way.
fn groups(load: Load, options: &Options) -> Vec<Vec<Table>> {
    let tables = (0..options.matches(load)).map(|number| Table::new(number as u64, options.style()));
    shares(tables.collect(), load.in_flight)
}

/// The same in `count` shares, as equal as can be.
fn shares<T>(all: Vec<T>, count: usize) -> Vec<Vec<T>> {
    let mut shares: Vec<_> = iter::repeat_with(Vec::new).take(count).collect();
    for (number, one) in all.into_iter().enumerate() {
        shares[number % count].push(one);
    }
    shares
}
