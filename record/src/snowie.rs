//! The position text of Snowie.

use chaquete_rules::{Board, BySeat, Cube, Point, Score, Seat, Setup, SideSetup};

use crate::fields::{Field, FieldError, FieldsError, NoWord, fields};
use crate::{GamePosition, GamePositionError, Play, Stage};

/// The first fields, as errors name them. The places of the board follow: the bar of the other side, the 24
/// points of the side on roll, its bar; and then two dice.
const HEAD: [&str; 12] = [
    "length",
    "Jacoby rule",
    "third",
    "fourth",
    "turn",
    "name of the side on roll",
    "name of the other side",
    "Crawford game",
    "score of the side on roll",
    "score of the other side",
    "cube",
    "cube owner",
];
const PLACES: usize = 26;
const COUNT: &str = "40 fields, each with a semicolon behind";
const FORM: &str = "a Snowie position";
const MAX_NUMBER: u32 = (1 << 15) - 1;

/// A position as Snowie writes it: 40 fields, each with a semicolon behind it.
///
/// Seat one is player 0 of the text.
///
/// ```
/// use chaquete_record::SnowiePosition;
///
/// let text = "7;0;0;0;1;Bob;Alice;0;3;2;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;5;2;";
/// let read = SnowiePosition::parse(text, 15)?;
/// assert_eq!(read.names.two, "Bob");
/// assert_eq!(read.position.xgid().to_string(), "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:52:2:3:0:7:10");
/// assert_eq!(read.encode()?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SnowiePosition {
    /// The names.
    pub names: BySeat<String>,
    /// The position.
    pub position: GamePosition,
}

impl SnowiePosition {
    /// Reads a position of a game with so many checkers a side; those not on the board are off. It does not
    /// tell of beavers and of the cube limit.
    ///
    /// # Errors
    /// Why the text is no such position.
    pub fn parse(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        let Self { names, position } = Self::read(text, checkers).map_err(GamePositionError::Snowie)?;
        Ok(Self { names, position: position.checked()? })
    }

    fn read(text: &str, checkers: u8) -> Result<Self, FieldsError> {
        let names: Vec<_> = HEAD
            .into_iter()
            .chain(std::iter::repeat_n("place of the board", PLACES))
            .chain(["first die", "second die"])
            .collect();
        let text = text.strip_suffix(';').unwrap_or(text);
        let fields = fields(text, ';', 1, &names);
        let count = FieldsError::FieldCount { expected: COUNT, found: fields.len() };
        let Some((head, rest)) = fields.split_first_chunk::<12>() else { return Err(count) };
        let Some((places, [die_1, die_2])) = rest.split_first_chunk::<PLACES>() else { return Err(count) };
        let [length, jacoby, third, fourth, turn, own_name, name, crawford, own_score, score, cube, owner] =
            *head;
        for unknown in [third, fourth] {
            number(unknown)?;
        }
        let on_roll = if turn.flag()? { Seat::Two } else { Seat::One };
        let (scores, names) = ([number(own_score)?, number(score)?], [own_name.text, name.text]);
        let owner = match owner.signed(1, "1 (the side on roll), -1 (the other) or 0 (in the middle)")? {
            0 => None,
            sign => Some(if sign > 0 { on_roll } else { on_roll.opponent() }),
        };
        let position = GamePosition {
            board: board(places, checkers, on_roll)?,
            on_roll,
            stage: die_1.dice(*die_2)?.map_or(Stage::Roll, Stage::Move),
            cube: Cube { value: cube.cube_value()?, owner },
            score: Score::from_fn(|seat| scores[usize::from(seat != on_roll)]),
            play: play(number(length)?, jacoby.flag()?, crawford)?,
            cube_limit: None,
        };
        let names = BySeat::from_fn(|seat| names[usize::from(seat != on_roll)].to_owned());
        Ok(Self { names, position })
    }

    /// The text. It has no place for beavers and the cube limit.
    ///
    /// # Errors
    /// What the text has no word for.
    pub fn encode(&self) -> Result<String, NoWord> {
        let no_word = |what| Err(NoWord { form: FORM, what });
        if [&self.names.one, &self.names.two].into_iter().any(|name| name.contains([';', '\n'])) {
            return no_word("a name with a semicolon or a line end");
        }
        match self.position.stage {
            Stage::Roll | Stage::Move(_) => Ok(self.text()),
            Stage::OpeningRoll => no_word("a game that has not begun"),
            Stage::Over(_) => no_word("a game that is over"),
            Stage::Offered(_) => no_word("a double that waits for its answer"),
            Stage::ResignationOffered { .. } => no_word("a resignation that waits for its answer"),
        }
    }

    fn text(&self) -> String {
        let Self { names, position } = self;
        let (on_roll, other) = (position.on_roll, position.on_roll.opponent());
        let is_match = position.play.length() > 0;
        let owner = position.cube.owner.map_or(0, |owner| if owner == on_roll { 1 } else { -1 });
        let head = format!(
            "{};{};0;{};{};{};{};{};{};{};{};{owner};",
            position.play.length(),
            u8::from(position.play.is_jacoby()),
            // What it means is not known: other programs write 1 in money play.
            u8::from(!is_match),
            u8::from(on_roll == Seat::Two),
            names[on_roll],
            names[other],
            u8::from(position.play.is_crawford()),
            position.score[on_roll],
            position.score[other],
            position.cube.value,
        );
        let (own, opponent) = (position.board.side(on_roll), position.board.side(other));
        let on = |point: Point| i16::from(own.on(point)) - i16::from(opponent.on(point.from_opponent()));
        let dice = position.dice().map_or([0, 0], |dice| [dice.first.pips(), dice.second.pips()]);
        [-i16::from(opponent.bar())]
            .into_iter()
            .chain((1..=24).filter_map(Point::new).map(on))
            .chain([own.bar().into()])
            .chain(dice.map(i16::from))
            .fold(head, |text, number| format!("{text}{number};"))
    }
}

fn number(field: Field<'_>) -> Result<u32, FieldError> {
    field.number(MAX_NUMBER, "a number that is not too large")
}

fn play(length: u32, jacoby: bool, crawford: Field<'_>) -> Result<Play, FieldError> {
    match (length, crawford.flag()?) {
        (0, true) => Err(crawford.error("0 in money play")),
        // Only the beavers are missing: no field tells of them.
        (0, false) => Ok(Play::Money { jacoby, beavers: false }),
        (length, crawford) => Ok(Play::Match { length, crawford }),
    }
}

fn board(places: &[Field<'_>; PLACES], checkers: u8, on_roll: Seat) -> Result<Board, FieldsError> {
    let (mut mover, mut opponent) = (SideSetup::default(), SideSetup::default());
    for (place, field) in places.iter().enumerate() {
        let count = field.signed(15, "a number of checkers, -15 to 15")?;
        // At most 15, so it fits.
        let found = count.unsigned_abs() as u8;
        match (place, count) {
            (_, 0) => {}
            (0, ..0) => opponent.bar = found,
            (25, 1..) => mover.bar = found,
            (1..=24, 1..) => mover.points[place - 1] = found,
            (1..=24, ..0) => opponent.points[24 - place] = found,
            _ => {
                return Err(field
                    .error("of the side whose bar it is: first the other side, negative")
                    .into());
            }
        }
    }
    let setup = Setup { mover, opponent, checkers };
    setup.position().map(|position| Board::from_position(position, on_roll)).map_err(FieldsError::Setup)
}
