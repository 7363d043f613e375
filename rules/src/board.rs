//! Checkers: of one side, of both from the mover's view, of both by seat.

use crate::{BySeat, Die, MoveViolation, Point, Seat, Source, Step, Target};

/// The checkers of one side, numbered from that side's own view.
///
/// How many checkers there are in all is a matter of the variant: nothing here assumes 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    points: [u8; 24],
    bar: u8,
    off: u8,
}

impl Side {
    pub(crate) const fn new(points: [u8; 24], bar: u8, off: u8) -> Self {
        Self { points, bar, off }
    }

    /// Checkers on each point: entry `i` counts those on this side's point `i + 1`.
    #[must_use]
    pub const fn points(&self) -> &[u8; 24] {
        &self.points
    }

    /// Checkers on a point, in this side's own numbering.
    #[must_use]
    pub const fn on(&self, point: Point) -> u8 {
        self.points[point.index()]
    }

    /// Checkers on the bar.
    #[must_use]
    pub const fn bar(&self) -> u8 {
        self.bar
    }

    /// Checkers borne off.
    #[must_use]
    pub const fn off(&self) -> u8 {
        self.off
    }

    /// All checkers of the side, those borne off included.
    #[must_use]
    pub fn checkers(&self) -> u8 {
        self.in_play() + self.off
    }

    /// Checkers on the board or the bar.
    #[must_use]
    pub fn in_play(&self) -> u8 {
        self.points.iter().sum::<u8>() + self.bar
    }

    /// Whether the side has borne off all its checkers: it has won (A18).
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.in_play() == 0
    }

    /// The pips the side still has to go until all its checkers are off. The bar counts 25.
    #[must_use]
    pub fn pip_count(&self) -> u16 {
        let on_board: u16 = (1u16..).zip(self.points).map(|(pips, count)| pips * u16::from(count)).sum();
        on_board + 25 * u16::from(self.bar)
    }

    /// Whether all checkers still in play are in the home board: the side may bear off (A16).
    #[must_use]
    pub fn is_home(&self) -> bool {
        self.bar == 0 && self.points[6..].iter().all(|&count| count == 0)
    }

    /// The highest occupied point, if any checker is on the board.
    #[must_use]
    pub fn highest(&self) -> Option<Point> {
        Point::descending().find(|&point| self.on(point) > 0)
    }

    /// Checkers at a source.
    #[must_use]
    pub const fn at(&self, source: Source) -> u8 {
        match source {
            Source::Point(point) => self.on(point),
            Source::Bar => self.bar,
        }
    }

    fn lift(&mut self, source: Source) {
        match source {
            Source::Point(point) => self.points[point.index()] -= 1,
            Source::Bar => self.bar -= 1,
        }
    }

    fn put(&mut self, target: Target) {
        match target {
            Target::Point(point) => self.points[point.index()] += 1,
            Target::Off => self.off += 1,
        }
    }
}

/// The checkers of both sides from the view of the one that is to move, each side in its own numbering.
///
/// Built from a [`Setup`](crate::Setup), which says every reason why some arrangement is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    mover: Side,
    opponent: Side,
}

impl Position {
    pub(crate) const fn new(mover: Side, opponent: Side) -> Self {
        Self { mover, opponent }
    }

    /// The checkers of the side to move, in its own numbering.
    #[must_use]
    pub const fn mover(&self) -> &Side {
        &self.mover
    }

    /// The checkers of the other side, in that side's own numbering.
    #[must_use]
    pub const fn opponent(&self) -> &Side {
        &self.opponent
    }

    /// The opposing checkers on a point of the mover's numbering (A2).
    #[must_use]
    pub const fn opposing(&self, point: Point) -> u8 {
        self.opponent.on(point.from_opponent())
    }

    /// The same checkers with the other side to move.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { mover: self.opponent, opponent: self.mover }
    }

    /// Moves one checker by one die, if the rules of a single step allow it. That the whole turn must use
    /// as many dice as it can is not looked at here: see [`LegalMoves`](crate::LegalMoves).
    ///
    /// # Errors
    /// The first rule that the step breaks: no checker there; another checker on the bar (A14); the target
    /// blocked (A12); bearing off too early (A16) or past a higher checker (A17).
    pub fn step(&self, source: Source, die: Die) -> Result<(Step, Self), MoveViolation> {
        if source != Source::Bar && self.mover.bar > 0 {
            return Err(MoveViolation::BarFirst);
        }
        if self.mover.at(source) == 0 {
            return Err(MoveViolation::NoChecker);
        }
        let target = source.target(die);
        match target {
            Target::Point(point) if self.opposing(point) >= 2 => return Err(MoveViolation::PointBlocked),
            Target::Point(_) => {}
            Target::Off if !self.mover.is_home() => return Err(MoveViolation::NotAllHome),
            Target::Off => {
                let higher = self.mover.highest().is_some_and(|highest| highest.number() > source.number());
                if die.pips() > source.number() && higher {
                    return Err(MoveViolation::HigherCheckerExists);
                }
            }
        }
        let step = Step { source, die, hit: self.is_blot(target) };
        Ok((step, self.after(step)))
    }

    /// Whether a single opposing checker stands on the target: landing there hits it (A13).
    fn is_blot(&self, target: Target) -> bool {
        matches!(target, Target::Point(point) if self.opposing(point) == 1)
    }

    /// The position after a step that is known to be legal here.
    fn after(&self, step: Step) -> Self {
        let mut next = *self;
        next.mover.lift(step.source);
        next.mover.put(step.target());
        if let (true, Target::Point(point)) = (step.hit, step.target()) {
            next.opponent.points[point.from_opponent().index()] -= 1;
            next.opponent.bar += 1;
        }
        next
    }
}

/// The checkers of both seats, each in its own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    sides: BySeat<Side>,
}

impl Board {
    /// The board on which `mover` sees this position.
    #[must_use]
    pub const fn from_position(position: Position, mover: Seat) -> Self {
        let Position { mover: own, opponent } = position;
        match mover {
            Seat::One => Self { sides: BySeat::new(own, opponent) },
            Seat::Two => Self { sides: BySeat::new(opponent, own) },
        }
    }

    /// The position that a seat sees when it is to move.
    #[must_use]
    pub fn position(&self, mover: Seat) -> Position {
        Position::new(self.sides[mover], self.sides[mover.opponent()])
    }

    /// The checkers of one seat, in its own numbering.
    #[must_use]
    pub fn side(&self, seat: Seat) -> &Side {
        &self.sides[seat]
    }
}
