//! A run of matches whose dice an outsider's verifier accepts, and refuses after any change of one bit.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use chaquete_client::Client;
use chaquete_rules::Contributor;
use chaquete_tests::{
    Service, any_of, commit_to, contributed_match, dice_proof, events, new_match, open, page_programs,
    play_to_the_end, project, rules_to, shared, verify_dice,
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

/// The verifier: that of others, if it is at hand, else that of our page.
fn verifier(folder: &TempDir) -> PathBuf {
    shared("tools/verify_dice.py").unwrap_or_else(|| {
        page_programs(folder.path());
        folder.path().join("verify_dice.py")
    })
}

/// Plays a match to its end; to the dice of every other one all three contribute.
async fn play(client: Client, n: u64) -> Value {
    let opening = |by: Contributor| [(n % 251) as u8 + by.number(); 32];
    let is_contributed = n % 2 == 1;
    let request = match is_contributed {
        false => new_match(rules_to(1)),
        true => contributed_match(true, Some(opening(Contributor::Creator))),
    };
    let mut played = client.create_match(request).await.unwrap().r#match.unwrap();
    if is_contributed {
        for by in [Contributor::SeatOne, Contributor::SeatTwo] {
            commit_to(&client, &played.name, by, &opening(by)).await.unwrap();
        }
        for by in Contributor::ALL {
            played = open(&client, &played.name, by, &opening(by)).await.unwrap().r#match.unwrap();
        }
    }
    let ended = play_to_the_end(&client, played, &mut any_of(n)).await.unwrap();
    dice_proof(&ended.uid, &events(&client, &ended.name).await.unwrap()).remove(0)
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
