//! What was agreed, as far as a match file tells.

use chaquete_rules::{CubeValue, Length, MatchPoints, MatchRules, MoneyRules, Variant};
use thiserror::Error;

use crate::excerpt::excerpt;
use crate::mat::MatRecord;

/// The cube limit where a file does not tell it: what most programs write.
const CUBE_LIMIT: u32 = 1024;
/// Beavers and raccoons have words in a match file; more have not.
const MAX_BEAVERS: u32 = 2;

/// Why a match file cannot be followed at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// The match is longer than any that can be played.
    #[error("a match to {length} points is too long: the longest is {}", MatchPoints::MAX.get())]
    TooLong {
        /// The match length.
        length: u32,
    },
    /// The variant is not known.
    #[error("the variation {found:?} is none of Backgammon, NackGammon, HyperGammon and LongGammon")]
    UnknownVariation {
        /// What the tag says.
        found: String,
    },
    /// The cube limit is none.
    #[error("the cube limit {found:?} is no power of two from 1 to 4096")]
    BadCubeLimit {
        /// What the tag says.
        found: String,
    },
}

impl TranscriptError {
    /// The stable code of the error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "TOO_LONG",
            Self::UnknownVariation { .. } => "UNKNOWN_VARIATION",
            Self::BadCubeLimit { .. } => "BAD_CUBE_LIMIT",
        }
    }
}

/// The rules of the match. The Crawford rule holds unless a tag says no; beavers and raccoons are allowed
/// unless a tag says no; the Jacoby rule holds only if a tag says so, for it changes what a game counts.
pub(super) fn rules(record: &MatRecord) -> Result<MatchRules, TranscriptError> {
    let usual = match record.length {
        0 => MatchRules::money(),
        length => MatchRules::points(match_points(length)?),
    };
    Ok(MatchRules {
        length: match usual.length {
            Length::Points { points, .. } => {
                Length::Points { points, crawford: record.switch("Crawford") != Some(false) }
            }
            Length::Money(money) => Length::Money(money_rules(record, money)),
        },
        variant: variant(record)?,
        max_cube: cube_limit(record)?,
        ..usual
    })
}

fn match_points(length: u32) -> Result<MatchPoints, TranscriptError> {
    u8::try_from(length).ok().and_then(MatchPoints::new).ok_or(TranscriptError::TooLong { length })
}

fn money_rules(record: &MatRecord, usual: MoneyRules) -> MoneyRules {
    let beavers = record.switch("Beaver").or_else(|| record.switch("Beavers"));
    MoneyRules {
        jacoby: record.switch("Jacoby") == Some(true),
        max_beavers: if beavers == Some(false) { 0 } else { MAX_BEAVERS },
        ..usual
    }
}

fn variant(record: &MatRecord) -> Result<Variant, TranscriptError> {
    let found = record.tag("Variation").unwrap_or("Backgammon").trim();
    let name = found.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
    match name.as_str() {
        "backgammon" | "standard" | "" => Ok(Variant::Standard),
        "nackgammon" => Ok(Variant::Nackgammon),
        "hypergammon" => Ok(Variant::Hypergammon),
        "longgammon" => Ok(Variant::LongGammon),
        _ => Err(TranscriptError::UnknownVariation { found: excerpt(found) }),
    }
}

fn cube_limit(record: &MatRecord) -> Result<CubeValue, TranscriptError> {
    let Some(found) = record.tag("CubeLimit") else {
        return Ok(CubeValue::new(CUBE_LIMIT).unwrap_or(CubeValue::MAX));
    };
    let limit = found.trim().parse().ok().and_then(CubeValue::new);
    limit.ok_or_else(|| TranscriptError::BadCubeLimit { found: excerpt(found) })
}
