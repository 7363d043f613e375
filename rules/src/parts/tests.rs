//! What no match comes to is refused, thing by thing. That what matches do come to is taken is tested where
//! matches are played: in the model, by random commands, and over the golden matches.

mod clocks;
mod game;

use crate::{
    BadParts, BySeat, Command, Contributions, Contributor, Cube, CubeValue, Dice, DiceCommitment, DiceCup,
    DiceSource, GameEndReason, Length, Match, MatchEndReason, MatchParts, MatchPoints, MatchResult,
    MatchRules, MoneyRules, Phase, Roll, Score, Seat, Terms, Win, WinKind, create, decide, evolve,
};

const ONE: Seat = Seat::One;
const TWO: Seat = Seat::Two;

fn terms(rules: MatchRules) -> Terms {
    Terms::new(BySeat::new("ann".to_owned(), "bob".to_owned()), rules, DiceSource::External)
}

fn points(points: u8) -> Terms {
    terms(MatchRules::points(MatchPoints::new(points).unwrap()))
}

/// A session with beavers and automatic doubles.
fn money() -> Terms {
    let length =
        Length::Money(MoneyRules { max_games: None, jacoby: true, max_beavers: 1, max_automatic_doubles: 1 });
    terms(MatchRules { length, ..MatchRules::money() })
}

/// A match in which these commands were given, one a second.
fn played(terms: &Terms, commands: &[Command]) -> Match {
    let mut state = Match::new(terms.clone());
    create(terms.clone(), None, 0).events[1..].iter().for_each(|event| evolve(&mut state, event, 0).unwrap());
    for (command, now) in commands.iter().zip((1_000..).step_by(1_000)) {
        let decision = decide(&state, command, None, now).unwrap();
        decision.events.iter().for_each(|event| evolve(&mut state, event, now).unwrap());
    }
    state
}

fn roll(seat: Seat, first: u8, second: u8) -> Command {
    Command::Roll { seat, dice: Dice::new(first, second) }
}

fn play(seat: Seat, text: &str) -> Command {
    Command::Move { seat, written: text.parse().unwrap() }
}

/// The first turn, of seat one: then seat two is on roll.
fn first_turn() -> Vec<Command> {
    vec![roll(ONE, 3, 1), play(ONE, "8/5 6/5")]
}

fn with(mut commands: Vec<Command>, more: impl IntoIterator<Item = Command>) -> Vec<Command> {
    commands.extend(more);
    commands
}

/// A game in which seat two doubles and seat one declines: seat two wins a point.
fn declined() -> Vec<Command> {
    with(first_turn(), [Command::Double { seat: TWO }, Command::DeclineDouble { seat: ONE }])
}

fn doubled(terms: &Terms) -> Match {
    played(terms, &with(first_turn(), [Command::Double { seat: TWO }]))
}

/// A match to two points that seat two has won.
fn won() -> Match {
    let resignation = [
        Command::OfferResignation { seat: ONE, kind: WinKind::Gammon },
        Command::AcceptResignation { seat: TWO },
    ];
    played(&points(2), &with(first_turn(), resignation))
}

fn reason(result: Result<Match, BadParts>) -> Option<&'static str> {
    result.err().map(|bad| bad.because)
}

/// A match is its parts; with this change to them it is none.
fn refused(state: &Match, because: &'static str, change: impl FnOnce(&mut MatchParts)) {
    let mut parts = state.parts();
    assert_eq!(Match::from_parts(parts.clone()).as_ref(), Ok(state), "before: {because}");
    change(&mut parts);
    assert_eq!(reason(Match::from_parts(parts)), Some(because));
}

fn phase(parts: &mut MatchParts) -> &mut Phase {
    &mut parts.game.as_mut().unwrap().phase
}

#[test]
fn nothing_has_happened_before_the_first_game() {
    let state = Match::new(points(5));
    let ended = won().games().to_vec();
    refused(&state, "games have ended, though none has begun", |parts| parts.games = ended);
    refused(&state, "points, though no game has begun", |parts| parts.score.one = 1);
    refused(&state, "the Crawford game was played, though no game has begun", |parts| {
        parts.crawford_played = true;
    });
    refused(&state, "an end, though no game has begun", |parts| parts.result = won().result);
    refused(&state, "dice were rolled, though no game has begun", |parts| parts.rolls = 1);
    refused(&state, "a pause, though no game has begun", |parts| parts.paused = true);
}

/// A cup that commits to nothing in earnest.
struct Cup;

impl DiceCup for Cup {
    fn commit(&self, epoch: u32, _: &Contributions) -> Option<DiceCommitment> {
        let commitments = [[0; 32]; 3];
        Some(DiceCommitment { key_id: "key".to_owned(), epoch, anchor: [7; 32], commitments })
    }

    fn opens(&self, _: Contributor, _: &[u8; 32], _: &[u8; 32]) -> bool {
        false
    }

    fn roll(&self, _epoch: u32, _index: u32, _: &Contributions) -> Roll {
        Roll { dice: Dice::new(3, 1).unwrap(), link: Some([7; 32]) }
    }
}

#[test]
fn dice_are_committed_or_not() {
    refused(&played(&points(5), &[]), "a commitment to dice that are not committed", |parts| {
        parts.commitment = Cup.commit(0, &Contributions::NONE);
    });
    let terms = Terms { dice: DiceSource::COMMITTED, ..points(5) };
    let mut state = Match::new(terms.clone());
    let events = create(terms, Some(&Cup), 0).events;
    events[1..].iter().for_each(|event| evolve(&mut state, event, 0).unwrap());
    refused(&state, "committed dice without a commitment", |parts| parts.commitment = None);
    refused(&state, "more rolls than an epoch of dice has", |parts| parts.rolls = 4_001);
}

#[test]
fn the_score_is_the_sum_of_the_games() {
    let state = played(&points(5), &declined());
    refused(&state, "the score is not the sum of the games", |parts| parts.score.one = 1);
    refused(&state, "the game has not the number that follows the games before it", |parts| {
        parts.game.as_mut().unwrap().number = 3;
    });
    refused(&state, "the game has not the number that follows the games before it", |parts| {
        parts.games.clear();
    });
    let other_worth = "a game that does not count what it is worth";
    refused(&state, other_worth, |parts| parts.games[0].points = 2);
    refused(&state, other_worth, |parts| parts.games[0].number = 2);
    refused(&state, other_worth, |parts| parts.games[0].jacoby_applied = true);
    refused(&state, other_worth, |parts| parts.games[0].score.two = 2);
    refused(&state, "a game has a winner if it counts, and only then", |parts| {
        parts.games[0].reason = GameEndReason::Void;
    });
    refused(&state, "more than a single game given up", |parts| {
        let game = &mut parts.games[0];
        (game.win, game.points, game.score.two) = (Some(Win { seat: TWO, kind: WinKind::Gammon }), 2, 2);
    });
    refused(&state, "a game with a cube beyond its limit", |parts| {
        parts.terms.rules.max_cube = CubeValue::ONE;
        let game = &mut parts.games[0];
        (game.cube, game.points, game.score.two) = (CubeValue::new(2).unwrap(), 2, 2);
    });
}

#[test]
fn gammons_count_under_the_jacoby_rule_only_with_a_cube() {
    let resignation = [
        Command::OfferResignation { seat: ONE, kind: WinKind::Gammon },
        Command::AcceptResignation { seat: TWO },
    ];
    let state = played(&money(), &with(first_turn(), resignation));
    refused(&state, "a game that does not count what it is worth", |parts| {
        let game = &mut parts.games[0];
        (game.jacoby_applied, game.points, game.score.two, parts.score.two) = (false, 2, 2, 2);
    });
}

#[test]
fn a_decided_match_goes_on_with_no_game() {
    let state = played(&points(2), &declined());
    refused(&state, "a game after the match was decided", |parts| {
        let game = &mut parts.games[0];
        game.reason = GameEndReason::Resigned;
        game.win = Some(Win { seat: TWO, kind: WinKind::Gammon });
        (game.points, game.score.two, parts.score.two) = (2, 2, 2);
    });
}

#[test]
fn the_crawford_game_comes_once_in_a_match() {
    let mistaken = "the score does not agree whether this is the Crawford game";
    let is_crawford = |parts: &mut MatchParts| parts.game.as_mut().unwrap().crawford ^= true;
    refused(&played(&money(), &[]), mistaken, is_crawford);
    refused(&played(&points(5), &[]), mistaken, is_crawford);
    let state = played(&points(2), &declined());
    refused(&state, mistaken, is_crawford);
    let not_played = "the games do not agree whether the Crawford game was played";
    refused(&state, not_played, |parts| parts.crawford_played = true);
    refused(&played(&money(), &declined()), not_played, |parts| parts.crawford_played = true);
    refused(&state, "a cube that was turned in the Crawford game", |parts| {
        let game = parts.game.as_mut().unwrap();
        (game.cube, game.cube_turned) = (Cube { value: CubeValue::new(2).unwrap(), owner: Some(ONE) }, true);
    });

    // Three games: seat two leads 1-0, seat one levels in the Crawford game, a third begins.
    let levels = [
        roll(ONE, 3, 1),
        Command::OfferResignation { seat: TWO, kind: WinKind::Single },
        Command::AcceptResignation { seat: ONE },
    ];
    let state = played(&points(2), &with(declined(), levels));
    refused(&state, not_played, |parts| parts.crawford_played = false);
    refused(&state, "a Crawford game with a cube", |parts| {
        let game = &mut parts.games[1];
        (game.cube, game.points, game.score.one) = (CubeValue::new(2).unwrap(), 2, 2);
    });
}

#[test]
fn an_end_follows_from_the_games_or_was_allowed() {
    let not_followed = "an end that the games do not lead to";
    let state = won();
    let result = |winner, reason| Some(MatchResult { winner, score: Score::new(0, 2), reason });
    refused(&state, "the match has ended with another score", |parts| {
        parts.result.as_mut().unwrap().score.two = 3;
    });
    refused(&state, not_followed, |parts| parts.result.as_mut().unwrap().winner = Some(ONE));
    refused(&state, not_followed, |parts| parts.result = result(None, MatchEndReason::Cancelled));
    refused(&state, "the last game has ended in two ways", |parts| {
        parts.games[0].reason = GameEndReason::Timeout;
    });
    refused(&state, "a result that its game does not have", |parts| {
        let Phase::Over(result) = phase(parts) else { panic!("not over") };
        (result.cube, result.points) = (CubeValue::new(2).unwrap(), 4);
        parts.games[0] = *result;
    });
    refused(&state, "the last game has ended in two ways", |parts| {
        parts.games.clear();
        parts.game.as_mut().unwrap().number = 0;
    });

    let not_allowed = "an end in the middle of a game that it does not allow";
    let end = |winner, reason| {
        move |parts: &mut MatchParts| {
            parts.result = Some(MatchResult { winner, score: Score::default(), reason });
        }
    };
    for (winner, reason) in [
        (Some(ONE), MatchEndReason::PointsReached),
        (None, MatchEndReason::SessionClosed),
        (Some(ONE), MatchEndReason::Timeout),
        (None, MatchEndReason::Adjudicated),
        (Some(ONE), MatchEndReason::Cancelled),
    ] {
        refused(&played(&points(5), &[]), not_allowed, end(winner, reason));
    }
    let session = played(&money(), &[]);
    refused(&session, not_allowed, end(Some(ONE), MatchEndReason::SessionClosed));
    refused(&played(&money(), &first_turn()), not_allowed, end(None, MatchEndReason::SessionClosed));
    let mut closed = session.parts();
    end(None, MatchEndReason::SessionClosed)(&mut closed);
    assert_eq!(Match::from_parts(closed), Ok(played(&money(), &[Command::CloseSession])));
}
