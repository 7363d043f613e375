//! C2SP `signed-note` with Ed25519: texts, and who has signed them.

mod key;

use std::{fmt, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};

pub use key::{BadKey, LogKey, VerifierKey};

/// How many signatures are read.
const MOST_SIGNATURES: usize = 16;

/// A text that was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature as a note has it: whose it is, only somebody who knows the key can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The name of the key.
    pub name: String,
    /// Its hash, to tell it from others of that name.
    pub id: [u8; 4],
    bytes: Vec<u8>,
}

/// A text that is no signed note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a signed note: a text, an empty line, and lines of signatures")]
pub struct BadNote;

/// Why nobody is known to have signed a note.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsigned {
    /// No known key has.
    #[error("it is signed by none of the keys that are known")]
    Unknown,
    /// A signature that should be of a known key is not.
    #[error("a signature in the name of {0} is not of its key")]
    Forged(String),
}

impl Note {
    /// A text, which ends with the end of a line, signed by these keys.
    #[must_use]
    pub fn sign(text: String, keys: &[&LogKey]) -> Self {
        let sign = |key: &&LogKey| {
            let verifier = key.verifier();
            let bytes = key.sign(text.as_bytes()).to_vec();
            NoteSignature { name: verifier.name().to_owned(), id: verifier.id(), bytes }
        };
        let signatures = keys.iter().map(sign).collect();
        Self { text, signatures }
    }

    /// What was signed. It means nothing before it is known who has.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Which of these keys have signed it. Signatures of others are passed over.
    ///
    /// # Errors
    /// None has; or a signature in the name of one of them is not its own.
    pub fn signed_by<'a>(&self, known: &'a [VerifierKey]) -> Result<Vec<&'a VerifierKey>, Unsigned> {
        let mut signers = Vec::new();
        for signature in &self.signatures {
            let named = |key: &&VerifierKey| key.name() == signature.name && key.id() == signature.id;
            let Some(key) = known.iter().find(named) else { continue };
            if !key.has_signed(self.text.as_bytes(), &signature.bytes) {
                return Err(Unsigned::Forged(key.to_string()));
            }
            signers.push(key);
        }
        if signers.is_empty() { Err(Unsigned::Unknown) } else { Ok(signers) }
    }
}

impl Note {
    /// Which of these keys has signed it first: several do when one takes the place of another, the new one first.
    ///
    /// # Errors
    /// As [`Note::signed_by`]; or the first signature is of no known key.
    pub fn led_by<'a>(&self, known: &'a [VerifierKey]) -> Result<&'a VerifierKey, Unsigned> {
        let signers = self.signed_by(known)?;
        let first = self.signatures.first().ok_or(Unsigned::Unknown)?;
        let leader = signers.into_iter().find(|key| key.name() == first.name && key.id() == first.id);
        leader.ok_or(Unsigned::Unknown)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for NoteSignature { name, id, bytes } in &self.signatures {
            writeln!(f, "— {name} {}", STANDARD.encode([id.as_slice(), bytes].concat()))?;
        }
        Ok(())
    }
}

impl FromStr for Note {
    type Err = BadNote;

    fn from_str(note: &str) -> Result<Self, BadNote> {
        if note.contains(|sign: char| sign < ' ' && sign != '\n') {
            return Err(BadNote);
        }
        let (text, signatures) = note.rsplit_once("\n\n").ok_or(BadNote)?;
        let lines = signatures.strip_suffix('\n').ok_or(BadNote)?.split('\n');
        let signatures = lines.map(parse_signature).collect::<Option<Vec<_>>>().ok_or(BadNote)?;
        if signatures.len() > MOST_SIGNATURES {
            return Err(BadNote);
        }
        Ok(Self { text: format!("{text}\n"), signatures })
    }
}

fn parse_signature(line: &str) -> Option<NoteSignature> {
    let (name, bytes) = line.strip_prefix("— ")?.split_once(' ')?;
    let bytes = STANDARD.decode(bytes).ok()?;
    let (id, bytes) = bytes.split_first_chunk::<4>()?;
    let is_whole = key::is_name(name) && !bytes.is_empty();
    is_whole.then(|| NoteSignature { name: name.to_owned(), id: *id, bytes: bytes.to_vec() })
}

#[cfg(test)]
mod tests;
