//! What others mix into committed dice: everybody commits before anybody opens, and nothing is rolled before that.

use chaquete_rules::Contributor::{Creator, SeatOne, SeatTwo};
use chaquete_rules::{
    Action, Awaited, Command, Contributing, Contribution, Contributions, Contributor, Dice, DiceCommitment,
    DiceCup, DiceSource, Event, Match, MatchEndReason, Millis, Moment, PhaseKind, ROLLS_PER_EPOCH, Refusal,
    Roll, Seat, Terms, WinKind, create, decide, evolve,
};

use crate::kit::{One, Two, money, play, points, terms};

const TIMEOUT: Millis = 60_000;

/// A cup whose commitments can be seen through, and whose rolls show what was mixed in.
struct Glass;

const fn sealed(opening: [u8; 32]) -> [u8; 32] {
    [!opening[0]; 32]
}

impl DiceCup for Glass {
    fn commit(&self, epoch: u32, commitments: &Contributions) -> Option<DiceCommitment> {
        let commitments = commitments.0.map(Option::unwrap_or_default);
        Some(DiceCommitment { key_id: "k".to_owned(), epoch, anchor: [epoch as u8; 32], commitments })
    }

    fn opens(&self, _: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        *commitment == sealed(*opening)
    }

    fn roll(&self, _: u32, _: u32, contributions: &Contributions) -> Roll {
        let sum: u32 = contributions.0.iter().flatten().map(|bytes| u32::from(bytes[0])).sum();
        Roll { dice: Dice::new((sum % 6) as u8 + 1, ((sum + 1) % 6) as u8 + 1).unwrap(), link: Some([0; 32]) }
    }
}

/// A match and all that happens in it; after each event it can be taken apart and put together again.
#[derive(Clone)]
struct Story {
    state: Match,
    now: Moment,
}

impl Story {
    fn begin(terms: Terms) -> (Self, Vec<Event>) {
        let events = create(terms.clone(), Some(&Glass), 0).events;
        let mut story = Self { state: Match::new(terms), now: 0 };
        story.happen(&events[1..]);
        (story, events)
    }

    fn happen(&mut self, events: &[Event]) {
        for event in events {
            evolve(&mut self.state, event, self.now).unwrap();
            assert_eq!(Match::from_parts(self.state.parts()).as_ref(), Ok(&self.state), "after {event:?}");
        }
    }

    fn refuses(&self, command: &Command) -> Refusal {
        decide(&self.state, command, Some(&Glass), self.now).unwrap_err()
    }

    fn when(&mut self, command: &Command) -> Vec<Event> {
        let events = decide(&self.state, command, Some(&Glass), self.now).unwrap().events;
        self.happen(&events);
        events
    }

    fn awaited(&self) -> [Option<Awaited>; 3] {
        Contributor::ALL.map(|by| self.state.awaits(by))
    }

    fn can(&self, seat: Seat) -> Vec<Action> {
        self.state.actions(seat, self.now)
    }
}

fn contributed(rules: chaquete_rules::MatchRules, players: bool, creator: Option<[u8; 32]>) -> Terms {
    let contributing = Contributing::new(players, creator, TIMEOUT);
    assert!(contributing.is_some());
    Terms { dice: DiceSource::Committed(contributing), ..terms(rules) }
}

fn commits(by: Contributor, byte: u8) -> Command {
    Command::Contribute { by, contribution: Contribution::Commitment(sealed([byte; 32])) }
}

fn opens(by: Contributor, byte: u8) -> Command {
    Command::Contribute { by, contribution: Contribution::Opening([byte; 32]) }
}

/// How an event begins in debug text: its kind.
fn kinds(events: &[Event]) -> Vec<String> {
    let kind = |event: &Event| format!("{event:?}").split([' ', '(', '{']).next().unwrap().to_owned();
    events.iter().map(kind).collect()
}

#[test]
fn everybody_commits_then_the_server_then_everybody_opens_then_the_game_opens() {
    let (mut story, created) = Story::begin(contributed(points(5), true, Some(sealed([3; 32]))));
    assert_eq!(kinds(&created), ["MatchCreated", "GameStarted"]);
    assert_eq!(story.awaited(), [Some(Awaited::Commitment), Some(Awaited::Commitment), None]);
    assert_eq!(
        (story.can(One), story.can(Two)),
        (vec![Action::ContributeEntropy], vec![Action::ContributeEntropy])
    );
    assert_eq!((story.state.phase_kind(), story.state.seat_to_act()), (Some(PhaseKind::Waiting), None));

    assert_eq!(kinds(&story.when(&commits(SeatTwo, 2))), ["EntropyCommitted"]);
    assert_eq!(story.can(Two), []);
    let both = story.when(&commits(SeatOne, 1));
    assert_eq!(kinds(&both), ["EntropyCommitted", "DiceCommitted"]);
    let Event::DiceCommitted(dice) = &both[1] else { panic!("{both:?}") };
    assert_eq!(dice.commitments, [sealed([1; 32]), sealed([2; 32]), sealed([3; 32])]);
    assert_eq!(story.awaited(), [Some(Awaited::Opening); 3]);

    assert_eq!(kinds(&story.when(&opens(Creator, 3))), ["EntropyOpened"]);
    assert_eq!(kinds(&story.when(&opens(SeatOne, 1))), ["EntropyOpened"]);
    let all = story.when(&opens(SeatTwo, 2));
    assert_eq!(kinds(&all), ["EntropyOpened", "DiceRolled"]);
    // 1 + 2 + 3: everything was mixed in.
    assert!(
        matches!(all[1], Event::DiceRolled { roll, index: 1, .. } if roll.dice == Dice::new(1, 2).unwrap())
    );
    assert_eq!((story.awaited(), story.state.deadline()), ([None; 3], None));
}

#[test]
fn with_the_creator_alone_the_server_commits_at_once_and_waits_for_its_opening() {
    let (mut story, created) = Story::begin(contributed(points(5), false, Some(sealed([3; 32]))));
    assert_eq!(kinds(&created), ["MatchCreated", "DiceCommitted", "GameStarted"]);
    assert_eq!((story.awaited(), story.can(One)), ([None, None, Some(Awaited::Opening)], vec![]));
    assert_eq!(kinds(&story.when(&opens(Creator, 3))), ["EntropyOpened", "DiceRolled"]);
}

#[test]
fn without_the_creator_nothing_is_awaited_of_it() {
    let (mut story, _) = Story::begin(contributed(points(5), true, None));
    assert_eq!(story.refuses(&opens(Creator, 3)), Refusal::NotAwaited { by: Creator, awaited: None });
    for command in [commits(SeatOne, 1), commits(SeatTwo, 2), opens(SeatTwo, 2)] {
        story.when(&command);
    }
    assert_eq!(kinds(&story.when(&opens(SeatOne, 1))), ["EntropyOpened", "DiceRolled"]);
}

#[test]
fn nothing_else_can_be_done_before_and_nothing_out_of_order() {
    let (mut story, _) = Story::begin(contributed(points(5), true, None));
    let waits = |action| Refusal::WrongPhase { action, phase: PhaseKind::Waiting };
    assert_eq!(story.refuses(&Command::Roll { seat: One, dice: None }), waits(Action::RollDice));
    let resigns = Command::OfferResignation { seat: One, kind: WinKind::Single };
    assert_eq!(story.refuses(&resigns), waits(Action::OfferResignation));

    let awaits = |by, awaited| Refusal::NotAwaited { by, awaited };
    assert_eq!(story.refuses(&opens(SeatOne, 1)), awaits(SeatOne, Some(Awaited::Commitment)));
    story.when(&commits(SeatOne, 1));
    assert_eq!(story.refuses(&commits(SeatOne, 4)), awaits(SeatOne, None));
    // Not before the other has committed, too.
    assert_eq!(story.refuses(&opens(SeatOne, 1)), awaits(SeatOne, None));
    story.when(&commits(SeatTwo, 2));
    assert_eq!(story.refuses(&commits(SeatTwo, 2)), awaits(SeatTwo, Some(Awaited::Opening)));
    assert_eq!(story.refuses(&opens(SeatTwo, 9)), Refusal::WrongOpening { by: SeatTwo });
    story.when(&opens(SeatTwo, 2));
    assert_eq!(story.refuses(&opens(SeatTwo, 2)), awaits(SeatTwo, None));
    story.when(&opens(SeatOne, 1));
    assert_eq!(story.refuses(&opens(SeatOne, 1)), awaits(SeatOne, None));
}

#[test]
fn what_is_missing_at_the_deadline_cancels_the_match_and_says_so() {
    let (mut story, _) = Story::begin(contributed(points(5), true, Some(sealed([3; 32]))));
    assert_eq!(story.state.deadline(), Some(TIMEOUT));
    for command in [commits(SeatOne, 1), commits(SeatTwo, 2), opens(SeatOne, 1)] {
        story.when(&command);
    }
    // All contributions together have that time, not each.
    story.now = TIMEOUT - 1;
    let flag = Some(TIMEOUT);
    assert_eq!(story.refuses(&Command::Expire), Refusal::TimeNotExpired { flag });
    story.now = TIMEOUT;
    assert_eq!(story.refuses(&opens(SeatTwo, 2)), Refusal::ContributionsLate);
    assert_eq!(story.refuses(&Command::Pause { reason: "late".to_owned() }), Refusal::ContributionsLate);
    assert_eq!(story.can(Two), []);
    let events = story.when(&Command::Expire);
    let [Event::MatchEnded { result, reason }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((result.winner, result.reason), (None, MatchEndReason::Cancelled));
    assert_eq!(
        reason,
        "contributions to the dice are missing: the opening of seat two, the opening of the creator"
    );
    assert_eq!(story.refuses(&opens(SeatTwo, 2)), Refusal::MatchNotActive);
}

#[test]
fn a_pause_stops_the_deadline_and_time_can_be_given_back() {
    let (mut story, _) = Story::begin(contributed(points(5), true, None));
    story.now = 50_000;
    story.when(&Command::CreditTime { duration: 20_000, reason: "down".to_owned() });
    assert_eq!(story.state.deadline(), Some(80_000));
    story.when(&Command::Pause { reason: "tea".to_owned() });
    assert_eq!((story.state.deadline(), story.refuses(&commits(SeatOne, 1))), (None, Refusal::MatchPaused));
    story.now = 500_000;
    story.when(&Command::Resume);
    assert_eq!(story.state.deadline(), Some(560_000));
    assert_eq!(kinds(&story.when(&commits(SeatOne, 1))), ["EntropyCommitted"]);
}

#[test]
fn a_ready_check_and_contributions_wait_for_each_other() {
    let ready = |seat| Command::MarkReady { seat };
    let both = || [commits(SeatOne, 1), commits(SeatTwo, 2), opens(SeatOne, 1)];
    let terms = Terms { ready_check: true, ..contributed(points(5), true, None) };

    let (mut story, _) = Story::begin(terms.clone());
    both().iter().chain([&ready(One)]).for_each(|command| drop(story.when(command)));
    assert_eq!(kinds(&story.when(&ready(Two))), ["PlayerReady"]);
    assert_eq!(kinds(&story.when(&opens(SeatTwo, 2))), ["EntropyOpened", "DiceRolled"]);

    let (mut story, _) = Story::begin(terms);
    both().iter().chain([&ready(One), &opens(SeatTwo, 2)]).for_each(|command| drop(story.when(command)));
    assert_eq!(kinds(&story.when(&ready(Two))), ["PlayerReady", "DiceRolled"]);
}

/// With 1, 2 and no creator the dice are 4-5 for ever: seat two begins every game.
#[test]
fn in_the_middle_of_a_game_the_next_epoch_is_contributed_to_before_it_is_used() {
    let (mut story, _) = Story::begin(contributed(money(|_| {}), true, Some(sealed([3; 32]))));
    for command in
        [commits(SeatOne, 1), commits(SeatTwo, 2), opens(SeatOne, 1), opens(SeatTwo, 2), opens(Creator, 3)]
    {
        story.when(&command);
    }
    while story.state.rolls() < ROLLS_PER_EPOCH {
        story.when(&Command::OfferResignation { seat: One, kind: WinKind::Single });
        story.when(&Command::AcceptResignation { seat: Two });
    }
    // The last roll is there, and is played once the next ones are sure.
    story.now = 1_000_000;
    let roll = story.state.game().unwrap().dice();
    assert_eq!((roll, story.state.phase_kind()), (Dice::new(1, 2), Some(PhaseKind::Waiting)));
    assert_eq!(story.awaited(), [Some(Awaited::Commitment); 3]);
    assert_eq!(story.state.deadline(), Some(TIMEOUT));
    let wrong = story.refuses(&play(Two, "24/22 6/5"));
    assert!(matches!(wrong, Refusal::WrongPhase { phase: PhaseKind::Waiting, .. }), "{wrong:?}");
    story.now = 1_000;
    for command in [commits(Creator, 7), commits(SeatTwo, 8)] {
        assert_eq!(kinds(&story.when(&command)), ["EntropyCommitted"]);
    }
    let all = story.when(&commits(SeatOne, 9));
    assert!(matches!(&all[1], Event::DiceCommitted(dice) if dice.epoch == 1), "{all:?}");
    for command in [opens(Creator, 7), opens(SeatTwo, 8), opens(SeatOne, 9)] {
        assert_eq!(kinds(&story.when(&command)), ["EntropyOpened"]);
    }
    // The game goes on where it was, with the dice of the new epoch.
    assert_eq!((story.state.phase_kind(), story.state.game().unwrap().dice()), (Some(PhaseKind::Move), roll));
    story.when(&play(Two, "24/22 6/5"));
    let rolled = story.when(&Command::Roll { seat: One, dice: None });
    let is_next = |event: &Event| matches!(event, Event::DiceRolled { roll, index: 1, .. } if roll.dice == Dice::new(1, 2).unwrap());
    assert!(is_next(&rolled[0]), "{rolled:?}");
}

#[test]
fn a_log_that_opens_before_all_have_committed_is_out_of_order() {
    let (story, _) = Story::begin(contributed(points(5), true, None));
    let opened = Event::EntropyOpened { by: SeatOne, opening: [1; 32] };
    let strange = Event::EntropyCommitted { by: Creator, commitment: [1; 32] };
    let early = Event::DiceCommitted(Box::new(Glass.commit(0, &Contributions::NONE).unwrap()));
    let roll = Roll { dice: Dice::new(2, 1).unwrap(), link: Some([0; 32]) };
    let rolled =
        Event::DiceRolled { seat: Some(One), roll, index: 1, opening: true, automatic_double: false };
    for event in [opened, strange, early, rolled] {
        assert!(evolve(&mut story.state.clone(), &event, 0).is_err(), "{event:?}");
    }
}

#[test]
fn somebody_contributes_and_has_time_to() {
    assert_eq!(Contributing::new(false, None, TIMEOUT), None);
    assert_eq!(Contributing::new(true, None, 0), None);
    let all = Contributing::new(true, Some([1; 32]), 1).unwrap();
    assert!(Contributor::ALL.into_iter().all(|by| all.includes(by)));
    let creator = Contributing::new(false, Some([1; 32]), 1).unwrap();
    assert_eq!(Contributor::ALL.map(|by| creator.includes(by)), [false, false, true]);
    for by in Contributor::ALL {
        assert_eq!(Contributor::of(by.seat()), by);
    }
}
