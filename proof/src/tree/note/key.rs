//! The keys of notes.

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

use crate::hex;

/// Says that a key is of Ed25519.
const ED25519: u8 = 1;

/// A key with which a log signs. Whoever has it can say anything in the name of the log, so it is never shown.
#[derive(Clone)]
pub struct LogKey {
    name: String,
    key: SigningKey,
}

/// A key with which others check what a log has signed. As a text, a C2SP verifier key: `NAME+HASH+KEY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    key: VerifyingKey,
}

/// What is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    /// The name is not one that keys have.
    #[error("the name of a key is not empty and has neither spaces nor plus signs nor control characters")]
    Name,
    /// The text is no verifier key.
    #[error("not a verifier key: NAME+HASH+KEY, of Ed25519")]
    Text,
}

/// Whether a key may have this name.
pub(super) fn is_name(name: &str) -> bool {
    let is_odd = |sign: char| sign.is_whitespace() || sign.is_control() || sign == '+';
    !name.is_empty() && !name.contains(is_odd)
}

impl LogKey {
    /// The key that follows from a secret.
    ///
    /// # Errors
    /// [`BadKey::Name`].
    pub fn new(name: &str, secret: [u8; 32]) -> Result<Self, BadKey> {
        if !is_name(name) {
            return Err(BadKey::Name);
        }
        Ok(Self { name: name.to_owned(), key: SigningKey::from_bytes(&secret) })
    }

    /// The key with which others check.
    #[must_use]
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// A signature of these bytes.
    pub(in crate::tree) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

impl fmt::Debug for LogKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogKey").field("name", &self.name).finish_non_exhaustive()
    }
}

impl VerifierKey {
    /// Its name, which is that of its log.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its hash, which tells it from others of its name.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        let named = Sha256::new().chain_update(&self.name).chain_update([b'\n', ED25519]);
        let hash: [u8; 32] = named.chain_update(self.key.as_bytes()).finalize().into();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// Whether this is a signature of these bytes by this key.
    pub(in crate::tree) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.key.verify_strict(message, &signature).is_ok())
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[ED25519], self.key.as_bytes().as_slice()].concat();
        write!(f, "{}+{}+{}", self.name, hex::encode(&self.id()), STANDARD.encode(key))
    }
}

impl FromStr for VerifierKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let mut parts = text.splitn(3, '+');
        let mut part = || parts.next().ok_or(BadKey::Text);
        let (name, id, key) = (part()?, part()?, part()?);
        let bytes = STANDARD.decode(key).map_err(|_| BadKey::Text)?;
        let [ED25519, key @ ..] = &*bytes else { return Err(BadKey::Text) };
        let key = VerifyingKey::try_from(key).map_err(|_| BadKey::Text)?;
        if !is_name(name) {
            return Err(BadKey::Name);
        }
        let verifier = Self { name: name.to_owned(), key };
        if hex::decode(id) == Some(verifier.id()) { Ok(verifier) } else { Err(BadKey::Text) }
    }
}
