//! The formats of records, as the command line names them.

use std::path::Path;

use chaquete_client::proto::RecordFormat;
use clap::ValueEnum;

/// A format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Match file, `.mat`.
    Mat,
    /// Smart Game Format as GNU Backgammon writes it, `.sgf`.
    Sgf,
    /// The complete log, lossless, `.bglog`: only a server reads and writes it.
    Json,
    /// Open Gammon exchange format, `.ogxm`: written, not read.
    Ogxm,
    /// What FIBS shows for `oldmoves`: read, not written.
    Oldmoves,
}

impl Format {
    /// How the names of its files end; those that are written end like the first.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Mat => &["mat"],
            Self::Sgf => &["sgf"],
            Self::Json => &["bglog", "json", "jsonl"],
            Self::Ogxm => &["ogxm"],
            Self::Oldmoves => &["oldmoves"],
        }
    }

    /// How the names of files end that are written.
    pub(crate) const fn ending(self) -> &'static str {
        self.endings()[0]
    }

    /// The format that the name of a file promises.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::value_variants().iter().copied().find(|format| format.endings().contains(&ending.as_str()))
    }

    /// The format of a file: by the ending of its name, or by how it begins.
    pub(crate) fn of(path: &Path, content: &[u8]) -> Self {
        Self::of_path(path).unwrap_or_else(|| Self::of_content(content))
    }

    fn of_content(content: &[u8]) -> Self {
        let head = &content[..content.len().min(HEAD)];
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        match head {
            [b'(', ..] => Self::Sgf,
            [b'{', ..] => Self::Json,
            [b'O', b'G', b'X', b'M', ..] => Self::Ogxm,
            _ if head.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"Score is ")) => {
                Self::Oldmoves
            }
            // Its first line may be anything.
            _ => Self::Mat,
        }
    }
}

/// How many bytes are looked at to find out a format.
const HEAD: usize = 4096;

impl From<Format> for RecordFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Mat => Self::Mat,
            Format::Sgf => Self::Sgf,
            Format::Json => Self::Json,
            Format::Ogxm => Self::Ogxm,
            Format::Oldmoves => Self::Oldmoves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_name_tells_the_format() {
        for (name, format) in [
            ("a.mat", Some(Format::Mat)),
            ("a.b.SGF", Some(Format::Sgf)),
            ("a.jsonl", Some(Format::Json)),
            ("a.txt", None),
            ("mat", None),
        ] {
            assert_eq!(Format::of_path(Path::new(name)), format, "{name}");
        }
        assert_eq!(Format::of(Path::new("a.mat"), b"(;FF[4]"), Format::Mat);
    }

    #[test]
    fn a_name_that_tells_nothing_leaves_it_to_the_beginning() {
        for (content, format) in [
            (&b"\n (;FF[4]GM[6]"[..], Format::Sgf),
            (b"\xef\xbb\xbf 7 point match\r\n", Format::Mat),
            (b"{\"format\":\"bgexport/1\"", Format::Json),
            (b"OGXM\x02\x00", Format::Ogxm),
            (b"> oldmoves Ann\n\nScore is 0-0 in a 5 point match.\n", Format::Oldmoves),
            (b"; Score is nothing\n 5 point match\n", Format::Mat),
            (b"", Format::Mat),
        ] {
            assert_eq!(Format::of(Path::new("-"), content), format, "{}", String::from_utf8_lossy(content));
        }
    }
}
