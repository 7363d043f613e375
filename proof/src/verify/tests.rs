use chaquete_rules::{
    ClockMode, Contributions, Contributor, Dice, DiceSource, Event, Seat, TimeControl, TimeLimit,
    TimeoutPolicy,
};

use super::*;
use crate::{
    dice::{Beacon, Binding, Unproved, commitments, roll},
    golden,
    log::{StoredEvent, decode, encode, initial_hash, next_hash},
    played::{self, Played},
};

const UID: Uuid = Uuid::from_u128(7);

/// Golden matches, with the uids that they were played under.
fn golden() -> Vec<(Uuid, Vec<StoredEvent>)> {
    golden::logs(|n| Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + n as u128))
}

/// A match of some 200 events with this time for each action.
fn session(limit: i64) -> Played {
    let time = TimeControl { limit: TimeLimit::Action { limit }, policy: TimeoutPolicy::ForfeitMatch };
    played::session(UID, 200, Some(time))
}

/// A log in which entries were changed, by one who makes the hashes anew.
fn changed(log: &[StoredEvent], mut change: impl FnMut(&mut Entry)) -> Vec<StoredEvent> {
    let mut entries: Vec<_> = log.iter().map(|event| decode(&event.bytes).unwrap()).collect();
    entries.iter_mut().for_each(&mut change);
    let mut hash = initial_hash(&UID);
    let sealed = entries.iter().map(|entry| {
        let bytes = encode(entry);
        hash = next_hash(&hash, &bytes);
        StoredEvent { revision: entry.revision, hash, request_id: entry.part.found_by(), bytes }
    });
    sealed.collect()
}

/// The number of the first event of this kind after the creation of the match.
fn first(log: &[StoredEvent], is: impl Fn(&Event) -> bool) -> u32 {
    let entries = log.iter().skip(10).map(|event| decode(&event.bytes).unwrap());
    entries.into_iter().find(|entry| is(&entry.event)).unwrap().revision
}

fn is_roll(event: &Event) -> bool {
    matches!(event, Event::DiceRolled { opening: false, .. })
}

fn revision_of(outcome: &Outcome) -> Option<u32> {
    match outcome {
        Outcome::Failed { first_bad_revision, .. } => Some(*first_bad_revision),
        _ => None,
    }
}

/// Which checks failed, and where.
fn failures(report: &Report) -> Vec<(Check, u32)> {
    let checks = report.checks().into_iter();
    checks.filter_map(|(check, outcome)| Some((check, revision_of(outcome)?))).collect()
}

#[test]
fn what_servers_wrote_passes_all_that_applies() {
    for (uid, log) in golden() {
        let facts = played::facts(uid, &log).unwrap();
        let report = verify(&uid, &log, Some(&facts));
        assert!(report.passed() && report.first_bad().is_none(), "{report:#?}");
        assert_eq!((report.revision, report.log_hash), (facts.revision, Some(facts.hash)));
        let passed = [&report.hash_chain, &report.rules_replay, &report.state];
        assert_eq!(passed, [&Outcome::Passed; 3]);
        let Event::MatchCreated(terms) = decode(&log[0].bytes).unwrap().event else { panic!("a creation") };
        assert_eq!(report.dice_proof == Outcome::Passed, terms.dice.is_committed());
        assert_eq!(report.clocks == Outcome::Passed, terms.time.is_some());
    }
}

#[test]
fn dice_from_outside_are_never_verified_but_unverifiable() {
    let external = |log: &[StoredEvent]| log[0].bytes.ends_with(b"\"dice_source\":\"external\"}");
    let (uid, log) = golden().into_iter().find(|(_, log)| external(log)).unwrap();
    let Outcome::Skipped { why } = verify(&uid, &log, None).dice_proof else { panic!("nothing proves it") };
    assert!(why.starts_with("unverifiable"), "{why}");
    let seeded = changed(&log, |entry| {
        if let Event::MatchCreated(terms) = &mut entry.event {
            terms.dice = DiceSource::Seeded;
        }
    });
    let Outcome::Skipped { why } = verify(&UID, &seeded, None).dice_proof else {
        panic!("a seed is no proof")
    };
    assert!(why.contains("seed"), "{why}");
}

#[test]
fn a_log_that_cannot_be_read_fails_where_it_ends_to_be_one() {
    let mut log = session(60_000).log;
    log[20].bytes = b"{}".to_vec();
    let report = verify(&UID, &log, None);
    assert_eq!(failures(&report), [(Check::HashChain, 21)]);
    assert_eq!(report.dice_proof, Outcome::skipped("event 21 cannot be read"));
    assert_eq!(failures(&verify(&UID, &[], None)), [(Check::HashChain, 1)]);
    assert_eq!(failures(&Report::unreadable(4, "no text")), [(Check::HashChain, 4)]);
}

#[test]
fn an_event_that_is_not_found_by_its_request_is_in_the_wrong_place() {
    let mut log = session(60_000).log;
    let at = log.iter().rposition(|event| event.request_id.is_some()).unwrap();
    log[at].request_id = Some(Uuid::max());
    assert_eq!(failures(&verify(&UID, &log, None)), [(Check::HashChain, at as u32 + 1)]);
}

/// A chain can be made of what no server writes: then its form tells.
#[test]
fn times_that_run_back_are_out_of_form() {
    let log =
        changed(&session(60_000).log, |entry| entry.time -= i64::from(entry.revision == 50) * 1_000_000);
    assert_eq!(verify(&UID, &log, None).first_bad().unwrap().0, 50);
}

#[test]
fn dice_that_were_changed_fail_at_their_roll() {
    let Played { log, facts } = session(60_000);
    let roll = first(&log, is_roll);
    let turned = changed(&log, |entry| {
        if let (true, Event::DiceRolled { roll, .. }) = (entry.revision == roll, &mut entry.event) {
            roll.dice = Dice { first: roll.dice.second, second: roll.dice.first };
        }
    });
    let differing =
        decode(&log[roll as usize - 1].bytes).unwrap() != decode(&turned[roll as usize - 1].bytes).unwrap();
    assert!(differing, "the roll is no double");
    let mut facts = facts;
    facts.hash = turned.last().unwrap().hash;
    // The rules do not mind which die is the first.
    assert_eq!(failures(&verify(&UID, &turned, Some(&facts))), [(Check::DiceProof, roll)]);

    let relinked = changed(&log, |entry| {
        if let (true, Event::DiceRolled { roll, .. }) = (entry.revision == roll, &mut entry.event) {
            roll.link = Some([3; 32]);
        }
    });
    assert_eq!(failures(&verify(&UID, &relinked, None)), [(Check::DiceProof, roll)]);
}

/// Another link that happens to come to the same dice.
#[test]
fn a_link_that_leads_nowhere_fails_whatever_dice_follow_from_it() {
    let log = session(60_000).log;
    let entries: Vec<_> = log.iter().map(|event| decode(&event.bytes).unwrap()).collect();
    let [proof] = &crate::dice::proofs(&UID, &entries).unwrap()[..] else { panic!("one epoch") };
    let (anchor, number) = (&proof.commitment.anchor, proof.rolls.len() as u32);
    let binding = Binding::new(&UID, anchor, &proof.contributions, &Beacon::default());
    let (right, dice) = *proof.rolls.last().unwrap();
    let mut forged = proof.clone();
    let links = (0_u8..).map(|n| [n; 32]);
    let other =
        links.filter(|link| *link != right).find(|link| roll(link, &binding, number) == dice).unwrap();
    forged.rolls.last_mut().unwrap().0 = other;
    assert_eq!(proof.verify(), Ok(()));
    assert_eq!(forged.verify(), Err(Unproved::Link { roll: number }));
}

/// What others put in is part of the dice: the same rolls with another contribution are others.
#[test]
fn contributions_open_what_was_committed_to() {
    let log = session(60_000).log;
    let entries: Vec<_> = log.iter().map(|event| decode(&event.bytes).unwrap()).collect();
    let mut proof = crate::dice::proofs(&UID, &entries).unwrap().remove(0);
    let contributions = Contributions([Some([1; 32]), None, None]);
    proof.commitment.commitments = commitments(&contributions);
    assert_eq!(proof.verify(), Err(Unproved::Opening(Contributor::SeatOne)));
    proof.contributions = contributions;
    let binding = Binding::new(&UID, &proof.commitment.anchor, &contributions, &Beacon::default());
    assert!(matches!(proof.verify(), Err(Unproved::Dice { .. })), "these rolls were made without it");
    for (number, (link, dice)) in (1..).zip(&mut proof.rolls) {
        *dice = roll(link, &binding, number);
    }
    assert_eq!(proof.verify(), Ok(()));
}

#[test]
fn dice_of_another_match_prove_nothing() {
    let log = session(60_000).log;
    let other = verify(&Uuid::from_u128(8), &log, None);
    let first_roll = log.iter().position(|event| {
        decode(&event.bytes).is_ok_and(|entry| matches!(entry.event, Event::DiceRolled { .. }))
    });
    assert_eq!(revision_of(&other.dice_proof), first_roll.map(|at| at as u32 + 1));
    assert_eq!(revision_of(&other.hash_chain), Some(1));
}

#[test]
fn a_contribution_that_was_not_committed_to_fails_at_the_commitment() {
    let log = changed(&session(60_000).log, |entry| {
        if let Event::DiceCommitted(commitment) = &mut entry.event {
            commitment.commitments[1] = [1; 32];
        }
    });
    assert_eq!(
        verify(&UID, &log, None).dice_proof,
        Outcome::failed(2, "the contribution of seat two is not what it committed to")
    );
}

#[test]
fn an_action_that_came_too_late_fails_by_the_clocks_and_not_by_the_rules() {
    // A second passes between two actions: with half of that the first of them is late already.
    let log = changed(&session(60_000).log, |entry| {
        if let Event::MatchCreated(terms) = &mut entry.event {
            let limit = TimeLimit::Action { limit: 500 };
            terms.time = Some(TimeControl { limit, policy: TimeoutPolicy::ForfeitMatch });
        }
    });
    let report = verify(&UID, &log, None);
    let [(Check::Clocks, revision)] = failures(&report)[..] else { panic!("{report:#?}") };
    let late = decode(&log[revision as usize - 1].bytes).unwrap();
    assert!(late.time > decode(&log[0].bytes).unwrap().time, "not before anybody had time to be late");
    assert_eq!(report.rules_replay, Outcome::skipped(format!("event {revision} did not come in time")));
}

#[test]
fn time_that_ran_out_before_it_did_fails_by_the_clocks() {
    let expired = |log: &[StoredEvent]| {
        let entry = log
            .iter()
            .map(|event| decode(&event.bytes).unwrap())
            .find(|entry| matches!(entry.event, Event::TimeExpired { .. }));
        entry.map(|entry| entry.revision)
    };
    let found = golden().into_iter().find_map(|(_, log)| Some((expired(&log)?, log)));
    let (revision, log) = found.unwrap();
    // Whoever was late had all the time there is.
    let early = changed(&log, |entry| {
        let time = |limit| TimeControl { limit, policy: TimeoutPolicy::ForfeitMatch };
        if let Event::MatchCreated(terms) = &mut entry.event {
            let policy = terms.time.map_or(TimeoutPolicy::ForfeitMatch, |time| time.policy);
            let long = TimeLimit::Clock { reserve: 1 << 40, mode: ClockMode::Fischer, per_turn: 0 };
            terms.time = Some(TimeControl { policy, ..time(long) });
        }
    });
    let report = verify(&UID, &early, None);
    assert!(failures(&report).contains(&(Check::Clocks, revision)), "{report:#?}");
}

#[test]
fn a_move_that_was_not_legal_fails_by_the_rules() {
    let Played { log, facts } = session(60_000);
    let is_move = |event: &Event| matches!(event, Event::MoveMade { seat: Seat::One, .. });
    let moved = first(&log, is_move);
    let mut other = None;
    let log = changed(&log, |entry| {
        if let (true, Event::MoveMade { mv, .. }) = (is_move(&entry.event), &mut entry.event) {
            if let (true, Some(other)) = (entry.revision == moved, other) {
                *mv = other;
            }
            other = Some(*mv);
        }
    });
    let report = verify(&UID, &log, Some(&facts));
    assert_eq!(revision_of(&report.rules_replay), Some(moved), "{report:#?}");
    assert_eq!(report.clocks, Outcome::skipped(format!("event {moved} is against the rules")));
}

#[test]
fn what_is_said_beside_the_log_must_follow_from_it() {
    let Played { log, facts } = session(60_000);
    let mut said = facts.clone();
    said.winner = Some(Seat::Two);
    let report = verify(&UID, &log, Some(&said));
    assert_eq!(report.state, Outcome::failed(0, "winner is Some(Two), by the log None"));
    assert!(!report.passed() && report.first_bad().is_none(), "the log itself is good");

    let cut = &log[..log.len() - 1];
    let report = verify(&UID, cut, Some(&facts));
    assert_eq!(report.state, Outcome::failed(facts.revision, "the log ends before its head"));
    assert_eq!(verify(&UID, &log, None).state, Outcome::skipped("nothing is said beside the log"));
}

#[test]
fn the_first_bad_event_is_the_earliest_of_all_checks() {
    let mut report = verify(&UID, &session(60_000).log, None);
    report.dice_proof = Outcome::failed(9, "dice");
    report.hash_chain = Outcome::failed(12, "hash");
    report.state = Outcome::failed(0, "beside");
    assert_eq!(report.first_bad(), Some((9, "dice")));
}
