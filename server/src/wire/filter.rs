//! The filter language of lists: the part of AIP-160 that `docs/api.md` describes.
//!
//! A text is read once, from left to right, and every comparison is given its meaning as soon as it is read. So
//! the first error in the text is the one that is told.

mod meaning;
mod parse;
mod scan;
#[cfg(test)]
mod tests;

use self::{parse::Parser, scan::Scanner};
use crate::store::Filter;

/// The most characters of a filter.
pub const MAX_LENGTH: usize = 2_000;

/// The most comparisons of a filter.
pub const MAX_COMPARISONS: usize = 32;

/// The most parentheses that are open at once.
pub const MAX_DEPTH: usize = 32;

/// A filter that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {position}: {because}")]
pub struct BadFilter {
    /// The first character that is wrong, from 0.
    pub position: usize,
    /// What is wrong with it, or what should be there.
    pub because: String,
}

impl BadFilter {
    fn at(position: usize, because: impl Into<String>) -> Self {
        Self { position, because: because.into() }
    }
}

/// What was read.
type Read<T> = Result<T, BadFilter>;

/// Something and where it begins, in characters from 0.
struct Placed<T> {
    at: usize,
    it: T,
}

impl<T> Placed<T> {
    fn bad(&self, because: impl Into<String>) -> BadFilter {
        BadFilter::at(self.at, because)
    }
}

/// The condition that a filter says; an empty one says nothing, and holds of every match.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn read_filter(text: &str) -> Result<Filter, BadFilter> {
    if text.chars().count() > MAX_LENGTH {
        return Err(BadFilter::at(MAX_LENGTH, "a filter has at most 2,000 characters"));
    }
    Parser::new(Scanner::new(text)).filter()
}
