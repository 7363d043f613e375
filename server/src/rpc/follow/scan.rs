//! Looking in the store for matches that have changed.

use std::sync::Arc;

use super::{Follower, Leave, OVERLAP};
use crate::{
    clock::Millis,
    execute::Failure,
    name::MatchName,
    rpc::match_service::MatchRpc,
    status::Error,
    store::{
        Comparison, Filter, ListQuery, Listed, Order, OrderBy, Place, Relation, Stage, StoredMatch, TimeOf,
    },
    table::Table,
};

/// How many matches are read at once.
const PAGE: u32 = 64;

/// Which matches are looked through, one after the other.
const PARTS: [Part; 4] =
    [Part::Running(Stage::Pending), Part::Running(Stage::Active), Part::Running(Stage::Paused), Part::Ended];

#[derive(Clone, Copy)]
enum Part {
    /// Running matches, which are few: the time of their last event is looked at.
    Running(Stage),
    /// Matches that have ended, by when they did.
    Ended,
}

/// Which matches are still to be looked through.
pub(super) struct Scan {
    /// From when on changes are looked for.
    pub(super) since: Millis,
    begun: Millis,
    /// Whether something else may have been missed since it was begun.
    again: bool,
    part: usize,
    after: Option<Place>,
}

impl Scan {
    pub(super) const fn new(since: Millis, now: Millis) -> Self {
        Self { since, begun: now, again: false, part: 0, after: None }
    }

    /// The same, after which it is looked again.
    pub(super) fn again(self) -> Self {
        Self { again: true, ..self }
    }

    fn query(&self, part: Part, tenant: &str, subject: Option<&str>) -> ListQuery {
        let is = |comparison| Filter::Is(comparison);
        let player = subject.map(|subject| is(Comparison::Player(subject.to_owned())));
        let (conditions, by, first) = match part {
            Part::Running(stage) => {
                let changed = Comparison::Time(TimeOf::Update, Relation::AtLeast, self.since);
                (vec![is(Comparison::Stage(stage)), is(changed)], OrderBy::CreateTime, None)
            }
            Part::Ended => {
                let before_all = MatchName { tenant: tenant.to_owned(), id: String::new() };
                (Vec::new(), OrderBy::EndTime, Some(Place::new(self.since, &before_all)))
            }
        };
        ListQuery {
            tenant: Some(tenant.to_owned()),
            filter: Filter::all(conditions.into_iter().chain(player).collect()),
            order: Order { by, descending: false },
            after: self.after.clone().or(first),
            limit: PAGE,
        }
    }

    /// What is to be looked through after this page; `None`: nothing.
    fn next(mut self, page: &[Listed], now: Millis) -> Option<Self> {
        if page.len() == PAGE as usize {
            self.after = page.last().map(|last| last.place.clone());
            return Some(self);
        }
        (self.part, self.after) = (self.part + 1, None);
        if self.part < PARTS.len() {
            return Some(self);
        }
        self.again.then(|| Self::new(self.begun - OVERLAP, now))
    }
}

impl Follower {
    /// Looks through one more page, and puts what has changed in line.
    pub(super) async fn scan_on(&mut self) -> Result<(), Leave> {
        let Some(scan) = &self.scan else { return Ok(()) };
        let since = scan.since;
        let query = scan.query(PARTS[scan.part], &self.wanted.tenant, self.wanted.subject.as_deref());
        let page = self.rpc.stored(query).await?;
        for stored in page.iter().filter_map(readable) {
            if let Some(table) = table(&self.rpc, stored).await? {
                self.line_up(table, since)?;
            }
        }
        let now = self.rpc.parts.clock.now();
        self.scan = self.scan.take().and_then(|scan| scan.next(&page, now));
        Ok(())
    }
}

fn readable(listed: &Listed) -> Option<&StoredMatch> {
    listed.row.as_ref().inspect_err(|bad| tracing::error!(uid = ?bad.uid, "{bad}")).ok()
}

/// The match as it is now; `None`: it is damaged, which must not hold up the others.
async fn table(rpc: &MatchRpc, stored: &StoredMatch) -> Result<Option<Arc<Table>>, Error> {
    match rpc.parts.executor.load_listed(stored.clone()).await {
        Ok(table) => Ok(Some(table)),
        Err(failure @ (Failure::Damaged(_) | Failure::NotFound(_))) => {
            tracing::error!(name = %stored.name, "a match that has changed is damaged: {failure}");
            Ok(None)
        }
        Err(failure) => Err(failure.into()),
    }
}
