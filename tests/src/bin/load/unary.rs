//! Calls one by one: as many callers as calls are to be under way, each waits for its answer.

use std::{sync::Arc, time::Duration};

use chaquete_proto::v1::{
    ApplyMoveRequest, CreateMatchRequest, GetServerInfoRequest, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient, rules_service_client::RulesServiceClient,
};
use tokio::time::{Instant, sleep};
use tonic::{Status, transport::Channel};

use crate::{
    meter::Meter,
    table::{Deed, Table},
};

/// How long a caller waits after a failure, so that a server in trouble is not made to fail faster.
const PAUSE: Duration = Duration::from_millis(50);

/// What a caller asks for, again and again.
pub(crate) enum Caller {
    /// `GetServerInfo`: nothing but transport.
    Info,
    /// `ApplyMove`: rules without a match. The cases in turn.
    Rules(Box<dyn Iterator<Item = ApplyMoveRequest> + Send>),
    /// Matches: the tables in turn.
    Play {
        /// The tables.
        tables: Vec<Table>,
        /// The table of the present call.
        at: usize,
    },
}

impl Caller {
    /// Makes calls until the meter says that it is over.
    pub(crate) async fn call(mut self, channel: Channel, meter: Arc<Meter>) {
        while !meter.is_over() {
            let call = self.next();
            let began = Instant::now();
            let answer = call.send(channel.clone()).await;
            let failed = answer.is_err();
            meter.note(answer, began.elapsed());
            if failed {
                self.leave();
                sleep(PAUSE).await;
            }
        }
    }

    fn next(&mut self) -> Call {
        match self {
            Self::Info => Call::Info,
            Self::Rules(cases) => Call::Apply(cases.next().expect("they go round")),
            Self::Play { tables, at } => {
                *at = (*at + 1) % tables.len();
                let (deed, revision) = tables[*at].next();
                Call::Act(deed, revision)
            }
        }
    }

    fn leave(&mut self) {
        if let Self::Play { tables, at } = self {
            tables[*at].leave();
        }
    }
}

/// One call.
enum Call {
    Info,
    Apply(ApplyMoveRequest),
    /// The match must have this revision afterwards.
    Act(Deed, i32),
}

impl Call {
    async fn send(self, channel: Channel) -> Result<(), Status> {
        match self {
            Self::Info => {
                RulesServiceClient::new(channel).get_server_info(GetServerInfoRequest {}).await.map(drop)
            }
            Self::Apply(request) => {
                let answer = RulesServiceClient::new(channel).apply_move(request).await?;
                let legal = answer.into_inner().legal;
                if legal { Ok(()) } else { Err(Status::data_loss("a legal move is refused")) }
            }
            Self::Act(deed, revision) => agrees(act(channel, deed).await?, revision),
        }
    }
}

/// Does this, and tells the revision after it.
async fn act(channel: Channel, deed: Deed) -> Result<i32, Status> {
    let play = || PlayServiceClient::new(channel.clone());
    let after = match deed {
        Deed::Create(request) => return create(channel, *request).await,
        Deed::Roll(request) => play().roll_dice(request).await?.into_inner().r#match,
        Deed::Play(request) => play().submit_move(request).await?.into_inner().r#match,
    };
    Ok(after.unwrap_or_default().revision)
}

async fn create(channel: Channel, request: CreateMatchRequest) -> Result<i32, Status> {
    let created = MatchServiceClient::new(channel).create_match(request).await?.into_inner();
    Ok(created.r#match.unwrap_or_default().revision)
}

/// Whether the server did what the rules here did.
pub(crate) fn agrees(found: i32, expected: i32) -> Result<(), Status> {
    if found == expected {
        return Ok(());
    }
    Err(Status::data_loss(format!("the server disagrees: revision {found} instead of {expected}")))
}
