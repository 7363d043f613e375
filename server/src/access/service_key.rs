//! Keys of backends and operators: `chq_` and 43 characters that nobody can guess.

use std::io;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chaquete_proof::hex;
use sha2::{Digest, Sha256};

use crate::{key_file, store::KeyHash};

/// What every key begins with, so that people and scanners for leaked secrets know one when they see it.
pub const PREFIX: &str = "chq_";

/// How many bytes of chance are in a key.
const BYTES: usize = 32;

/// A new key. It is shown once and kept nowhere.
///
/// # Errors
/// The operating system has no randomness to give.
pub fn new_key() -> io::Result<String> {
    Ok(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(key_file::random::<BYTES>()?)))
}

/// Whether a text has the form of a key.
#[must_use]
pub fn is_key(text: &str) -> bool {
    let secret = text.strip_prefix(PREFIX).and_then(|secret| URL_SAFE_NO_PAD.decode(secret).ok());
    secret.is_some_and(|secret| secret.len() == BYTES)
}

/// What is stored of a key, or of a client's certificate.
#[must_use]
pub fn hash(bytes: &[u8]) -> KeyHash {
    Sha256::digest(bytes).into()
}

/// What a key is called, in logs and by the commands: it gives nothing away.
#[must_use]
pub fn id(hash: &KeyHash) -> String {
    hex::encode(&hash[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_their_form() {
        let key = new_key().unwrap();
        assert!(is_key(&key) && key.len() == 47 && key != new_key().unwrap());
        for other in ["", "chq_", &key[1..], &key[..46], &format!("{key}A"), &key.replace("chq_", "CHQ_")] {
            assert!(!is_key(other), "{other}");
        }
    }

    #[test]
    fn a_key_is_stored_as_its_hash() {
        let hash = hash(b"abc");
        assert_eq!(hex::encode(&hash), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(id(&hash), "ba7816bf8f01");
    }
}
