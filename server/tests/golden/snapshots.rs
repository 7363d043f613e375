//! A match goes on from a snapshot exactly as from its log.

use chaquete_rules::{Event, Match, evolve};
use chaquete_server::log::{
    self, Entry, Hash,
    snapshot::{BadSnapshot, Snapshot, decode_snapshot, encode_snapshot},
};
use uuid::Uuid;

use super::{entries, logs, uid};

/// The snapshots of a match after each of its events.
fn snapshots(uid: &Uuid, lines: &[String], entries: &[Entry]) -> Vec<Snapshot> {
    let Event::MatchCreated(terms) = &entries[0].event else { panic!("a log begins with a creation") };
    let mut snapshot = Snapshot {
        revision: 0,
        hash: log::initial_hash(uid),
        rules_version: entries[0].rules,
        create_time: entries[0].time,
        update_time: entries[0].time,
        start_time: None,
        end_time: None,
        game_ends: Vec::new(),
        state: Match::new((**terms).clone()),
    };
    let mut after_each = Vec::new();
    for (line, entry) in lines.iter().zip(entries) {
        snapshot.revision = entry.revision;
        snapshot.hash = log::next_hash(&snapshot.hash, line.as_bytes());
        snapshot.update_time = entry.time;
        match &entry.event {
            Event::GameStarted { .. } => snapshot.start_time = snapshot.start_time.or(Some(entry.time)),
            Event::GameEnded(_) => snapshot.game_ends.push((entry.revision, entry.time)),
            Event::MatchEnded { .. } => snapshot.end_time = Some(entry.time),
            _ => {}
        }
        if entry.revision > 1 {
            evolve(&mut snapshot.state, &entry.event, entry.time).unwrap();
        }
        after_each.push(snapshot.clone());
    }
    after_each
}

/// What the rest of a log makes of a match, and the head of the log.
fn folded(snapshot: Snapshot, lines: &[String], entries: &[Entry]) -> (Match, Hash) {
    let Snapshot { mut state, mut hash, revision, .. } = snapshot;
    for (line, entry) in lines.iter().zip(entries).skip(revision as usize) {
        evolve(&mut state, &entry.event, entry.time).unwrap();
        hash = log::next_hash(&hash, line.as_bytes());
    }
    (state, hash)
}

/// Calls with every golden match: its uid, its lines, its entries, the snapshots after each.
fn each(mut look: impl FnMut(&Uuid, &[String], &[Entry], &[Snapshot])) {
    for (number, lines) in (0..).zip(logs()) {
        let (uid, entries) = (uid(number), entries(&lines));
        look(&uid, &lines, &entries, &snapshots(&uid, &lines, &entries));
    }
}

#[test]
fn a_match_goes_on_from_any_snapshot_as_from_its_log() {
    let mut seen = 0;
    each(|uid, lines, entries, snapshots| {
        let end = snapshots.last().map(|last| (last.state.clone(), last.hash)).unwrap();
        for snapshot in snapshots {
            let bytes = encode_snapshot(snapshot, uid);
            let read = decode_snapshot(&bytes, uid);
            assert_eq!(read.as_ref(), Ok(snapshot), "{uid}: {}", String::from_utf8_lossy(&bytes));
            assert_eq!(encode_snapshot(read.as_ref().unwrap(), uid), bytes);
            assert_eq!(folded(read.unwrap(), lines, entries), end, "{uid}, after {}", snapshot.revision);
            seen += 1;
        }
    });
    assert!(seen > 7_900, "only {seen} snapshots");
}

#[test]
fn a_snapshot_with_a_flipped_bit_cut_off_or_of_another_match_is_refused() {
    let mut number = 0;
    each(|uid, _, _, snapshots| {
        number += 1;
        let other = super::uid(number);
        for (place, snapshot) in snapshots.iter().enumerate() {
            let mut bytes = encode_snapshot(snapshot, uid);
            assert_eq!(decode_snapshot(&bytes, &other), Err(BadSnapshot::Checksum));
            // A bit and a length of each snapshot: over all of them every place is met.
            let at = (place * 131 + number as usize * 17) % bytes.len();
            assert_eq!(decode_snapshot(&bytes[..at], uid), Err(BadSnapshot::Checksum));
            bytes[at] ^= 1 << (place % 8);
            assert_eq!(decode_snapshot(&bytes, uid), Err(BadSnapshot::Checksum), "{uid}, byte {at}");
        }
    });
}

#[test]
fn a_snapshot_is_small() {
    let mut lengths = Vec::new();
    each(|uid, _, _, snapshots| {
        lengths.extend(snapshots.iter().map(|snapshot| encode_snapshot(snapshot, uid).len()));
    });
    lengths.sort_unstable();
    let (least, median, most) = (lengths[0], lengths[lengths.len() / 2], lengths[lengths.len() - 1]);
    println!("{} snapshots of {least} to {most} bytes, the median {median}", lengths.len());
    assert!(median < 1_000 && most < 2_000, "median {median}, most {most}");
}
