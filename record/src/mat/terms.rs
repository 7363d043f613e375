//! What was agreed and where it was played, as far as the head of a match file tells.

use chaquete_rules::{CubeValue, Length, MatchPoints, MatchRules, MoneyRules, Variant};

use crate::excerpt::excerpt;
use crate::sheet::{CUBE_LIMIT, Date, Facts, MAX_BEAVERS, Tag};

use super::error::{MatError, MatProblem};

/// The tags before the match length.
pub(super) struct Head<'t>(pub(super) &'t [Tag]);

impl<'t> Head<'t> {
    /// The tag with this key, in any case.
    pub(super) fn tag(&self, key: &str) -> Option<&'t Tag> {
        self.0.iter().find(|tag| tag.key.eq_ignore_ascii_case(key))
    }

    fn value(&self, key: &str) -> Option<&'t str> {
        self.tag(key).map(|tag| tag.value.trim()).filter(|value| !value.is_empty())
    }

    /// Whether a tag says `On` or `Off`; `None` if it is missing.
    fn switch(&self, key: &str) -> Result<Option<bool>, MatError> {
        let Some(tag) = self.tag(key) else { return Ok(None) };
        match tag.value.trim() {
            value if value.eq_ignore_ascii_case("on") => Ok(Some(true)),
            value if value.eq_ignore_ascii_case("off") => Ok(Some(false)),
            _ => Err(error(tag, |found| MatProblem::BadSwitch { found })),
        }
    }

    /// The rules of a match to `points`, or of money play. The Crawford rule holds unless a tag says no; beavers and
    /// raccoons are allowed unless a tag says no; the Jacoby rule holds only if a tag says so, for it changes what
    /// a game counts.
    pub(super) fn rules(&self, points: Option<MatchPoints>) -> Result<MatchRules, MatError> {
        let usual = points.map_or_else(MatchRules::money, MatchRules::points);
        let length = match usual.length {
            Length::Points { points, .. } => {
                Length::Points { points, crawford: self.switch("Crawford")? != Some(false) }
            }
            Length::Money(money) => Length::Money(self.money_rules(money)?),
        };
        Ok(MatchRules { length, variant: self.variant()?, max_cube: self.cube_limit()?, ..usual })
    }

    fn money_rules(&self, usual: MoneyRules) -> Result<MoneyRules, MatError> {
        let beavers = self.switch("Beaver")?.or(self.switch("Beavers")?);
        Ok(MoneyRules {
            jacoby: self.switch("Jacoby")? == Some(true),
            max_beavers: if beavers == Some(false) { 0 } else { MAX_BEAVERS },
            ..usual
        })
    }

    fn variant(&self) -> Result<Variant, MatError> {
        let Some(tag) = self.tag("Variation") else { return Ok(Variant::Standard) };
        let name = tag.value.split('(').next().unwrap_or_default().trim().to_ascii_lowercase();
        Ok(match name.as_str() {
            "backgammon" | "standard" | "" => Variant::Standard,
            "nackgammon" => Variant::Nackgammon,
            "hypergammon" => Variant::Hypergammon,
            "longgammon" => Variant::LongGammon,
            _ => return Err(error(tag, |found| MatProblem::UnknownVariation { found })),
        })
    }

    fn cube_limit(&self) -> Result<CubeValue, MatError> {
        let Some(tag) = self.tag("CubeLimit") else {
            return Ok(CubeValue::new(CUBE_LIMIT).unwrap_or(CubeValue::MAX));
        };
        let limit = tag.value.trim().parse().ok().and_then(CubeValue::new);
        limit.ok_or_else(|| error(tag, |found| MatProblem::BadCubeLimit { found }))
    }

    pub(super) fn facts(&self) -> Facts {
        let text = |key| self.value(key).map(str::to_owned);
        Facts {
            event: text("Event"),
            round: text("Round"),
            site: text("Site"),
            date: self.value("EventDate").and_then(Date::read),
            transcriber: text("Transcriber"),
        }
    }
}

fn error(tag: &Tag, problem: impl FnOnce(String) -> MatProblem) -> MatError {
    MatError { line: tag.line, column: tag.column, problem: problem(excerpt(tag.value.trim())) }
}
