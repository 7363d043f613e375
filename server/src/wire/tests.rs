//! Matches that are played here, as callers are told of them.

use std::sync::Arc;

use chaquete_proto::v1::{self, match_event::Kind};
use chaquete_rules::{BySeat, Command, Dice, DiceSource, MatchPoints, MatchRules, Seat, Terms, WinKind};
use uuid::Uuid;

use super::{
    replay::{Replay, Teller},
    state::{self, View},
};
use crate::{
    access::Caller,
    log::{self, RULES_VERSION, Request, Seam, Stamp},
    name::MatchName,
    store::{About, MatchKey, Notes, Provenance, StoredEvent},
    table::Table,
};

/// A match with its log, not stored anywhere.
struct Played {
    table: Table,
    events: Vec<StoredEvent>,
}

impl Played {
    /// A match to so many points with external dice; two seconds after 1970.
    fn new(points: u8) -> Self {
        let players = BySeat::new("ann".to_owned(), "bob".to_owned());
        let rules = MatchRules::points(MatchPoints::new(points).unwrap());
        Self::on(Terms::new(players, rules, DiceSource::External))
    }

    /// The same on other terms.
    fn on(terms: Terms) -> Self {
        let about = About {
            display_names: BySeat::new("Ann".to_owned(), String::new()),
            notes: Notes {
                labels: [("event".to_owned(), "spring".to_owned())].into(),
                annotations: [("note".to_owned(), "long".to_owned())].into(),
            },
            seed: None,
            provenance: Provenance::Played,
        };
        let uid = Uuid::from_u128(1);
        let seam = Seam { revision: 0, hash: log::initial_hash(&uid), game: 0, rules: RULES_VERSION };
        let stamp = Stamp { actor: Caller::Local.actor(None), request: None, time: 2_000 };
        let events = log::seal(&seam, &stamp, &chaquete_rules::create(terms, None, 2_000));
        let name = MatchName::parse("tenants/default/matches/m1234").unwrap();
        Self {
            table: Table::fold(name.clone(), MatchKey::new(&name, uid), Arc::new(about), &events).unwrap(),
            events,
        }
    }

    fn act(&mut self, command: &Command) -> &mut Self {
        self.act_at(command, 3_000)
    }

    fn act_at(&mut self, command: &Command, time: i64) -> &mut Self {
        let decision = chaquete_rules::decide(&self.table.state, command, None, time).unwrap();
        let seat = command.seat_action().map(|(seat, _)| seat);
        let request = Request { id: Uuid::from_u128(self.events.len() as u128), digest: [0; 32] };
        let stamp = Stamp { actor: Caller::Local.actor(seat), request: Some(request), time };
        let events = log::seal(&self.table.seam(), &stamp, &decision);
        self.table.extend(&events).unwrap();
        self.events.extend(events);
        self
    }

    fn roll(&mut self, seat: Seat, first: u8, second: u8) -> &mut Self {
        self.act(&Command::Roll { seat, dice: Dice::new(first, second) })
    }

    fn play(&mut self, seat: Seat, notation: &str) -> &mut Self {
        self.act(&Command::Move { seat, written: notation.parse().unwrap() })
    }

    fn told(&self) -> Vec<v1::MatchEvent> {
        let mut teller = Teller::from_start(Arc::new(self.table.clone()));
        self.events.iter().map(|stored| teller.tell(stored).unwrap()).collect()
    }
}

/// A match to three points in which seat one wins a single game, and then the match by a gammon.
fn finished() -> Played {
    let mut played = Played::new(3);
    let (one, two) = (Seat::One, Seat::Two);
    played.roll(one, 3, 1).play(one, "8/5 6/5").act(&Command::Double { seat: two });
    played.act(&Command::DeclineDouble { seat: one }).roll(two, 6, 5).play(one, "24/13");
    played.act(&Command::OfferResignation { seat: one, kind: WinKind::Gammon });
    played.act(&Command::AcceptResignation { seat: two });
    played
}

#[test]
fn a_view_fills_what_it_says() {
    let mut played = Played::new(5);
    played.roll(Seat::One, 3, 1);
    let full = state::match_then(&played.table, View::Full);
    let game = full.current_game.as_ref().unwrap();
    let ids = game.position_ids.as_ref().unwrap();
    assert_eq!(ids.gnu_position_id, "4HPwATDgc/ABMA");
    assert_eq!(ids.xgid, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6");
    assert_eq!((game.phase(), game.seat_to_act()), (v1::GamePhase::Move, v1::Seat::One));
    assert_eq!(game.actions.len(), 2);
    assert_eq!(
        game.actions[0].actions().collect::<Vec<_>>(),
        [v1::Action::SubmitMove, v1::Action::OfferResignation]
    );
    assert_eq!(game.actions[1].actions().collect::<Vec<_>>(), [v1::Action::OfferResignation]);
    assert_eq!(full.players[0].display_name, "Ann");
    assert_eq!((full.revision, full.log_hash.len(), full.dice_commitment.as_ref()), (3, 32, None));
    assert_eq!(full.annotations.len(), 1);

    let mut basic = state::match_then(&played.table, View::Basic);
    assert!(basic.annotations.is_empty());
    assert_eq!(basic.current_game.as_ref().unwrap().position_ids, None);
    basic.annotations = full.annotations.clone();
    basic.current_game.as_mut().unwrap().position_ids = game.position_ids.clone();
    assert_eq!(basic, full, "nothing else is left out");
}

#[test]
fn a_match_that_has_ended_tells_its_games() {
    let played = finished();
    let told = state::match_then(&played.table, View::Full);
    let result = told.result.unwrap();
    assert_eq!((told.end_time, result.end_time), (result.end_time, told.end_time));
    assert_eq!(
        (result.r#final, result.winner(), result.winner_subject.as_str()),
        (true, v1::Seat::Two, "bob")
    );
    assert_eq!(result.reason(), v1::MatchEndReason::PointsReached);
    let ends: Vec<_> =
        result.games.iter().map(|game| (game.reason(), game.points, game.end_revision)).collect();
    assert_eq!(ends, [(v1::GameEndReason::DoubleDeclined, 1, 7), (v1::GameEndReason::Resigned, 2, 13)]);
    assert_eq!(told.current_game.unwrap().result.unwrap(), result.games[1]);
    assert!(state::match_then(&played.table, View::Basic).result.unwrap().games.is_empty());

    let running = Played::new(3);
    let standing = state::match_result(&running.table, View::Full);
    assert_eq!((standing.r#final, standing.score), (false, Some(v1::Score { one: 0, two: 0 })));
}

#[test]
fn events_are_told_in_order_with_their_hashes() {
    let told = finished().told();
    assert!(told[0].previous_hash.is_empty());
    for (pair, revision) in told.windows(2).zip(2..) {
        assert_eq!(pair[1].previous_hash, pair[0].hash);
        assert_eq!(pair[1].revision, revision);
    }
    let Some(Kind::MatchCreated(created)) = &told[0].kind else { panic!("{:?}", told[0]) };
    let created = created.r#match.as_ref().unwrap();
    assert_eq!((created.revision, created.state()), (1, v1::MatchState::Active));
    assert_eq!(created.current_game, None);
    let Some(Kind::MoveMade(made)) = &told[3].kind else { panic!("{:?}", told[3]) };
    assert_eq!(made.r#move.as_ref().unwrap().notation, "8/5 6/5");
    assert_eq!(made.gnu_position_id, "sGfwATDgc/ABMA");
    assert_eq!(told[3].actor.as_ref().unwrap().seat(), v1::Seat::One);
    let Some(Kind::MatchEnded(ended)) = &told.last().unwrap().kind else { panic!("{:?}", told.last()) };
    let result = ended.result.as_ref().unwrap();
    assert_eq!((result.winner_subject.as_str(), result.games.len()), ("bob", 0));
    assert_eq!(result.score, Some(v1::Score { one: 0, two: 3 }));
}

#[test]
fn the_reason_of_a_cancellation_is_told() {
    let mut played = Played::new(3);
    played.act(&Command::Cancel { reason: "rain".to_owned() });
    let told = played.told();
    let Some(Kind::MatchEnded(ended)) = &told.last().unwrap().kind else { panic!("{:?}", told.last()) };
    assert_eq!(ended.reason, "rain");
    assert_eq!(ended.result.as_ref().unwrap().winner(), v1::Seat::Unspecified);
    assert_eq!(state::match_then(&played.table, View::Basic).state(), v1::MatchState::Cancelled);
}

#[test]
fn a_log_that_does_not_fit_is_not_told() {
    let played = finished();
    let table = Arc::new(played.table.clone());
    let mut changed = played.events[2].clone();
    changed.bytes[10] ^= 1;
    let before = &played.events[1];
    let tell = |stored: &StoredEvent| Teller::after(Arc::clone(&table), 2, before.hash).tell(stored);
    assert!(tell(&played.events[2]).is_ok());
    assert_eq!(tell(&changed).unwrap_err().revision, 3);
    assert_eq!(tell(&played.events[3]).unwrap_err().revision, 3);
    assert_eq!(tell(before).unwrap_err().revision, 3);
}

#[test]
fn a_replay_comes_to_the_same_match() {
    let played = finished();
    let table = Arc::new(played.table.clone());
    let mut replay = Replay::from_start(Arc::clone(&table));
    for stored in &played.events {
        replay.fold(stored).unwrap();
    }
    let again = replay.table().unwrap();
    assert_eq!(state::match_then(again, View::Full), state::match_then(&table, View::Full));
    assert_eq!(replay.revision(), Replay::from_table(table).revision());
}

mod timed;
