//! How values of options are read.

use std::num::NonZeroUsize;

use clap::builder::{BoolishValueParser, PossibleValuesParser, TypedValueParser};

use crate::{log::Word, store::Writing};

/// The words of a type.
pub(super) fn word<T: Word + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(T::ALL.iter().map(|value| value.word()));
    words.try_map(|word| T::from_word(&word).ok_or(word))
}

/// What switches are in the environment: 1, true, yes, on, or 0, false, no, off.
pub(super) fn switch() -> BoolishValueParser {
    BoolishValueParser::new()
}

/// How many writes a batch has.
pub(super) fn batch(text: &str) -> Result<NonZeroUsize, String> {
    let batch = text.parse().ok().filter(|batch| *batch <= Writing::MAX_BATCH);
    batch.ok_or_else(|| format!("a batch has 1 to {} writes", Writing::MAX_BATCH))
}
