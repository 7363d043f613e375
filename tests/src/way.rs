//! The two ways to act in a match: by calls, or on a stream. What is asked for and answered is the same.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use chaquete_client::{Actions, Answers};
use chaquete_proto::v1::{
    self, act_request::Action, act_response::Outcome, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient,
};
use prost::Message;
use tokio::sync::oneshot;
use tonic::{Code, Response, Status, transport::Channel};

use crate::Service;

/// A way to act.
#[derive(Clone)]
pub enum Way {
    /// By calls that are neither repeated nor filled in.
    Calls(Channel),
    /// On a stream.
    Stream(Stream),
}

impl Way {
    /// Both ways to act on a server.
    ///
    /// # Panics
    /// It cannot be reached.
    pub async fn both(service: &Service) -> [Self; 2] {
        let channel = Channel::from_shared(service.endpoint()).expect("an address");
        let channel = channel.connect().await.expect("the server is reached");
        [Self::Calls(channel), Self::Stream(Stream::open(service).await)]
    }

    /// Acts.
    ///
    /// # Errors
    /// The status that a call ends with, or what a stream says instead.
    pub async fn act<A: Acting>(&self, request: A) -> Result<A::Response, Status> {
        match self {
            Self::Calls(channel) => request.call(channel.clone()).await.map(Response::into_inner),
            Self::Stream(stream) => response::<A>(stream.act(request.action()).await),
        }
    }
}

/// What an answer on a stream says, as its own call would have said it.
fn response<A: Acting>(answer: v1::ActResponse) -> Result<A::Response, Status> {
    let standing = (answer.revision, answer.phase, answer.seat_to_act);
    let outcome = answer.outcome.expect("an outcome");
    if let Outcome::Error(error) = outcome {
        assert_eq!(standing, (0, 0, 0), "nothing but the error is told");
        return Err(as_status(error));
    }
    let response = A::response(outcome);
    let done = A::after(&response);
    let game = done.current_game.as_ref();
    let (phase, seat_to_act) = game.map(|game| (game.phase, game.seat_to_act)).unwrap_or_default();
    assert_eq!(standing, (done.revision, phase, seat_to_act));
    Ok(response)
}

/// The status with which a call would have failed.
#[must_use]
pub fn as_status(error: v1::ActionError) -> Status {
    let v1::ActionError { code, message, details } = error;
    let all = tonic_types::Status { code, message: message.clone(), details }.encode_to_vec();
    Status::with_details(Code::from_i32(code), message, all.into())
}

/// A stream on which actions can be awaited like calls.
#[derive(Clone)]
pub struct Stream {
    actions: Actions,
    waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<v1::ActResponse>>>>,
    tags: Arc<AtomicU64>,
}

impl Stream {
    async fn open(service: &Service) -> Self {
        let (actions, answers) = service.client().await.act_stream().await.expect("a stream");
        let stream = Self { actions, waiting: Arc::default(), tags: Arc::default() };
        tokio::spawn(hand_out(answers, Arc::clone(&stream.waiting)));
        stream
    }

    async fn act(&self, action: Action) -> v1::ActResponse {
        // Far apart, so that no tag is something else by chance.
        let tag = self.tags.fetch_add(0x0123_4567_89ab_cdef, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().expect("a lock").insert(tag, sender);
        let request = v1::ActRequest { tag, action: Some(action), detail: v1::ResponseDetail::Full.into() };
        self.actions.send(request).await.expect("the stream is open");
        answer.await.expect("the stream is open until it is answered")
    }
}

async fn hand_out(mut answers: Answers, waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<v1::ActResponse>>>>) {
    while let Ok(Some(answer)) = answers.next().await {
        let waits = waiting.lock().expect("a lock").remove(&answer.tag).expect("a tag that was sent, once");
        let _gone_meanwhile = waits.send(answer);
    }
    waiting.lock().expect("a lock").clear();
}

/// A request that can come both ways.
pub trait Acting: Send + 'static {
    /// What its call answers.
    type Response;

    /// The request as a stream carries it.
    fn action(self) -> Action;

    /// Makes the call of its own.
    fn call(self, channel: Channel) -> impl Future<Output = Result<Response<Self::Response>, Status>> + Send;

    /// The answer that a stream has carried.
    fn response(outcome: Outcome) -> Self::Response;

    /// The match in an answer.
    fn after(response: &Self::Response) -> &v1::Match;
}

macro_rules! acting {
    ($($client:ident.$method:ident: $request:ident = $action:ident -> $response:ident, $outcome:pat => $read:expr;)*) => {$(
        impl Acting for v1::$request {
            type Response = v1::$response;

            fn action(self) -> Action {
                Action::$action(self.into())
            }

            async fn call(self, channel: Channel) -> Result<Response<v1::$response>, Status> {
                $client::new(channel).$method(self).await
            }

            fn response(outcome: Outcome) -> v1::$response {
                match outcome {
                    $outcome => $read,
                    other => panic!("{other:?} answers another action"),
                }
            }

            fn after(response: &v1::$response) -> &v1::Match {
                response.r#match.as_ref().expect("the match after the action")
            }
        }
    )*};
    ($($method:ident: $request:ident = $action:ident -> $response:ident;)*) => {
        acting! {$(
            PlayServiceClient.$method: $request = $action -> $response, Outcome::Result(it) =>
                v1::$response { r#match: it.r#match, events: it.events };
        )*}
    };
}

acting! {
    MatchServiceClient.create_match: CreateMatchRequest = CreateMatch -> CreateMatchResponse,
        Outcome::Result(it) => v1::CreateMatchResponse { r#match: it.r#match };
    PlayServiceClient.roll_dice: RollDiceRequest = RollDice -> RollDiceResponse,
        Outcome::RollDice(it) => *it;
    PlayServiceClient.submit_move: SubmitMoveRequest = SubmitMove -> SubmitMoveResponse,
        Outcome::SubmitMove(it) => *it;
}

acting! {
    mark_ready: MarkReadyRequest = MarkReady -> MarkReadyResponse;
    contribute_entropy: ContributeEntropyRequest = ContributeEntropy -> ContributeEntropyResponse;
    offer_double: OfferDoubleRequest = OfferDouble -> OfferDoubleResponse;
    accept_double: AcceptDoubleRequest = AcceptDouble -> AcceptDoubleResponse;
    decline_double: DeclineDoubleRequest = DeclineDouble -> DeclineDoubleResponse;
    beaver_double: BeaverDoubleRequest = BeaverDouble -> BeaverDoubleResponse;
    offer_resignation: OfferResignationRequest = OfferResignation -> OfferResignationResponse;
    accept_resignation: AcceptResignationRequest = AcceptResignation -> AcceptResignationResponse;
    decline_resignation: DeclineResignationRequest = DeclineResignation -> DeclineResignationResponse;
    claim_timeout: ClaimTimeoutRequest = ClaimTimeout -> ClaimTimeoutResponse;
}
