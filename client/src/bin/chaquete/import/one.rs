//! The import of one record.

use chaquete_client::proto::{
    ErrorReason, GetMatchRequest, ImportMatchRequest, ImportMatchResponse, MatchView, RecordFormat,
};
use chaquete_client::{Client, Error};
use tonic::Code;

use super::log::Log;
use crate::report::{Note, Place};

/// The largest record that a server takes, in bytes.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// What came of a record.
pub(super) enum Outcome {
    Imported {
        name: String,
        notes: Vec<Note>,
    },
    /// It could be imported.
    Sound {
        notes: Vec<Note>,
    },
    /// A match was made of it before.
    There {
        what: String,
    },
    Refused {
        why: Note,
    },
    /// Something that has nothing to do with this record.
    Failed(Error),
}

impl Outcome {
    /// What is to be said about the record.
    pub(super) fn notes(&self) -> &[Note] {
        match self {
            Self::Imported { notes, .. } | Self::Sound { notes } => notes,
            Self::Refused { why } => std::slice::from_ref(why),
            Self::There { .. } | Self::Failed(_) => &[],
        }
    }
}

pub(super) async fn import(client: Client, request: ImportMatchRequest, log: Option<Log>) -> Outcome {
    if let Some(why) = obstacle(&request) {
        return Outcome::Refused { why };
    }
    let name = format!("{}/matches/{}", request.parent, request.match_id);
    let is_check = request.validate_only;
    if let Some(there) = there(&client, &name, log.as_ref()).await {
        return there;
    }
    match client.import_match(request).await {
        Ok(ImportMatchResponse { warnings, .. }) => {
            let notes = warnings.into_iter().map(Note::from).collect();
            if is_check { Outcome::Sound { notes } } else { Outcome::Imported { name, notes } }
        }
        Err(error) if error.code() == Code::AlreadyExists => {
            // A log may be there under another name, which is not told.
            let log = error.metadata().get("uid").map(|uid| format!("the log of match {uid}"));
            Outcome::There { what: log.unwrap_or(name) }
        }
        Err(error) => refusal(error),
    }
}

/// What comes of a log if there is a match of its name: to bring the same log again is no error to a server.
async fn there(client: &Client, name: &str, log: Option<&Log>) -> Option<Outcome> {
    let log = log?;
    let view = MatchView::Basic.into();
    let answer = client.get_match(GetMatchRequest { name: name.to_owned(), view }).await.ok()?;
    if answer.r#match.is_some_and(|there| there.uid == log.uid) {
        return Some(Outcome::There { what: name.to_owned() });
    }
    let why = Note::refusal(Place::Nowhere, "NAME_TAKEN", format!("{name} is another match"));
    Some(Outcome::Refused { why })
}

/// Why a record need not be sent.
fn obstacle(request: &ImportMatchRequest) -> Option<Note> {
    let (code, why) = match request.format() {
        _ if request.content.len() > MAX_BYTES => ("FILE_TOO_LARGE", "a record has at most 1 MiB"),
        _ if request.content.is_empty() => ("NO_RECORD", "there is nothing in it"),
        RecordFormat::Ogxm => ("NOT_READ", "OGXM files are written, not read"),
        RecordFormat::Json if !request.players.is_empty() => {
            ("PLAYERS_KNOWN", "a JSON log says who played: import it without --player-one and --player-two")
        }
        _ => return None,
    };
    Some(Note::refusal(Place::Nowhere, code, why))
}

/// Whether it is the record that an error is about.
fn refusal(error: Error) -> Outcome {
    let about_content = error.field_violations().iter().find(|violation| violation.field == "content");
    let is_unparsable = error.reason() == Some(ErrorReason::UnparsableContent);
    if !is_unparsable && about_content.is_none() {
        return Outcome::Failed(error);
    }
    let (line, column) = error.place_in_record().unwrap_or_default();
    let text = about_content.map_or_else(|| error.message(), |violation| &violation.description);
    // The place is told before that.
    let told = [format!("line {line}, column {column}: "), format!("line {line}: ")];
    let text = told.iter().find_map(|place| text.strip_prefix(place.as_str())).unwrap_or(text);
    let code = error.metadata().get("code").map_or("REFUSED", String::as_str);
    Outcome::Refused { why: Note::refusal(Place::of(line, column), code.to_owned(), text) }
}
