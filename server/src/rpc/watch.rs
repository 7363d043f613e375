//! `WatchMatch`: what happened after a revision, then live, with heartbeats.
//!
//! A task of its own reads the store and fills a bounded channel from which the stream is sent, so that a
//! caller that hangs up drops no read half way. Notices of the feed are only hints: with every heartbeat the
//! store is asked as well.

use std::sync::Arc;

use chaquete_proto::v1::{self, match_event::Kind, watch_match_response::Message};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

use super::{
    answer::{self, PAGE},
    match_service::{MatchParts, MatchRpc},
    stream::{Farewell, Leave, PATIENCE},
};
use crate::{
    feed::Notices,
    status::{Behind, Error},
    table::Table,
    wire::{
        game,
        query::{self, Watch},
        replay::{Replay, Teller},
        scalar,
        state::{self, View},
    },
};

/// How many messages may wait for a watcher to read them.
const MAX_WAITING: usize = 64;

type Sent = Result<v1::WatchMatchResponse, Status>;

/// The messages of a stream.
pub(super) type Messages = ReceiverStream<Sent>;

impl MatchRpc {
    pub(super) async fn watch(&self, request: Request<v1::WatchMatchRequest>) -> Result<Messages, Error> {
        let watch = query::read_watch(request.get_ref())?;
        let table = self.visit(&request).load(&watch.name).await?;
        let current = table.head.revision;
        let after = if watch.snapshot { current } else { watch.after };
        if after > current {
            return Err(Error::RevisionInFuture { current });
        }
        let notices = self.parts.feed.subscribe(table.key.uid);
        let teller = answer::teller_after(&self.parts.executor, &table, after).await?;
        let replay = if watch.include_game {
            Some(answer::replay_to(&self.parts.executor, &table, after).await?)
        } else {
            None
        };
        let is_over = state::is_ended(table.head.state);
        // One place more is kept for the reason why the stream ends.
        let (sender, receiver) = mpsc::channel(MAX_WAITING + 1);
        let farewell = Farewell::keep(&sender);
        let snapshot = watch.snapshot.then(|| state::match_at(&table, View::Full, self.now(&table)));
        let watcher = Watcher {
            parts: self.parts.clone(),
            watch,
            table,
            teller,
            replay,
            is_over,
            sent: after,
            notices,
            sender,
        };
        tokio::spawn(async move { farewell.say(watcher.run(snapshot).await) });
        Ok(ReceiverStream::new(receiver))
    }
}

struct Watcher {
    parts: MatchParts,
    watch: Watch,
    /// The match at some revision: what is not in the log is told as it is there.
    table: Arc<Table>,
    teller: Teller,
    /// The match along with its events, if the game after each is wanted.
    replay: Option<Replay>,
    /// Whether the event that ends the match was sent, or will be with the first that are.
    is_over: bool,
    /// The last revision that was handed to the stream.
    sent: u32,
    notices: Notices,
    sender: mpsc::Sender<Sent>,
}

impl Watcher {
    async fn run(mut self, snapshot: Option<v1::Match>) -> Leave {
        match self.send_all(snapshot).await {
            Ok(never) => never,
            Err(leave) => leave,
        }
    }

    /// Sends until there is a reason to leave.
    async fn send_all(&mut self, snapshot: Option<v1::Match>) -> Result<Leave, Leave> {
        if let Some(snapshot) = snapshot {
            self.send(Message::Snapshot(Box::new(snapshot))).await?;
        }
        loop {
            self.send_news().await?;
            if self.is_over {
                return Ok(Leave::Ended);
            }
            if !self.wait().await? {
                self.send_news().await?;
                self.send_heartbeat().await?;
            }
        }
    }

    /// Sends all events that are in the store and were not sent yet.
    async fn send_news(&mut self) -> Result<(), Leave> {
        loop {
            let seen = self.teller.revision();
            let page = self.parts.executor.events(&self.table, seen, PAGE).await?;
            self.table = answer::up_to_date(&self.parts.executor, &self.table, &page).await?;
            self.teller.refer_to(Arc::clone(&self.table));
            for stored in &page {
                let told = self.teller.tell(stored);
                let event = told.map_err(|damaged| self.parts.executor.found(&self.table, damaged))?;
                self.is_over |= matches!(event.kind, Some(Kind::MatchEnded(_)));
                let table = match &mut self.replay {
                    Some(replay) => Some(replay.fold(stored)?),
                    None => None,
                };
                let update = update(event, table);
                self.send(Message::Update(Box::new(update))).await?;
                self.sent = self.teller.revision();
            }
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    async fn send_heartbeat(&self) -> Result<(), Leave> {
        let heartbeat = v1::Heartbeat {
            revision: scalar::number(self.teller.revision()),
            server_time: Some(scalar::timestamp(self.parts.clock.now())),
        };
        self.send(Message::Heartbeat(heartbeat)).await
    }

    /// Waits until something may have happened. `false`: nothing did for so long that a heartbeat is due.
    async fn wait(&mut self) -> Result<bool, Leave> {
        tokio::select! {
            biased;
            () = self.parts.shutdown.cancelled() => Err(Error::Draining.into()),
            () = self.sender.closed() => Err(Leave::Gone),
            () = self.notices.changed() => Ok(true),
            () = sleep(self.watch.heartbeat) => Ok(false),
        }
    }

    async fn send(&self, message: Message) -> Result<(), Leave> {
        let message = v1::WatchMatchResponse { message: Some(message) };
        tokio::select! {
            biased;
            () = self.parts.shutdown.cancelled() => Err(Error::Draining.into()),
            sent = timeout(PATIENCE, self.sender.send(Ok(message))) => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) => Err(Leave::Gone),
                Err(_) => Err(Error::SlowConsumer(Behind::Events { last: self.sent }).into()),
            },
        }
    }
}

fn update(event: v1::MatchEvent, with_game: Option<&Table>) -> v1::MatchUpdate {
    v1::MatchUpdate {
        event: Some(event),
        // As it was right after the event, whenever that is read.
        game: with_game.and_then(|table| state::current_game(table, View::Full, table.head.update_time)),
        score: with_game.map(|table| game::score(table.state.score())),
    }
}
