//! The OGID of OpenGammon.

use chaquete_rules::{
    Board, Cube, CubeValue, Dice, GameEndReason, MAX_CHECKERS, Point, Score, Seat, Setup, Side, SideSetup,
};

use crate::fields::{Field, FieldError, FieldsError, NoWord, fields};
use crate::{GamePosition, Offer, Play, Stage};

/// The fields, as errors name them.
const FIELDS: [&str; 11] = [
    "checkers of White",
    "checkers of Black",
    "cube",
    "dice",
    "colour",
    "state",
    "score of White",
    "score of Black",
    "length",
    "move",
    "number of checkers",
];
/// As many fields must be there.
const REQUIRED: usize = 5;
const COUNT: &str =
    "5 to 11 fields with colons between (White, Black, cube, dice, colour, state, scores, length)";
/// The characters of the places: White's bar, the points 24 to 1 of White, Black's bar.
const PLACES: &[u8; 26] = b"0123456789abcdefghijklmnop";
const MAX_NUMBER: u32 = (1 << 15) - 1;

/// What the text says beside the board, the score and the length.
struct Turn {
    on_roll: Seat,
    stage: Stage,
}

/// Reads an OGID: White is seat one. The text may have an `OGID=` at the beginning.
pub(crate) fn read(text: &str, checkers: u8) -> Result<GamePosition, FieldsError> {
    let prefix = if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("ogid=")) { 5 } else { 0 };
    let mut all = fields(&text[prefix..], ':', prefix + 1, &FIELDS);
    if !(REQUIRED..=FIELDS.len()).contains(&all.len()) {
        return Err(FieldsError::FieldCount { expected: COUNT, found: all.len() });
    }
    // What is left out at the end is as at the start of a game for money.
    all.resize(FIELDS.len(), Field { name: "end", column: text.chars().count() + 1, text: "" });
    let [white, black, cube, dice, colour, state, one, two, length, number, count] = all[..] else {
        return Err(FieldsError::FieldCount { expected: COUNT, found: all.len() });
    };
    number.number_or(MAX_NUMBER, 0)?;
    let checkers = count.number_or(MAX_CHECKERS.into(), checkers.into())? as u8;
    let board = board(white, black, checkers)?;
    let (cube, action) = read_cube(cube)?;
    let turn = turn(state, action, read_dice(dice)?, colour, &board)?;
    Ok(GamePosition {
        board,
        on_roll: turn.on_roll,
        stage: turn.stage,
        cube,
        score: Score::new(one.number_or(MAX_NUMBER, 0)?, two.number_or(MAX_NUMBER, 0)?),
        play: play(length)?,
        cube_limit: None,
    })
}

impl Field<'_> {
    fn number_or(self, max: u32, default: u32) -> Result<u32, FieldError> {
        if self.text.is_empty() { Ok(default) } else { self.number(max, "a number that is not too large") }
    }
}

fn board(white: Field<'_>, black: Field<'_>, checkers: u8) -> Result<Board, FieldsError> {
    let mover = side(white, |place| 25 - place)?;
    let opponent = side(black, |place| place)?;
    let setup = Setup { mover, opponent, checkers };
    setup.position().map(|position| Board::from_position(position, Seat::One)).map_err(FieldsError::Setup)
}

/// The checkers of a side: one character each.
fn side(field: Field<'_>, own_place: impl Fn(usize) -> usize) -> Result<SideSetup, FieldError> {
    const EXPECTED: &str = "one of 0-9 and a-p for each checker, none on the bar of the other side";
    let mut side = SideSetup::default();
    if field.text.len() > usize::from(MAX_CHECKERS) {
        return Err(field.error("at most 15 characters"));
    }
    for character in field.text.bytes() {
        let place = PLACES.iter().position(|&place| place == character).map(&own_place);
        match place {
            Some(25) => side.bar += 1,
            Some(point @ 1..25) => side.points[point - 1] += 1,
            _ => return Err(field.error(EXPECTED)),
        }
    }
    Ok(side)
}

/// The cube, and what is done with it: `N` nothing, `O` offered, `T` taken, `P` passed.
fn read_cube(field: Field<'_>) -> Result<(Cube, u8), FieldError> {
    const EXPECTED: &str = "the owner N, W or B, the binary logarithm of the value and one of N, O, T, P";
    let [owner, digits @ .., action @ (b'N' | b'O' | b'T' | b'P')] = field.text.as_bytes() else {
        return Err(field.error(EXPECTED));
    };
    let owner = match owner {
        // Dead and not yet set: neither has an owner.
        b'N' | b'D' | b'?' => None,
        b'W' => Some(Seat::One),
        b'B' => Some(Seat::Two),
        _ => return Err(field.error(EXPECTED)),
    };
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    let log2 = Field { text: digits, ..field }.number(12, EXPECTED).map_err(|_| field.error(EXPECTED))?;
    let value = CubeValue::from_log2(log2).ok_or_else(|| field.error(EXPECTED))?;
    Ok((Cube { value, owner }, *action))
}

fn read_dice(field: Field<'_>) -> Result<Option<Dice>, FieldError> {
    match field.text.as_bytes() {
        [] => Ok(None),
        [first, second] => Dice::new(first.wrapping_sub(b'0'), second.wrapping_sub(b'0'))
            .map(Some)
            .ok_or_else(|| field.error("two digits 1 to 6, or nothing")),
        _ => Err(field.error("two digits 1 to 6, or nothing")),
    }
}

/// Who is on roll, and what the game waits for. The colour is that of the side that acted last.
fn turn(
    state: Field<'_>,
    action: u8,
    dice: Option<Dice>,
    colour: Field<'_>,
    board: &Board,
) -> Result<Turn, FieldError> {
    let acted = match colour.text {
        "W" => Seat::One,
        "B" => Seat::Two,
        _ => return Err(colour.error("W or B, who acted last")),
    };
    let next = acted.opponent();
    let (on_roll, stage) = match (state.text, action, dice) {
        ("" | "D", b'O', None) => (acted, Stage::Offered(Offer::Double)),
        ("" | "R" | "IB" | "IW", b'N' | b'T', Some(dice)) => (next, Stage::Move(dice)),
        // White asks for the opening roll, whatever the colour.
        ("IB" | "IW", b'N', None) => (Seat::One, Stage::OpeningRoll),
        ("" | "C" | "A" | "PR", b'N' | b'T', None) => (next, Stage::Roll),
        ("" | "G" | "M" | "P", b'P', None) => (next, Stage::Over(GameEndReason::DoubleDeclined)),
        ("G" | "M", b'N' | b'T', None) => (next, Stage::Over(over(board))),
        ("" | "IW" | "IB" | "R" | "C" | "A" | "PR" | "D" | "G" | "M" | "P", ..) => {
            return Err(state.error("one that agrees with the dice and with what is done with the cube"));
        }
        _ => return Err(state.error("one of IW, IB, R, C, D, A, P, PR, G, M")),
    };
    Ok(Turn { on_roll, stage })
}

/// How a game has ended that nobody has dropped.
fn over(board: &Board) -> GameEndReason {
    let is_finished = Seat::BOTH.iter().any(|&seat| board.side(seat).is_finished());
    if is_finished { GameEndReason::BorneOff } else { GameEndReason::Resigned }
}

/// `7`, `7C` in the Crawford game, `7L` in the last game (some programs: after the Crawford game), `7G15` for at most
/// 15 games; 0 is money play.
fn play(field: Field<'_>) -> Result<Play, FieldError> {
    const EXPECTED: &str = "a number, 0 for money play; behind it C in the Crawford game";
    let digits = field.text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let (digits, suffix) = match digits.split_once('G') {
        Some((digits, games)) => {
            Field { text: games, ..field }.number(MAX_NUMBER, EXPECTED)?;
            (digits, "G")
        }
        None => (digits, &field.text[digits.len()..]),
    };
    let length =
        Field { text: digits, ..field }.number_or(MAX_NUMBER, 0).map_err(|_| field.error(EXPECTED))?;
    match (length, suffix) {
        (0, "") => Ok(Play::Money { jacoby: false, beavers: false }),
        (1.., "" | "C" | "L" | "G") => Ok(Play::Match { length, crawford: suffix == "C" }),
        _ => Err(field.error(EXPECTED)),
    }
}

/// Writes an OGID. Jacoby rule, beavers and cube limit have no place in it.
pub(crate) fn write(position: &GamePosition) -> Result<String, NoWord> {
    let no_word = |what| Err(NoWord { form: "an OGID", what });
    let (action, state) = match position.stage {
        Stage::OpeningRoll => ('N', "IW"),
        Stage::Roll => ('N', "C"),
        Stage::Move(_) => ('N', "R"),
        Stage::Offered(Offer::Double) => ('O', "D"),
        Stage::Over(GameEndReason::DoubleDeclined) => ('P', "G"),
        Stage::Over(_) => ('N', "G"),
        Stage::Offered(Offer::Beaver | Offer::Raccoon) => return no_word("beavers"),
        Stage::ResignationOffered { .. } => return no_word("a resignation that waits for its answer"),
    };
    let acted = match position.stage {
        Stage::OpeningRoll => Seat::One,
        Stage::Offered(_) => position.on_roll,
        _ => position.on_roll.opponent(),
    };
    let (white, black) = (position.board.side(Seat::One), position.board.side(Seat::Two));
    let dice =
        position.dice().map_or_else(String::new, |dice| format!("{}{}", dice.smaller(), dice.larger()));
    let owner = position.cube.owner.map_or('N', colour);
    let crawford = if position.play.is_crawford() { "C" } else { "" };
    let mut text = format!(
        "{}:{}:{owner}{}{action}:{dice}:{}:{state}:{}:{}:{}{crawford}:0",
        places(white, |place| 25 - place),
        places(black, |place| place),
        position.cube.value.log2(),
        colour(acted),
        position.score.one,
        position.score.two,
        position.play.length(),
    );
    if white.checkers() != MAX_CHECKERS {
        text += &format!(":{}", white.checkers());
    }
    Ok(text)
}

const fn colour(seat: Seat) -> char {
    match seat {
        Seat::One => 'W',
        Seat::Two => 'B',
    }
}

/// A character for each checker in play, in the order of the characters.
fn places(side: &Side, place_of_own: impl Fn(usize) -> usize) -> String {
    let on = |place: usize| match u8::try_from(place_of_own(place)).ok() {
        Some(25) => side.bar(),
        Some(point) => Point::new(point).map_or(0, |point| side.on(point)),
        None => 0,
    };
    PLACES
        .iter()
        .enumerate()
        .flat_map(|(place, &character)| std::iter::repeat_n(char::from(character), usize::from(on(place))))
        .collect()
}
