//! The rules of a match.

use std::num::NonZeroU32;

use chaquete_proto::v1::{self, match_rules::Length as WireLength};
use chaquete_record::{PositionId, Xgid};
use chaquete_rules::{
    Board, CubeValue, Length, MatchPoints, MatchRules, MoneyRules, OpeningRule, Seat, Variant,
};

use super::{
    scalar,
    violations::{Path, Violations},
    words,
};

/// The longest text that can be an identifier of a position.
pub const MAX_ID_LEN: usize = 128;

/// The rules that a caller wants to play by, with what it leaves out filled in.
pub fn read_rules(violations: &mut Violations, path: Path<'_>, rules: &v1::MatchRules) -> Option<MatchRules> {
    let length = read_length(violations, path, rules);
    let variant = scalar::known(violations, path.field("variant"), rules.variant).map(words::read_variant);
    let max_cube = read_max_cube(violations, path.field("max_cube_value"), rules.max_cube_value);
    let opening = read_opening(violations, path.field("opening"), rules.opening);
    let initial = read_initial(
        violations,
        path.field("initial_position"),
        &rules.initial_position,
        variant.unwrap_or_default(),
    );
    Some(MatchRules {
        length: length?,
        variant: variant?,
        max_cube: max_cube?,
        opening: opening?,
        initial: initial?,
    })
}

fn read_length(violations: &mut Violations, path: Path<'_>, rules: &v1::MatchRules) -> Option<Length> {
    match rules.length {
        None => {
            violations.add(path, "its length is required: `points` or `money_session`");
            None
        }
        Some(WireLength::Points(points)) => {
            let points = u8::try_from(points).ok().and_then(MatchPoints::new);
            violations.check(points.is_some(), path.field("points"), "must be 1 to 255");
            check_only_in_money(violations, path, rules);
            Some(Length::Points { points: points?, crawford: rules.crawford.unwrap_or(true) })
        }
        Some(WireLength::MoneySession(session)) => {
            let crawford = rules.crawford.unwrap_or(false);
            violations.check(!crawford, path.field("crawford"), "must not be set in a money session");
            let max_games =
                scalar::count(violations, path.field("money_session").field("max_games"), session.max_games);
            let beavers = scalar::count(violations, path.field("max_beavers"), rules.max_beavers);
            let doubles =
                scalar::count(violations, path.field("max_automatic_doubles"), rules.max_automatic_doubles);
            Some(Length::Money(MoneyRules {
                max_games: NonZeroU32::new(max_games?),
                jacoby: rules.jacoby.unwrap_or(true),
                max_beavers: beavers?,
                max_automatic_doubles: doubles?,
            }))
        }
    }
}

/// Jacoby rule, beavers and automatic doubles do not exist in a match to points.
fn check_only_in_money(violations: &mut Violations, path: Path<'_>, rules: &v1::MatchRules) {
    const ONLY: &str = "exists only in money sessions: leave it out in a match to points";
    violations.check(!rules.jacoby.unwrap_or(false), path.field("jacoby"), ONLY);
    violations.check(rules.max_beavers == 0, path.field("max_beavers"), ONLY);
    violations.check(rules.max_automatic_doubles == 0, path.field("max_automatic_doubles"), ONLY);
}

fn read_max_cube(violations: &mut Violations, path: Path<'_>, value: i32) -> Option<CubeValue> {
    let cube = match value {
        0 => Some(CubeValue::USUAL_LIMIT),
        value => u32::try_from(value).ok().and_then(CubeValue::new),
    };
    violations.check(cube.is_some(), path, "must be a power of two from 1 (no cube) to 4096, or 0 for 64");
    cube
}

fn read_opening(violations: &mut Violations, path: Path<'_>, rule: i32) -> Option<OpeningRule> {
    scalar::known(violations, path, rule).map(words::read_opening)
}

/// The board that every game starts from, if it is not the variant's own: seat one is the player on roll of
/// a position ID, and player X of an XGID, of which only the checkers count.
fn read_initial(
    violations: &mut Violations,
    path: Path<'_>,
    text: &str,
    variant: Variant,
) -> Option<Option<Board>> {
    if text.is_empty() {
        return Some(None);
    }
    if !violations.check(text.len() <= MAX_ID_LEN, path, "is too long for a position ID or an XGID") {
        return None;
    }
    match board_of_id(text, variant) {
        Ok(board) => {
            let is_over = Seat::BOTH.iter().any(|&seat| board.side(seat).is_finished());
            violations.check(!is_over, path, "a side has no checkers left to play").then_some(Some(board))
        }
        Err(error) => {
            violations.add(path, error);
            None
        }
    }
}

fn board_of_id(text: &str, variant: Variant) -> Result<Board, String> {
    let checkers = variant.checkers();
    if text.contains(':') {
        return Xgid::parse(text, checkers).map(|xgid| xgid.board).map_err(|error| format!("XGID: {error}"));
    }
    text.parse::<PositionId>()
        .and_then(|id| id.position(checkers))
        .map(|position| Board::from_position(position, Seat::One))
        .map_err(|error| format!("GNU Backgammon position ID: {error}"))
}

/// The rules of a match. Everything is said, defaults too; a rule of the other kind of play is left out, and
/// a position to start from is written as a position ID with seat one on roll.
#[must_use]
pub fn rules(rules: &MatchRules) -> v1::MatchRules {
    let mut message = v1::MatchRules {
        variant: words::variant(rules.variant).into(),
        max_cube_value: scalar::number(rules.max_cube.get()),
        opening: words::opening(rules.opening).into(),
        initial_position: rules
            .initial
            .map(|board| PositionId::of(&board.position(Seat::One)).to_string())
            .unwrap_or_default(),
        ..v1::MatchRules::default()
    };
    match rules.length {
        Length::Points { points, crawford } => {
            message.length = Some(WireLength::Points(scalar::number(points.get())));
            message.crawford = Some(crawford);
        }
        Length::Money(money) => {
            let max_games = money.max_games.map_or(0, |games| scalar::number(games.get()));
            message.length = Some(WireLength::MoneySession(v1::MoneySession { max_games }));
            message.jacoby = Some(money.jacoby);
            message.max_beavers = scalar::number(money.max_beavers);
            message.max_automatic_doubles = scalar::number(money.max_automatic_doubles);
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(message: &v1::MatchRules) -> Result<MatchRules, Vec<String>> {
        let mut violations = Violations::default();
        let read = read_rules(&mut violations, Path::root("rules"), message);
        violations
            .finish(read)
            .map_err(|bad| bad.violations.into_iter().map(|violation| violation.field).collect())
    }

    fn points(points: i32) -> v1::MatchRules {
        v1::MatchRules { length: Some(WireLength::Points(points)), ..v1::MatchRules::default() }
    }

    fn money() -> v1::MatchRules {
        let session = v1::MoneySession { max_games: 0 };
        v1::MatchRules { length: Some(WireLength::MoneySession(session)), ..v1::MatchRules::default() }
    }

    #[test]
    fn what_is_left_out_is_as_usual() {
        let seven = MatchPoints::new(7).unwrap();
        assert_eq!(read(&points(7)), Ok(MatchRules::points(seven)));
        assert_eq!(read(&money()), Ok(MatchRules::money()));
    }

    #[test]
    fn what_is_written_reads_the_same() {
        let full = v1::MatchRules {
            length: Some(WireLength::MoneySession(v1::MoneySession { max_games: 3 })),
            variant: v1::Variant::Nackgammon.into(),
            jacoby: Some(false),
            max_beavers: 2,
            max_automatic_doubles: 1,
            max_cube_value: 4096,
            opening: v1::OpeningRule::SeatTwo.into(),
            initial_position: "4HPwATDgc/ABMA".to_owned(),
            ..v1::MatchRules::default()
        };
        for message in [points(1), points(255), money(), full] {
            let read_once = read(&message).expect("valid rules");
            assert_eq!(read(&rules(&read_once)), Ok(read_once), "{message:?}");
        }
    }

    #[test]
    fn rules_of_the_other_kind_of_play_are_refused() {
        let in_match = v1::MatchRules {
            jacoby: Some(true),
            max_beavers: 1,
            max_automatic_doubles: 1,
            crawford: Some(false),
            ..points(256)
        };
        assert_eq!(
            read(&in_match).unwrap_err(),
            ["rules.points", "rules.jacoby", "rules.max_beavers", "rules.max_automatic_doubles"]
        );
        let in_money = v1::MatchRules { crawford: Some(true), jacoby: Some(false), ..money() };
        assert_eq!(read(&in_money).unwrap_err(), ["rules.crawford"]);
        let explicit = v1::MatchRules { jacoby: Some(false), ..points(5) };
        assert!(read(&explicit).is_ok());
    }

    #[test]
    fn every_bad_field_is_told() {
        let bad = v1::MatchRules {
            length: Some(WireLength::MoneySession(v1::MoneySession { max_games: -1 })),
            variant: 9,
            max_beavers: -1,
            max_automatic_doubles: -1,
            max_cube_value: 3,
            opening: -1,
            initial_position: "no position".to_owned(),
            crawford: Some(true),
            ..v1::MatchRules::default()
        };
        assert_eq!(read(&bad).unwrap_err().len(), 8);
        assert_eq!(read(&v1::MatchRules::default()).unwrap_err(), ["rules"]);
        for max_cube_value in [-1, 5, 8192] {
            assert!(read(&v1::MatchRules { max_cube_value, ..points(5) }).is_err(), "{max_cube_value}");
        }
    }

    #[test]
    fn a_game_starts_from_any_position_that_is_one() {
        let from = |text: &str, variant: v1::Variant| {
            let initial_position = text.to_owned();
            read(&v1::MatchRules { initial_position, variant: variant.into(), ..points(5) })
        };
        let by_id = from("4HPwATDgc/ABMA", v1::Variant::Standard).unwrap();
        let by_xgid =
            from("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", v1::Variant::Standard).unwrap();
        assert_eq!(by_id.start(), Variant::Standard.start());
        assert_eq!(by_id, by_xgid);
        for wrong in ["AAAAAAAAAAAAAA", "4HPwATDgc", "4HPwATDgc/ABMA:cIkFAAAAAAAE", &"A".repeat(200)] {
            assert_eq!(
                from(wrong, v1::Variant::Standard).unwrap_err(),
                ["rules.initial_position"],
                "{wrong}"
            );
        }
        // More checkers than the variant has.
        assert!(from("4HPwATDgc/ABMA", v1::Variant::Hypergammon).is_err());
    }
}
