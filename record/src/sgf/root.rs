//! The first node of a game: what is played, by whom, and how it ended.

use chaquete_rules::{BySeat, CubeValue, Length, MatchPoints, MatchRules, MoneyRules, Score, Seat, Variant};

use crate::excerpt::excerpt;
use crate::sheet::{CUBE_LIMIT, Date, Facts, Name};

use super::error::{SgfError, SgfProblem};
use super::scan::{Place, Property, Value};

/// The game number of backgammon.
const BACKGAMMON: &str = "6";

/// What the first node of a game says.
#[derive(Default)]
pub(super) struct Root {
    pub(super) terms: Terms,
    /// The number of the game, if it is written.
    pub(super) number: Option<u32>,
    pub(super) score: Score,
    pub(super) names: BySeat<Name>,
    pub(super) facts: Facts,
    pub(super) crawford_game: bool,
    pub(super) automatic_doubles: u32,
    pub(super) end: Option<End>,
}

/// What is agreed for a match: the same in all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Terms {
    length: Option<MatchPoints>,
    crawford: bool,
    jacoby: bool,
    cube: Cubes,
    variant: Variant,
}

/// Whether there is a cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Cubes {
    #[default]
    One,
    None,
}

/// How a game ended.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) place: Place,
    pub(super) winner: Seat,
    pub(super) points: u32,
}

/// Whether these are the properties of a game of backgammon.
pub(super) fn is_backgammon(properties: &[(Property<'_>, Value<'_>)]) -> bool {
    properties.iter().any(|(property, value)| property.name == "GM" && value.raw.trim() == BACKGAMMON)
}

impl Root {
    pub(super) fn read(properties: &[(Property<'_>, Value<'_>)]) -> Result<Self, SgfError> {
        let mut root = Self::default();
        for &(property, value) in properties {
            root.property(property, value)?;
        }
        let score = root.score;
        if let Some(length) = root.terms.length.map(MatchPoints::get)
            && let Some(score) = [score.one, score.two].into_iter().find(|&score| score >= length)
            && let Some((property, _)) = properties.iter().find(|(property, _)| property.name == "MI")
        {
            return Err(property.place.error(SgfProblem::ScoreReachesLength { score, length }));
        }
        Ok(root)
    }

    fn property(&mut self, property: Property<'_>, value: Value<'_>) -> Result<(), SgfError> {
        let text = || Some(value.line()).filter(|text| !text.is_empty());
        match property.name {
            "MI" => self.match_info(value)?,
            "PW" => self.names.one.text = value.line(),
            "PB" => self.names.two.text = value.line(),
            "RU" => self.rules(value)?,
            "RE" => self.end = end(property.place, value)?,
            "CV" => {
                let doubles = value.raw.trim().parse().ok().and_then(CubeValue::new);
                self.automatic_doubles =
                    doubles.ok_or_else(|| value.error("CV", "a power of two from 1 to 4096"))?.log2();
            }
            "EV" => self.facts.event = text(),
            "RO" => self.facts.round = text(),
            "PC" => self.facts.site = text(),
            "DT" => self.facts.date = Date::read(&value.line()),
            "AN" => self.facts.transcriber = text(),
            _ => {}
        }
        Ok(())
    }

    /// A value like `length:7`; what is not known is passed over.
    fn match_info(&mut self, value: Value<'_>) -> Result<(), SgfError> {
        let Some((key, found)) = value.raw.split_once(':') else { return Ok(()) };
        let found = found.trim();
        let number = || digits(found).ok_or_else(|| value.error("MI", "a key with a colon and a number"));
        match key.trim().to_ascii_lowercase().as_str() {
            "length" => self.terms.length = length(found).map_err(|problem| value.place.error(problem))?,
            "game" => self.number = Some(number()?),
            "ws" => self.score.one = number()?,
            "bs" => self.score.two = number()?,
            _ => {}
        }
        Ok(())
    }

    fn rules(&mut self, value: Value<'_>) -> Result<(), SgfError> {
        for rule in value.raw.split(':').map(str::trim).filter(|rule| !rule.is_empty()) {
            match rule.to_ascii_lowercase().as_str() {
                "crawford" => self.terms.crawford = true,
                "crawfordgame" => self.crawford_game = true,
                "jacoby" => self.terms.jacoby = true,
                "nocube" => self.terms.cube = Cubes::None,
                "nackgammon" => self.terms.variant = Variant::Nackgammon,
                "hypergammon3" => self.terms.variant = Variant::Hypergammon,
                "longgammon" => self.terms.variant = Variant::LongGammon,
                _ => return Err(value.place.error(SgfProblem::UnknownRule { found: excerpt(rule) })),
            }
        }
        Ok(())
    }

    /// Whether the game says that it is, or is not, the Crawford game.
    pub(super) fn crawford(&self) -> Option<bool> {
        (self.terms.crawford && self.terms.length.is_some()).then_some(self.crawford_game)
    }
}

impl Terms {
    /// The rules of the match. Beavers and automatic doubles are only seen where they happen.
    pub(super) fn rules(self, max_beavers: u32, max_automatic_doubles: u32) -> MatchRules {
        let usual = self.length.map_or_else(MatchRules::money, MatchRules::points);
        let length = match usual.length {
            Length::Points { points, .. } => Length::Points { points, crawford: self.crawford },
            Length::Money(money) => {
                Length::Money(MoneyRules { jacoby: self.jacoby, max_beavers, max_automatic_doubles, ..money })
            }
        };
        let max_cube = match self.cube {
            Cubes::One => CubeValue::new(CUBE_LIMIT).unwrap_or(CubeValue::MAX),
            Cubes::None => CubeValue::ONE,
        };
        MatchRules { length, variant: self.variant, max_cube, ..usual }
    }
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn length(text: &str) -> Result<Option<MatchPoints>, SgfProblem> {
    match digits(text) {
        Some(0) => Ok(None),
        points => points
            .and_then(|points| points.try_into().ok())
            .and_then(MatchPoints::new)
            .map(Some)
            .ok_or_else(|| SgfProblem::BadLength { found: excerpt(text) }),
    }
}

/// A value like `W+2` or `B+4R`: whether somebody resigned the moves tell.
fn end(place: Place, value: Value<'_>) -> Result<Option<End>, SgfError> {
    let text = value.raw.trim();
    let (winner, points) = match text.split_once('+') {
        Some(("W" | "w", points)) => (Seat::One, points),
        Some(("B" | "b", points)) => (Seat::Two, points),
        // Not known, without a result, a draw.
        None if ["", "?", "0"].contains(&text) || text.eq_ignore_ascii_case("void") => return Ok(None),
        _ => return Err(value.error("RE", "like W+2 or B+4Resign")),
    };
    let number = points.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    match digits(number).filter(|&points| points > 0) {
        Some(points) => Ok(Some(End { place, winner, points })),
        None => Err(value.error("RE", "like W+2 or B+4Resign")),
    }
}
