//! What `docs/verifying.md` gives to outsiders verifies what the service gives them, and refuses what was changed.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{fs, path::Path, process::Command};

use chaquete_proof::{golden, log};
use chaquete_proto::v1::{ExportMatchRequest, RecordFormat};
use chaquete_tests::{
    Service, dice_proof, events, new_match, page_programs, play_to_the_end, project, rules_to, shared_or_say,
    verify_dice,
};
use tempfile::TempDir;

/// The programs of the page.
fn programs() -> TempDir {
    let folder = TempDir::new().unwrap();
    page_programs(folder.path());
    folder
}

/// What the page's verifier of logs says of this content.
fn verify_log(folder: &Path, content: &[u8], noted: &[String]) -> Result<String, String> {
    let file = folder.join("match.bglog");
    fs::write(&file, content).unwrap();
    let output =
        Command::new("python3").arg(folder.join("verify_log.py")).arg(file).args(noted).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[tokio::test]
async fn a_match_is_verified_by_the_programs_of_the_page() {
    let folder = programs();
    let service = Service::start().await;
    let client = service.client().await;
    let created = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
    let played = play_to_the_end(&client, created.clone(), &mut |_| 0).await.unwrap();
    let request = ExportMatchRequest { name: played.name.clone(), format: RecordFormat::Json.into() };
    let content = client.export_match(request).await.unwrap().content;
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();

    let whole = format!("VERIFIED {} events, hash {}", played.revision, hex(&played.log_hash));
    assert_eq!(verify_log(folder.path(), &content, &[]), Ok(whole.clone()));
    let noted = [created.revision.to_string(), hex(&created.log_hash)];
    assert_eq!(verify_log(folder.path(), &content, &noted), Ok(whole));
    let other = [created.revision.to_string(), hex(&played.log_hash)];
    assert!(verify_log(folder.path(), &content, &other).unwrap_err().contains("not the log that was noted"));

    let proofs = dice_proof(&played.uid, &events(&client, &played.name).await.unwrap());
    let said = verify_dice(&folder.path().join("verify_dice.py"), &proofs[0]);
    let rolls = proofs[0]["rolls"].as_array().unwrap().len();
    assert_eq!(said, Ok(format!("VERIFIED {rolls} rolls; contributed: nobody")));
    service.stop().await;
}

/// The vectors, made by another program: with all contributions, and none.
#[test]
fn the_verifier_of_dice_agrees_with_the_published_vectors() {
    let folder = programs();
    let program = folder.path().join("verify_dice.py");
    for (vector, who) in [("dice_v1", "nobody"), ("dice_v2", "seat one, seat two, creator")] {
        let text = fs::read_to_string(project().join(format!("tests/data/dice/{vector}.json"))).unwrap();
        let mut vector: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(verify_dice(&program, &vector), Ok(format!("VERIFIED 60 rolls; contributed: {who}")));
        let other = shared_or_say("tools/verify_dice.py");
        for place in 0..4 {
            match place {
                0 => vector["rolls"][9]["dice"] = serde_json::json!([7, 7]),
                1 => vector["rolls"].as_array_mut().unwrap().swap(3, 4),
                2 => vector["opened"][1] = "11".repeat(32).into(),
                _ => vector["anchor"] = "00".repeat(32).into(),
            }
            assert!(verify_dice(&program, &vector).is_err(), "{place}");
            assert!(other.as_ref().is_none_or(|other| verify_dice(other, &vector).is_err()), "{place}");
        }
    }
}

/// Every tenth byte of a log, changed, and each event left out, doubled or moved: the page's verifier finds it.
#[test]
fn the_verifier_of_logs_finds_what_was_changed() {
    let folder = programs();
    let (uid, events) =
        golden::logs(|_| uuid::Uuid::from_u128(7)).into_iter().find(|(_, log)| log.len() > 8).unwrap();
    let events = &events[..8];
    let entries: Vec<_> = events.iter().map(|event| log::decode(&event.bytes).unwrap()).collect();
    let facts =
        log::Facts::follow("tenants/t/matches/m-1".to_owned(), uid, events[7].hash, &entries).unwrap();
    let whole = log::export(&facts, events);
    assert!(verify_log(folder.path(), &whole, &[]).is_ok());
    let begin = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for place in (begin..whole.len()).step_by(37) {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        assert!(verify_log(folder.path(), &changed, &[]).is_err(), "byte {place}");
    }
    for n in 0..events.len() {
        let without = [&events[..n], &events[n + 1..]].concat();
        let twice = [&events[..=n], &events[n..]].concat();
        let mut swapped = events.to_vec();
        swapped.swap(n, (n + 1) % events.len());
        for changed in [without, twice, swapped] {
            assert!(verify_log(folder.path(), &log::export(&facts, &changed), &[]).is_err(), "event {n}");
        }
    }
}
