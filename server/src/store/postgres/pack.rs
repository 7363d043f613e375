//! A log as one value: the bytes of its events, one a line, compressed.
//!
//! What follows from the rest is not in it: hashes, request ids, and of each chain of dice all links but the last.

mod links;

use uuid::Uuid;

use crate::{log, store::StoredEvent};

/// How hard is tried. Higher levels take many times as long and save a tenth.
const LEVEL: i32 = 9;

/// The largest log that is unpacked, in bytes: hundreds of times the longest match, and a bound for damaged archives.
const MAX_LOG: usize = 256 << 20;

/// Packs a whole log. `None`: its hashes do not follow from its bytes, so it must stay as it is.
pub(super) fn pack(uid: Uuid, events: &[StoredEvent]) -> Option<Vec<u8>> {
    let mut bytes: Vec<Vec<u8>> = events.iter().map(|event| event.bytes.clone()).collect();
    links::leave_out(&mut bytes);
    let packed = zstd::bulk::compress(&bytes.join(&b'\n'), LEVEL).ok()?;
    // What cannot be had back must not be thrown away.
    (unpack(uid, &packed, 0, u32::MAX).ok()? == events).then_some(packed)
}

/// Events of a packed log after a revision, at most `limit` of them. Only these are looked into.
pub(super) fn unpack(uid: Uuid, packed: &[u8], after: u32, limit: u32) -> Result<Vec<StoredEvent>, String> {
    let mut log = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(packed).map_err(|error| error.to_string())?;
    let mut bounded = std::io::Read::take(decoder, MAX_LOG as u64 + 1);
    std::io::Read::read_to_end(&mut bounded, &mut log).map_err(|error| error.to_string())?;
    if log.len() > MAX_LOG {
        return Err("a packed log is larger than any can be".to_owned());
    }
    let mut events: Vec<Vec<u8>> = log.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    links::fill_in(&mut events);
    let mut hash = log::initial_hash(&uid);
    let last = after.saturating_add(limit);
    let event = |(revision, bytes): (u32, Vec<u8>)| {
        hash = log::next_hash(&hash, &bytes);
        if revision <= after {
            return None;
        }
        // An event that does not decode is for whoever reads the log to find.
        let request_id = log::decode(&bytes).ok().and_then(|entry| entry.part.found_by());
        Some(StoredEvent { revision, hash, request_id, bytes })
    };
    Ok((1..=last).zip(events).filter_map(event).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::suite::golden;

    fn unpack(uid: Uuid, packed: &[u8]) -> Result<Vec<StoredEvent>, String> {
        super::unpack(uid, packed, 0, u32::MAX)
    }

    fn golden() -> Vec<(Uuid, Vec<StoredEvent>)> {
        golden::logs(|n| Uuid::from_u128(n as u128))
    }

    #[test]
    fn a_log_is_unpacked_as_it_was_packed() {
        let logs = golden();
        assert!(logs.len() >= 200);
        for (uid, events) in &logs {
            let packed = pack(*uid, events).unwrap();
            assert_eq!(unpack(*uid, &packed).unwrap(), *events);
            let size: usize = events.iter().map(|event| event.bytes.len()).sum();
            assert!(packed.len() * 2 < size + 500, "{} of {size}", packed.len());
        }
    }

    #[test]
    fn any_part_of_a_log_is_unpacked() {
        let (uid, events) = golden().swap_remove(0);
        let packed = pack(uid, &events).unwrap();
        let whole = events.len() as u32;
        for (after, limit) in [(0, 0), (0, 1), (2, 3), (whole - 1, 5), (whole, 1), (u32::MAX, u32::MAX)] {
            let part: Vec<_> = events.iter().skip(after as usize).take(limit as usize).cloned().collect();
            assert_eq!(super::unpack(uid, &packed, after, limit).unwrap(), part, "{limit} after {after}");
        }
    }

    #[test]
    fn a_log_that_could_not_be_had_back_is_not_packed() {
        let (uid, mut events) = golden().swap_remove(0);
        assert_eq!(pack(Uuid::max(), &events), None, "the log of another match");
        events[2].hash = events[1].hash;
        assert_eq!(pack(uid, &events), None);
        let (uid, mut events) = golden().swap_remove(0);
        events[1].request_id = Some(Uuid::max());
        assert_eq!(pack(uid, &events), None);
        let (uid, mut events) = golden().swap_remove(0);
        events.remove(3);
        assert_eq!(pack(uid, &events), None);
    }

    #[test]
    fn damaged_archives_are_refused_or_fail_their_chain() {
        let (uid, events) = golden().swap_remove(0);
        let packed = pack(uid, &events).unwrap();
        for place in 0..packed.len() {
            let mut damaged = packed.clone();
            damaged[place] ^= 1 << (place % 8);
            let same = unpack(uid, &damaged)
                .is_ok_and(|log| log.last().unwrap().hash == events.last().unwrap().hash);
            assert!(!same || unpack(uid, &damaged).unwrap() == events, "byte {place}");
        }
        assert!(unpack(uid, &packed[..packed.len() / 2]).is_err());
    }
}
