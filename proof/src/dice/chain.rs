//! The construction itself: pure functions, exact to the byte.
//!
//! Integers are big-endian, every tag ends in a zero byte.

use chaquete_rules::{Contributions, Contributor, Dice, Die};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// How many links a chain has, besides its anchor. Rolls stop short of it, at
/// [`ROLLS_PER_EPOCH`](chaquete_rules::ROLLS_PER_EPOCH).
pub const LINKS: u32 = 4_096;

/// Links from one checkpoint of a chain to the next.
pub const STRIDE: usize = 64;

const _: () = assert!(chaquete_rules::ROLLS_PER_EPOCH <= LINKS);

/// One link of a hash chain. Link 0 is the anchor.
pub type Link = [u8; 32];

/// The link before this one: it follows from it, and nobody can find the way back.
#[must_use]
pub fn previous_link(link: &Link) -> Link {
    Sha256::new().chain_update(b"bgdice/1 link\0").chain_update(link).finalize().into()
}

/// The hash chain of one epoch of a match.
///
/// The links are revealed from the first to the last, but made from the last to the first; one in 64 is kept.
#[derive(Clone)]
pub struct Chain {
    anchor: Link,
    /// The links 64, 128, … up to the tip.
    checkpoints: Box<[Link]>,
}

impl Chain {
    /// The chain that a secret key gives an epoch of a match.
    #[must_use]
    pub fn new(secret: &[u8; 32], match_uid: &Uuid, epoch: u32) -> Self {
        let tip = hmac(secret, &[b"bgdice/1 tip\0", match_uid.as_bytes(), &epoch.to_be_bytes()]);
        let mut checkpoints = vec![[0; 32]; LINKS as usize / STRIDE].into_boxed_slice();
        let mut link = tip;
        for checkpoint in checkpoints.iter_mut().rev() {
            *checkpoint = link;
            for _ in 0..STRIDE {
                link = previous_link(&link);
            }
        }
        Self { anchor: link, checkpoints }
    }

    /// Link 0, which the server commits to.
    #[must_use]
    pub const fn anchor(&self) -> &Link {
        &self.anchor
    }

    /// The link that roll number `index` reveals, 1 to [`LINKS`].
    #[must_use]
    pub fn link(&self, index: u32) -> Option<Link> {
        let (segment, place) = place(index)?;
        Some(self.segment(segment)?[place])
    }

    /// The links up to a checkpoint: `64 i + 1` to `64 i + 64` for segment `i`.
    #[must_use]
    pub fn segment(&self, segment: usize) -> Option<[Link; STRIDE]> {
        let mut links = [*self.checkpoints.get(segment)?; STRIDE];
        for place in (1..STRIDE).rev() {
            links[place - 1] = previous_link(&links[place]);
        }
        Some(links)
    }
}

/// In which segment link number `index` is, and at which place in it; `None` for the anchor.
#[must_use]
pub fn place(index: u32) -> Option<(usize, usize)> {
    let from_zero = index.checked_sub(1)? as usize;
    Some((from_zero / STRIDE, from_zero % STRIDE))
}

/// What a contributor commits to before it may open its contribution.
#[must_use]
pub fn commitment(by: Contributor, contribution: &[u8; 32]) -> [u8; 32] {
    let tagged = Sha256::new().chain_update(b"bgdice/1 commit\0").chain_update([by.number()]);
    tagged.chain_update(contribution).finalize().into()
}

/// Whether these bytes are what a contributor has committed to.
#[must_use]
pub fn opens(by: Contributor, committed: &[u8; 32], opening: &[u8; 32]) -> bool {
    commitment(by, opening) == *committed
}

/// The commitments to these contributions, in their order; zeros where there is none.
#[must_use]
pub fn commitments(contributions: &Contributions) -> [[u8; 32]; 3] {
    let of = |by| contributions[by].map(|contribution| commitment(by, &contribution)).unwrap_or_default();
    Contributor::ALL.map(of)
}

/// A value of a public source of randomness. All zeros while there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beacon {
    /// Which source; 0 for none.
    pub kind: u8,
    /// Which of its values.
    pub round: u64,
    /// The value.
    pub value: [u8; 32],
}

/// What ties the rolls of an epoch to its match, its chain and its contributions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding([u8; 32]);

impl Binding {
    /// Mode 0: one chain, that of the server.
    const MODE: u8 = 0;

    /// The binding of an epoch in mode 0.
    #[must_use]
    pub fn new(match_uid: &Uuid, anchor: &Link, contributions: &Contributions, beacon: &Beacon) -> Self {
        let mut hash = Sha256::new()
            .chain_update(b"bgdice/1 bind\0")
            .chain_update(match_uid.as_bytes())
            .chain_update([Self::MODE])
            .chain_update(anchor)
            .chain_update(commitments(contributions).as_flattened());
        for contribution in &contributions.0 {
            let bytes = contribution.as_ref().map_or(&[][..], |bytes| bytes);
            hash = hash.chain_update([bytes.len() as u8]).chain_update(bytes);
        }
        let hash = hash.chain_update([beacon.kind]).chain_update(beacon.round.to_be_bytes());
        Self(hash.chain_update(beacon.value).finalize().into())
    }
}

/// The dice of roll number `index`, which follow from the link that the roll reveals.
#[must_use]
pub fn roll(link: &Link, binding: &Binding, index: u32) -> Dice {
    // Mode 0 has no links of others: their length is 0.
    let others = [0];
    shake(|block| {
        let block = block.to_be_bytes();
        hmac(link, &[b"bgdice/1 roll\0", &binding.0, &index.to_be_bytes(), &others, &block])
    })
}

/// Two dice from an endless row of random blocks. Bytes from 252 on are passed over: with them the faces 1
/// to 4 would come up more often.
#[must_use]
pub fn shake(block: impl Fn(u32) -> [u8; 32]) -> Dice {
    let mut first = None;
    let mut number = 0;
    loop {
        for die in
            block(number).into_iter().filter(|&byte| byte < 252).filter_map(|byte| Die::new(1 + byte % 6))
        {
            match first {
                None => first = Some(die),
                Some(first) => return Dice { first, second: die },
            }
        }
        number += 1;
    }
}

/// HMAC-SHA256 over the parts, one after the other.
#[must_use]
pub fn hmac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
