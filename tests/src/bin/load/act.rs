//! The same actions over `PlayService.Act`: a stream that has so many actions under way.

use std::sync::Arc;

use chaquete_proto::v1::{
    ActRequest, ActResponse, ResponseDetail, act_response::Outcome, play_service_client::PlayServiceClient,
};
use tokio::{sync::mpsc, time::Instant};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, transport::Channel};

use crate::{meter::Meter, table::Table, unary::agrees};

/// One of the actions under way, and whose turn comes after it.
struct Place {
    tables: Vec<Table>,
    at: usize,
    revision: i32,
    began: Instant,
}

impl Place {
    fn new(tables: Vec<Table>) -> Self {
        Self { tables, at: 0, revision: 0, began: Instant::now() }
    }

    fn next(&mut self, tag: u64) -> ActRequest {
        self.at = (self.at + 1) % self.tables.len();
        let (deed, revision) = self.tables[self.at].next();
        (self.revision, self.began) = (revision, Instant::now());
        ActRequest { tag, action: Some(deed.into()), detail: ResponseDetail::Revision.into() }
    }

    fn answered(&mut self, answer: ActResponse, meter: &Meter) {
        let result = match answer.outcome {
            Some(Outcome::Error(error)) => Err(Status::new(Code::from_i32(error.code), error.message)),
            _ => agrees(answer.revision, self.revision),
        };
        if result.is_err() {
            self.tables[self.at].leave();
        }
        meter.note(result, self.began.elapsed());
    }
}

/// Plays over one stream until the meter says that it is over: one action is under way for each of these groups of
/// tables.
pub(crate) async fn stream(channel: Channel, groups: Vec<Vec<Table>>, meter: Arc<Meter>) {
    if let Err(failure) = play(channel, groups, &meter).await {
        meter.failed(&failure);
    }
}

async fn play(channel: Channel, groups: Vec<Vec<Table>>, meter: &Meter) -> Result<(), Status> {
    let mut places: Vec<_> = groups.into_iter().map(Place::new).collect();
    // Room for all that can be under way, so that sending never waits.
    let (requests, sent) = mpsc::channel(places.len());
    let gone = |_| Status::aborted("the stream ended early");
    for (tag, place) in (0..).zip(&mut places) {
        requests.try_send(place.next(tag)).map_err(gone)?;
    }
    let mut answers = PlayServiceClient::new(channel).act(ReceiverStream::new(sent)).await?.into_inner();
    let mut under_way = places.len();
    while under_way > 0 {
        let answer = answers.message().await?.ok_or_else(|| Status::aborted("the stream ended early"))?;
        let tag = answer.tag;
        let place = usize::try_from(tag).ok().and_then(|tag| places.get_mut(tag));
        let place = place.ok_or_else(|| Status::data_loss("an answer to nothing"))?;
        place.answered(answer, meter);
        if meter.is_over() {
            under_way -= 1;
        } else {
            requests.try_send(place.next(tag)).map_err(gone)?;
        }
    }
    Ok(())
}
