//! `Act`: actions of many matches on one stream, each answered as soon as what it did is durable.
//!
//! An action is read only once there is a place for its answer in the stream. That bounds what is unanswered, and
//! whoever does not read is not read from. The actions of one match are carried out one after the other, in a task
//! that lasts as long as there are any; those of different matches at the same time.

mod busy;

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc};

use chaquete_proto::v1::{self, act_request::Action, act_response::Outcome};
use futures_util::FutureExt;
use tokio::{sync::mpsc, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::{
    sync::CancellationToken,
    task::{TaskTracker, task_tracker::TaskTrackerToken},
};
use tonic::{Code, Request, Status, Streaming};

use self::busy::Busy;
use super::{
    PlayRpc, action,
    stream::{Farewell, Leave, PATIENCE},
    visit::Visit,
};
use crate::{
    clock::Stopwatch,
    execute::Done,
    layer::MAX_REQUEST,
    status::{self, Behind, Error},
    telemetry::metrics::{CallMeters, Ending},
    wire::{
        act::{self, Detail, with_turn_action},
        command::{Told, TurnAction},
        legal::LegalMovesView,
    },
};

/// How many actions of a stream may be unanswered. An answer counts when the transport has taken it.
const MAX_UNANSWERED: usize = 1_024;

type Sent = Result<v1::ActResponse, Status>;

/// The answers of a stream.
pub(super) type Answers = ReceiverStream<Sent>;

impl PlayRpc {
    pub(super) fn act_on(&self, request: Request<Streaming<v1::ActRequest>>) -> Answers {
        // One place more is kept for the reason why the stream ends.
        let (answers, receiver) = mpsc::channel(MAX_UNANSWERED + 1);
        let farewell = Farewell::keep(&answers);
        let visit = Visit::new(&self.executor, &request);
        let reader = Reader {
            requests: request.into_inner(),
            answers,
            visit,
            calls: self.calls.clone(),
            shutdown: self.shutdown.clone(),
            allow_seeded_dice: self.allow_seeded_dice,
            busy: Busy::default(),
            under_way: TaskTracker::new(),
        };
        tokio::spawn(reader.run(farewell));
        ReceiverStream::new(receiver)
    }
}

/// An action, and the place for its answer.
struct Taken {
    request: v1::ActRequest,
    since: Stopwatch,
    place: mpsc::OwnedPermit<Sent>,
}

/// Reads what is asked for on a stream.
struct Reader {
    requests: Streaming<v1::ActRequest>,
    answers: mpsc::Sender<Sent>,
    visit: Visit,
    calls: CallMeters,
    shutdown: CancellationToken,
    allow_seeded_dice: bool,
    busy: Busy<Taken>,
    under_way: TaskTracker,
}

impl Reader {
    async fn run(mut self, farewell: Farewell<v1::ActResponse>) {
        let Err(leave) = self.read().await;
        self.under_way.close();
        tokio::select! {
            () = self.under_way.wait() => farewell.say(leave),
            // Nobody hears the answers any more: what is being done is finished, nothing else is begun.
            () = self.answers.closed() => {
                self.busy.forget();
                farewell.say(Leave::Gone);
            }
        }
    }

    /// Reads until there is a reason to stop.
    async fn read(&mut self) -> Result<Infallible, Leave> {
        loop {
            let place = self.place().await?;
            let request = self.request().await?;
            self.begin(Taken { request, since: Stopwatch::start(), place });
        }
    }

    /// A place for one more answer.
    async fn place(&mut self) -> Result<mpsc::OwnedPermit<Sent>, Leave> {
        loop {
            let place = self.answers.clone().reserve_owned();
            tokio::select! {
                biased;
                place = timeout(PATIENCE, place) => match place {
                    Ok(place) => return place.map_err(|_| Leave::Gone),
                    // All places are taken by answers that nobody reads.
                    Err(_) if self.under_way.is_empty() => return Err(Error::SlowConsumer(Behind::Answers).into()),
                    Err(_) => {}
                },
                () = self.shutdown.cancelled() => return Err(Error::Draining.into()),
            }
        }
    }

    async fn request(&mut self) -> Result<v1::ActRequest, Leave> {
        // Who sends without a pause must hear of it, too.
        if self.shutdown.is_cancelled() {
            return Err(Error::Draining.into());
        }
        tokio::select! {
            biased;
            request = self.requests.message() => match request {
                Ok(request) => request.ok_or(Leave::Ended),
                Err(status) => Err(Leave::Because(unreadable(status))),
            },
            () = self.shutdown.cancelled() => Err(Error::Draining.into()),
            () = self.answers.closed() => Err(Leave::Gone),
        }
    }

    /// Begins with an action, or lets it wait for those of its match that came before.
    fn begin(&self, taken: Taken) {
        let name = taken.request.action.as_ref().and_then(act::match_name).map(Arc::<str>::from);
        let first = match &name {
            Some(name) => self.busy.enter(name, taken),
            None => Some(taken),
        };
        let Some(first) = first else { return };
        let (busy, under_way) = (self.busy.clone(), self.under_way.token());
        let (calls, allow_seeded_dice) = (self.calls.clone(), self.allow_seeded_dice);
        let visit = self.visit.clone();
        self.visit.executor().start(|executor| {
            let visit = visit.with(executor);
            let actor = Actor { visit, calls, allow_seeded_dice, name, busy, _under_way: under_way };
            actor.run(first)
        });
    }
}

/// Why no more can be read of a stream, if the status does not say it already.
fn unreadable(status: Status) -> Status {
    match status.code() {
        _ if !status.details().is_empty() => status,
        Code::OutOfRange => status::too_large(MAX_REQUEST),
        _ => status::unreadable(),
    }
}

/// Carries out the actions of one match.
struct Actor {
    visit: Visit,
    calls: CallMeters,
    allow_seeded_dice: bool,
    name: Option<Arc<str>>,
    busy: Busy<Taken>,
    _under_way: TaskTrackerToken,
}

impl Actor {
    /// Carries out this action, and then those that have come meanwhile.
    async fn run(self, mut taken: Taken) {
        loop {
            let Taken { request, since, place } = taken;
            let (tag, method) = (request.tag, act::method(&request));
            // A panic stays the fault of one action, as it would of one call.
            let done = match AssertUnwindSafe(self.act(request)).catch_unwind().await {
                Ok(done) => done.map_err(Status::from),
                Err(said) => Err(status::panicked(said)),
            };
            let (answer, ending) = match done {
                Ok(answer) => (answer, Ending::ok()),
                Err(status) => (act::failed(&status), status::ending(&status)),
            };
            self.calls.acted(method, since.elapsed(), ending);
            place.send(Ok(v1::ActResponse { tag, ..answer }));
            match self.name.as_deref().and_then(|name| self.busy.next(name)) {
                Some(next) => taken = next,
                None => return,
            }
        }
    }

    async fn act(&self, request: v1::ActRequest) -> Result<v1::ActResponse, Error> {
        let (action, detail) = act::read_request(request)?;
        with_turn_action!(&action, request => self.play(request, detail).await,
            Action::CreateMatch(request) => {
                let done = action::create(&self.visit, request, self.allow_seeded_dice).await?;
                answer(&done, detail, None, act::created)
            },
        )
    }

    async fn play<A: TurnAction>(&self, request: &A, detail: Detail) -> Result<v1::ActResponse, Error> {
        let done = action::play(&self.visit, request).await?;
        answer(&done, detail, request.wanted_legal_moves(), A::outcome)
    }
}

/// The answer to an action that was carried out, with as much as is asked for.
fn answer(
    done: &Done,
    detail: Detail,
    moves: Option<LegalMovesView>,
    outcome: impl FnOnce(Told) -> Outcome,
) -> Result<v1::ActResponse, Error> {
    let outcome = match detail {
        Detail::Full => Some(outcome(action::told(done, moves)?)),
        Detail::Revision => None,
    };
    Ok(v1::ActResponse { outcome, ..act::standing(&done.table) })
}

#[cfg(test)]
mod tests;
