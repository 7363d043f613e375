//! Records from one format into another.

use std::fmt::{self, Display};
use std::path::Path;
use std::process::ExitCode;

use chaquete_record::{Chronicle, Remark, Sheet, Transcript, Unplayable, mat, ogxm, oldmoves, sgf};

use crate::args::Convert;
use crate::failure::Failure;
use crate::file::Put;
use crate::format::Format;
use crate::inputs;
use crate::outputs::{Outputs, Taken, Target};
use crate::progress::Progress;
use crate::report::{Note, Oddities, Place};

/// What is read.
const READ: &[Format] = &[Format::Mat, Format::Sgf, Format::Oldmoves];

const NO_JSON: &str =
    "JSON logs are only read and written by a server: see `chaquete import` and `chaquete export`";

pub(super) fn run(args: &Convert) -> Result<ExitCode, Failure> {
    let writer = Writer::of(args.to())?;
    let files = inputs::files(&args.files, READ)?;
    let target = match (&args.out, files.as_slice()) {
        (None, [file]) if inputs::is_standard_input(file) => Target::StandardOutput,
        (out, files) => Target::of(out.as_ref(), files.len())?,
    };
    let mut conversion = Conversion {
        writer,
        from: args.from,
        outputs: Outputs::new(target, args.existing())?,
        progress: Progress::through(files.len(), "records"),
        tally: Tally::default(),
    };
    let done = files.iter().try_for_each(|file| conversion.convert(file));
    conversion.progress.finish();
    if files.len() > 1 {
        conversion.progress.tell(&conversion.tally)?;
    }
    done?;
    Ok(conversion.tally.exit_code())
}

/// A conversion of many records.
struct Conversion {
    writer: Writer,
    from: Option<Format>,
    outputs: Outputs,
    progress: Progress,
    tally: Tally,
}

impl Conversion {
    fn convert(&mut self, path: &Path) -> Result<(), Failure> {
        let content = inputs::read(path, sgf::MAX_BYTES)?;
        let (chronicle, notes) = read(self.from.unwrap_or_else(|| Format::of(path, &content)), &content);
        self.tally.oddities.add(&notes);
        for note in &notes {
            self.progress.complain(note.about(path));
        }
        match chronicle {
            Some(chronicle) if self.write(path, &chronicle)? => self.tally.converted += 1,
            Some(_) | None => self.tally.refused += 1,
        }
        self.progress.done();
        Ok(())
    }

    /// Writes a record; whether it is there now.
    fn write(&mut self, path: &Path, chronicle: &Chronicle) -> Result<bool, Failure> {
        let (content, remarks) = match self.writer.write(chronicle) {
            Ok(record) => record,
            Err(why) => {
                self.progress.complain(format_args!("{}: {why}", path.display()));
                return Ok(false);
            }
        };
        for remark in remarks {
            self.progress.complain(format_args!("{}: {} {remark}", path.display(), remark.kind.code()));
        }
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!(".{}", self.writer.format().ending()));
        let (to, put) = self.outputs.put(&name, &content)?;
        match put {
            Put::Taken => self.progress.complain(Taken(&to)),
            Put::Written | Put::Same if self.outputs.is_standard_output() => {}
            Put::Written | Put::Same => self.progress.tell(to.display())?,
        }
        Ok(put != Put::Taken)
    }
}

/// The match that a record tells, if it can be played, and all that is to be said about the record.
fn read(format: Format, content: &[u8]) -> (Option<Chronicle>, Vec<Note>) {
    let sheet = match sheet(format, content) {
        Ok(sheet) => sheet,
        Err(refusal) => return (None, vec![refusal]),
    };
    let transcript = Transcript::of(&sheet);
    let chronicle = transcript.chronicle();
    let undecided = match &chronicle {
        Err(Unplayable::Undecided(oddity)) => Some(oddity),
        Err(Unplayable::Halted(_)) | Ok(_) => None,
    };
    // What keeps it from being played is told last, and once.
    let others = transcript.oddities.iter().filter(|oddity| Some(*oddity) != undecided);
    let mut notes: Vec<Note> = others.map(Note::from).collect();
    notes.extend(chronicle.as_ref().err().map(Note::from));
    (chronicle.ok(), notes)
}

fn sheet(format: Format, content: &[u8]) -> Result<Sheet, Note> {
    /// The errors of all readers have the same parts.
    macro_rules! read {
        ($reader:ident) => {
            $reader::read(content).map_err(|error| {
                let place = Place::of(error.line, error.column);
                Note::refusal(place, error.problem.code(), error.problem.to_string())
            })
        };
    }
    match format {
        Format::Mat => read!(mat),
        Format::Sgf => read!(sgf),
        Format::Oldmoves => read!(oldmoves),
        Format::Json => Err(Note::refusal(Place::Nowhere, "NOT_READ", NO_JSON)),
        Format::Ogxm => Err(Note::refusal(Place::Nowhere, "NOT_READ", "OGXM files are written, not read")),
    }
}

/// What is written.
#[derive(Clone, Copy)]
enum Writer {
    Mat,
    Sgf,
    Ogxm,
}

impl Writer {
    fn of(format: Option<Format>) -> Result<Self, Failure> {
        match format {
            Some(Format::Mat) => Ok(Self::Mat),
            Some(Format::Sgf) => Ok(Self::Sgf),
            Some(Format::Ogxm) => Ok(Self::Ogxm),
            Some(Format::Json) => Err(Failure::Usage(NO_JSON)),
            Some(Format::Oldmoves) => Err(Failure::Usage("listings of FIBS are read, not written")),
            None => Err(Failure::Usage("to which format? --to mat, sgf or ogxm")),
        }
    }

    const fn format(self) -> Format {
        match self {
            Self::Mat => Format::Mat,
            Self::Sgf => Format::Sgf,
            Self::Ogxm => Format::Ogxm,
        }
    }

    /// The record of a match and what it could not hold, or why there is none.
    fn write(self, chronicle: &Chronicle) -> Result<(Vec<u8>, Vec<Remark>), String> {
        match self {
            Self::Mat => mat::write(chronicle).map(of_text).map_err(|error| error.to_string()),
            Self::Sgf => sgf::write(chronicle).map(of_text).map_err(|error| error.to_string()),
            Self::Ogxm => ogxm::write(chronicle).map_err(|error| error.to_string()),
        }
    }
}

fn of_text((text, remarks): (String, Vec<Remark>)) -> (Vec<u8>, Vec<Remark>) {
    (text.into_bytes(), remarks)
}

/// What came of the records.
#[derive(Default)]
struct Tally {
    converted: usize,
    refused: usize,
    oddities: Oddities,
}

impl Tally {
    fn exit_code(&self) -> ExitCode {
        if self.refused > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { converted, refused, oddities } = self;
        write!(f, "{} records: {converted} converted, {refused} refused; {oddities}", converted + refused)
    }
}
