//! `ExportMatch`, `ImportMatch` and `ExportMatches`.

use std::sync::Arc;

use chaquete_proto::v1;
use tokio::{sync::mpsc, task::spawn_blocking};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Status};

use super::{
    list::read_query,
    match_service::MatchRpc,
    stream::{Farewell, Leave, PATIENCE, fill},
};
use crate::{
    exchange::{self, Format, Record, Told, Unwritable},
    execute::Failure,
    status::{Behind, Error},
    store::{ListQuery, Listed, StoredMatch},
    table::Table,
    wire::{
        query,
        record::{self, warnings},
        scalar,
        state::{self, View},
    },
};

/// How many records may wait for the caller to read them: some of them are large.
const MAX_WAITING: usize = 4;

type Sent = Result<v1::ExportMatchesResponse, Status>;

/// The records of a stream.
pub(super) type Records = ReceiverStream<Sent>;

impl MatchRpc {
    pub(super) async fn export(
        &self,
        request: Request<v1::ExportMatchRequest>,
    ) -> Result<v1::ExportMatchResponse, Error> {
        let (name, format) = record::read_export(request.get_ref())?;
        let table = self.visit(&request).load(&name).await?;
        let record = self.record(&table, format).await?;
        Ok(v1::ExportMatchResponse {
            content: record.content,
            media_type: format.media_type().to_owned(),
            file_name: file_name(&table, format),
            revision: scalar::number(table.head.revision),
            remarks: record.remarks,
        })
    }

    /// A match as a record, as it is in this table. Long ones keep other tasks of this thread waiting no longer than
    /// short ones.
    async fn record(&self, table: &Arc<Table>, format: Format) -> Result<Record, Error> {
        let events = self.parts.executor.log(table, table.head.revision).await?;
        let written = Arc::clone(table);
        let record = spawn_blocking(move || exchange::export(format, &written, &events)).await;
        match record.map_err(|panicked| Failure::Internal(panicked.to_string()))? {
            Err(Unwritable::Damaged(damaged)) => Err(self.parts.executor.found(table, damaged).into()),
            record => Ok(record?),
        }
    }

    pub(super) async fn import(
        &self,
        request: Request<v1::ImportMatchRequest>,
    ) -> Result<v1::ImportMatchResponse, Error> {
        let visit = self.visit(&request);
        let brought = record::read_import(request.get_ref())?;
        visit.check_tenant(brought.tenant())?;
        let (format, content) = (brought.format, request.into_inner().content);
        let told = spawn_blocking(move || exchange::read(format, &content)).await;
        let told = told.map_err(|panicked| Failure::Internal(panicked.to_string()))??;
        let warnings = match &told {
            Told::Match { oddities, .. } => warnings(oddities),
            Told::Log(_) => Vec::new(),
        };
        let done = visit.import(brought.import(&told, visit.caller()), told).await?;
        let imported = state::match_then(&done.table, View::Full);
        Ok(v1::ImportMatchResponse { r#match: Some(imported), warnings })
    }

    /// Records of all matches of a list, in order of their creation.
    pub(super) fn export_all(&self, request: &Request<v1::ExportMatchesRequest>) -> Result<Records, Error> {
        let visit = self.visit(request);
        let (request, format) = record::read_exports(request.get_ref())?;
        let (query, _) = read_query(&visit, &request, "OperatorService.ExportMatches")?;
        // One place more is kept for the reason why the stream ends.
        let (sender, receiver) = mpsc::channel(MAX_WAITING + 1);
        let farewell = Farewell::keep(&sender);
        let exporter = Exporter { rpc: self.clone(), request, format, query, sender };
        tokio::spawn(async move { farewell.say(exporter.run().await) });
        Ok(ReceiverStream::new(receiver))
    }
}

/// What fills a stream of records.
struct Exporter {
    rpc: MatchRpc,
    /// The list that the tokens are of.
    request: v1::ListMatchesRequest,
    format: Format,
    query: ListQuery,
    sender: mpsc::Sender<Sent>,
}

impl Exporter {
    async fn run(mut self) -> Leave {
        let (shutdown, sender) = (self.rpc.parts.shutdown.clone(), self.sender.clone());
        fill(shutdown, sender, self.send_all()).await
    }

    async fn send_all(&mut self) -> Result<(), Leave> {
        loop {
            let page = self.rpc.stored(self.query.clone()).await?;
            for listed in &page {
                if let Some(message) = self.message(listed).await? {
                    let sent = self.sender.send_timeout(Ok(message), PATIENCE).await;
                    sent.map_err(|_| Error::SlowConsumer(Behind::Matches))?;
                }
            }
            match page.last() {
                Some(last) if page.len() == self.query.limit as usize => {
                    self.query.after = Some(last.place.clone());
                }
                _ => return Ok(()),
            }
        }
    }

    /// The record of a match of the list. One that cannot be written keeps none of the others back.
    async fn message(&self, listed: &Listed) -> Result<Option<v1::ExportMatchesResponse>, Error> {
        let resume_token = query::with_match_list(&self.request, |list| list.after_match(&listed.place));
        let stored = match &listed.row {
            Ok(stored) => stored,
            Err(bad) => {
                tracing::error!(uid = ?bad.uid, "among exports: {bad}");
                return Ok(bad.name.as_ref().map(|name| v1::ExportMatchesResponse {
                    r#match: name.to_string(),
                    remarks: vec!["the match is damaged".to_owned()],
                    resume_token,
                    ..v1::ExportMatchesResponse::default()
                }));
            }
        };
        let (content, file_name, remarks) = match self.written(stored).await {
            Ok((record, file_name)) => (record.content, file_name, record.remarks),
            Err(Error::Unwritable(why)) => (Vec::new(), String::new(), vec![why.to_string()]),
            Err(Error::Failure(failure @ (Failure::Damaged(_) | Failure::NotFound(_)))) => {
                tracing::error!(name = %stored.name, "among exports: {failure}");
                (Vec::new(), String::new(), vec![failure.to_string()])
            }
            Err(error) => return Err(error),
        };
        let r#match = stored.name.to_string();
        Ok(Some(v1::ExportMatchesResponse { r#match, content, file_name, resume_token, remarks }))
    }

    async fn written(&self, stored: &StoredMatch) -> Result<(Record, String), Error> {
        let table = self.rpc.parts.executor.load_listed(stored.clone()).await?;
        let record = self.rpc.record(&table, self.format).await?;
        Ok((record, file_name(&table, self.format)))
    }
}

/// A name for the file of a record: that of the match, which has no other characters than any file may have.
fn file_name(table: &Table, format: Format) -> String {
    format!("{}.{}", table.name.id, format.ending())
}
