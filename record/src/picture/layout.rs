//! Where everything is. Units are those of the picture: a checker is 40 wide.

use chaquete_rules::{Point, Seat};

use super::{HomeSide, View};

/// How wide the picture is.
pub(super) const WIDTH: f64 = 760.0;
/// How high the picture is.
pub(super) const HEIGHT: f64 = 700.0;
/// Empty paper round everything.
pub(super) const MARGIN: f64 = 16.0;

/// Radius of a checker.
pub(super) const CHECKER: f64 = 19.25;
/// From one checker of a stack to the next.
const STACKED: f64 = 40.0;
/// How many checkers of a stack are drawn before it is counted.
pub(super) const STACK: u8 = 5;

/// How high the strip of a player is.
pub(super) const STRIP: f64 = 44.0;
/// The middle of the strips of the players, above and below the board.
const STRIPS: (f64, f64) = (38.0, 634.0);
/// The middle of the words below everything.
pub(super) const FOOT: f64 = 676.0;

/// Upper and lower end of the frame.
pub(super) const FRAME: (f64, f64) = (68.0, 604.0);
/// Upper and lower end of the points.
pub(super) const FIELD: (f64, f64) = (106.0, 566.0);
/// The middle between upper and lower points.
pub(super) const MIDDLE: f64 = 336.0;
/// How high a point is.
pub(super) const POINT_HEIGHT: f64 = 196.0;
/// From one point to the next.
pub(super) const COLUMN: f64 = 44.0;
/// How wide six points are.
pub(super) const QUADRANT: f64 = 6.0 * COLUMN;
/// Left ends of the two halves of the field; the bar is between them.
pub(super) const HALVES: (f64, f64) = (92.0, 404.0);
/// How wide the bar is.
pub(super) const BAR: f64 = HALVES.1 - HALVES.0 - QUADRANT;
/// How wide the trays beside the field are.
pub(super) const TRAY: f64 = 52.0;
/// The middle of the left tray.
const LEFT_TRAY: f64 = 54.0;

/// Width and height of a checker that lies in the tray, borne off.
pub(super) const BORNE_OFF: (f64, f64) = (40.0, 10.0);
/// From one checker in the tray to the next.
const BORNE_OFF_STACKED: f64 = 12.0;

/// A place in the picture.
pub(super) type Spot = (f64, f64);

/// Where a checker can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Point(Point),
    Bar,
    Off,
}

impl Place {
    /// The place with this number as the way of a checker has it: 25 is the bar, 0 off.
    pub(super) fn from_number(number: u8) -> Self {
        match Point::new(number) {
            Some(point) => Self::Point(point),
            None if number == 0 => Self::Off,
            None => Self::Bar,
        }
    }

    /// All places, the bar first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..=25).rev().map(Self::from_number)
    }

    /// The place in the words of notation.
    pub(super) fn words(self) -> String {
        match self {
            Self::Point(point) => point.to_string(),
            Self::Bar => "bar".to_owned(),
            Self::Off => "off".to_owned(),
        }
    }
}

/// The upper or the lower half of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Upper,
    Lower,
}

impl Half {
    pub(super) const BOTH: [Self; 2] = [Self::Upper, Self::Lower];

    fn other(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// Which way the middle of the board is: 1 is down.
    pub(super) fn inwards(self) -> f64 {
        match self {
            Self::Upper => 1.0,
            Self::Lower => -1.0,
        }
    }

    /// The end of the field that lies in this half.
    pub(super) fn rim(self) -> f64 {
        match self {
            Self::Upper => FIELD.0,
            Self::Lower => FIELD.1,
        }
    }

    /// The middle of the strip of the player who sits here.
    pub(super) fn strip(self) -> f64 {
        match self {
            Self::Upper => STRIPS.0,
            Self::Lower => STRIPS.1,
        }
    }

    /// The middle of the half of the field at the right hand of the player who sits here.
    pub(super) fn right_hand(self) -> f64 {
        QUADRANT / 2.0
            + match self {
                Self::Upper => HALVES.0,
                Self::Lower => HALVES.1,
            }
    }
}

impl View {
    /// The half in which a seat has its home board.
    pub(super) fn half(self, seat: Seat) -> Half {
        if seat == self.bottom { Half::Lower } else { Half::Upper }
    }

    /// The seat that sits at this half.
    pub(super) fn seat(self, half: Half) -> Seat {
        match half {
            Half::Lower => self.bottom,
            Half::Upper => self.bottom.opponent(),
        }
    }

    /// The half in which a place of a seat lies. A checker on the bar waits in the half in which it must enter.
    pub(super) fn half_of(self, seat: Seat, place: Place) -> Half {
        let home = self.half(seat);
        match place {
            Place::Point(point) if point.number() > 12 => home.other(),
            Place::Bar => home.other(),
            Place::Point(_) | Place::Off => home,
        }
    }

    /// The middle of the column of a point. A point and the one opposite are in one column, whoever counts.
    pub(super) fn column(self, point: Point) -> f64 {
        let number = if point.number() <= 12 { point.number() } else { point.from_opponent().number() };
        let from_right = f64::from(number) - 0.5;
        let bar = if number > 6 { BAR } else { 0.0 };
        self.turned(HALVES.1 + QUADRANT - from_right * COLUMN - bar)
    }

    /// The middle of the tray for checkers that are borne off.
    pub(super) fn off_tray(self) -> f64 {
        self.turned(WIDTH - LEFT_TRAY)
    }

    /// The middle of the tray of the cube.
    pub(super) fn cube_tray(self) -> f64 {
        self.turned(LEFT_TRAY)
    }

    /// Where a checker of a stack lies; 0 is the first.
    pub(super) fn checker(self, seat: Seat, place: Place, index: u8) -> Spot {
        let half = self.half_of(seat, place);
        let stacked = f64::from(index.min(STACK - 1)) * STACKED;
        match place {
            Place::Point(point) => {
                (self.column(point), half.rim() + half.inwards() * (STACKED / 2.0 + stacked))
            }
            Place::Bar => (WIDTH / 2.0, MIDDLE - half.inwards() * (STACKED + stacked)),
            Place::Off => {
                let along = BORNE_OFF.1 + f64::from(index) * BORNE_OFF_STACKED;
                (self.off_tray(), half.rim() + half.inwards() * along)
            }
        }
    }

    /// The abscissa of something that lies here when homes are at the right.
    fn turned(self, x: f64) -> f64 {
        match self.home {
            HomeSide::Right => x,
            HomeSide::Left => WIDTH - x,
        }
    }
}
