//! Links of dice in a packed log. Each follows from the one after it, and chance cannot be compressed: without them a log
//! takes half the room. So only the last link of a chain is kept, and the others are empty.

use chaquete_proof::{
    dice::{Link, previous_link},
    hex,
};

/// The key is the last one of its event, and no text holds a quotation mark that is not escaped.
const BEGIN: &[u8] = b",\"link\":\"";
const END: &[u8] = b"\"}";

/// Where the digits of a link are in an event: none where it was left out. `None`: the event has no link.
fn place(event: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = event.strip_suffix(END)?.len();
    let begins = |digits: usize| {
        let begin = end.checked_sub(digits)?;
        event[..begin].ends_with(BEGIN).then_some(begin..end)
    };
    begins(0).or_else(|| begins(2 * size_of::<Link>()))
}

fn link(event: &[u8]) -> Option<Link> {
    hex::decode(std::str::from_utf8(&event[place(event)?]).ok()?)
}

/// Leaves out every link that follows from the next one.
pub(super) fn leave_out(events: &mut [Vec<u8>]) {
    let mut next = None;
    for event in events.iter_mut().rev() {
        let (Some(place), Some(link)) = (place(event), link(event)) else { continue };
        if next.is_some_and(|next| previous_link(&next) == link) {
            event.drain(place);
        }
        next = Some(link);
    }
}

/// Fills in what was left out. Where there is nothing that it follows from, it stays away.
pub(super) fn fill_in(events: &mut [Vec<u8>]) {
    let mut next: Option<Link> = None;
    for event in events.iter_mut().rev() {
        let Some(place) = place(event) else { continue };
        if place.is_empty() {
            let Some(link) = next.map(|next| previous_link(&next)) else { continue };
            event.splice(place, hex::encode(&link).into_bytes());
            next = Some(link);
        } else {
            next = link(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(link: &str) -> Vec<u8> {
        format!("{{\"seq\":1,\"dice\":\"3-1\",\"link\":\"{link}\"}}").into_bytes()
    }

    #[test]
    fn of_each_chain_only_the_last_link_is_kept() {
        let chain = |last: u8| {
            let mut links = vec![[last; 32]];
            for _ in 0..3 {
                links.insert(0, previous_link(&links[0]));
            }
            links
        };
        let of = |links: &[Link]| links.iter().map(|link| event(&hex::encode(link))).collect::<Vec<_>>();
        let others = [
            b"{\"seq\":5}".to_vec(),
            event("12"),
            b"".to_vec(),
            b"{\"text\":\"link\\\",\\\"link\\\":\\\"\"}".to_vec(),
        ];
        let log = [of(&chain(1)), others.to_vec(), of(&chain(2)), others.to_vec()].concat();
        let mut packed = log.clone();
        leave_out(&mut packed);
        let left_out: Vec<bool> = packed.iter().map(|event| event.ends_with(b",\"link\":\"\"}")).collect();
        let of_chain = [true, true, true, false];
        assert_eq!(left_out, [of_chain, [false; 4], of_chain, [false; 4]].concat());
        fill_in(&mut packed);
        assert_eq!(packed, log);
    }

    #[test]
    fn a_link_that_follows_from_nothing_stays() {
        let log = vec![event(&"1".repeat(64)), event(&"2".repeat(64)), event(&"A".repeat(64))];
        let mut packed = log.clone();
        leave_out(&mut packed);
        assert_eq!(packed, log);
        let mut damaged = vec![event(""), event("")];
        fill_in(&mut damaged);
        assert_eq!(damaged, [event(""), event("")]);
    }
}
