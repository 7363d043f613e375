//! Cups: where a match takes its rolls from.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use chaquete_proof::dice::{Beacon, Binding, Chain, Link, STRIDE, hmac, opens, place, roll, shake};
use chaquete_rules::{Contributions, Contributor, Dice, DiceCommitment, DiceCup, DiceSource, Roll};
use moka::sync::Cache;
use uuid::Uuid;

use super::DiceKeys;

/// Why there is no cup for a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CupError {
    /// The key of the chain in use is not configured.
    #[error("the dice of this match come from the key {0:?}, which is not configured")]
    UnknownKey(String),
    /// The key of the chain in use is configured, but with another secret.
    #[error("the key {0:?} does not give the dice that this match committed to")]
    WrongKey(String),
    /// The dice are seeded, but there is no seed.
    #[error("the dice of this match are seeded, but it has no seed")]
    NoSeed,
}

/// Gives every match its cup. Cheap to clone.
#[derive(Clone)]
pub struct Cups {
    keys: Arc<DiceKeys>,
    epochs: Cache<EpochId, Arc<Epoch>>,
}

/// One chain: the place of its key among the keys, the match, the epoch.
type EpochId = (usize, Uuid, u32);

/// Chains are as secret as the keys.
impl fmt::Debug for Cups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cups").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl Cups {
    /// Cups for committed dice from these keys. At most `capacity` chains, of some 4 kB each, are kept in
    /// memory; others are made again when they are needed.
    #[must_use]
    pub fn new(keys: DiceKeys, capacity: u64) -> Self {
        Self { keys: Arc::new(keys), epochs: Cache::new(capacity) }
    }

    /// The cup of a match; `None` for external dice. `commitment` is that of the present epoch; `None`
    /// before the first.
    ///
    /// # Errors
    /// The match cannot be rolled for here: see [`CupError`].
    pub fn cup(
        &self,
        source: DiceSource,
        match_uid: Uuid,
        seed: Option<&[u8; 32]>,
        commitment: Option<&DiceCommitment>,
    ) -> Result<Option<Box<dyn DiceCup>>, CupError> {
        Ok(match source {
            DiceSource::External => None,
            DiceSource::Seeded => Some(Box::new(SeededCup::new(*seed.ok_or(CupError::NoSeed)?))),
            DiceSource::Committed(_) => Some(Box::new(self.committed(match_uid, commitment)?)),
        })
    }

    /// The cup of a match with committed dice.
    ///
    /// # Errors
    /// The commitment is not to a chain of ours: better no roll than one that its proof would refute.
    pub fn committed(
        &self,
        match_uid: Uuid,
        commitment: Option<&DiceCommitment>,
    ) -> Result<CommittedCup, CupError> {
        let present = commitment.map(|commitment| self.committed_epoch(match_uid, commitment)).transpose()?;
        Ok(CommittedCup { cups: self.clone(), match_uid, present })
    }

    fn committed_epoch(
        &self,
        match_uid: Uuid,
        commitment: &DiceCommitment,
    ) -> Result<(u32, Arc<Epoch>), CupError> {
        let key_id = || commitment.key_id.clone();
        let key = self.keys.position(&commitment.key_id).ok_or_else(|| CupError::UnknownKey(key_id()))?;
        let epoch = self.epoch((key, match_uid, commitment.epoch));
        if epoch.chain.anchor() != &commitment.anchor {
            return Err(CupError::WrongKey(key_id()));
        }
        Ok((commitment.epoch, epoch))
    }

    fn epoch(&self, id: EpochId) -> Arc<Epoch> {
        self.epochs.get_with(id, || {
            let (key, match_uid, number) = id;
            Arc::new(Epoch::new(Chain::new(self.keys.secret(key), &match_uid, number), &match_uid))
        })
    }
}

/// The chain of an epoch, and the part of it that is being rolled from.
struct Epoch {
    match_uid: Uuid,
    chain: Chain,
    /// Of rolls to which nobody contributes: most are.
    binding: Binding,
    /// Number and links of the segment in use.
    segment: Mutex<(usize, [Link; STRIDE])>,
}

impl Epoch {
    fn new(chain: Chain, match_uid: &Uuid) -> Self {
        let binding = Binding::new(match_uid, chain.anchor(), &Contributions::NONE, &Beacon::default());
        // No segment has this number, so the first roll makes its own.
        let none = (usize::MAX, [[0; 32]; STRIDE]);
        Self { match_uid: *match_uid, chain, binding, segment: Mutex::new(none) }
    }

    fn roll(&self, index: u32, contributions: &Contributions) -> Option<(Link, Dice)> {
        let link = self.link(index)?;
        let binding = match *contributions {
            Contributions::NONE => self.binding,
            _ => Binding::new(&self.match_uid, self.chain.anchor(), contributions, &Beacon::default()),
        };
        Some((link, roll(&link, &binding, index)))
    }

    /// As [`Chain::link`], but rolls one after the other cost one hash each instead of 32.
    fn link(&self, index: u32) -> Option<Link> {
        let (number, place) = place(index)?;
        let mut segment = self.segment.lock().unwrap_or_else(PoisonError::into_inner);
        if segment.0 != number {
            *segment = (number, self.chain.segment(number)?);
        }
        Some(segment.1[place])
    }
}

/// The cup of a match with committed dice.
pub struct CommittedCup {
    cups: Cups,
    match_uid: Uuid,
    /// The epoch that the match has committed to.
    present: Option<(u32, Arc<Epoch>)>,
}

impl CommittedCup {
    /// An epoch begins with the current key, and goes on with the key it began with.
    fn epoch(&self, number: u32) -> Arc<Epoch> {
        match &self.present {
            Some((present, epoch)) if *present == number => Arc::clone(epoch),
            _ => self.cups.epoch((DiceKeys::CURRENT, self.match_uid, number)),
        }
    }
}

impl DiceCup for CommittedCup {
    fn commit(&self, epoch: u32, commitments: &Contributions) -> Option<DiceCommitment> {
        Some(DiceCommitment {
            key_id: self.cups.keys.current().id().to_owned(),
            epoch,
            anchor: *self.cups.epoch((DiceKeys::CURRENT, self.match_uid, epoch)).chain.anchor(),
            commitments: commitments.0.map(Option::unwrap_or_default),
        })
    }

    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        opens(by, commitment, opening)
    }

    /// # Panics
    /// There is no such roll: the rules commit to a new epoch before the chain ends.
    fn roll(&self, epoch: u32, index: u32, contributions: &Contributions) -> Roll {
        let (link, dice) =
            self.epoch(epoch).roll(index, contributions).expect("an epoch has rolls 1 to 4000");
        Roll { dice, link: Some(link) }
    }
}

/// Dice that follow from a seed, for tests. They prove nothing: whoever has the seed knows every roll.
///
/// Roll `k` of epoch `e` is made of the blocks j = 0, 1, … with block j =
/// HMAC-SHA256(seed, "bgdice/1 seeded\0" ‖ u32 e ‖ u32 k ‖ u32 j), integers big-endian; bytes are taken in
/// order, those from 252 on are passed over, die = 1 + byte mod 6, the first two are the dice. The match does
/// not come into it: the same seed gives the same rolls in every match.
pub struct SeededCup {
    seed: [u8; 32],
}

impl SeededCup {
    /// The cup of a seed.
    #[must_use]
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed }
    }
}

impl DiceCup for SeededCup {
    fn commit(&self, _: u32, _: &Contributions) -> Option<DiceCommitment> {
        None
    }

    fn opens(&self, by: Contributor, commitment: &[u8; 32], opening: &[u8; 32]) -> bool {
        opens(by, commitment, opening)
    }

    fn roll(&self, epoch: u32, index: u32, _: &Contributions) -> Roll {
        let dice = shake(|block| {
            let (epoch, index) = (epoch.to_be_bytes(), index.to_be_bytes());
            hmac(&self.seed, &[b"bgdice/1 seeded\0", &epoch, &index, &block.to_be_bytes()])
        });
        Roll { dice, link: None }
    }
}

#[cfg(test)]
mod tests;
