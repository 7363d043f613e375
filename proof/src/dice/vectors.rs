//! The vectors of `bgdice/1`, which a verifier that is not ours has made.

use chaquete_rules::{Contributions, Contributor, Dice};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::*;
use crate::hex;

const V1: &str = include_str!("../../../tests/data/dice/dice_v1.json");
const V2: &str = include_str!("../../../tests/data/dice/dice_v2.json");
const V3: &str = include_str!("../../../tests/data/dice/dice_v3.json");

const UID: Uuid = Uuid::from_u128(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);

fn chain() -> Chain {
    Chain::new(&[0x11; 32], &UID, 0)
}

/// A vector: what it commits to and opens, its chain and its binding.
struct Vector {
    json: Value,
    chain: Chain,
    binding: Binding,
}

fn bytes32(value: &Value) -> Option<[u8; 32]> {
    hex::decode(value.as_str()?)
}

fn vector(text: &str) -> Vector {
    let json: Value = serde_json::from_str(text).unwrap();
    assert_eq!(json["match_id"], hex::encode(UID.as_bytes()));
    assert_eq!(json["mode"], 0);
    let chain = chain();
    assert_eq!(bytes32(&json["anchor"]), Some(*chain.anchor()));
    let contributions = Contributions([0, 1, 2].map(|role| bytes32(&json["opened"][role])));
    assert_eq!(commitments(&contributions), [0, 1, 2].map(|role| bytes32(&json["commits"][role]).unwrap()));
    let beacon = json.get("beacon").map_or(Beacon::default(), |beacon| Beacon {
        kind: beacon[0].as_u64().unwrap() as u8,
        round: beacon[1].as_u64().unwrap(),
        value: bytes32(&beacon[2]).unwrap(),
    });
    let binding = Binding::new(&UID, chain.anchor(), &contributions, &beacon);
    Vector { json, chain, binding }
}

impl Vector {
    fn roll(&self, index: u32) -> Dice {
        roll(&self.chain.link(index).unwrap(), &self.binding, index)
    }
}

#[test]
fn the_chain_is_the_published_one() {
    let chain = chain();
    assert!(hex::encode(&chain.link(LINKS).unwrap()).starts_with("905c6f6a"));
    assert!(hex::encode(&chain.link(LINKS).unwrap()).ends_with("d6120"));
    assert_eq!(
        hex::encode(chain.anchor()),
        "9e14557615f1fb3f1ba3238cadca35f3a7ed711b5f873cb8c66216a5df16c950"
    );
}

#[test]
fn each_link_hashes_to_the_one_before() {
    let chain = chain();
    let mut previous = *chain.anchor();
    for index in 1..=LINKS {
        let link = chain.link(index).unwrap();
        assert_eq!(previous_link(&link), previous, "link {index}");
        previous = link;
    }
    assert_eq!(chain.link(0), None);
    assert_eq!(chain.link(LINKS + 1), None);
}

#[test]
fn other_matches_and_epochs_have_other_chains() {
    let anchors = [
        *chain().anchor(),
        *Chain::new(&[0x11; 32], &UID, 1).anchor(),
        *Chain::new(&[0x11; 32], &Uuid::nil(), 0).anchor(),
        *Chain::new(&[0x12; 32], &UID, 0).anchor(),
    ];
    for (place, anchor) in anchors.iter().enumerate() {
        assert!(!anchors[..place].contains(anchor));
    }
}

#[test]
fn the_rolls_are_the_published_ones() {
    for text in [V1, V2, V3] {
        let vector = vector(text);
        let rolls = vector.json["rolls"].as_array().unwrap();
        assert_eq!(rolls.len(), 60);
        for (index, published) in (1..).zip(rolls) {
            assert_eq!(bytes32(&published["s"]), vector.chain.link(index), "link {index}");
            let dice = vector.roll(index);
            assert_eq!(published["dice"], serde_json::json!([dice.first.pips(), dice.second.pips()]));
        }
    }
}

#[test]
fn all_rolls_together_have_the_published_digests() {
    for (text, digest) in [
        (V1, "cb6bcaa48c56f045969f08083cb7c95a99f1f3832c34d3e06e3d42e110b01a23"),
        (V2, "8a4fdbb8c7903d04e640a2f93034b0959844d73d11eec3105cc8b5524997382b"),
        (V3, "d788bea6763919b4f92950bc0f061c64280f147407748ff48ca64cb99396b618"),
    ] {
        let vector = vector(text);
        let links =
            (0..LINKS as usize / chain::STRIDE).flat_map(|number| vector.chain.segment(number).unwrap());
        let rolls = (1..).zip(links).map(|(index, link)| roll(&link, &vector.binding, index));
        let digits: String = rolls.map(|dice| format!("{}{}", dice.first, dice.second)).collect();
        assert_eq!(hex::encode(&Sha256::digest(digits)), digest);
    }
}

/// Roll 21 of the second vector and roll 62 of the first begin with bytes that are passed over.
#[test]
fn bytes_beyond_252_are_passed_over() {
    assert_eq!(Some(vector(V2).roll(21)), Dice::new(2, 3));
    assert_eq!(Some(vector(V1).roll(62)), Dice::new(4, 3));
    let blocks = |number| match number {
        0 => [255; 32],
        1 => [252; 32],
        2 => std::array::from_fn(|place| if place == 31 { 251 } else { 253 }),
        _ => std::array::from_fn(|place| if place == 0 { 254 } else { 6 }),
    };
    assert_eq!(Some(chain::shake(blocks)), Dice::new(6, 1));
}

/// The same bytes are another commitment for another contributor.
#[test]
fn a_commitment_is_to_its_bytes_and_by_its_contributor() {
    let all = Contributor::ALL.map(|by| commitment(by, &[1; 32]));
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    assert_ne!(commitment(Contributor::SeatOne, &[0; 32]), all[0]);
    assert_eq!(commitments(&Contributions::NONE), [[0; 32]; 3]);
}
