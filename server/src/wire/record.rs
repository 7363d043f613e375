//! Records of matches, as callers ask for them and bring them.

use chaquete_proto::v1;
use chaquete_record::{Oddity, Repair};
use chaquete_rules::BySeat;

use super::{
    command,
    creation::{make_match_id, read_match_id, read_players},
    notes::check_labels,
    scalar::{self, number},
    violations::{BadRequest, Path, Violations},
};
use crate::{
    access::Caller,
    exchange::{Format, Told},
    execute::Import,
    log::Request,
    name::MatchName,
    store::{About, Notes, Provenance},
};

/// The largest record that is imported, in bytes.
pub const MAX_RECORD: usize = 1 << 20;

/// How many matches are looked up at once for a stream of records.
const PAGE: i32 = 32;

/// Which match is to be exported, and how.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_export(request: &v1::ExportMatchRequest) -> Result<(MatchName, Format), BadRequest> {
    let mut violations = Violations::default();
    let name = scalar::match_name(&mut violations, Path::root("name"), &request.name);
    let format = read_format(&mut violations, request.format);
    violations.finish(name.zip(format))
}

/// The list of the matches that are to be exported, in order of their creation, and how.
///
/// # Errors
/// Everything that is wrong with tenant and format. What is wrong with the list otherwise shows when it is read.
pub fn read_exports(
    request: &v1::ExportMatchesRequest,
) -> Result<(v1::ListMatchesRequest, Format), BadRequest> {
    let mut violations = Violations::default();
    scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let format = read_format(&mut violations, request.format);
    violations.check(
        format != Some(Format::Oldmoves),
        Path::root("format"),
        "must not be RECORD_FORMAT_OLDMOVES: it is for imports only",
    );
    let list = v1::ListMatchesRequest {
        parent: request.parent.clone(),
        filter: request.filter.clone(),
        page_size: PAGE,
        page_token: request.resume_token.clone(),
        order_by: "create_time".to_owned(),
        ..v1::ListMatchesRequest::default()
    };
    violations.finish(format.map(|format| (list, format)))
}

/// What a caller of `ImportMatch` brings.
#[derive(Clone, Debug)]
pub struct Brought {
    /// What is known before the record is read.
    name: MatchName,
    request: Option<Request>,
    players: Option<(BySeat<String>, BySeat<String>)>,
    labels: std::collections::BTreeMap<String, String>,
    validate_only: bool,
    /// Its format.
    pub format: Format,
}

impl Brought {
    /// The tenant.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.name.tenant
    }

    /// The match that is to be stored, now that the record is read.
    #[must_use]
    pub fn import(self, told: &Told, by: &Caller) -> Import {
        let (subjects, display_names) = self.players.unwrap_or_else(|| {
            let subject = |seat: u8| format!("imported/{seat}");
            (BySeat::new(subject(1), subject(2)), BySeat::default())
        });
        let (recorded, annotations) = match told {
            Told::Match { names, annotations, .. } => (names.clone(), annotations.clone()),
            Told::Log(_) => Default::default(),
        };
        let name = |given: String, recorded: &str| if given.is_empty() { shown(recorded) } else { given };
        Import {
            name: self.name,
            request: self.request,
            actor: by.actor(None),
            players: subjects,
            about: About {
                display_names: BySeat::new(
                    name(display_names.one, &recorded.one),
                    name(display_names.two, &recorded.two),
                ),
                notes: Notes { labels: self.labels, annotations },
                seed: None,
                provenance: Provenance::Imported,
            },
            validate_only: self.validate_only,
        }
    }
}

/// A name of a record as a name for people may be.
fn shown(name: &str) -> String {
    name.chars().filter(|char| !char.is_control()).take(super::creation::MAX_DISPLAY_NAME).collect()
}

/// What a caller of `ImportMatch` brings. The record itself is not read yet.
///
/// # Errors
/// Everything else that is wrong with the request.
pub fn read_import(request: &v1::ImportMatchRequest) -> Result<Brought, BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let match_id = read_match_id(&mut violations, Path::root("match_id"), &request.match_id);
    let format = read_format(&mut violations, request.format);
    violations.check(
        (1..=MAX_RECORD).contains(&request.content.len()),
        Path::root("content"),
        "is required, and has at most 1,048,576 bytes",
    );
    check_labels(&mut violations, Path::root("labels"), &request.labels);
    let request_id = scalar::request_id(&mut violations, Path::root("request_id"), &request.request_id);
    let players = match &*request.players {
        [] => Some(None),
        players => read_players(&mut violations, Path::root("players"), players).map(Some),
    };
    violations.check(
        request.players.is_empty() || format != Some(Format::Log),
        Path::root("players"),
        "must be empty with RECORD_FORMAT_JSON: the log says who played",
    );
    let anonymous = v1::ImportMatchRequest { request_id: String::new(), ..request.clone() };
    let brought = || {
        let (tenant, request_id) = (tenant?, request_id?);
        let id = match_id?.unwrap_or_else(|| make_match_id(&tenant, request_id));
        Some(Brought {
            name: MatchName { tenant, id },
            request: request_id.map(|id| Request { id, digest: command::digest("ImportMatch", &anonymous) }),
            players: players?,
            labels: request.labels.clone(),
            validate_only: request.validate_only,
            format: format?,
        })
    };
    violations.finish(brought())
}

fn read_format(violations: &mut Violations, format: i32) -> Option<Format> {
    let path = Path::root("format");
    match scalar::known(violations, path, format)? {
        v1::RecordFormat::Unspecified => {
            violations.add(path, "is required");
            None
        }
        v1::RecordFormat::Mat => Some(Format::Mat),
        v1::RecordFormat::Sgf => Some(Format::Sgf),
        v1::RecordFormat::Json => Some(Format::Log),
        v1::RecordFormat::Ogxm => Some(Format::Ogxm),
        v1::RecordFormat::Oldmoves => Some(Format::Oldmoves),
    }
}

/// How many oddities of a record are told. A record may have nothing else in it.
const MAX_WARNINGS: usize = 1_000;

/// What is odd about a record, and how much more there is than is told.
#[must_use]
pub fn warnings(oddities: &[Oddity]) -> Vec<v1::ImportWarning> {
    let untold = oddities.len().saturating_sub(MAX_WARNINGS);
    let more = (untold > 0).then(|| v1::ImportWarning {
        text: format!("and {untold} more oddities"),
        code: "MORE".to_owned(),
        ..v1::ImportWarning::default()
    });
    oddities.iter().take(MAX_WARNINGS).map(warning).chain(more).collect()
}

fn warning(oddity: &Oddity) -> v1::ImportWarning {
    v1::ImportWarning {
        line: number(oddity.line),
        text: oddity.kind.to_string(),
        column: number(oddity.column),
        code: oddity.kind.code().to_owned(),
        repaired: oddity.kind.repair() == Repair::Repaired,
    }
}

#[cfg(test)]
mod tests;
