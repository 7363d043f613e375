//! What these tests share: matches, checkpoints that are waited for, and a tree that is checked leaf by leaf.

use std::{path::Path, time::Duration};

use chaquete_client::{Client, Error};
use chaquete_proof::tree::{Checkpoint, Frontier, NodeHash, Note, VerifierKey, leaf_hash};
use chaquete_proto::v1::{
    self, GetCheckpointRequest, GetCheckpointResponse, GetInclusionProofRequest, GetInclusionProofResponse,
    GetMatchRequest, Match,
};
use chaquete_server::{checkpoint::leaf, config::Config, store};
use chaquete_tests::{act, new_match, rules_to};

/// A server on a file, with a checkpoint every few milliseconds.
pub(crate) fn config(store: &Path) -> Config {
    Config { checkpoint_interval: Duration::from_millis(20), ..seldom(store) }
}

/// The same without any checkpoint until it stops.
pub(crate) fn seldom(store: &Path) -> Config {
    let checkpoint_interval = Duration::from_secs(3_600);
    Config { store: format!("sqlite:{}", store.display()), checkpoint_interval, ..Config::default() }
}

/// A match of so many actions.
pub(crate) async fn played(client: &Client, actions: u32) -> Match {
    let new = client.create_match(new_match(rules_to(255))).await.unwrap().r#match.unwrap();
    go_on(client, new, actions).await
}

pub(crate) async fn go_on(client: &Client, mut played: Match, actions: u32) -> Match {
    for _ in 0..actions {
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
    played
}

pub(crate) async fn read(client: &Client, name: &str) -> Result<Match, Error> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    Ok(client.get_match(request).await?.r#match.unwrap())
}

pub(crate) async fn checkpoint(client: &Client, old_tree_size: i64) -> Result<GetCheckpointResponse, Error> {
    client.get_checkpoint(GetCheckpointRequest { old_tree_size }).await
}

pub(crate) async fn receipt(
    client: &Client,
    name: &str,
    revision: i32,
) -> Result<GetInclusionProofResponse, Error> {
    client.get_inclusion_proof(GetInclusionProofRequest { name: name.to_owned(), revision }).await
}

/// What a checkpoint says, once it is known that this key has signed it and that its parts say the same.
pub(crate) fn signed(told: &v1::Checkpoint, key: &str) -> Checkpoint {
    let note: Note = told.signed_note.parse().unwrap();
    let key: VerifierKey = key.parse().unwrap();
    note.signed_by(std::slice::from_ref(&key)).unwrap();
    let said: Checkpoint = note.text().parse().unwrap();
    assert_eq!((&*said.origin, &*told.origin), (key.name(), key.name()));
    assert_eq!((said.size as i64, said.root.as_slice()), (told.tree_size, &*told.root_hash));
    said
}

pub(crate) fn hashes(proof: &[Vec<u8>]) -> Vec<NodeHash> {
    proof.iter().map(|hash| hash.as_slice().try_into().unwrap()).collect()
}

/// Computes the tree of a store anew from its leaves: it is the one that was signed, and has each match at its end, once
/// for each revision. Nobody serves the store.
pub(crate) async fn audit(url: &str) {
    let store = store::open(url).await.unwrap();
    let signed = store.checkpoint().await.unwrap();
    let matches = store.leaves(0, u32::MAX).await.unwrap().into_iter();
    let matches = matches.map(|placed| (placed.place, leaf(placed.key, placed.seen).hash()));
    let keys = store.key_leaves().await.unwrap().into_iter().map(|(place, data)| (place, leaf_hash(&data)));
    let mut leaves: Vec<_> = matches.chain(keys).collect();
    leaves.sort_unstable();
    let mut frontier = Frontier::default();
    for (place, hash) in leaves {
        assert_eq!(place, frontier.size(), "a leaf is missing, or there twice");
        frontier.append(hash);
    }
    assert_eq!((frontier.size(), frontier.root()), (signed.size, signed.root));
    for covered in store.covered(None, u32::MAX).await.unwrap() {
        assert_eq!(covered.leaf, Some(covered.head), "{:?}", covered.key);
    }
    store.close().await;
}
