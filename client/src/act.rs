//! Many actions on one stream.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use chaquete_proto::v1::play_service_client::PlayServiceClient;
use chaquete_proto::v1::{ActRequest, ActResponse};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use tonic::Streaming;

use crate::{Client, Error};

/// How many actions may wait to be sent.
const WAITING: usize = 64;

/// Where actions are handed in on a stream, see [`Client::act_stream`].
///
/// Clones hand in on the same stream. When the last of them is dropped, the stream ends as soon as
/// everything is answered.
#[derive(Clone)]
pub struct Actions {
    sender: mpsc::Sender<ActRequest>,
}

/// The answers to what was handed in on a stream, see [`Client::act_stream`].
///
/// Dropping it ends the stream, and nothing can be handed in any more. What the server has begun is finished then, what it has not begun is not.
#[derive(Debug)]
pub struct Answers {
    stream: Streaming<ActResponse>,
    /// Nothing is ever said here; what is sent ends when it is gone.
    _heard: oneshot::Sender<Infallible>,
}

/// What is sent, for as long as somebody is there to hear the answers.
struct Outgoing {
    actions: mpsc::Receiver<ActRequest>,
    heard: oneshot::Receiver<Infallible>,
}

impl Stream for Outgoing {
    type Item = ActRequest;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ActRequest>> {
        if Pin::new(&mut self.heard).poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        self.actions.poll_recv(cx)
    }
}

impl Client {
    /// Opens a stream for any number of actions of any matches, which costs much less than as many calls.
    ///
    /// Answers come in the order in which actions become durable, and carry the tags of their requests; the
    /// actions of one match are carried out in the order in which they are handed in. The server takes no
    /// more while 1,024 are unanswered, and cuts off who leaves that many answers unread, so hand in and
    /// read at the same time.
    ///
    /// Nothing is tried again here. If the stream breaks, open another and hand in again what was not
    /// answered, in the same order and each with the `request_id` that it had: what has happened already
    /// gets its first answer again. No `request_id` is made for actions that bring none.
    ///
    /// ```no_run
    /// use chaquete_client::proto::{
    ///     ActRequest, ResponseDetail, RollDiceRequest, Seat, act_request::Action, act_response::Outcome,
    /// };
    /// use chaquete_client::{Client, Error, new_request_id};
    ///
    /// # async fn example(client: &Client, matches: Vec<String>) -> Result<(), Error> {
    /// let (actions, mut answers) = client.act_stream().await?;
    /// tokio::spawn(async move {
    ///     for (tag, name) in (0..).zip(matches) {
    ///         let request_id = new_request_id();
    ///         let roll = RollDiceRequest { name, seat: Seat::One.into(), request_id, ..Default::default() };
    ///         let detail = ResponseDetail::Revision.into();
    ///         actions.send(ActRequest { tag, action: Some(Action::RollDice(roll)), detail }).await?;
    ///     }
    ///     Ok::<_, Error>(())
    /// });
    /// while let Some(answer) = answers.next().await? {
    ///     match answer.outcome {
    ///         Some(Outcome::Error(error)) => println!("{}: {}", answer.tag, Error::from(error)),
    ///         _ => println!("{}: revision {}", answer.tag, answer.revision),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the server refused, or what kept it from answering.
    pub async fn act_stream(&self) -> Result<(Actions, Answers), Error> {
        let (sender, actions) = mpsc::channel(WAITING);
        let (_heard, heard) = oneshot::channel();
        let mut play = PlayServiceClient::new(self.channel());
        let stream = self.open(play.act(Outgoing { actions, heard })).await?;
        Ok((Actions { sender }, Answers { stream, _heard }))
    }
}

impl Actions {
    /// Hands an action in, and waits while the server takes no more. Only its answer says that it arrived.
    ///
    /// # Errors
    /// The stream has ended: [`Answers::next`] says why.
    pub async fn send(&self, action: ActRequest) -> Result<(), Error> {
        self.sender.send(action).await.map_err(|_| Error::stream_ended())
    }
}

impl Answers {
    /// The next answer; `None` after the last. Safe to drop while it waits.
    ///
    /// # Errors
    /// The server ended the stream, or the connection broke. What was not answered may have happened or not.
    pub async fn next(&mut self) -> Result<Option<ActResponse>, Error> {
        self.stream.message().await.map_err(|status| Error::from_status(&status))
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Actions").finish_non_exhaustive()
    }
}
