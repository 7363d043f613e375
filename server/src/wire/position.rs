//! Positions without a match, as callers of the rules service give and get them.

use chaquete_proto::v1::{self, convert_position_request::Source};
use chaquete_record::{FibsBoard, GamePosition, Play, SnowiePosition, Stage};
use chaquete_rules::{
    Board, BySeat, Cube, CubeValue, Dice, GameEndReason, LegalMove, MAX_CHECKERS, Score, Seat, Setup,
    SetupError, SetupSide, SideSetup, WinKind,
};

use super::{
    game,
    rules::MAX_ID_LEN,
    scalar::{self, number},
    turn,
    violations::{BadRequest, Path, Violations},
    words,
};

/// A position that somebody described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Described {
    /// The checkers.
    pub board: Board,
    /// The seat on roll, if that was said.
    pub on_roll: Option<Seat>,
    /// The dice, if they are rolled.
    pub dice: Option<Dice>,
    /// The cube.
    pub cube: Cube,
    /// The score.
    pub score: Score,
    /// Match length; 0 for money play.
    pub points: u32,
    /// Whether it is the Crawford game.
    pub crawford: bool,
}

impl Described {
    /// Seat and dice, where a move is asked about. Notes which of them is missing.
    pub fn roll(&self, violations: &mut Violations, path: Path<'_>) -> Option<(Seat, Dice)> {
        violations.check(self.on_roll.is_some(), path.field("seat_on_roll"), "is required");
        violations.check(self.dice.is_some(), path.field("dice"), "is required");
        self.on_roll.zip(self.dice)
    }

    /// The position as other programs see it.
    #[must_use]
    pub fn game_position(&self, on_roll: Seat) -> GamePosition {
        GamePosition {
            board: self.board,
            on_roll,
            stage: self.dice.map_or(Stage::Roll, Stage::Move),
            cube: self.cube,
            score: self.score,
            play: match self.points {
                0 => Play::Money { jacoby: false, beavers: false },
                length => Play::Match { length, crawford: self.crawford },
            },
            cube_limit: None,
        }
    }
}

/// A position, with every reason why it is none.
pub fn read_position(
    violations: &mut Violations,
    path: Path<'_>,
    position: Option<&v1::Position>,
) -> Option<Described> {
    violations.check(position.is_some(), path, "is required");
    let position = position?;
    let variant = scalar::known(violations, path.field("variant"), position.variant).map(words::read_variant);
    let checkers = variant.map_or(MAX_CHECKERS, chaquete_rules::Variant::checkers);
    let board = read_board(violations, path.field("board"), position.board.as_ref(), checkers);
    let on_roll = scalar::known(violations, path.field("seat_on_roll"), position.seat_on_roll);
    let dice = turn::read_dice(violations, path.field("dice"), position.dice);
    let cube = read_cube(violations, path.field("cube"), position.cube);
    let score = read_score(violations, path.field("score"), position.score);
    let points = u8::try_from(position.points).ok().map(u32::from);
    violations.check(points.is_some(), path.field("points"), "must be 1 to 255, or 0 for money play");
    let described = Described {
        board: board?,
        on_roll: words::read_seat(on_roll?),
        dice: dice?,
        cube: cube?,
        score: score?,
        points: points?,
        crawford: position.crawford,
    };
    check_match(violations, path, &described).then_some(described)
}

/// Whether score, cube and Crawford game go together.
fn check_match(violations: &mut Violations, path: Path<'_>, described: &Described) -> bool {
    let Described { score, points, crawford, cube, .. } = *described;
    let is_on = points == 0 || Seat::BOTH.iter().all(|&seat| score[seat] < points);
    let mut fits = violations.check(is_on, path.field("score"), "must be below `points`: the match is over");
    if crawford {
        let one_away = Seat::BOTH.iter().any(|&seat| score[seat] + 1 == points);
        fits &= violations.check(
            points > 0 && one_away,
            path.field("crawford"),
            "must be false: it is the first game in which one side needs exactly one point of a match",
        );
        fits &= violations.check(
            cube == Cube::CENTERED,
            path.field("cube"),
            "is not turned in the Crawford game",
        );
    }
    fits
}

fn read_board(
    violations: &mut Violations,
    path: Path<'_>,
    board: Option<&v1::Board>,
    checkers: u8,
) -> Option<Board> {
    violations.check(board.is_some(), path, "is required");
    let board = board?;
    let one = read_side(violations, path.field("one"), board.one.as_ref());
    let two = read_side(violations, path.field("two"), board.two.as_ref());
    let setup = Setup { mover: one?, opponent: two?, checkers };
    let errors = match setup.position() {
        Ok(position) => return Some(Board::from_position(position, Seat::One)),
        Err(errors) => errors,
    };
    for error in errors {
        let side = |side| path.field(if side == SetupSide::Mover { "one" } else { "two" });
        match error {
            SetupError::TooManyCheckers { side: of, found, checkers } => {
                violations.add(side(of), format!("has {found} checkers, more than {checkers}"));
            }
            SetupError::MissingCheckers { side: of, found, checkers } => {
                let description = format!("has {found} checkers with those borne off, fewer than {checkers}");
                violations.add(side(of), description);
            }
            SetupError::SharedPoint { point } => {
                violations.add(path, format!("both sides have checkers on the {point}-point of seat one"));
            }
            SetupError::BothClosedOut => {
                violations.add(path, "both sides are on the bar against a closed board");
            }
        }
    }
    None
}

/// One side. Without a number of checkers borne off, those that are missing are.
fn read_side(violations: &mut Violations, path: Path<'_>, side: Option<&v1::Side>) -> Option<SideSetup> {
    violations.check(side.is_some(), path, "is required");
    let side = side?;
    let points = path.field("points");
    violations.check(side.points.len() == 24, points, "must have 24 entries: entry i counts point i + 1");
    let mut setup = SideSetup::default();
    let mut are_counts = side.points.len() == 24;
    for ((index, &count), place) in side.points.iter().enumerate().zip(&mut setup.points) {
        are_counts &= read_checkers(violations, points.index(index), count, place);
    }
    let mut off = 0;
    are_counts &= read_checkers(violations, path.field("bar"), side.bar, &mut setup.bar);
    are_counts &= read_checkers(violations, path.field("off"), side.off, &mut off);
    setup.off = Some(off).filter(|&off| off > 0);
    are_counts.then_some(setup)
}

fn read_checkers(violations: &mut Violations, path: Path<'_>, count: i32, place: &mut u8) -> bool {
    let checkers = u8::try_from(count).ok().filter(|&checkers| checkers <= MAX_CHECKERS);
    *place = checkers.unwrap_or_default();
    violations.check(checkers.is_some(), path, "must be 0 to 15")
}

fn read_cube(violations: &mut Violations, path: Path<'_>, cube: Option<v1::Cube>) -> Option<Cube> {
    let Some(cube) = cube else { return Some(Cube::CENTERED) };
    let value = u32::try_from(cube.value).ok().and_then(CubeValue::new);
    violations.check(value.is_some(), path.field("value"), "must be a power of two from 1 to 4096");
    let owner = scalar::known(violations, path.field("owner"), cube.owner).map(words::read_seat);
    Some(Cube { value: value?, owner: owner? })
}

fn read_score(violations: &mut Violations, path: Path<'_>, score: Option<v1::Score>) -> Option<Score> {
    let score = score.unwrap_or_default();
    let one = scalar::count(violations, path.field("one"), score.one);
    let two = scalar::count(violations, path.field("two"), score.two);
    Some(Score::new(one?, two?))
}

/// A position in the form that moves leave it: with everything said.
fn position(described: &Described) -> v1::Position {
    v1::Position {
        board: Some(game::board(&described.board)),
        seat_on_roll: words::seat_or_none(described.on_roll),
        dice: described.dice.map(turn::dice),
        cube: Some(game::cube(described.cube)),
        score: Some(game::score(described.score)),
        points: number(described.points),
        crawford: described.crawford,
        variant: 0,
    }
}

/// The answer to a legal move.
#[must_use]
pub fn applied(
    described: &Described,
    mover: Seat,
    played: &LegalMove,
    variant: i32,
) -> v1::ApplyMoveResponse {
    let after = Described {
        board: Board::from_position(played.after, mover),
        on_roll: Some(mover.opponent()),
        dice: None,
        ..*described
    };
    let is_over = played.after.mover().is_finished();
    v1::ApplyMoveResponse {
        legal: true,
        position: Some(v1::Position { variant, ..position(&after) }),
        canonical_move: Some(turn::mv(&played.mv)),
        game_result: is_over.then(|| borne_off(&after, mover)),
        ..v1::ApplyMoveResponse::default()
    }
}

/// How a game ends whose winner has borne off the last checker. The Jacoby rule is no part of a position.
fn borne_off(after: &Described, winner: Seat) -> v1::GameResult {
    let kind = WinKind::of_finished(&after.board.position(winner.opponent()));
    let points = after.cube.value.get() * kind.multiplier();
    let mut score = after.score;
    score[winner] = score[winner].saturating_add(points);
    v1::GameResult {
        winner: words::seat(winner).into(),
        kind: words::win_kind(kind).into(),
        reason: words::game_end(GameEndReason::BorneOff).into(),
        cube_value: number(after.cube.value.get()),
        points: number(points),
        score_after: Some(game::score(score)),
        ..v1::GameResult::default()
    }
}

/// Why a position cannot be converted.
#[derive(Clone, Debug)]
pub enum Unconvertible {
    /// The request is malformed.
    BadRequest(BadRequest),
    /// The identifier is none.
    Unparsable {
        /// The field that holds it.
        field: &'static str,
        /// What is wrong, and where.
        because: String,
    },
}

/// A position in all its forms.
///
/// # Errors
/// The position is none, or the identifier.
pub fn convert(request: &v1::ConvertPositionRequest) -> Result<v1::ConvertPositionResponse, Unconvertible> {
    match &request.source {
        None => Err(Unconvertible::BadRequest(BadRequest::one(
            Path::root("position"),
            "is required: `position`, `gnu_id` or `xgid`",
        ))),
        Some(Source::Position(given)) => {
            let mut violations = Violations::default();
            let described = read_position(&mut violations, Path::root("position"), Some(given));
            let described = violations.finish(described).map_err(Unconvertible::BadRequest)?;
            let given = v1::Position { board: Some(game::board(&described.board)), ..given.clone() };
            let forms = described.on_roll.map(|on_roll| forms(&described.game_position(on_roll)));
            Ok(v1::ConvertPositionResponse { position: Some(given), ..forms.unwrap_or_default() })
        }
        Some(Source::GnuId(text)) => from_text("gnu_id", text, MAX_ID_LEN, GamePosition::from_gnu_id),
        Some(Source::Xgid(text)) => from_text("xgid", text, MAX_ID_LEN, GamePosition::from_xgid),
        Some(Source::Text(text)) => from_text("text", text, MAX_TEXT_LEN, GamePosition::from_any),
    }
}

/// The longest text that is read as a position: one of eXtreme Gammon with its picture has some 1,500 bytes.
const MAX_TEXT_LEN: usize = 4_096;

fn from_text<E: std::fmt::Display>(
    field: &'static str,
    text: &str,
    longest: usize,
    read: impl FnOnce(&str, u8) -> Result<GamePosition, E>,
) -> Result<v1::ConvertPositionResponse, Unconvertible> {
    let unparsable = |because| Unconvertible::Unparsable { field, because };
    if text.len() > longest {
        return Err(unparsable(format!("is longer than any position: {longest} bytes at most")));
    }
    let read = read(text, MAX_CHECKERS).map_err(|error| unparsable(error.to_string()))?;
    // A position ID alone says nothing but the checkers; seat one is the player on roll.
    let is_whole = text.contains([':', ';']);
    let position = v1::Position {
        board: Some(game::board(&read.board)),
        seat_on_roll: words::seat(read.on_roll).into(),
        dice: read.dice().map(turn::dice),
        cube: is_whole.then(|| game::cube(read.cube)),
        score: is_whole.then(|| game::score(read.score)),
        points: number(read.play.length()),
        crawford: read.play.is_crawford(),
        variant: 0,
    };
    Ok(v1::ConvertPositionResponse { position: Some(position), ..forms(&read) })
}

/// A position in every form that has words for it.
fn forms(position: &GamePosition) -> v1::ConvertPositionResponse {
    let (names, position) = (BySeat::new("one".to_owned(), "two".to_owned()), *position);
    v1::ConvertPositionResponse {
        position: None,
        position_ids: Some(game::position_ids(&position)),
        ogid: position.ogid().unwrap_or_default(),
        fibs_board: FibsBoard { names: names.clone(), position }.encode().unwrap_or_default(),
        snowie: SnowiePosition { names, position }.encode().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
