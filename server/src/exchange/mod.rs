//! Records of matches: out of the store in the formats of other programs, and into it.

mod export;
mod facts;
mod import;

pub use export::{Record, Unwritable, export};
pub use import::{Told, Unreadable, read};

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Jellyfish match file.
    Mat,
    /// Smart Game Format, as GNU Backgammon writes it.
    Sgf,
    /// The log itself, `bgexport/1`.
    Log,
    /// Open Gammon exchange format; only written.
    Ogxm,
    /// What FIBS shows for `oldmoves`; only read.
    Oldmoves,
}

impl Format {
    /// The ending of its files.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Mat => "mat",
            Self::Sgf => "sgf",
            Self::Log => "bglog",
            Self::Ogxm => "ogxm",
            Self::Oldmoves => "txt",
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Mat | Self::Oldmoves => "text/plain; charset=utf-8",
            Self::Sgf => "application/x-sgf; charset=utf-8",
            Self::Log => "application/x-ndjson",
            Self::Ogxm => "application/octet-stream",
        }
    }
}
