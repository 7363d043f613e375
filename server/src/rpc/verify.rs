//! `VerifyMatch` and `VerifyMatches`.

use std::time::Duration;

use chaquete_proto::v1;
use futures_util::{StreamExt as _, stream};
use tokio::{
    sync::mpsc,
    time::{Interval, MissedTickBehavior, interval},
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

use super::{
    OperatorRpc,
    list::read_query,
    stream::{Farewell, Leave, PATIENCE, fill},
};
use crate::{
    audit::Verified,
    status::{Behind, Error},
    store::{ListQuery, Listed},
    wire::{query, verify},
};

/// How many messages may wait for the caller to read them.
const MAX_WAITING: usize = 16;

/// How often progress is told at least: after so long, and after so many matches.
const PROGRESS: (Duration, i64) = (Duration::from_secs(1), 1_000);

type Sent = Result<v1::VerifyMatchesResponse, Status>;

/// The messages of a stream.
pub(super) type Reports = ReceiverStream<Sent>;

impl OperatorRpc {
    pub(super) async fn verify(
        &self,
        request: Request<v1::VerifyMatchRequest>,
    ) -> Result<v1::VerifyMatchResponse, Error> {
        let name = query::read_name(&request.get_ref().name)?;
        self.matches.visit(&request).check_name(&name)?;
        let verified = self.auditor.verify(name).await?;
        Ok(v1::VerifyMatchResponse { report: Some(verify::report(&verified)) })
    }

    pub(super) fn verify_all(&self, request: &Request<v1::VerifyMatchesRequest>) -> Result<Reports, Error> {
        let (visit, request) = (self.matches.visit(request), request.get_ref());
        let list = verify::all_matches(&request.parent, &request.filter);
        let (query, _) = read_query(&visit, &list, "OperatorService.VerifyMatches")?;
        // One place more is kept for the reason why the stream ends.
        let (sender, receiver) = mpsc::channel(MAX_WAITING + 1);
        let farewell = Farewell::keep(&sender);
        let mut progress = interval(PROGRESS.0);
        progress.set_missed_tick_behavior(MissedTickBehavior::Delay);
        progress.reset();
        let verifier = Verifier { rpc: self.clone(), query, sender, progress, checked: 0, failed: 0 };
        tokio::spawn(async move { farewell.say(verifier.run().await) });
        Ok(ReceiverStream::new(receiver))
    }
}

/// What fills a stream of reports.
struct Verifier {
    rpc: OperatorRpc,
    query: ListQuery,
    sender: mpsc::Sender<Sent>,
    progress: Interval,
    checked: i64,
    failed: i64,
}

impl Verifier {
    async fn run(mut self) -> Leave {
        let (shutdown, sender) = (self.rpc.matches.parts.shutdown.clone(), self.sender.clone());
        fill(shutdown, sender, self.send_all()).await
    }

    async fn send_all(&mut self) -> Result<(), Leave> {
        loop {
            let matches = self.rpc.matches.clone();
            let page = self.meanwhile(matches.stored(self.query.clone())).await??;
            let next = page.last().filter(|_| page.len() == self.query.limit as usize);
            let next = next.map(|last| last.place.clone());
            self.send_page(page).await?;
            if next.is_none() {
                // The last message tells how many there were.
                return self.tell(None).await;
            }
            self.query.after = next;
        }
    }

    async fn send_page(&mut self, page: Vec<Listed>) -> Result<(), Leave> {
        let auditor = self.rpc.auditor.clone();
        let places = auditor.places().get();
        let verified = stream::iter(page).map(|listed| auditor.verify_row(listed.row));
        let mut verified = Box::pin(verified.buffer_unordered(places));
        while let Some(verified) = self.meanwhile(verified.next()).await? {
            // What is gone was dropped meanwhile.
            let Some(verified) = verified? else { continue };
            let has_failed = !verified.report.passed();
            self.checked += 1;
            self.failed += i64::from(has_failed);
            if has_failed {
                self.tell(Some(&verified)).await?;
            } else if self.checked % PROGRESS.1 == 0 {
                self.tell(None).await?;
            }
        }
        Ok(())
    }

    /// Tells progress for as long as something else takes.
    async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Leave> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                _ = self.progress.tick() => self.tell(None).await?,
            }
        }
    }

    async fn tell(&mut self, bad: Option<&Verified>) -> Result<(), Leave> {
        let message = v1::VerifyMatchesResponse {
            report: bad.map(verify::report),
            checked_count: self.checked,
            failed_count: self.failed,
        };
        self.progress.reset();
        let sent = self.sender.send_timeout(Ok(message), PATIENCE).await;
        Ok(sent.map_err(|_| Error::SlowConsumer(Behind::Reports))?)
    }
}
