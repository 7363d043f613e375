use std::thread;

use chaquete_proof::{dice::LINKS, hex};
use chaquete_rules::ROLLS_PER_EPOCH;
use sha2::{Digest, Sha256};

use super::*;
use crate::dice::DiceKey;

const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

fn key(id: &str, byte: u8) -> DiceKey {
    DiceKey::new(id, [byte; 32]).unwrap()
}

fn cups() -> Cups {
    Cups::new(DiceKeys::single(key("k", 0x11)), 100)
}

/// Two keys: the first for new epochs.
fn two_keys(first: (&str, u8), second: (&str, u8)) -> Cups {
    let line = |(id, byte): (&str, u8)| format!("{id} {}\n", hex::encode(&[byte; 32]));
    Cups::new(format!("{}{}", line(first), line(second)).parse().unwrap(), 100)
}

#[test]
fn a_cup_commits_to_the_published_chain_and_rolls_from_it() {
    let cup = cups().committed(UID, None).unwrap();
    let commitment = cup.commit(0, &Contributions::NONE).unwrap();
    assert_eq!(commitment.key_id, "k");
    assert_eq!(commitment.epoch, 0);
    assert!(hex::encode(&commitment.anchor).starts_with("9e145576"));
    assert_eq!(commitment.commitments, [[0; 32]; 3]);
    let first = cup.roll(0, 1, &Contributions::NONE);
    assert_eq!(Some(first.dice), Dice::new(1, 2));
    assert!(hex::encode(&first.link.unwrap()).starts_with("531ca62c"));
}

#[test]
fn a_roll_is_the_same_however_often_and_in_whatever_order_it_is_asked_for() {
    let cup = cups().committed(UID, None).unwrap();
    let rolls: Vec<_> = (1..=ROLLS_PER_EPOCH).map(|index| cup.roll(0, index, &Contributions::NONE)).collect();
    for index in [4_000, 1, 64, 65, 63, 128, 64, 2_000, 1, 4_000] {
        assert_eq!(cup.roll(0, index, &Contributions::NONE), rolls[index as usize - 1], "roll {index}");
    }
    let after_restart = cups().committed(UID, Some(&cup.commit(0, &Contributions::NONE).unwrap())).unwrap();
    for (index, roll) in (1..).zip(&rolls) {
        assert_eq!(after_restart.roll(0, index, &Contributions::NONE), *roll);
    }
}

#[test]
fn every_roll_is_the_one_that_the_construction_gives() {
    let cup = cups().committed(UID, None).unwrap();
    for epoch in [0, 1, u32::MAX] {
        let chain = Chain::new(&[0x11; 32], &UID, epoch);
        let binding = Binding::new(&UID, chain.anchor(), &Contributions::NONE, &Beacon::default());
        for index in (1..=LINKS).step_by(17) {
            let link = chain.link(index).unwrap();
            let dice = roll(&link, &binding, index);
            assert_eq!(cup.roll(epoch, index, &Contributions::NONE), Roll { dice, link: Some(link) });
        }
    }
}

#[test]
fn many_matches_at_once_get_their_own_dice_from_a_small_cache() {
    let cups = Cups::new(DiceKeys::single(key("k", 0x11)), 2);
    let roll = |uid: u128| {
        let uid = Uuid::from_u128(uid);
        let cup = cups.committed(uid, None).unwrap();
        let chain = Chain::new(&[0x11; 32], &uid, 0);
        [1, 2, 64, 65, 300]
            .into_iter()
            .all(|index| cup.roll(0, index, &Contributions::NONE).link == chain.link(index))
    };
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|thread| scope.spawn(move || (0..8).all(|n| roll(n * thread)))).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    });
    cups.epochs.run_pending_tasks();
    assert!(cups.epochs.entry_count() <= 2);
}

#[test]
fn an_epoch_goes_on_with_the_key_it_began_with() {
    let old = Cups::new(DiceKeys::single(key("old", 1)), 100).committed(UID, None).unwrap();
    let begun = old.commit(0, &Contributions::NONE).unwrap();
    let cup = two_keys(("new", 2), ("old", 1)).committed(UID, Some(&begun)).unwrap();
    assert_eq!(cup.roll(0, 5, &Contributions::NONE), old.roll(0, 5, &Contributions::NONE));
    let next = cup.commit(1, &Contributions::NONE).unwrap();
    assert_eq!(next.key_id, "new");
    assert_eq!(next.anchor, *Chain::new(&[2; 32], &UID, 1).anchor());
    assert_eq!(cup.roll(1, 1, &Contributions::NONE).link, Chain::new(&[2; 32], &UID, 1).link(1));
}

#[test]
fn no_cup_for_a_commitment_that_is_not_ours() {
    let commitment = cups().committed(UID, None).unwrap().commit(0, &Contributions::NONE).unwrap();
    let error = |cups: Cups, commitment: &DiceCommitment| cups.committed(UID, Some(commitment)).err();
    let other_id = Cups::new(DiceKeys::single(key("other", 0x11)), 100);
    assert_eq!(error(other_id, &commitment), Some(CupError::UnknownKey("k".to_owned())));
    let other_secret = Cups::new(DiceKeys::single(key("k", 0x12)), 100);
    assert_eq!(error(other_secret, &commitment), Some(CupError::WrongKey("k".to_owned())));
    assert!(cups().committed(Uuid::nil(), Some(&commitment)).is_err(), "a chain of another match");
}

/// The second vector: all three contribute.
#[test]
fn what_others_contribute_is_in_every_roll() {
    let vector: serde_json::Value =
        serde_json::from_str(include_str!("../../../../tests/data/dice/dice_v2.json")).unwrap();
    let bytes = |value: &serde_json::Value| hex::decode::<32>(value.as_str().unwrap());
    let opened = Contributions([0, 1, 2].map(|place| bytes(&vector["opened"][place])));
    let committed = Contributions([0, 1, 2].map(|place| bytes(&vector["commits"][place])));
    let cup = cups().committed(UID, None).unwrap();
    assert_eq!(Some(cup.commit(0, &committed).unwrap().anchor), bytes(&vector["anchor"]));
    for (index, published) in (1..).zip(vector["rolls"].as_array().unwrap()) {
        let Roll { dice, link } = cup.roll(0, index, &opened);
        assert_eq!(link, bytes(&published["s"]));
        assert_eq!(serde_json::json!([dice.first.pips(), dice.second.pips()]), published["dice"]);
    }
    for by in Contributor::ALL {
        let (commitment, opening) = (committed[by].unwrap(), opened[by].unwrap());
        assert!(cup.opens(by, &commitment, &opening));
        assert!(!cup.opens(by, &commitment, &[0; 32]));
    }
}

#[test]
fn each_source_has_its_cup() {
    let cups = cups();
    assert!(matches!(cups.cup(DiceSource::External, UID, None, None), Ok(None)));
    assert!(matches!(cups.cup(DiceSource::Seeded, UID, None, None), Err(CupError::NoSeed)));
    let seeded = cups.cup(DiceSource::Seeded, UID, Some(&[1; 32]), None).unwrap().unwrap();
    assert_eq!(seeded.commit(0, &Contributions::NONE), None);
    let committed = cups.cup(DiceSource::COMMITTED, UID, Some(&[1; 32]), None).unwrap().unwrap();
    assert!(committed.commit(0, &Contributions::NONE).is_some());
}

#[test]
fn neither_keys_nor_chains_are_shown() {
    let shown = format!("{:?}", cups());
    assert_eq!(shown, "Cups { keys: DiceKeys { keys: [DiceKey { id: \"k\", .. }] }, .. }");
}

/// The values come from a few lines of Python, written from the documentation of [`SeededCup`].
#[test]
fn seeded_rolls_are_those_of_the_documented_construction() {
    let cup = SeededCup::new([0x22; 32]);
    let digits = |epoch, indices: std::ops::RangeInclusive<u32>| -> String {
        let rolls = indices.map(|index| cup.roll(epoch, index, &Contributions::NONE));
        rolls.map(|roll| format!("{}{}", roll.dice.first, roll.dice.second)).collect()
    };
    assert_eq!(digits(0, 1..=8), "1451456132444215");
    assert_eq!(digits(1, 1..=8), "1515356156533526");
    assert_eq!(
        hex::encode(&Sha256::digest(digits(0, 1..=4_096))),
        "b543962e8937873b6d8cd0cf1d33f287b5857ff11cc353d9320eff224611bbb5"
    );
    assert_eq!(cup.roll(0, 1, &Contributions::NONE).link, None);
}
