//! Watching a match, whatever happens to the connection.

use std::time::Duration;

use chaquete_proto::v1::match_service_client::MatchServiceClient;
use chaquete_proto::v1::watch_match_response::Message;
use chaquete_proto::v1::{
    Heartbeat, Match, MatchState, MatchUpdate, WatchMatchRequest, WatchMatchResponse, match_event,
};
use tokio::time::timeout;
use tonic::Streaming;

use crate::retry::Patience;
use crate::{Client, Error};

/// How long the server may be silent if the request names no interval of heartbeats.
const USUAL_HEARTBEAT: Duration = Duration::from_secs(15);

/// How often a watch may be taken up again without learning anything new.
const FRUITLESS: u32 = 3;

/// A match being watched.
///
/// When the connection breaks or the server sends the watcher elsewhere, the watch goes on after the
/// last event it gave: each event is given once, in order, and none is left out. Dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    client: Client,
    request: WatchMatchRequest,
    stream: Option<Streaming<WatchMatchResponse>>,
    cursor: Cursor,
    patience: Patience,
    ended: bool,
}

/// What a watch tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    /// The match as it is, if the request asked for it; always first.
    Snapshot(Box<Match>),
    /// An event, with the game after it if the request asked for that.
    Update(Box<MatchUpdate>),
    /// Nothing happened; all events up to its revision have been given.
    Heartbeat(Heartbeat),
}

/// How far a watch has come.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    /// The last revision that was given, or that the caller had.
    revision: i32,
    /// Whether this stream has told anything new.
    fruitful: bool,
    /// How many streams in a row told nothing new.
    fruitless: u32,
    /// Whether the end of the match was given.
    over: bool,
}

/// What to do with a message.
enum Step {
    Give(Watched),
    Ignore,
    /// Something between this message and the last one is missing.
    Gap,
}

impl Client {
    /// Watches a match. Nothing is sent before [`Watch::next`] is called.
    #[must_use]
    pub fn watch_match(&self, request: WatchMatchRequest) -> Watch {
        let cursor = Cursor { revision: request.after_revision, ..Cursor::default() };
        Watch {
            client: self.clone(),
            request,
            stream: None,
            cursor,
            patience: Patience::default(),
            ended: false,
        }
    }
}

impl Watch {
    /// The last revision that was given: what to pass as `after_revision` to go on in another program.
    #[must_use]
    pub fn revision(&self) -> i32 {
        self.cursor.revision
    }

    /// What happens next; `None` after the match has ended. Safe to drop while it waits.
    ///
    /// # Errors
    /// What the server refused, or no server within the patience of the client's
    /// [`RetryPolicy`](crate::RetryPolicy); calling it again takes the watch up again.
    pub async fn next(&mut self) -> Result<Option<Watched>, Error> {
        while !self.ended {
            self.patience.begin();
            match self.receive().await {
                Ok(Some(watched)) => {
                    self.patience.rewarded();
                    return Ok(Some(watched));
                }
                Ok(None) => {}
                Err(error) => {
                    self.stream = None;
                    self.patience.try_again(&self.client, error).await?;
                }
            }
        }
        Ok(None)
    }

    /// What comes next on the stream that is open, or on a new one.
    async fn receive(&mut self) -> Result<Option<Watched>, Error> {
        let silence = self.longest_silence();
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let mut matches = MatchServiceClient::new(self.client.channel());
                let call = matches.watch_match(self.cursor.request(&self.request));
                none.insert(self.client.open(call).await?)
            }
        };
        let message = match timeout(silence, stream.message()).await {
            Ok(Ok(message)) => message,
            Ok(Err(status)) => return Err(Error::from_status(&status)),
            // Not even heartbeats: as good as a broken connection.
            Err(silent) => return Err(Error::transport(&silent)),
        };
        let Some(message) = message else {
            self.closed()?;
            return Ok(None);
        };
        match self.cursor.step(message) {
            Step::Give(watched) => Ok(Some(watched)),
            Step::Ignore => Ok(None),
            Step::Gap => {
                self.again()?;
                Ok(None)
            }
        }
    }

    /// The server closed the stream in good order: normally after the end of the match. If that was not
    /// seen, ask once more; a stream that has nothing to tell then confirms it.
    fn closed(&mut self) -> Result<(), Error> {
        if self.cursor.over || !self.cursor.fruitful {
            self.ended = true;
            return Ok(());
        }
        self.again()
    }

    /// Opens a new stream the next time, unless that has led nowhere several times.
    fn again(&mut self) -> Result<(), Error> {
        self.stream = None;
        if self.cursor.restart() > FRUITLESS {
            self.cursor.fruitless = 0;
            let revision = self.cursor.revision;
            return Err(Error::contract(format!("the server leaves out events after revision {revision}")));
        }
        Ok(())
    }

    fn longest_silence(&self) -> Duration {
        let interval = self.request.heartbeat_interval.and_then(|interval| interval.try_into().ok());
        interval.unwrap_or(USUAL_HEARTBEAT) * 2 + self.client.call_deadline()
    }
}

impl Cursor {
    /// The request that goes on from here. A snapshot that has not come yet is asked for again.
    fn request(&self, first: &WatchMatchRequest) -> WatchMatchRequest {
        let snapshot = first.snapshot && self.revision == 0;
        WatchMatchRequest { after_revision: self.revision, snapshot, ..first.clone() }
    }

    fn step(&mut self, response: WatchMatchResponse) -> Step {
        match response.message {
            Some(Message::Snapshot(game)) => {
                self.advance(game.revision);
                self.over = matches!(game.state(), MatchState::Completed | MatchState::Cancelled);
                Step::Give(Watched::Snapshot(game))
            }
            Some(Message::Update(update)) => self.update(update),
            Some(Message::Heartbeat(beat)) if beat.revision > self.revision => Step::Gap,
            Some(Message::Heartbeat(beat)) => Step::Give(Watched::Heartbeat(beat)),
            // A kind of message that a newer server knows.
            None => Step::Ignore,
        }
    }

    fn update(&mut self, update: Box<MatchUpdate>) -> Step {
        let Some(event) = &update.event else { return Step::Ignore };
        if event.revision <= self.revision {
            return Step::Ignore;
        }
        if event.revision > self.revision + 1 {
            return Step::Gap;
        }
        self.over |= matches!(event.kind, Some(match_event::Kind::MatchEnded(_)));
        self.advance(event.revision);
        Step::Give(Watched::Update(update))
    }

    fn advance(&mut self, revision: i32) {
        self.revision = revision;
        self.fruitful = true;
        self.fruitless = 0;
    }

    /// A new stream begins; says how many in a row told nothing new.
    fn restart(&mut self) -> u32 {
        if !std::mem::take(&mut self.fruitful) {
            self.fruitless += 1;
        }
        self.fruitless
    }
}
