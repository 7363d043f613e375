//! Checkpoints and receipts, as callers get and check them.

use std::time::Duration;

use chaquete_proof::{
    log::Hash,
    tree::{HeadLeaf, Leaf, is_consistent, root_through},
};
use chaquete_proto::v1::ErrorReason;
use chaquete_tests::{Service, covered, events};
use tonic::Code;

use crate::support::{checkpoint, config, go_on, hashes, played, receipt, seldom, signed};

#[tokio::test]
async fn receipts_prove_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start_with(config(&folder.path().join("store.sqlite"))).await;
    let client = service.client().await;
    let mut game = played(&client, 0).await;
    let first = covered(&client, &game).await;
    // From another way: here the first answer is as good.
    let key = first.checkpoint.as_ref().unwrap().verifier_key.clone();
    let old = signed(first.checkpoint.as_ref().unwrap(), &key);

    for _ in 0..5 {
        played(&client, 2).await;
        game = go_on(&client, game, 3).await;
        let receipt = covered(&client, &game).await;
        let newest = signed(receipt.checkpoint.as_ref().unwrap(), &key);
        let Leaf::Head(leaf) = Leaf::parse(&receipt.leaf_data).unwrap() else { panic!("of a match") };
        assert_eq!(leaf.uid.to_string(), game.uid);
        assert_eq!(
            (leaf.revision as i32, leaf.hash.as_bytes().as_slice()),
            (game.revision, &*receipt.log_hash)
        );
        let found = root_through(
            receipt.leaf_index as u64,
            newest.size,
            Leaf::Head(leaf).hash(),
            &hashes(&receipt.inclusion_hashes),
        );
        assert_eq!(found, Some(newest.root));
        // The hash is that of the event which everybody sees.
        let last = events(&client, &game.name).await.unwrap().pop().unwrap();
        assert_eq!((last.revision, &last.hash), (receipt.revision, &receipt.log_hash));
        let forged = HeadLeaf { hash: Hash::from_bytes([7; 32]), ..leaf };
        let proof = hashes(&receipt.inclusion_hashes);
        let forged = root_through(receipt.leaf_index as u64, newest.size, Leaf::Head(forged).hash(), &proof);
        assert_ne!(forged, Some(newest.root));
    }

    let answer = checkpoint(&client, old.size as i64).await.unwrap();
    let newest = signed(answer.checkpoint.as_ref().unwrap(), &key);
    let proof = hashes(&answer.consistency_hashes);
    assert!(is_consistent((old.size, old.root), (newest.size, newest.root), &proof));
    assert!(!is_consistent((old.size, [7; 32]), (newest.size, newest.root), &proof));
    assert_eq!(checkpoint(&client, 0).await.unwrap().consistency_hashes.len(), 0);
    // An early revision is covered by the first leaf.
    assert_eq!(receipt(&client, &game.name, 1).await.unwrap().revision, first.revision);
    service.stop().await;
}

#[tokio::test]
async fn what_cannot_be_answered_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start_with(seldom(&folder.path().join("store.sqlite"))).await;
    let client = service.client().await;
    // The first look for what is to be covered comes at once, all others seldom.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let game = played(&client, 2).await;
    let not_yet = (Code::NotFound, Some(ErrorReason::NotCheckpointed));
    let nothing = (Code::NotFound, Some(ErrorReason::NotFound));
    let wrong = (Code::InvalidArgument, Some(ErrorReason::InvalidField));
    let told = |error: chaquete_client::Error| (error.code(), error.reason());
    assert_eq!(told(checkpoint(&client, 0).await.unwrap_err()), not_yet);
    assert_eq!(told(receipt(&client, &game.name, 1).await.unwrap_err()), not_yet);
    assert_eq!(told(receipt(&client, "tenants/default/matches/nothing", 1).await.unwrap_err()), nothing);
    for (name, revision) in [(&*game.name, 0), (&*game.name, -1), ("nothing", 1)] {
        assert_eq!(told(receipt(&client, name, revision).await.unwrap_err()), wrong);
    }
    assert_eq!(told(checkpoint(&client, -1).await.unwrap_err()), wrong);
    service.stop().await;

    // What was pending was covered before the store was closed.
    let service = Service::start_with(seldom(&folder.path().join("store.sqlite"))).await;
    let client = service.client().await;
    assert_eq!(receipt(&client, &game.name, 1).await.unwrap().revision, game.revision);
    assert_eq!(told(checkpoint(&client, 2).await.unwrap_err()), wrong);
    assert_eq!(told(receipt(&client, &game.name, game.revision + 1).await.unwrap_err()), not_yet);
    service.stop().await;
}
