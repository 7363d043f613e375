//! Small changes to bytes that were written, for tests of reading them.

use proptest::prelude::*;

/// A small change to bytes.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    Set(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Cut(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Repeat(prop::sample::Index, prop::sample::Index),
}

/// Any of them.
pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"0123456789\",:{}\\u-./* abcdef".to_vec())];
    prop_oneof![
        (any::<prop::sample::Index>(), byte.clone()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (any::<prop::sample::Index>(), byte).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        any::<prop::sample::Index>().prop_map(Mutation::Remove),
        any::<prop::sample::Index>().prop_map(Mutation::Cut),
        any::<(prop::sample::Index, prop::sample::Index)>().prop_map(|(one, two)| Mutation::Swap(one, two)),
        any::<(prop::sample::Index, prop::sample::Index)>().prop_map(|(one, two)| Mutation::Repeat(one, two)),
    ]
}

/// Bytes or whole keys are changed; `bytes` is never empty.
pub(crate) fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let at = |index: &prop::sample::Index| index.index(bytes.len());
    let mut keys: Vec<Vec<u8>> = bytes.split(|&byte| byte == b',').map(<[u8]>::to_vec).collect();
    match mutation {
        Mutation::Set(index, byte) => {
            let at = at(index);
            bytes[at] = *byte;
        }
        Mutation::Insert(index, byte) => bytes.insert(at(index), *byte),
        Mutation::Remove(index) => {
            bytes.remove(at(index));
        }
        Mutation::Cut(index) => bytes.truncate(at(index)),
        Mutation::Swap(one, two) => {
            let places = (one.index(keys.len()), two.index(keys.len()));
            keys.swap(places.0, places.1);
            *bytes = keys.join(&b',');
        }
        Mutation::Repeat(one, two) => {
            let key = keys[one.index(keys.len())].clone();
            keys.insert(two.index(keys.len()), key);
            *bytes = keys.join(&b',');
        }
    }
}
