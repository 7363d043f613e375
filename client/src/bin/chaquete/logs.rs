//! Where logs come from: exported files, or the server.

use std::path::Path;

use chaquete_client::Client;
use chaquete_client::proto::{ExportMatchRequest, RecordFormat};

use crate::args::Server;
use crate::failure::Failure;
use crate::inputs;

/// The largest exported log, in bytes: hundreds of times that of a long match.
const MAX_BYTES: usize = 64 << 20;

/// The exported log in a file.
pub(crate) fn of_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let content = inputs::read(path, MAX_BYTES)?;
    if content.len() > MAX_BYTES { Err(Failure::Usage("a log has at most 64 MiB")) } else { Ok(content) }
}

/// The log of a match of the server, exported.
pub(crate) async fn of_match(client: &Client, name: &str) -> Result<Vec<u8>, Failure> {
    let request = ExportMatchRequest { name: name.to_owned(), format: RecordFormat::Json.into() };
    let record = client.export_match(request).await.map_err(|error| Failure::of_match(name, error))?;
    Ok(record.content)
}

/// The full name of a match that was given on the command line.
pub(crate) fn name(server: &Server, given: &Path) -> Result<String, Failure> {
    let name = given.to_str().ok_or_else(|| Failure::StrangeName { name: given.display().to_string() })?;
    Ok(server.match_name(name))
}
