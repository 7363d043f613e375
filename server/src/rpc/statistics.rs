//! `ComputeDiceStatistics`.

use std::sync::Arc;

use chaquete_proto::v1;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tonic::Request;

use super::{OperatorRpc, list::read_query};
use crate::{
    audit::Counted,
    status::Error,
    store::Listed,
    wire::{statistics, verify},
};

impl OperatorRpc {
    pub(super) async fn dice_statistics(
        &self,
        request: Request<v1::ComputeDiceStatisticsRequest>,
    ) -> Result<v1::ComputeDiceStatisticsResponse, Error> {
        let (visit, request) = (self.matches.visit(&request), request.get_ref());
        let subject = statistics::read_subject(request)?.map(Arc::from);
        let list = verify::all_matches(&request.parent, &request.filter);
        let (mut query, _) = read_query(&visit, &list, "OperatorService.ComputeDiceStatistics")?;
        let mut counted = Counted::default();
        loop {
            let page = self.matches.stored(query.clone()).await?;
            query.after = page.last().map(|last| last.place.clone());
            let is_last = page.len() < query.limit as usize;
            self.count_page(page, subject.as_ref(), &mut counted).await?;
            if is_last {
                return Ok(statistics::statistics(&counted));
            }
        }
    }

    async fn count_page(
        &self,
        page: Vec<Listed>,
        subject: Option<&Arc<str>>,
        counted: &mut Counted,
    ) -> Result<(), Error> {
        // Of a damaged row nobody knows whose the rolls are.
        let rows = page.into_iter().filter_map(|listed| listed.row.ok());
        let rolls = stream::iter(rows).map(|row| self.auditor.count_rolls(row, subject.cloned()));
        let mut rolls = Box::pin(rolls.buffer_unordered(self.auditor.places().get()));
        while let Some(rolls) = rolls.try_next().await? {
            counted.add(&rolls);
        }
        Ok(())
    }
}
