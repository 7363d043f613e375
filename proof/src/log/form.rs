//! Whether a log is put together as servers put logs together. The hash chain does not say so, and the rules of the game
//! neither: anybody can make a chain of entries whose times run back, or whose commands have no end.

use std::collections::HashSet;

use chaquete_rules::{Event, Moment};
use uuid::Uuid;

use super::{Entry, Part, RULES_VERSION, seal::concerns_game};

/// An entry that no server writes in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {revision} is not as logs have it: {because}")]
pub struct OutOfForm {
    /// Number of the event.
    pub revision: u32,
    /// What is wrong.
    pub because: &'static str,
}

/// Until the end of the year 9999: later moments cannot be told to callers.
const MOMENTS: std::ops::RangeInclusive<Moment> = 0..=253_402_300_799_999;

/// Looks at all of a log but its events themselves: numbers, rules, times, games, and which of its entries were caused
/// by one command.
///
/// # Errors
/// The first entry that is wrong.
pub fn check_form(entries: &[Entry]) -> Result<(), OutOfForm> {
    let mut commands = Commands::default();
    let (mut time, mut game) = (*MOMENTS.start(), 0);
    for (revision, entry) in (1..).zip(entries) {
        game += u32::from(matches!(entry.event, Event::GameStarted { .. }));
        let of_game = if concerns_game(&entry.event) { game } else { 0 };
        let wrong = [
            (entry.revision != revision, "it has another number"),
            (entry.rules != RULES_VERSION, "its rules are not those that are known here"),
            (entry.time < time, "it came before the one before it"),
            (!MOMENTS.contains(&entry.time), "its time is none that can be told"),
            (entry.game != of_game, "it is of another game"),
        ];
        let wrong = wrong.into_iter().find_map(|(is_wrong, because)| is_wrong.then_some(because));
        wrong.map_or_else(|| commands.take(entry), Err).map_err(|because| OutOfForm { revision, because })?;
        time = entry.time;
    }
    commands.finish().map_err(|because| OutOfForm { revision: entries.len() as u32, because })
}

/// The commands of a log, as its entries say.
#[derive(Default)]
struct Commands {
    /// How many entries of the present one are still to come.
    rest: u32,
    time: Moment,
    request_id: Option<Uuid>,
    request_ids: HashSet<Uuid>,
}

impl Commands {
    fn take(&mut self, entry: &Entry) -> Result<(), &'static str> {
        match entry.part {
            Part::First { events, request } => {
                self.finish()?;
                let request_id = request.map(|request| request.id);
                if request_id.is_some_and(|id| !self.request_ids.insert(id)) {
                    return Err("the request_id of its command was used before");
                }
                *self = Self { rest: events.get() - 1, time: entry.time, request_id, ..std::mem::take(self) };
            }
            Part::Later { request_id } => {
                self.rest = self.rest.checked_sub(1).ok_or("its command has no beginning")?;
                if entry.time != self.time {
                    return Err("it has another time than the rest of its command");
                }
                if request_id.is_some() && request_id != self.request_id {
                    return Err("it has another request_id than the rest of its command");
                }
            }
        }
        Ok(())
    }

    const fn finish(&self) -> Result<(), &'static str> {
        if self.rest == 0 { Ok(()) } else { Err("its command has more events than there are") }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::{
        golden,
        log::{Request, decode},
    };

    fn golden() -> Vec<Vec<Entry>> {
        let logs = golden::logs(|n| Uuid::from_u128(n as u128));
        logs.iter().map(|(_, log)| log.iter().map(|event| decode(&event.bytes).unwrap()).collect()).collect()
    }

    #[test]
    fn logs_of_servers_are_in_form() {
        for log in golden() {
            assert_eq!(check_form(&log), Ok(()));
        }
        assert_eq!(check_form(&[]), Ok(()));
    }

    #[test]
    fn what_no_server_writes_shows_where_it_stands() {
        let events = |n| NonZeroU32::new(n).unwrap();
        let request = |id| Some(Request { id: Uuid::from_u128(id), digest: [1; 32] });
        let changes: [fn(&mut Entry); 6] = [
            |entry| entry.revision += 1,
            |entry| entry.rules += 1,
            |entry| entry.game += 1,
            |entry| entry.time = -1,
            |entry| entry.time = i64::MAX,
            |entry| entry.part = Part::Later { request_id: Some(Uuid::max()) },
        ];
        let log = golden().into_iter().find(|log| log.len() > 10).unwrap();
        for (change, n) in changes.into_iter().zip([3, 4, 5, 6, 7, 8]) {
            let mut changed = log.clone();
            change(&mut changed[n]);
            assert_eq!(check_form(&changed).unwrap_err().revision, n as u32 + 1, "{:?}", changed[n]);
        }
        let commands = |parts: &[Part]| {
            let mut changed = log[..parts.len()].to_vec();
            for (entry, part) in changed.iter_mut().zip(parts) {
                (entry.time, entry.part) = (log[0].time, *part);
            }
            check_form(&changed).map_err(|bad| bad.revision)
        };
        let first = |n, id| Part::First { events: events(n), request: request(id) };
        let later = |id| Part::Later { request_id: Some(Uuid::from_u128(id)) };
        let server = Part::Later { request_id: None };
        assert_eq!(commands(&[first(3, 1), later(1), server, first(1, 2)]), Ok(()));
        assert_eq!(commands(&[first(2, 1), later(1), server, first(1, 2)]), Err(3));
        assert_eq!(commands(&[first(3, 1), later(1), first(1, 2)]), Err(3));
        assert_eq!(commands(&[first(3, 1), later(2), server]), Err(2));
        assert_eq!(commands(&[first(1, 1), first(1, 2), first(1, 1)]), Err(3));
        assert_eq!(commands(&[first(1, 1), first(u32::MAX, 2), server]), Err(3));
        assert_eq!(commands(&[server]), Err(1));
    }
}
