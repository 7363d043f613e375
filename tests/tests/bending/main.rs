//! A run of matches whose dice an outsider's verifier accepts, and refuses after any change of one bit.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use chaquete_client::Client;
use chaquete_proof::dice::commitment;
use chaquete_proto::v1::{
    ContributeEntropyRequest, CreateMatchRequest, DicePolicy, Match, Seat,
    contribute_entropy_request::Contribution,
};
use chaquete_rules::Contributor;
use chaquete_tests::{
    Service, dice_proof, events, new_match, play_to_the_end, project, rules_to, shared, verify_dice,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

/// The verifier: that of others, if it is at hand, else that of our page.
fn verifier(folder: &TempDir) -> PathBuf {
    shared("tools/verify_dice.py").unwrap_or_else(|| {
        let page = fs::read_to_string(project().join("docs/verifying.md")).unwrap();
        let (_, program) = page.split_once("```python verify_dice.py\n").unwrap();
        let path = folder.path().join("verify_dice.py");
        fs::write(&path, program.split_once("\n```").unwrap().0).unwrap();
        path
    })
}

/// Plays a match to its end; to the dice of every other one all three contribute.
async fn play(client: Client, n: u64) -> Value {
    let opening = |by: Contributor| [(n % 251) as u8 + by.number(); 32];
    let committed = |by| commitment(by, &opening(by)).to_vec();
    let request = match n % 2 {
        0 => new_match(rules_to(1)),
        _ => contributed(committed(Contributor::Creator)),
    };
    let mut played = client.create_match(request).await.unwrap().r#match.unwrap();
    if n % 2 == 1 {
        for seat in [Contributor::SeatOne, Contributor::SeatTwo] {
            contribute(&client, &played.name, seat, Contribution::Commitment(committed(seat))).await;
        }
        for by in Contributor::ALL {
            let opening = Contribution::Opening(opening(by).to_vec());
            played = contribute(&client, &played.name, by, opening).await;
        }
    }
    let mut chance = n;
    let any = &mut |count: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as usize % count
    };
    let ended = play_to_the_end(&client, played, any).await.unwrap();
    dice_proof(&ended.uid, &events(&client, &ended.name).await.unwrap()).remove(0)
}

fn contributed(creator_commitment: Vec<u8>) -> CreateMatchRequest {
    let mut request = new_match(rules_to(1));
    let policy = DicePolicy { players_contribute: true, creator_commitment, ..DicePolicy::default() };
    request.r#match.as_mut().unwrap().dice_policy = Some(policy);
    request
}

async fn contribute(client: &Client, name: &str, by: Contributor, contribution: Contribution) -> Match {
    let seat = match by {
        Contributor::SeatOne => Seat::One,
        Contributor::SeatTwo => Seat::Two,
        Contributor::Creator => Seat::Unspecified,
    };
    let request = ContributeEntropyRequest {
        name: name.to_owned(),
        seat: seat.into(),
        contribution: Some(contribution),
        ..ContributeEntropyRequest::default()
    };
    client.contribute_entropy(request).await.unwrap().r#match.unwrap()
}

/// What a verifier makes of proofs that are bent in every place.
fn bend(verifier: &Path, proofs: &[Value]) -> Value {
    let program = project().join("tests/tests/bending/bend.py");
    let mut python = Command::new("python3")
        .args([program.as_path(), verifier])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = proofs.iter().map(|proof| format!("{proof}\n")).collect();
    python.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_match_of_a_run_is_accepted_and_refused_after_any_change() {
    let slow = env::var_os("CHAQUETE_SLOW").is_some();
    let (matches, bent) = if slow { (1_000, 20) } else { (8, 2) };
    let folder = TempDir::new().unwrap();
    let verifier = verifier(&folder);
    let service = Service::start().await;
    let client = service.client().await;
    let (mut under_way, mut proofs) = (JoinSet::new(), Vec::new());
    for n in 0..matches {
        if under_way.len() == 16 {
            proofs.push(under_way.join_next().await.unwrap().unwrap());
        }
        under_way.spawn(play(client.clone(), n));
    }
    proofs.extend(under_way.join_all().await);
    service.stop().await;
    for proof in &proofs {
        assert!(verify_dice(&verifier, proof).unwrap().starts_with("VERIFIED"));
    }
    let said = bend(&verifier, &proofs[..bent]);
    eprintln!("{} matches accepted; {said}", proofs.len());
    assert_eq!(said["whole"], bent);
    assert!(said["changes"].as_u64().unwrap() > 10_000 * bent as u64, "{said}");
    assert_eq!(said["taken"], 0, "{said}");
}
