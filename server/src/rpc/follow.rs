//! `WatchMatches`: the newest state of each match that changes, live, with heartbeats.
//!
//! What has changed stands in line until the caller has read what came before it; a match stands there once, however
//! often it changes meanwhile. Whatever may not have been heard is looked for in the store, as after a resume.

mod line;
mod scan;

use std::{convert::Infallible, sync::Arc};

use chaquete_proto::v1;
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        mpsc,
    },
    time::{Interval, interval},
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

use self::{line::Line, scan::Scan};
use super::{
    match_service::MatchRpc,
    stream::{Farewell, Leave, PATIENCE},
};
use crate::{
    clock::Millis,
    feed::Change,
    status::{Behind, Error},
    table::Table,
    wire::{
        follow::{self, Follow},
        scalar,
        state::{self, View},
    },
};

/// How many messages may wait for the caller to read them; more matches stand in line.
const MAX_WAITING: usize = 16;

/// How far back a resume looks beyond what was surely sent: clocks of servers differ, and what an event calls its time
/// is a little before others can see it.
const OVERLAP: Millis = 30_000;

type Sent = Result<v1::WatchMatchesResponse, Status>;

/// The messages of a stream.
pub(super) type Messages = ReceiverStream<Sent>;

impl MatchRpc {
    pub(super) fn follow(&self, request: &Request<v1::WatchMatchesRequest>) -> Result<Messages, Error> {
        let visit = self.visit(request);
        let wanted = match visit.only_subject("MatchService.WatchMatches")? {
            // Whatever a player asks for, it is told of the matches that it plays in.
            Some(subject) => follow::read_follow(&v1::WatchMatchesRequest {
                subject: subject.to_owned(),
                ..request.get_ref().clone()
            }),
            None => follow::read_follow(request.get_ref()),
        }?;
        visit.check_tenant(&wanted.tenant)?;
        let changes = self.parts.feed.follow();
        let now = self.parts.clock.now();
        // One place more is kept for the reason why the stream ends.
        let (sender, receiver) = mpsc::channel(MAX_WAITING + 1);
        let farewell = Farewell::keep(&sender);
        let follower = Follower {
            rpc: self.clone(),
            scan: wanted.since.map(|since| Scan::new(since, now)),
            heartbeat: interval(wanted.heartbeat),
            has_begun: false,
            patience: interval(PATIENCE),
            wanted,
            changes,
            heard: now,
            line: Line::default(),
            sender,
        };
        tokio::spawn(async move { farewell.say(follower.run().await) });
        Ok(ReceiverStream::new(receiver))
    }
}

struct Follower {
    rpc: MatchRpc,
    wanted: Follow,
    changes: broadcast::Receiver<Change>,
    /// When all changes had been heard last.
    heard: Millis,
    /// The matches that are still to be sent.
    line: Line,
    /// What is looked for in the store.
    scan: Option<Scan>,
    /// The first one comes as soon as all that changed before the stream was sent: whoever is cut off can then resume.
    heartbeat: Interval,
    /// Whether the first heartbeat was sent.
    has_begun: bool,
    /// How long the next in line may wait for a place among the messages.
    patience: Interval,
    sender: mpsc::Sender<Sent>,
}

impl Follower {
    async fn run(mut self) -> Leave {
        let Err(leave) = self.send_all().await;
        leave
    }

    /// Sends until there is a reason to leave.
    async fn send_all(&mut self) -> Result<Infallible, Leave> {
        let sender = self.sender.clone();
        let shutdown = self.rpc.parts.shutdown.clone();
        loop {
            while self.line.is_empty() && self.scan.is_some() {
                self.scan_on().await?;
            }
            if self.changes.is_empty() {
                self.heard = self.rpc.parts.clock.now();
            }
            tokio::select! {
                () = shutdown.cancelled() => return Err(Error::Draining.into()),
                () = sender.closed() => return Err(Leave::Gone),
                heard = self.changes.recv() => self.hear(heard)?,
                place = sender.reserve(), if !self.line.is_empty() => {
                    self.send_next(place.map_err(|_| Leave::Gone)?);
                }
                _ = self.patience.tick(), if !self.line.is_empty() => {
                    return Err(Error::SlowConsumer(Behind::Matches).into());
                }
                _ = self.heartbeat.tick(), if self.is_idle() => {
                    self.has_begun = true;
                    // Where there is no place, there is something to read.
                    drop(sender.try_send(Ok(self.message(None))));
                }
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.line.is_empty() && self.scan.is_none()
    }

    fn hear(&mut self, heard: Result<Change, RecvError>) -> Result<(), Leave> {
        match heard {
            Ok(Change::Moved(table)) => self.line_up(table, self.heard - OVERLAP),
            Ok(Change::Any) | Err(RecvError::Lagged(_)) => {
                let (since, now) = (self.moment(), self.rpc.parts.clock.now());
                self.scan = Some(self.scan.take().map_or_else(|| Scan::new(since, now), Scan::again));
                Ok(())
            }
            // The feed lasts as long as the server.
            Err(RecvError::Closed) => Err(Error::Draining.into()),
        }
    }

    /// Puts a match in line, if it is wanted. All that changed before `as_of` is told without it.
    fn line_up(&mut self, table: Arc<Table>, as_of: Millis) -> Result<(), Leave> {
        let players = &table.state.terms().players;
        let plays = |subject: &String| players.one == *subject || players.two == *subject;
        if table.name.tenant != self.wanted.tenant || !self.wanted.subject.as_ref().is_none_or(plays) {
            return Ok(());
        }
        if self.line.is_empty() {
            self.patience.reset();
        }
        if self.line.push(table, as_of) { Ok(()) } else { Err(Error::SlowConsumer(Behind::Matches).into()) }
    }

    fn send_next(&mut self, place: mpsc::Permit<'_, Sent>) {
        let Some(table) = self.line.pop() else { return };
        let table = self.rpc.parts.executor.newest(&table);
        place.send(Ok(self.message(Some(state::match_at(&table, View::Basic, self.rpc.now(&table))))));
        self.patience.reset();
        if self.has_begun {
            self.heartbeat.reset();
        }
    }

    fn message(&self, changed: Option<v1::Match>) -> v1::WatchMatchesResponse {
        v1::WatchMatchesResponse {
            r#match: changed,
            resume_token: self.wanted.token(self.moment()),
            server_time: Some(scalar::timestamp(self.rpc.parts.clock.now())),
        }
    }

    /// What changed before this moment was sent, apart from what is in the message that is being made.
    fn moment(&self) -> Millis {
        let scanned = self.scan.as_ref().map(|scan| scan.since);
        let waiting = [self.line.as_of(), scanned].into_iter().flatten().min();
        waiting.unwrap_or(Millis::MAX).min(self.heard - OVERLAP)
    }
}
