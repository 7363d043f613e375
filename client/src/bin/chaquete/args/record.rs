//! Arguments of `chaquete import`, `chaquete export` and `chaquete convert`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chaquete_client::RetryPolicy;

use super::{Destination, destination, patient};
use crate::file::Existing;
use crate::format::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Import {
    /// Records, or folders of them; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The format of all of them. Default: by the ending of the name, or by how the file begins.
    #[arg(long)]
    pub(crate) format: Option<Format>,
    /// A label for every match; may be given several times.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    pub(crate) labels: Vec<(String, String)>,
    /// Who played in the left column, or is named first.
    #[arg(long, value_name = "SUBJECT", requires = "player_two")]
    pub(crate) player_one: Option<String>,
    /// Who played against that.
    #[arg(long, value_name = "SUBJECT", requires = "player_one")]
    pub(crate) player_two: Option<String>,
    /// Check everything, store nothing.
    #[arg(long)]
    pub(crate) check: bool,
    /// How many records are on their way at the same time.
    #[arg(long, value_name = "N", default_value = "4")]
    pub(crate) jobs: NonZeroUsize,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) patience: u64,
}

impl Import {
    pub(crate) fn retry(&self) -> RetryPolicy {
        patient(self.patience)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// The matches: their ids or full names.
    #[arg(value_name = "MATCH", required_unless_present = "all", conflicts_with = "all")]
    pub(crate) names: Vec<String>,
    /// All matches, each into a file of the folder `--out`.
    #[arg(long, requires = "out")]
    pub(crate) all: bool,
    /// Which of them, for example `labels.event = "spring"`.
    #[arg(long, requires = "all", conflicts_with = "names", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// Go on where the last export into this folder ended or was interrupted.
    #[arg(long, requires = "all", conflicts_with = "names")]
    pub(crate) resume: bool,
    /// The format. Default: by the ending of `--out`, else mat.
    #[arg(long)]
    pub(crate) format: Option<Format>,
    /// The file, or the folder for files that are called like their matches; `-` is standard output. Default: this
    /// folder.
    #[arg(long, value_name = "FILE|FOLDER", value_parser = destination())]
    pub(crate) out: Option<Destination>,
    /// Replace files that are there.
    #[arg(long)]
    pub(crate) force: bool,
    /// How many seconds to look for a server that has gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) patience: u64,
}

impl Export {
    pub(crate) fn retry(&self) -> RetryPolicy {
        patient(self.patience)
    }

    pub(crate) fn format(&self) -> Format {
        wanted(self.format, self.out.as_ref()).unwrap_or(Format::Mat)
    }

    pub(crate) fn existing(&self) -> Existing {
        existing(self.force)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// Records, or folders of them; `-` is standard input.
    #[arg(value_name = "FILE", required_unless_present = "id", conflicts_with = "id")]
    pub(crate) files: Vec<PathBuf>,
    /// The format of all of them. Default: by the ending of the name, or by how the file begins.
    #[arg(long, value_name = "FORMAT", conflicts_with = "id")]
    pub(crate) from: Option<Format>,
    /// The format to write. Default: by the ending of `--out`.
    #[arg(long, value_name = "FORMAT", conflicts_with = "id")]
    pub(crate) to: Option<Format>,
    /// The file, or the folder for files that keep their names but for the ending; `-` is standard output. Default:
    /// this folder, or standard output for standard input.
    #[arg(long, value_name = "FILE|FOLDER", value_parser = destination(), conflicts_with = "id")]
    pub(crate) out: Option<Destination>,
    /// Replace files that are there.
    #[arg(long, conflicts_with = "id")]
    pub(crate) force: bool,
    /// Print this position in every form: IDs of GNU Backgammon, an XGID, an OGID, a board of FIBS, a position of
    /// Snowie, or what eXtreme Gammon copies as text.
    #[arg(long, value_name = "TEXT")]
    pub(crate) id: Option<String>,
    /// How many checkers each side has in the game of the position.
    #[arg(long, value_name = "N", requires = "id", conflicts_with = "files", default_value_t = 15, value_parser = clap::value_parser!(u8).range(1..=15))]
    pub(crate) checkers: u8,
}

impl Convert {
    /// The format to write, if one is asked for.
    pub(crate) fn to(&self) -> Option<Format> {
        wanted(self.to, self.out.as_ref())
    }

    pub(crate) fn existing(&self) -> Existing {
        existing(self.force)
    }
}

fn wanted(format: Option<Format>, out: Option<&Destination>) -> Option<Format> {
    format.or_else(|| match out? {
        Destination::File(path) => Format::of_path(path),
        Destination::StandardOutput => None,
    })
}

const fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

fn label(text: &str) -> Result<(String, String), &'static str> {
    const WRONG: &str = "a label is KEY=VALUE: a key of 1 to 63 small letters, digits, `_`, `.` and `-`, and a value \
                         of 1 to 63 characters";
    let (key, value) = text.split_once('=').ok_or(WRONG)?;
    let is_key = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte);
    let fits = |length: usize| (1..=63).contains(&length);
    let is_label = fits(key.len()) && key.bytes().all(is_key) && fits(value.chars().count());
    if is_label { Ok((key.to_owned(), value.to_owned())) } else { Err(WRONG) }
}
