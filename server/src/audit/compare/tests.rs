use chaquete_rules::{MatchEndReason, Seat, Variant};
use uuid::Uuid;

use super::*;
use crate::{
    log::{
        Hash,
        snapshot::{decode_snapshot, encode_snapshot},
    },
    store::{State, Waiting, suite::golden},
};

/// Golden matches with their logs.
fn golden() -> Vec<(StoredMatch, Vec<StoredEvent>)> {
    let logs = golden::logs(|n| Uuid::from_u128(n as u128));
    logs.into_iter().map(|(uid, log)| (golden::stored("t", uid, &log), log)).collect()
}

/// What is told of this match, column by column.
fn told(row: &StoredMatch, log: &[StoredEvent]) -> Vec<String> {
    let (_, differences) = compare(row, log).unwrap();
    differences.iter().map(|difference| difference.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn nothing_is_told_of_what_is_right() {
    let all = golden();
    assert!(all.len() >= 200);
    for (n, (mut row, log)) in all.into_iter().enumerate() {
        assert_eq!(compare(&row, &log), Ok((row.clone(), vec![])));
        // Whatever the event is at which it was kept folded.
        let some = &log[..1 + n % log.len()];
        row.snapshot = Some(golden::table("t", row.key.uid, some).snapshot());
        assert_eq!(compare(&row, &log), Ok((StoredMatch { snapshot: None, ..row }, vec![])));
    }
}

#[test]
fn every_column_that_differs_is_told() {
    let other = Hash::from_bytes([9; 32]);
    type Damage = fn(&mut StoredMatch, Hash);
    let damages: [(&str, Damage); 15] = [
        ("subject_one", |row, _| row.agreed.subjects.one += "x"),
        ("subject_two", |row, _| row.agreed.subjects.two += "x"),
        ("points", |row, _| row.agreed.points = Some(row.agreed.points.map_or(1, |points| points + 1))),
        ("variant", |row, _| {
            row.agreed.variant = match row.agreed.variant {
                Variant::Standard => Variant::Nackgammon,
                _ => Variant::Standard,
            }
        }),
        ("revision", |row, _| row.head.revision += 1),
        ("hash", |row, other| row.head.hash = other),
        ("state", |row, _| {
            row.head.state = if row.head.state == State::Active { State::Cancelled } else { State::Active }
        }),
        ("create_time", |row, _| row.head.create_time -= 1),
        ("update_time", |row, _| row.head.update_time += 1),
        ("end_time", |row, _| row.head.end_time = Some(row.head.end_time.map_or(1, |time| time + 1))),
        ("deadline", |row, _| row.head.deadline = Some(row.head.deadline.map_or(1, |time| time - 1))),
        ("waiting", |row, _| {
            let is_paused = row.standing.waiting == Some(Waiting::Paused);
            row.standing.waiting = Some(if is_paused { Waiting::Pending } else { Waiting::Paused });
        }),
        ("seat_to_act", |row, _| row.standing.seat_to_act = another(row.standing.seat_to_act)),
        ("winner", |row, _| row.standing.winner = another(row.standing.winner)),
        ("reason", |row, _| {
            let is_timeout = row.standing.reason == Some(MatchEndReason::Timeout);
            row.standing.reason =
                Some(if is_timeout { MatchEndReason::Cancelled } else { MatchEndReason::Timeout });
        }),
    ];
    for (right, log) in golden().into_iter().step_by(7) {
        for (column, damage) in damages {
            let mut row = right.clone();
            damage(&mut row, other);
            assert_eq!(told(&row, &log), [column]);
            assert_eq!(compare(&row, &log).unwrap().0, right);
        }
    }
}

fn another(seat: Option<Seat>) -> Option<Seat> {
    Some(if seat == Some(Seat::One) { Seat::Two } else { Seat::One })
}

#[test]
fn a_snapshot_that_says_something_else_is_made_anew() {
    let (right, log) = golden().swap_remove(0);
    let uid = right.key.uid;
    let half = golden::table("t", uid, &log[..log.len() / 2]).snapshot();
    let mut other = decode_snapshot(&half, &uid).unwrap();
    other.update_time += 1;
    let mut bits = half.clone();
    bits[20] ^= 1;
    for bad in [encode_snapshot(&other, &uid), bits, half[1..].to_vec(), vec![]] {
        let row = StoredMatch { snapshot: Some(bad), ..right.clone() };
        let (mended, differences) = compare(&row, &log).unwrap();
        assert!(differences.len() == 1 && differences[0].contains("snapshot"), "{differences:?}");
        let whole = golden::table("t", uid, &log).snapshot();
        assert_eq!(mended, StoredMatch { snapshot: Some(whole), ..right.clone() });
        assert_eq!(told(&mended, &log), [""; 0]);
    }
}

/// Nobody knows what was in the part that is lost, so nothing may look as if it had never been.
#[test]
fn a_log_that_was_longer_is_damaged() {
    let (right, log) = golden().swap_remove(0);
    let shorter = &log[..log.len() - 1];
    let lost = compare(&right, shorter).unwrap_err();
    assert_eq!((lost.revision, &*lost.because), (right.head.revision, "the log ends before its head"));
    let mut row = golden::stored("t", right.key.uid, shorter);
    assert_eq!(told(&row, shorter), [""; 0]);
    row.snapshot = Some(golden::table("t", right.key.uid, &log).snapshot());
    let lost = compare(&row, shorter).unwrap_err();
    assert_eq!((lost.revision, &*lost.because), (right.head.revision, "the log ends before its snapshot"));
    compare(&right, &[]).unwrap_err();
}

#[test]
fn a_log_that_fails_its_chain_is_damaged() {
    let (right, log) = golden().swap_remove(0);
    for place in [0, log.len() / 2, log.len() - 1] {
        let mut damaged = log.clone();
        let middle = damaged[place].bytes.len() / 2;
        damaged[place].bytes[middle] ^= 1;
        assert_eq!(compare(&right, &damaged).unwrap_err().revision as usize, place + 1);
    }
}
