//! Where dice come from, and what others contribute to them.

use std::time::Duration;

use chaquete_proto::v1::{self, contribute_entropy_request::Contribution as Given};
use chaquete_rules::{
    Awaited, Command, Contributing, Contribution, Contributor, DiceCommitment, DiceSource, Entropy, Millis,
    Seat,
};

use super::{
    command::{Head, Told, TurnAction, same_parts},
    scalar::{self, number},
    violations::{Path, Violations},
    words,
};

/// The name of our dice scheme, as in its specification.
const DICE_SCHEME: &str = "bgdice/1";

/// The time for contributions, unless another is agreed.
const USUAL_TIMEOUT: Millis = 60_000;

const DAY: Duration = Duration::from_hours(24);

/// Where the dice of a match are to come from, with the seed of seeded dice.
pub(super) fn read_dice_policy(
    violations: &mut Violations,
    path: Path<'_>,
    policy: &v1::DicePolicy,
    allow_seeded_dice: bool,
) -> Option<(DiceSource, Option<[u8; 32]>)> {
    let source = scalar::known(violations, path.field("source"), policy.source).map(words::read_dice_source);
    let contributing = read_contributing(violations, path, policy, source);
    let seed = <[u8; 32]>::try_from(policy.seed.as_slice()).ok();
    if source == Some(DiceSource::Seeded) {
        violations.check(seed.is_some(), path.field("seed"), "is required for seeded dice: 32 bytes");
        violations.check(
            allow_seeded_dice,
            path.field("source"),
            "must not be DICE_SOURCE_SEEDED: the configuration of this server does not allow it",
        );
    } else {
        violations.check(policy.seed.is_empty(), path.field("seed"), "is for DICE_SOURCE_SEEDED only");
    }
    let source = match source? {
        DiceSource::Committed(_) => DiceSource::Committed(contributing?),
        source => source,
    };
    Some((source, seed))
}

fn read_contributing(
    violations: &mut Violations,
    path: Path<'_>,
    policy: &v1::DicePolicy,
    source: Option<DiceSource>,
) -> Option<Option<Contributing>> {
    let is_committed = source.is_none_or(DiceSource::is_committed);
    violations.check(
        is_committed || !policy.players_contribute,
        path.field("players_contribute"),
        "is for committed dice only",
    );
    let creator = match (&policy.creator_commitment[..], is_committed) {
        ([], _) => Some(None),
        (bytes, true) => commitment(bytes).map(Some),
        (_, false) => None,
    };
    violations.check(
        creator.is_some(),
        path.field("creator_commitment"),
        "must be 32 bytes, not all of them zero, or empty; it is for committed dice only",
    );
    let timeouts = Duration::from_secs(1)..=DAY;
    let timeout = policy.contribution_timeout.as_ref();
    let timeout = scalar::millis(violations, path.field("contribution_timeout"), timeout, timeouts)?;
    Some(Contributing::new(policy.players_contribute, creator?, timeout.unwrap_or(USUAL_TIMEOUT)))
}

/// A commitment. Zeros stand for nobody's.
fn commitment(bytes: &[u8]) -> Option<[u8; 32]> {
    bytes.try_into().ok().filter(|bytes| *bytes != [0; 32])
}

/// Where the dice of a match come from, without what is secret.
#[must_use]
pub fn dice_policy(dice: DiceSource) -> v1::DicePolicy {
    let contributing = dice.contributing();
    v1::DicePolicy {
        source: words::dice_source(dice).into(),
        players_contribute: contributing.is_some_and(Contributing::players),
        creator_commitment: contributing.and_then(Contributing::creator).map(Vec::from).unwrap_or_default(),
        contribution_timeout: contributing.map(|contributing| scalar::time_span(contributing.timeout())),
        seed: Vec::new(),
    }
}

/// What is fixed before the first roll of an epoch of committed dice, and what others have opened since.
#[must_use]
pub fn dice_commitment(commitment: &DiceCommitment, entropy: Option<&Entropy>) -> v1::DiceCommitment {
    let of_epoch = entropy.filter(|entropy| entropy.epoch == commitment.epoch);
    // Contributions to the next epoch are awaited once all rolls of this one have fallen, and so all was opened.
    let is_used_up = entropy.is_some_and(|entropy| entropy.epoch > commitment.epoch);
    let opening = |by| of_epoch.and_then(|entropy| entropy.openings[by]);
    let assurance = |by: Contributor| {
        let contributed = is_used_up && commitment.commitments[by as usize] != [0; 32];
        match opening(by) {
            Some(_) => v1::DiceAssurance::Contributed,
            None if contributed => v1::DiceAssurance::Contributed,
            None => v1::DiceAssurance::Committed,
        }
    };
    v1::DiceCommitment {
        scheme: DICE_SCHEME.to_owned(),
        key_id: commitment.key_id.clone(),
        epoch: number(commitment.epoch),
        anchor: commitment.anchor.to_vec(),
        commitments: commitment.commitments.iter().map(|bytes| bytes.to_vec()).collect(),
        openings: Contributor::ALL.map(|by| opening(by).map(Vec::from).unwrap_or_default()).into(),
        assurances: Contributor::ALL.map(|by| assurance(by).into()).into(),
    }
}

/// What the dice wait for, by contributor.
#[must_use]
pub fn awaited(awaits: impl Fn(Contributor) -> Option<Awaited>) -> Vec<v1::AwaitedContribution> {
    let awaited = |by: Contributor| {
        let kind = match awaits(by)? {
            Awaited::Commitment => v1::ContributionKind::Commitment,
            Awaited::Opening => v1::ContributionKind::Opening,
        };
        Some(v1::AwaitedContribution { seat: words::seat_or_none(by.seat()), kind: kind.into() })
    };
    Contributor::ALL.into_iter().filter_map(awaited).collect()
}

impl TurnAction for v1::ContributeEntropyRequest {
    same_parts!("ContributeEntropy", ContributeEntropyResponse {});

    /// What is awaited comes once, so the contract asks for no guard.
    const IS_GUARDED: bool = false;

    /// Without a seat it is the creator who contributes.
    const NEEDS_SEAT: bool = false;

    fn command(&self, violations: &mut Violations, seat: Option<Seat>) -> Option<Command> {
        let contribution = match &self.contribution {
            Some(Given::Commitment(bytes)) => {
                let commitment = commitment(bytes).map(Contribution::Commitment);
                let path = Path::root("commitment");
                violations.check(commitment.is_some(), path, "must be 32 bytes, not all of them zero");
                commitment
            }
            Some(Given::Opening(bytes)) => {
                let opening = bytes.as_slice().try_into().ok().map(Contribution::Opening);
                violations.check(opening.is_some(), Path::root("opening"), "must be 32 bytes");
                opening
            }
            None => {
                violations.add(Path::root("contribution"), "is required: `commitment` or `opening`");
                None
            }
        };
        Some(Command::Contribute { by: Contributor::of(seat), contribution: contribution? })
    }
}
