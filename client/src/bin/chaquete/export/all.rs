//! The export of all matches into a folder.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chaquete_client::proto::{ExportMatchesRequest, ExportMatchesResponse};

use super::name::{self, Scope};
use super::place::Place;
use crate::args::{Destination, Export, Server};
use crate::failure::Failure;
use crate::file::{Existing, Put};
use crate::format::Format;
use crate::outputs::{Outputs, Taken, Target};
use crate::progress::Progress;

pub(super) async fn run(server: &Server, args: &Export, format: Format) -> Result<ExitCode, Failure> {
    let folder = folder(args)?;
    let client = crate::connect(server, args.retry()).await?;
    let mut request = ExportMatchesRequest {
        parent: server.tenant.0.clone(),
        filter: args.filter.clone(),
        format: super::wire(format),
        resume_token: String::new(),
    };
    let outputs = Outputs::new(Target::Folder(folder.to_owned()), args.existing())?;
    let place = Place::of(folder, &request, format);
    if args.resume {
        request.resume_token = place.read()?;
    } else if place.is_kept() && args.existing() == Existing::Keep {
        return Err(Failure::ExportedBefore { path: folder.to_owned() });
    }
    let scope = if request.parent == "tenants/-" { Scope::Everywhere } else { Scope::Tenant };
    let mut all = All {
        format,
        scope,
        outputs,
        place,
        progress: Progress::unbounded("matches"),
        tally: Tally::default(),
    };
    let done = all.export(client.export_matches(request)).await;
    all.progress.finish();
    all.progress.tell(&all.tally)?;
    done?;
    Ok(all.tally.exit_code())
}

fn folder(args: &Export) -> Result<&Path, Failure> {
    match &args.out {
        Some(Destination::File(path)) => Ok(path),
        Some(Destination::StandardOutput) | None => {
            Err(Failure::Usage("--all goes into a folder: --out FOLDER"))
        }
    }
}

struct All {
    format: Format,
    scope: Scope,
    outputs: Outputs,
    place: Place,
    progress: Progress,
    tally: Tally,
}

impl All {
    /// Writes all records, each before the place after it is kept: what is interrupted at any moment goes on without
    /// leaving one out.
    async fn export(&mut self, mut export: chaquete_client::Export) -> Result<(), Failure> {
        while let Some(record) = export.next().await? {
            self.write(&record)?;
            self.place.keep(&record.resume_token)?;
            self.progress.done();
        }
        Ok(())
    }

    fn write(&mut self, record: &ExportMatchesResponse) -> Result<(), Failure> {
        let ExportMatchesResponse { r#match: name, content, remarks, .. } = record;
        for remark in remarks {
            self.progress.complain(format_args!("{name}: {remark}"));
        }
        if content.is_empty() {
            self.tally.left_out += 1;
            return Ok(());
        }
        let file_name = name::of_match(name, self.scope, self.format)?;
        let (path, put): (PathBuf, Put) = self.outputs.put(file_name.as_ref(), content)?;
        match put {
            Put::Written => self.tally.written += 1,
            Put::Same => self.tally.same += 1,
            Put::Taken => {
                self.progress.complain(Taken(&path));
                self.tally.taken += 1;
            }
        }
        Ok(())
    }
}

/// What came of all matches.
#[derive(Debug, Default)]
struct Tally {
    written: usize,
    /// Were there, with the same content.
    same: usize,
    /// Another file is there.
    taken: usize,
    /// The format has no place for them, or they are damaged.
    left_out: usize,
}

impl Tally {
    fn exit_code(&self) -> ExitCode {
        if self.taken + self.left_out > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { written, same, taken, left_out } = self;
        let all = written + same + taken + left_out;
        write!(f, "{all} matches: {written} written")?;
        let others =
            [(same, "there already"), (taken, "kept as another file"), (left_out, "cannot be written")];
        for (count, what) in others.into_iter().filter(|(count, _)| **count > 0) {
            write!(f, ", {count} {what}")?;
        }
        Ok(())
    }
}
