//! Tokens of pages: opaque to callers, checked when they come back.
//!
//! A token is hexadecimal: a version, where the next page begins, and a digest over both and over the other
//! fields of the request. So a token that was cut, changed or made for another list is found out. It is no
//! secret: whoever forges one gets a page that the list has anyway.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{clock::Millis, log::hex};

const VERSION: u8 = 1;

/// A page token that is not of this list call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the page token is not of this list call: repeat it with the same other fields, or begin again without"
)]
pub struct BadPageToken;

/// The list that a token belongs to: its method and the fields that must stay the same.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    /// The method.
    pub method: &'a str,
    /// The fields.
    pub fields: &'a [&'a str],
}

impl List<'_> {
    fn digest(&self, place: &[u8; 24]) -> [u8; 8] {
        let mut hash = Sha256::new().chain_update(b"chaquete/page\0").chain_update([VERSION]);
        hash.update(place);
        for text in std::iter::once(&self.method).chain(self.fields) {
            // Lengths first, so that no two lists of fields read the same.
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        let digest: [u8; 32] = hash.finalize().into();
        let mut short = [0; 8];
        short.copy_from_slice(&digest[..8]);
        short
    }

    fn token(&self, place: [u8; 24]) -> String {
        let mut bytes = [0; 33];
        bytes[0] = VERSION;
        bytes[1..25].copy_from_slice(&place);
        bytes[25..].copy_from_slice(&self.digest(&place));
        hex::encode(&bytes)
    }

    fn place(&self, token: &str) -> Result<[u8; 24], BadPageToken> {
        let bytes: [u8; 33] = hex::decode(token).ok_or(BadPageToken)?;
        let mut place = [0; 24];
        place.copy_from_slice(&bytes[1..25]);
        if bytes[0] == VERSION && bytes[25..] == self.digest(&place) { Ok(place) } else { Err(BadPageToken) }
    }

    /// The token of the page after the match with this time and uid.
    #[must_use]
    pub fn after_match(&self, time: Millis, uid: Uuid) -> String {
        let mut place = [0; 24];
        place[..8].copy_from_slice(&time.to_be_bytes());
        place[8..].copy_from_slice(uid.as_bytes());
        self.token(place)
    }

    /// Where the page begins that a token was made for; `None` for the first page, which has none.
    ///
    /// # Errors
    /// The token is not of this list.
    pub fn read_match(&self, token: &str) -> Result<Option<(Millis, Uuid)>, BadPageToken> {
        if token.is_empty() {
            return Ok(None);
        }
        let place = self.place(token)?;
        let (mut time, mut uid) = ([0; 8], [0; 16]);
        time.copy_from_slice(&place[..8]);
        uid.copy_from_slice(&place[8..]);
        Ok(Some((Millis::from_be_bytes(time), Uuid::from_bytes(uid))))
    }

    /// The token of the page after an event.
    #[must_use]
    pub fn after_event(&self, revision: u32) -> String {
        self.after_match(revision.into(), Uuid::nil())
    }

    /// The revision after which the page begins that a token was made for; `None` for the first page.
    ///
    /// # Errors
    /// The token is not of this list.
    pub fn read_event(&self, token: &str) -> Result<Option<u32>, BadPageToken> {
        match self.read_match(token)? {
            None => Ok(None),
            Some((revision, _)) => revision.try_into().map(Some).map_err(|_| BadPageToken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: List<'_> = List { method: "ListMatches", fields: &["tenants/default", "create_time"] };

    #[test]
    fn a_token_tells_where_to_go_on() {
        let uid = Uuid::from_u128(0x0190_f3b2_7c4e_7a1b_8f00_0123_4567_89ab);
        assert_eq!(LIST.read_match(&LIST.after_match(-5, uid)), Ok(Some((-5, uid))));
        assert_eq!(LIST.read_event(&LIST.after_event(u32::MAX)), Ok(Some(u32::MAX)));
        assert_eq!(LIST.read_match(""), Ok(None));
    }

    #[test]
    fn a_wrong_or_foreign_token_is_found_out() {
        let token = LIST.after_match(1_700_000_000_000, Uuid::nil());
        for index in 0..token.len() {
            let mut changed = token.clone();
            let digit = if &token[index..=index] == "0" { "1" } else { "0" };
            changed.replace_range(index..=index, digit);
            assert_eq!(LIST.read_match(&changed), Err(BadPageToken), "{index}");
        }
        for wrong in ["x", &token[1..], &token.to_uppercase(), &format!("{token}00")] {
            assert_eq!(LIST.read_match(wrong), Err(BadPageToken), "{wrong}");
        }
        let others = [
            List { method: "ListMatchEvents", ..LIST },
            List { fields: &["tenants/default", "end_time"], ..LIST },
            List { fields: &["tenants/defaultcreate_time"], ..LIST },
        ];
        for other in others {
            assert_eq!(other.read_match(&token), Err(BadPageToken), "{other:?}");
        }
    }
}
