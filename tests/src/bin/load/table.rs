//! Matches as the load generator plays them: by the rules here, so that the server need not be asked what may be
//! played. The dice are the caller's own, seeded, so all matches are the same in every run.

use chaquete_proto::v1::{
    self as proto, CreateMatchRequest, DicePolicy, RollDiceRequest, SubmitMoveRequest, act_request::Action,
};
use chaquete_rules::{
    BySeat, Command, Decision, Dice, DiceSource, LegalMove, LegalMoves, Match, MatchPoints, MatchRules,
    Phase, Seat, Terms, Turn, Written, create, decide, evolve,
};
use chaquete_tests::{new_match, rules_to};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use uuid::Builder;

/// How matches are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// How many points win a match.
    pub(crate) points: MatchPoints,
    /// Whether every action carries a request id of its own.
    pub(crate) request_ids: bool,
    /// What dice and choices follow from.
    pub(crate) seed: u64,
}

/// A table at which one match after the other is played, whole matches, both seats by one player.
pub(crate) struct Table {
    style: Style,
    number: u64,
    matches: u64,
    chance: StdRng,
    current: Option<Current>,
}

/// The match that is being played.
struct Current {
    name: String,
    state: Match,
    revision: i32,
}

/// What is done at a table.
pub(crate) enum Deed {
    /// A new match is created.
    Create(Box<CreateMatchRequest>),
    /// Dice are rolled.
    Roll(RollDiceRequest),
    /// A roll is played.
    Play(SubmitMoveRequest),
}

impl Table {
    /// A table of its own for each number, without a match yet.
    pub(crate) fn new(number: u64, style: Style) -> Self {
        let chance = StdRng::seed_from_u64(style.seed.wrapping_mul(1 << 32).wrapping_add(number));
        Self { style, number, matches: 0, chance, current: None }
    }

    /// What is to be done next, and the revision that the match must have then. Here it has been done already.
    pub(crate) fn next(&mut self) -> (Deed, i32) {
        let Self { style, chance, current, .. } = self;
        match current.as_mut().filter(|current| current.state.result().is_none()) {
            Some(current) => (current.act(chance, style.request_ids), current.revision),
            None => self.open(),
        }
    }

    /// Leaves a match in which something went wrong; the next one is begun instead.
    pub(crate) fn leave(&mut self) {
        self.current = None;
    }

    fn open(&mut self) -> (Deed, i32) {
        self.matches += 1;
        let id = format!("load-{}-{}", self.number, self.matches);
        let mut request = new_match(rules_to(self.style.points.get() as i32));
        let agreed = request.r#match.get_or_insert_default();
        let dice = proto::DiceSource::External.into();
        agreed.dice_policy = Some(DicePolicy { source: dice, ..DicePolicy::default() });
        let current = Current::new(format!("{}/matches/{id}", request.parent), self.style.points);
        let revision = current.revision;
        self.current = Some(current);
        request.match_id = id;
        if self.style.request_ids {
            request.request_id = request_id(&mut self.chance);
        }
        (Deed::Create(Box::new(request)), revision)
    }
}

impl Current {
    fn new(name: String, points: MatchPoints) -> Self {
        let players = BySeat::new("alice".to_owned(), "bob".to_owned());
        let terms = Terms::new(players, MatchRules::points(points), DiceSource::External);
        let mut new = Self { name, state: Match::new(terms.clone()), revision: 1 };
        let Decision { mut events, asked } = create(terms, None, 0);
        // The first event is the match itself.
        events.remove(0);
        new.happened(&Decision { events, asked: asked - 1 });
        new
    }

    fn act(&mut self, chance: &mut StdRng, with_request_id: bool) -> Deed {
        let (name, expected_revision) = (self.name.clone(), self.revision);
        let request_id = if with_request_id { request_id(chance) } else { String::new() };
        match self.turn() {
            Turn::OpeningRoll | Turn::Roll { .. } => {
                let seat = self.turn().seat().unwrap_or(Seat::One);
                let dice = any_dice(chance);
                self.done(&Command::Roll { seat, dice: Some(dice) });
                let (seat, dice) = (number_of(seat), Some(dice_of(dice)));
                Deed::Roll(RollDiceRequest {
                    name,
                    seat,
                    expected_revision,
                    request_id,
                    dice,
                    ..Default::default()
                })
            }
            Turn::Move { seat, dice, .. } => {
                let played = self.any_move(seat, dice, chance);
                self.done(&Command::Move { seat, written: Written::from(&played.mv) });
                let r#move = Some(proto::Move { notation: played.mv.to_string(), ..Default::default() });
                let seat = number_of(seat);
                Deed::Play(SubmitMoveRequest {
                    name,
                    seat,
                    expected_revision,
                    request_id,
                    r#move,
                    ..Default::default()
                })
            }
        }
    }

    fn turn(&self) -> Turn {
        match self.state.game().map(|game| game.phase) {
            Some(Phase::Turn(turn)) => turn,
            other => unreachable!("nobody doubles, resigns or waits here: {other:?}"),
        }
    }

    fn any_move(&self, seat: Seat, dice: Dice, chance: &mut StdRng) -> LegalMove {
        let board = self.state.game().map(|game| game.board).expect("a game is being played");
        let legal = LegalMoves::new(board.position(seat), dice);
        let chosen = chance.random_range(0..legal.len());
        legal.iter().nth(chosen).expect("a roll without a legal move is not to be played")
    }

    fn done(&mut self, command: &Command) {
        let decision = decide(&self.state, command, None, 0).expect("what the rules allow");
        self.happened(&decision);
    }

    fn happened(&mut self, decision: &Decision) {
        for event in &decision.events {
            evolve(&mut self.state, event, 0).expect("what was decided");
            self.revision += 1;
        }
    }
}

impl From<Deed> for Action {
    fn from(deed: Deed) -> Self {
        match deed {
            Deed::Create(request) => Self::CreateMatch(request),
            Deed::Roll(request) => Self::RollDice(request),
            Deed::Play(request) => Self::SubmitMove(request),
        }
    }
}

fn any_dice(chance: &mut StdRng) -> Dice {
    let mut die = || chance.random_range(1..=6);
    Dice::new(die(), die()).expect("dice show 1 to 6")
}

fn request_id(chance: &mut StdRng) -> String {
    let mut bytes = [0; 16];
    chance.fill_bytes(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid().to_string()
}

fn number_of(seat: Seat) -> i32 {
    match seat {
        Seat::One => proto::Seat::One.into(),
        Seat::Two => proto::Seat::Two.into(),
    }
}

fn dice_of(dice: Dice) -> proto::Dice {
    proto::Dice { first: dice.first.pips().into(), second: dice.second.pips().into() }
}
