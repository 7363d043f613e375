//! The dice of a match, as an outsider sees them who has nothing but the answers of the API.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use chaquete_proto::v1::{MatchEvent, Seat, match_event::Kind};
use serde_json::{Value, json};

use crate::project;

/// What the independent verifier takes, made of the events of a match: one proof for each epoch of its dice.
///
/// # Panics
/// They are not those of a match with committed dice.
#[must_use]
pub fn dice_proof(uid: &str, log: &[MatchEvent]) -> Vec<Value> {
    let mut proofs: Vec<Value> = Vec::new();
    for event in log {
        match &event.kind {
            Some(Kind::DiceCommitted(committed)) => {
                let commitment = committed.commitment.as_ref().expect("a commitment");
                assert_eq!(commitment.scheme, "bgdice/1");
                assert_eq!(commitment.epoch as usize, proofs.len(), "epochs are numbered without gaps");
                proofs.push(json!({
                    "match_id": uid.replace('-', ""),
                    "mode": 0,
                    "anchor": hex(&commitment.anchor),
                    "commits": commitment.commitments.iter().map(|bytes| hex(bytes)).collect::<Vec<_>>(),
                    "opened": ["", "", ""],
                    "rolls": [],
                }));
            }
            Some(Kind::EntropyOpened(opened)) => {
                let place = match opened.seat() {
                    Seat::One => 0,
                    Seat::Two => 1,
                    Seat::Unspecified => 2,
                };
                proofs.last_mut().expect("dice were committed")["opened"][place] =
                    json!(hex(&opened.opening));
            }
            Some(Kind::DiceRolled(roll)) => {
                let rolls = &mut proofs.last_mut().expect("dice were committed")["rolls"];
                let rolls = rolls.as_array_mut().expect("an array");
                assert_eq!(roll.roll_index as usize, rolls.len() + 1, "rolls are numbered without gaps");
                let dice = roll.dice.expect("dice");
                rolls.push(json!({ "s": hex(&roll.link), "links": [], "dice": [dice.first, dice.second] }));
            }
            _ => {}
        }
    }
    proofs
}

/// The programs of the page for outsiders, as files of a folder.
///
/// # Panics
/// The page cannot be read, or they cannot be written.
pub fn page_programs(folder: &Path) {
    let page = fs::read_to_string(project().join("docs/verifying.md")).expect("the page is there");
    for block in page.split("```python ").skip(1) {
        let (name, code) = block.split_once('\n').expect("a name in the first line");
        let (code, _) = code.split_once("\n```").expect("an end");
        fs::write(folder.join(name), code).expect("it is written");
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the independent verifier at this place says of a proof: what it has verified, or why not.
///
/// # Errors
/// It does not accept the proof.
///
/// # Panics
/// It cannot be run.
pub fn verify_dice(verifier: &Path, proof: &Value) -> Result<String, String> {
    let mut python = Command::new("python3")
        .arg(verifier)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = python.stdin.take().expect("it reads");
    input.write_all(proof.to_string().as_bytes()).expect("it reads");
    drop(input);
    let output = python.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}
