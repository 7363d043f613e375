//! The board line of FIBS.

use chaquete_rules::{
    Board, BySeat, Cube, CubeValue, Dice, GameEndReason, Point, Score, Seat, Setup, SideSetup, Variant,
};

use crate::fields::{Field, FieldError, FieldsError, NoWord, fields};
use crate::{GamePosition, GamePositionError, Offer, Play, Stage};

/// The first fields, as errors name them. The places of the board follow: a bar, 24 points, a bar.
const HEAD: [&str; 6] =
    ["board", "own name", "name of the opponent", "length", "own score", "score of the opponent"];
/// The fields behind the places of the board.
const TAIL: [&str; 21] = [
    "turn",
    "own first die",
    "own second die",
    "first die of the opponent",
    "second die of the opponent",
    "cube",
    "may double",
    "opponent may double",
    "was doubled",
    "colour",
    "direction",
    "home",
    "bar",
    "own checkers off",
    "checkers off of the opponent",
    "own checkers on the bar",
    "checkers on the bar of the opponent",
    "can move",
    "forced move",
    "post-Crawford flag",
    "redoubles",
];
const PLACES: usize = 26;
const COUNT: &str = "53 fields with colons between, the first of them `board`";
const FORM: &str = "a FIBS board";
/// What FIBS writes for a match without end.
const UNLIMITED: u32 = 9999;
const MAX_NUMBER: u32 = (1 << 15) - 1;

/// A position as the server FIBS and its clients write it for one player: `board:` and 52 fields.
///
/// "You", from whose side it is written, is seat one.
///
/// ```
/// use chaquete_record::{FibsBoard, GamePosition, Stage};
/// use chaquete_rules::{BySeat, Dice};
///
/// let position: GamePosition = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10".parse()?;
/// let names = BySeat::new("You".to_owned(), "Bob".to_owned());
/// let text = FibsBoard { names, position }.encode()?;
/// assert!(text.starts_with("board:You:Bob:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:"));
/// let again = FibsBoard::parse(&text, 15)?;
/// assert_eq!(again.names.two, "Bob");
/// assert_eq!(again.position.stage, Stage::Move(Dice::new(3, 1).unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FibsBoard {
    /// The names: seat one is "you".
    pub names: BySeat<String>,
    /// The position.
    pub position: GamePosition,
}

impl FibsBoard {
    /// Reads a board line of a game with so many checkers a side. FIBS does not tell of Jacoby rule, beavers
    /// and cube limit.
    ///
    /// # Errors
    /// Why the text is no such line, or why its fields contradict each other.
    pub fn parse(text: &str, checkers: u8) -> Result<Self, GamePositionError> {
        let Self { names, position } = Self::read(text, checkers).map_err(GamePositionError::FibsBoard)?;
        Ok(Self { names, position: position.checked()? })
    }

    fn read(text: &str, checkers: u8) -> Result<Self, FieldsError> {
        let names: Vec<_> =
            HEAD.into_iter().chain(std::iter::repeat_n("place of the board", PLACES)).chain(TAIL).collect();
        let fields = fields(text, ':', 1, &names);
        let (Some((head, rest)), true) = (fields.split_first_chunk::<6>(), fields.len() == names.len())
        else {
            return Err(FieldsError::FieldCount { expected: COUNT, found: fields.len() });
        };
        let Some((places, tail)) = rest.split_first_chunk::<PLACES>() else {
            return Err(FieldsError::FieldCount { expected: COUNT, found: fields.len() });
        };
        let [board, own_name, opponent, ..] = head;
        if board.text != "board" {
            return Err(board.error("the word `board`").into());
        }
        Ok(Self {
            names: BySeat::new(own_name.text.to_owned(), opponent.text.to_owned()),
            position: read(head, places, tail, checkers)?,
        })
    }

    /// The text, as FIBS would write it for seat one: it moves from point 24 to point 1, its checkers are
    /// counted positive. Jacoby rule, beavers and cube limit have no place in it.
    ///
    /// # Errors
    /// What the line has no word for.
    pub fn encode(&self) -> Result<String, NoWord> {
        let no_word = |what| Err(NoWord { form: FORM, what });
        if [&self.names.one, &self.names.two].into_iter().any(|name| name.contains([':', '\n'])) {
            return no_word("a name with a colon or a line end");
        }
        match self.position.stage {
            Stage::Offered(Offer::Beaver | Offer::Raccoon) => no_word("beavers"),
            Stage::ResignationOffered { .. } => no_word("a resignation that waits for its answer"),
            _ => Ok(self.text()),
        }
    }

    fn text(&self) -> String {
        let Self { names, position } = self;
        let (length, score) = (position.play.length(), position.score);
        let head = format!("board:{}:{}:{length}:{}:{}", names.one, names.two, score.one, score.two);
        let crawford = position.play.is_crawford();
        let mut numbers = self.places();
        numbers.push(match position.stage {
            Stage::OpeningRoll | Stage::Over(_) => 0,
            _ => sign(position.on_roll),
        });
        let pips = position.dice().map_or([0, 0], |dice| [dice.first.pips(), dice.second.pips()]);
        for seat in Seat::BOTH {
            numbers.extend(pips.map(|die| if seat == position.on_roll { die.into() } else { 0 }));
        }
        // At most 4096, so it fits.
        numbers.push(position.cube.value.get() as i32);
        let offered = matches!(position.stage, Stage::Offered(_));
        // To the one who doubled it shows that nobody may double, to the other one that he was doubled.
        let by_you = offered && position.on_roll == Seat::One;
        let may_double = |seat: Seat| !by_you && position.cube.owner != Some(seat.opponent());
        numbers.extend(Seat::BOTH.map(|seat| i32::from(may_double(seat))));
        numbers.push((offered && !by_you).into());
        // Colour, direction, home, bar.
        numbers.extend([1, -1, 0, 25]);
        let (you, opponent) = (position.board.side(Seat::One), position.board.side(Seat::Two));
        numbers.extend([you.off(), opponent.off(), you.bar(), opponent.bar()].map(i32::from));
        // How many checkers can move and whether they must is for FIBS itself to say.
        numbers.extend([0, 0]);
        numbers.push((!crawford && is_one_away(length, score)).into());
        numbers.push((!crawford).into());
        numbers.iter().fold(head, |text, number| format!("{text}:{number}"))
    }

    /// The bar of the opponent, the points, the own bar: own checkers count as positive.
    fn places(&self) -> Vec<i32> {
        let board = &self.position.board;
        let (you, opponent) = (board.side(Seat::One), board.side(Seat::Two));
        let on = |point: Point| i32::from(you.on(point)) - i32::from(opponent.on(point.from_opponent()));
        let points = (1..=24).filter_map(Point::new).map(on);
        [-i32::from(opponent.bar())].into_iter().chain(points).chain([you.bar().into()]).collect()
    }
}

fn read(
    head: &[Field<'_>; 6],
    places: &[Field<'_>; PLACES],
    tail: &[Field<'_>],
    checkers: u8,
) -> Result<GamePosition, FieldsError> {
    let [.., length, own_score, score] = *head;
    let [turn, own_1, own_2, die_1, die_2, cube, may, opponent_may, doubled, colour, direction, rest @ ..] =
        tail
    else {
        return Err(FieldsError::FieldCount { expected: COUNT, found: HEAD.len() + PLACES + tail.len() });
    };
    let [home, bar, counts @ .., post_crawford, redoubles] = rest else {
        return Err(FieldsError::FieldCount { expected: COUNT, found: HEAD.len() + PLACES + tail.len() });
    };
    let view = View { colour: read_sign(*colour)?, direction: read_sign(*direction)? };
    view.check_home(*home, *bar)?;
    let board = view.board(places, counts, checkers)?;
    let score = Score::new(number(own_score)?, number(score)?);
    let length = number(length).map(|length| if length == UNLIMITED { 0 } else { length })?;
    let no_crawford = [post_crawford.signed(MAX_NUMBER, NUMBER)?, redoubles.signed(MAX_NUMBER, NUMBER)?];
    let play = match length {
        0 => Play::Money { jacoby: false, beavers: false },
        // Two flags tell that this is not the Crawford game; they only count where it could be.
        _ => Play::Match {
            length,
            crawford: length > 1 && no_crawford == [0, 0] && is_one_away(length, score),
        },
    };
    let turn_sign = turn.signed(1, "1 (O), -1 (X) or 0 (nobody)")?;
    let on_roll = if turn_sign * view.colour < 0 { Seat::Two } else { Seat::One };
    let cube = Cubes {
        value: cube.cube_value()?,
        may_double: [may.flag()?, opponent_may.flag()?],
        was_doubled: doubled.signed(1, "0, or 1 if a double waits for its answer")? != 0,
    };
    let dice = match on_roll {
        Seat::One => one_pair([*own_1, *own_2], [*die_1, *die_2])?,
        Seat::Two => one_pair([*die_1, *die_2], [*own_1, *own_2])?,
    };
    let stage = match (turn_sign, dice) {
        (0, None) => nobodys_turn(&board).ok_or_else(|| turn.error("1 or -1 while the game is on"))?,
        (0, Some(_)) => return Err(turn.error("1 or -1 when dice are rolled").into()),
        (_, None) if cube.is_offered() => Stage::Offered(Offer::Double),
        (_, Some(_)) if cube.is_offered() => {
            return Err(doubled.error("0, and one side must be able to double, when dice are rolled").into());
        }
        (_, Some(dice)) => Stage::Move(dice),
        (_, None) => Stage::Roll,
    };
    Ok(GamePosition { board, on_roll, stage, cube: cube.lies(on_roll), score, play, cube_limit: None })
}

const NUMBER: &str = "a number that is not too large";

fn number(field: Field<'_>) -> Result<u32, FieldError> {
    field.number(MAX_NUMBER, NUMBER)
}

fn read_sign(field: Field<'_>) -> Result<i32, FieldError> {
    match field.text {
        "1" => Ok(1),
        "-1" => Ok(-1),
        _ => Err(field.error("1 or -1")),
    }
}

const fn sign(seat: Seat) -> i32 {
    match seat {
        Seat::One => 1,
        Seat::Two => -1,
    }
}

fn is_one_away(length: u32, score: Score) -> bool {
    Seat::BOTH.into_iter().any(|seat| score[seat] + 1 == length)
}

/// The dice of the side on roll. Some clients fill in both pairs with the same.
fn one_pair(own: [Field<'_>; 2], other: [Field<'_>; 2]) -> Result<Option<Dice>, FieldError> {
    let (dice, others) = (own[0].dice(own[1])?, other[0].dice(other[1])?);
    if others.is_some() && others != dice {
        return Err(other[0].error("0, or the same as for the side whose turn it is"));
    }
    Ok(dice)
}

/// What the game waits for when it is nobody's turn.
fn nobodys_turn(board: &Board) -> Option<Stage> {
    if Seat::BOTH.iter().any(|&seat| board.side(seat).is_finished()) {
        return Some(Stage::Over(GameEndReason::BorneOff));
    }
    let is_start = [Variant::Standard, Variant::Nackgammon, Variant::Hypergammon, Variant::LongGammon]
        .into_iter()
        .any(|variant| *board == variant.start());
    is_start.then_some(Stage::OpeningRoll)
}

/// From which side the board is written.
#[derive(Clone, Copy)]
struct View {
    /// The sign of the own checkers.
    colour: i32,
    /// -1 if the own checkers move from 24 to 1.
    direction: i32,
}

impl View {
    /// The place of the own bar.
    const fn bar(self) -> usize {
        if self.direction < 0 { 25 } else { 0 }
    }

    fn check_home(self, home: Field<'_>, bar: Field<'_>) -> Result<(), FieldError> {
        for (field, place) in [(home, 25 - self.bar()), (bar, self.bar())] {
            if number(field)? as usize != place {
                return Err(field.error("0 or 25, home in the direction of the moves and the bar behind"));
            }
        }
        Ok(())
    }

    fn board(
        self,
        places: &[Field<'_>; PLACES],
        counts: &[Field<'_>],
        checkers: u8,
    ) -> Result<Board, FieldsError> {
        let (mut you, mut opponent) = (SideSetup::default(), SideSetup::default());
        for (place, field) in places.iter().enumerate() {
            let count = field.signed(15, "a number of checkers, -15 to 15")?;
            // At most 15, so it fits.
            let found = count.unsigned_abs() as u8;
            let point = if self.direction < 0 { place } else { 25 - place };
            match point {
                0 => opponent.bar = found,
                25 => you.bar = found,
                _ if count * self.colour > 0 => you.points[point - 1] = found,
                _ => opponent.points[24 - point] = found,
            }
        }
        if let [own_off, off, own_bar, bar, ..] = *counts {
            you.off = Some(number_of(own_off)?);
            opponent.off = Some(number_of(off)?);
            for (field, bar) in [(own_bar, you.bar), (bar, opponent.bar)] {
                // Some clients never fill it in.
                if ![0, bar].contains(&number_of(field)?) {
                    return Err(field.error("0, or as many as on the bar of the board").into());
                }
            }
        }
        let setup = Setup { mover: you, opponent, checkers };
        setup.position().map(|position| Board::from_position(position, Seat::One)).map_err(FieldsError::Setup)
    }
}

fn number_of(field: Field<'_>) -> Result<u8, FieldError> {
    field.number(15, "a number of checkers, 0 to 15").map(|count| count as u8)
}

/// What the line says of the cube.
struct Cubes {
    value: CubeValue,
    may_double: [bool; 2],
    was_doubled: bool,
}

impl Cubes {
    /// Whether a double waits for its answer. FIBS shows it to the one who doubled by letting nobody double.
    const fn is_offered(&self) -> bool {
        self.was_doubled || matches!(self.may_double, [false, false])
    }

    fn lies(&self, on_roll: Seat) -> Cube {
        let owner = match self.may_double {
            [true, false] => Some(Seat::One),
            [false, true] => Some(Seat::Two),
            // Who redoubles has owned it.
            [false, false] if self.value != CubeValue::ONE => Some(on_roll),
            _ => None,
        };
        Cube { value: self.value, owner }
    }
}
