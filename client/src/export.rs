//! Exporting many matches, whatever happens to the connection.

use chaquete_proto::v1::operator_service_client::OperatorServiceClient;
use chaquete_proto::v1::{ExportMatchesRequest, ExportMatchesResponse};
use tonic::Streaming;

use crate::calls::LARGEST_RECORD;
use crate::retry::Patience;
use crate::{Client, Error};

/// Records of many matches, in the order in which the matches were created.
///
/// When the connection breaks or the server sends the reader elsewhere, the export goes on after the last record
/// it gave. Dropping it ends it.
#[derive(Debug)]
pub struct Export {
    client: Client,
    /// Asks for what comes after the last record that was given.
    request: ExportMatchesRequest,
    stream: Option<Streaming<ExportMatchesResponse>>,
    patience: Patience,
}

impl Client {
    /// Exports all matches that a request names, from its `resume_token` on. Nothing is sent before
    /// [`Export::next`] is called.
    ///
    /// ```no_run
    /// use chaquete_client::proto::{ExportMatchesRequest, RecordFormat};
    /// use chaquete_client::{Client, DEFAULT_TENANT, Error, match_id};
    ///
    /// # async fn example(client: &Client) -> Result<(), Error> {
    /// let mut export = client.export_matches(ExportMatchesRequest {
    ///     parent: DEFAULT_TENANT.to_owned(),
    ///     filter: "end_time:*".to_owned(),
    ///     format: RecordFormat::Sgf.into(),
    ///     ..Default::default()
    /// });
    /// while let Some(record) = export.next().await? {
    ///     let name = match_id(&record.r#match);
    ///     if record.content.is_empty() {
    ///         println!("{name} cannot be written: {}", record.remarks.join("; "));
    ///     } else {
    ///         println!("{name}: {} bytes", record.content.len());
    ///     }
    /// }
    /// println!("to go on later: {}", export.resume_token());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn export_matches(&self, request: ExportMatchesRequest) -> Export {
        Export { client: self.clone(), request, stream: None, patience: Patience::default() }
    }
}

impl Export {
    /// Where another export of the same matches goes on after the last record that was given.
    #[must_use]
    pub fn resume_token(&self) -> &str {
        &self.request.resume_token
    }

    /// The next record; `None` after the last. Safe to drop while it waits.
    ///
    /// # Errors
    /// What the server refused, or no server within the patience of the client's
    /// [`RetryPolicy`](crate::RetryPolicy); calling it again takes the export up again.
    pub async fn next(&mut self) -> Result<Option<ExportMatchesResponse>, Error> {
        loop {
            self.patience.begin();
            match self.receive().await {
                Ok(record) => {
                    self.patience.rewarded();
                    if let Some(record) = &record {
                        self.request.resume_token.clone_from(&record.resume_token);
                    }
                    return Ok(record);
                }
                Err(error) => {
                    self.stream = None;
                    self.patience.try_again(&self.client, error).await?;
                }
            }
        }
    }

    /// What comes next on the stream that is open, or on a new one.
    async fn receive(&mut self) -> Result<Option<ExportMatchesResponse>, Error> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let operator = OperatorServiceClient::new(self.client.channel());
                let mut operator = operator.max_decoding_message_size(LARGEST_RECORD);
                none.insert(self.client.open(operator.export_matches(self.request.clone())).await?)
            }
        };
        // How long the next one takes hangs on how many are passed over; a dead connection is found out by itself.
        stream.message().await.map_err(|status| Error::from_status(&status))
    }
}
