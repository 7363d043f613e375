//! The tree over all logs: it only grows, by one at a time, and as a whole.

use std::sync::Arc;

use chaquete_proof::tree::{Edge, HeadLeaf, Leaf, TileId, inclusion_path, perfect, prove, root_through};

use super::{
    at_once,
    fixture::{START, new_match, new_tenant, next, stored_match, won},
};
use crate::store::{Covered, Growth, MatchKey, PlacedLeaf, Seen, Store, StoreError, StoredCheckpoint};

/// The tree of a store with leaves of these heads, and after them one of this key, if any.
async fn growth(store: &dyn Store, heads: &[(MatchKey, Seen)], key: Option<&[u8]>) -> Growth {
    let before = store.checkpoint().await.expect("a checkpoint").size;
    let tiles = store.tiles(Edge::tiles_of(before)).await.expect("tiles");
    let mut edge = Edge::new(before, tiles).expect("the whole edge");
    let mut leaves = Vec::new();
    for (key, seen) in heads {
        leaves.push(PlacedLeaf { place: edge.size(), key: *key, seen: *seen });
        edge.append(hash(*key, *seen));
    }
    let keys: Vec<_> = key.map(|data| (edge.size(), data.to_vec())).into_iter().collect();
    for (_, data) in &keys {
        edge.append(chaquete_proof::tree::leaf_hash(data));
    }
    let root = edge.root();
    let note = format!("a note of {}", edge.size());
    let checkpoint = StoredCheckpoint { size: edge.size(), root, note, time: START };
    Growth { before, leaves, keys, tiles: edge.changed(), checkpoint }
}

fn hash(key: MatchKey, seen: Seen) -> [u8; 32] {
    Leaf::Head(HeadLeaf { uid: key.uid, revision: seen.revision, hash: seen.hash }).hash()
}

/// Keys and heads of matches that are not stored: the tree does not ask.
fn heads(count: u32) -> Vec<(MatchKey, Seen)> {
    let tenant = new_tenant();
    (0..count).map(|_| new_match(&tenant).0).map(|new| (new.key, new.head.seen())).collect()
}

/// Checks that a leaf is proved by the tiles that its path names.
async fn is_proved(store: &dyn Store, leaf: PlacedLeaf) {
    let StoredCheckpoint { size, root, .. } = store.checkpoint().await.expect("a checkpoint");
    let path = inclusion_path(leaf.place, size).expect("a path");
    let tiles: std::collections::BTreeSet<TileId> =
        path.iter().cloned().flat_map(perfect).map(|node| node.tile()).collect();
    let tiles = store.tiles(tiles.into_iter().collect()).await.expect("tiles");
    let proof = prove(path, |node| tiles.node(node)).expect("a proof");
    let found = root_through(leaf.place, size, hash(leaf.key, leaf.seen), &proof);
    assert_eq!(found, Some(root), "{leaf:?}");
}

pub(super) async fn the_tree_grows_by_leaves(store: Arc<dyn Store>) {
    // Over the edges of tiles, and of statements that take so many rows.
    for count in [1, 2, 300, 600] {
        let growth = growth(&*store, &heads(count), None).await;
        store.grow(growth.clone()).await.expect("grown");
        assert_eq!(store.checkpoint().await.expect("a checkpoint"), growth.checkpoint);
        let found = store.leaves(growth.before, count).await.expect("leaves");
        assert_eq!(found, growth.leaves);
        let (first, last) = (growth.leaves[0], growth.leaves[count as usize - 1]);
        assert_eq!(store.leaves(last.place, 10).await.expect("leaves"), [last]);
        for leaf in [first, last] {
            is_proved(&*store, leaf).await;
            assert_eq!(store.leaf_covering(leaf.key, leaf.seen.revision).await.expect("a leaf"), Some(leaf));
            assert_eq!(store.leaf_covering(leaf.key, leaf.seen.revision + 1).await.expect("none"), None);
        }
        let keys = growth.leaves.iter().map(|leaf| leaf.key).chain([heads(1)[0].0]).collect();
        let mut last_leaves = store.last_leaves(keys).await.expect("leaves");
        last_leaves.sort_unstable_by_key(|leaf| leaf.place);
        assert_eq!(last_leaves, growth.leaves);
    }
    assert_eq!(store.last_leaves(vec![]).await.expect("none"), []);
}

pub(super) async fn keys_have_leaves_of_their_own(store: Arc<dyn Store>) {
    let growth = growth(&*store, &heads(2), Some(b"a key")).await;
    store.grow(growth.clone()).await.expect("grown");
    assert_eq!(store.key_leaves().await.expect("leaves").last(), growth.keys.last());
    assert_eq!(store.leaves(growth.before, 10).await.expect("leaves"), growth.leaves);
}

pub(super) async fn an_overtaken_growth_writes_nothing(store: Arc<dyn Store>) {
    let overtaken = growth(&*store, &heads(3), Some(b"overtaken")).await;
    let first = growth(&*store, &heads(1), None).await;
    store.grow(first.clone()).await.expect("grown");
    let late = store.grow(overtaken.clone()).await;
    assert!(matches!(late, Err(StoreError::Conflict)), "{late:?}");
    assert_eq!(store.checkpoint().await.expect("a checkpoint"), first.checkpoint);
    assert_eq!(store.leaves(first.before, 10).await.expect("leaves"), first.leaves);
    assert!(store.key_leaves().await.expect("leaves").iter().all(|(_, data)| data != b"overtaken"));
    is_proved(&*store, first.leaves[0]).await;
    // What does not belong to it is no conflict.
    store.grow(growth(&*store, &heads(1), None).await).await.expect("grown");
}

/// A leaf that there is already is never added again, and nothing of what came with it.
pub(super) async fn a_leaf_is_added_once(store: Arc<dyn Store>) {
    let first = growth(&*store, &heads(1), None).await;
    store.grow(first.clone()).await.expect("grown");
    let again = growth(&*store, &[heads(1)[0], (first.leaves[0].key, first.leaves[0].seen)], None).await;
    store.grow(again).await.expect_err("there already");
    assert_eq!(store.checkpoint().await.expect("a checkpoint"), first.checkpoint);
}

pub(super) async fn one_of_many_grows(store: Arc<dyn Store>) {
    let before = store.checkpoint().await.expect("a checkpoint").size;
    let results = at_once(8, |_| {
        let store = Arc::clone(&store);
        async move {
            let growth = growth(&*store, &heads(40), None).await;
            (growth.before, store.grow(growth).await)
        }
    })
    .await;
    let winners: Vec<_> =
        results.iter().filter(|(_, result)| won(result)).map(|(before, _)| *before).collect();
    let distinct: std::collections::BTreeSet<_> = winners.iter().collect();
    assert_eq!(winners.len(), distinct.len(), "two grew from the same size");
    let after = store.checkpoint().await.expect("a checkpoint").size;
    assert_eq!(after, before + 40 * winners.len() as u64);
    for leaf in store.leaves(before, u32::MAX).await.expect("leaves") {
        is_proved(&*store, leaf).await;
    }
}

pub(super) async fn a_match_tells_how_far_it_is_covered(store: Arc<dyn Store>) {
    let mut stored = stored_match(&*store).await;
    assert_eq!(store.find(&stored.name).await.expect("looked for").expect("found").covered, None);
    for _ in 0..2 {
        let seen = stored.head.seen();
        store.grow(growth(&*store, &[(stored.key, seen)], None).await).await.expect("grown");
        let append = next(stored.key, stored.head, 2);
        store.append(append.clone()).await.expect("appended");
        stored.head = append.head;
        let rows = [store.find(&stored.name).await, store.find_key(stored.key).await];
        for row in rows {
            assert_eq!(row.expect("looked for").expect("found").covered, Some(seen));
        }
        let covered = Covered { key: stored.key, head: stored.head.seen(), leaf: Some(seen) };
        assert_eq!(store.covered(Some(before(stored.key)), 1).await.expect("a page"), [covered]);
    }
    let leaf = store.leaf_covering(stored.key, 2).await.expect("looked for").expect("a leaf");
    assert_eq!(leaf.seen.revision, 3, "the first that covers it");
}

/// The key before this one.
fn before(key: MatchKey) -> MatchKey {
    MatchKey { uid: uuid::Uuid::from_u128(key.uid.as_u128() - 1), ..key }
}

pub(super) async fn pages_of_matches_are_whole(store: Arc<dyn Store>) {
    for _ in 0..7 {
        stored_match(&*store).await;
    }
    let all = store.covered(None, u32::MAX).await.expect("a page");
    assert!(all.len() >= 7 && all.is_sorted_by(|one, next| one.key < next.key));
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let page = store.covered(after, 5).await.expect("a page");
        let Some(last) = page.last() else { break };
        after = Some(last.key);
        paged.extend(page);
    }
    assert_eq!(paged, all);
}

/// Opens, grows and closes: what was acknowledged is there.
pub(super) async fn the_tree_is_there(open: &impl AsyncFn() -> Arc<dyn Store>) {
    let store = open().await;
    let growth = growth(&*store, &heads(300), Some(b"kept")).await;
    store.grow(growth.clone()).await.expect("grown");
    store.close().await;
    drop(store);
    let store = open().await;
    assert_eq!(store.checkpoint().await.expect("a checkpoint"), growth.checkpoint);
    assert_eq!(store.leaves(growth.before, u32::MAX).await.expect("leaves"), growth.leaves);
    is_proved(&*store, growth.leaves[299]).await;
    store.close().await;
}
