//! The proof of a match is what a verifier accepts that is not ours.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command as Process, Stdio},
};

use chaquete_proof::{
    dice::{Unprovable, proofs},
    hex,
    log::{Actor, ActorKind, Entry, Part, RULES_VERSION},
};
use chaquete_rules::{
    BySeat, Command, Contributions, Contributor, Dice, DiceCup, DiceSource, Event, LegalMoves, Match,
    MatchPoints, MatchRules, Phase, ROLLS_PER_EPOCH, Roll, Seat, Terms, Turn, Written, create, decide,
    evolve,
};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{CommittedCup, Cups, DiceKey, DiceKeys};

const UID: Uuid = Uuid::from_u128(0x0198_0000_0000_7000_8000_0000_0000_0001);

fn cup() -> CommittedCup {
    let keys = DiceKeys::single(DiceKey::new("test", [0x33; 32]).unwrap());
    Cups::new(keys, 10).committed(UID, None).unwrap()
}

/// Seals events one by one; what a proof does not look at is always the same.
fn log(events: impl IntoIterator<Item = Event>) -> Vec<Entry> {
    let entry = |(revision, event)| Entry {
        rules: RULES_VERSION,
        revision,
        time: 0,
        actor: Actor { kind: ActorKind::Server, seat: None, subject: String::new() },
        game: 0,
        part: Part::First { events: std::num::NonZeroU32::MIN, request: None },
        event,
    };
    (1..).zip(events).map(entry).collect()
}

fn terms(dice: DiceSource) -> Terms {
    let players = BySeat::new("u-1".to_owned(), "u-2".to_owned());
    Terms::new(players, MatchRules::points(MatchPoints::new(3).unwrap()), dice)
}

/// What a player does next who neither doubles nor thinks.
fn next_command(state: &Match) -> Command {
    let game = state.game().unwrap();
    match game.phase {
        Phase::Turn(Turn::Roll { seat }) => Command::Roll { seat, dice: None },
        Phase::Turn(Turn::Move { seat, dice, .. }) => {
            let legal = LegalMoves::new(game.board.position(seat), dice);
            Command::Move { seat, written: Written::from(&legal.iter().next().unwrap().mv) }
        }
        phase => panic!("nothing to do in {phase:?}"),
    }
}

/// A whole match, played to its end.
fn played_match() -> Vec<Entry> {
    let cup = cup();
    let mut events = create(terms(DiceSource::COMMITTED), Some(&cup), 0).events;
    let mut state = Match::new(terms(DiceSource::COMMITTED));
    for event in &events[1..] {
        evolve(&mut state, event, 0).unwrap();
    }
    while state.result().is_none() {
        for event in decide(&state, &next_command(&state), Some(&cup), 0).unwrap().events {
            evolve(&mut state, &event, 0).unwrap();
            events.push(event);
        }
    }
    log(events)
}

fn rolled(roll: Roll, index: u32) -> Event {
    Event::DiceRolled { seat: Some(Seat::One), roll, index, opening: false, automatic_double: false }
}

/// So many rolls of an epoch, with its commitment.
fn epoch(number: u32, rolls: u32) -> Vec<Event> {
    let cup = cup();
    let committed = Event::DiceCommitted(Box::new(cup.commit(number, &Contributions::NONE).unwrap()));
    let rolls = (1..=rolls).map(|index| rolled(cup.roll(number, index, &Contributions::NONE), index));
    std::iter::once(committed).chain(rolls).collect()
}

fn created() -> Event {
    Event::MatchCreated(Box::new(terms(DiceSource::COMMITTED)))
}

/// Verifies a proof without any of our own code but the reading of hexadecimal digits.
fn is_verified(proof: &str) -> bool {
    let proof: Value = serde_json::from_str(proof).unwrap();
    let bytes = |value: &Value| hex::decode::<32>(value.as_str().unwrap()).unwrap();
    let match_id: [u8; 16] = hex::decode(proof["match_id"].as_str().unwrap()).unwrap();
    let anchor = bytes(&proof["anchor"]);
    let mut bind = b"bgdice/1 bind\0".to_vec();
    bind.extend(match_id);
    bind.push(proof["mode"].as_u64().unwrap() as u8);
    bind.extend(anchor);
    bind.extend([0; 3 * 32]);
    bind.extend([0; 3]);
    bind.extend([0; 1 + 8 + 32]);
    let binding = Sha256::digest(bind);
    let nobody = proof["opened"] == json!(["", "", ""]) && proof["commits"] == json!(vec!["0".repeat(64); 3]);
    let mut previous = anchor;
    nobody
        && (1_u32..).zip(proof["rolls"].as_array().unwrap()).all(|(index, roll)| {
            let link = bytes(&roll["s"]);
            let hashes = Sha256::digest([&b"bgdice/1 link\0"[..], &link].concat())[..] == previous;
            previous = link;
            let mut dice = Vec::new();
            for block in 0_u32..9 {
                let mut mac = Hmac::<Sha256>::new_from_slice(&link).unwrap();
                mac.update(b"bgdice/1 roll\0");
                mac.update(&binding);
                mac.update(&index.to_be_bytes());
                mac.update(&[0]);
                mac.update(&block.to_be_bytes());
                dice.extend(mac.finalize().into_bytes().into_iter().filter(|&byte| byte < 252));
            }
            hashes && roll["links"] == json!([]) && roll["dice"] == json!([dice[0] % 6 + 1, dice[1] % 6 + 1])
        })
}

/// What the independent verifier says; `None` where it is not at hand.
fn verifier_accepts(proof: &str) -> Option<bool> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/tools/verify_dice.py");
    if !script.exists() {
        eprintln!(
            "SKIPPED: the independent verifier verify_dice.py is not here; only our own check was made"
        );
        return None;
    }
    let mut verifier = Process::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .inspect_err(|error| eprintln!("SKIPPED: no python3 to run the independent verifier: {error}"))
        .ok()?;
    verifier.stdin.take().unwrap().write_all(proof.as_bytes()).unwrap();
    let output = verifier.wait_with_output().unwrap();
    let verified = String::from_utf8(output.stdout).unwrap().starts_with("VERIFIED");
    assert_eq!(verified, output.status.success());
    Some(verified)
}

#[track_caller]
fn assert_verdict(proof: &str, verified: bool) {
    assert_eq!(is_verified(proof), verified);
    assert_eq!(verifier_accepts(proof).unwrap_or(verified), verified);
}

#[test]
fn a_match_played_to_its_end_is_verified() {
    let log = played_match();
    let [proof] = &proofs(&UID, &log).unwrap()[..] else { panic!("one epoch") };
    let rolled = log.iter().filter(|entry| matches!(entry.event, Event::DiceRolled { .. })).count();
    assert_eq!(proof.rolls.len(), rolled);
    assert!(rolled > 50, "{rolled} rolls");
    assert_verdict(&proof.to_json(), true);
}

#[test]
fn each_epoch_has_its_own_proof() {
    let events = [vec![created()], epoch(0, ROLLS_PER_EPOCH), epoch(1, 3)].concat();
    let proofs = proofs(&UID, &log(events)).unwrap();
    assert_eq!(proofs.iter().map(|proof| proof.commitment.epoch).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(
        proofs.iter().map(|proof| proof.rolls.len()).collect::<Vec<_>>(),
        [ROLLS_PER_EPOCH as usize, 3]
    );
    for proof in proofs {
        assert_verdict(&proof.to_json(), true);
    }
}

#[test]
fn a_flipped_bit_is_found() {
    let events = [vec![created()], epoch(0, 20)].concat();
    let proof = proofs(&UID, &log(events)).unwrap().remove(0);
    let mut links = proof.clone();
    links.rolls[9].0[31] ^= 1;
    assert_verdict(&links.to_json(), false);
    let mut dice = proof.clone();
    let Dice { first, second } = dice.rolls[19].1;
    dice.rolls[19].1 = Dice { first: second, second: first };
    assert_ne!(first, second);
    assert_verdict(&dice.to_json(), false);
    let mut anchor = proof.clone();
    anchor.commitment.anchor[0] ^= 0x80;
    assert_verdict(&anchor.to_json(), false);
    let mut uid = proof.clone();
    uid.match_uid = Uuid::from_u128(UID.as_u128() ^ 1);
    assert_verdict(&uid.to_json(), false);
    let mut gap = proof;
    gap.rolls.remove(4);
    assert_verdict(&gap.to_json(), false);
}

#[test]
fn what_cannot_be_proved_is_said() {
    let unprovable = |events: Vec<Event>| proofs(&UID, &log(events)).unwrap_err();
    assert_eq!(unprovable(vec![]), Unprovable::NoCreation);
    assert_eq!(unprovable(epoch(0, 1)), Unprovable::NoCreation);
    for source in [DiceSource::External, DiceSource::Seeded] {
        let created = Event::MatchCreated(Box::new(terms(source)));
        assert_eq!(unprovable(vec![created]), Unprovable::Source(source));
    }
    let first_roll = rolled(cup().roll(0, 1, &Contributions::NONE), 1);
    assert_eq!(unprovable(vec![created(), first_roll]), Unprovable::Uncommitted { revision: 2 });
    let no_link = Roll { link: None, ..cup().roll(0, 1, &Contributions::NONE) };
    let events = [vec![created()], epoch(0, 0), vec![rolled(no_link, 1)]].concat();
    assert_eq!(unprovable(events), Unprovable::Uncommitted { revision: 3 });
    let events =
        [vec![created()], epoch(0, 1), vec![rolled(cup().roll(0, 3, &Contributions::NONE), 3)]].concat();
    assert_eq!(unprovable(events), Unprovable::RollGap { revision: 4, expected: 2, found: 3 });
    let events = [vec![created()], epoch(1, 0)].concat();
    assert_eq!(unprovable(events), Unprovable::EpochGap { revision: 2 });
    let opened = Event::EntropyOpened { by: Contributor::Creator, opening: [1; 32] };
    assert_eq!(unprovable(vec![created(), opened.clone()]), Unprovable::StrayOpening { revision: 2 });
    let events = [vec![created()], epoch(0, 1), vec![opened]].concat();
    assert_eq!(unprovable(events), Unprovable::StrayOpening { revision: 4 });
}
