//! Tokens of pages: opaque to callers, checked when they come back.
//!
//! A token is hexadecimal: a version, where the next page begins, and a digest over both and over the other
//! fields of the request. So a token that was cut, changed or made for another list is found out. It is no
//! secret: whoever forges one gets a page that the list has anyway.

use chaquete_proof::hex;
use prost::Message;
use sha2::{Digest, Sha256};

use crate::{clock::Millis, store::Place};

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

/// How many bytes of digest are in a token.
const DIGEST: usize = 8;

impl List<'_> {
    fn digest(&self, place: &[u8]) -> [u8; DIGEST] {
        let mut hash = Sha256::new().chain_update(b"chaquete/page\0").chain_update([VERSION]);
        let fields = self.fields.iter().map(|field| field.as_bytes());
        for field in [place, self.method.as_bytes()].into_iter().chain(fields) {
            // Lengths first, so that no two lists of fields read the same.
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field);
        }
        let digest: [u8; 32] = hash.finalize().into();
        let mut short = [0; DIGEST];
        short.copy_from_slice(&digest[..DIGEST]);
        short
    }

    fn token(&self, place: &[u8]) -> String {
        hex::encode(&[&[VERSION], place, &self.digest(place)].concat())
    }

    /// The place in a token; `None` if there is no token.
    fn place(&self, token: &str) -> Result<Option<Vec<u8>>, BadPageToken> {
        if token.is_empty() {
            return Ok(None);
        }
        let bytes = hex::decode_all(token).ok_or(BadPageToken)?;
        let (rest, digest) = bytes.split_last_chunk().ok_or(BadPageToken)?;
        match rest.split_first() {
            Some((&VERSION, place)) if self.digest(place) == *digest => Ok(Some(place.to_vec())),
            _ => Err(BadPageToken),
        }
    }

    /// The token of the page after a match.
    #[must_use]
    pub fn after_match(&self, place: &Place) -> String {
        self.token(&place.to_bytes())
    }

    /// Where the page begins that a token was made for; `None` for the first page, which has none.
    ///
    /// # Errors
    /// The token is not of this list.
    pub fn read_match(&self, token: &str) -> Result<Option<Place>, BadPageToken> {
        let place = self.place(token)?;
        place.map(|bytes| Place::from_bytes(&bytes).ok_or(BadPageToken)).transpose()
    }

    /// The token of the page after an event.
    #[must_use]
    pub fn after_event(&self, revision: u32) -> String {
        self.token(&revision.to_be_bytes())
    }

    /// The revision after which the page begins that a token was made for; `None` for the first page.
    ///
    /// # Errors
    /// The token is not of this list.
    pub fn read_event(&self, token: &str) -> Result<Option<u32>, BadPageToken> {
        let place = self.place(token)?;
        let revision = |bytes: Vec<u8>| bytes.try_into().map(u32::from_be_bytes).map_err(|_| BadPageToken);
        place.map(revision).transpose()
    }
}

/// Tokens of streams that can be resumed from a moment.
impl List<'_> {
    /// The token to go on from a moment.
    #[must_use]
    pub fn from_moment(&self, moment: Millis) -> String {
        self.token(&moment.to_be_bytes())
    }

    /// The moment from which a stream goes on; `None`: from now.
    ///
    /// # Errors
    /// The token is not of this stream.
    pub fn read_moment(&self, token: &str) -> Result<Option<Millis>, BadPageToken> {
        let place = self.place(token)?;
        let moment = |bytes: Vec<u8>| bytes.try_into().map(Millis::from_be_bytes).map_err(|_| BadPageToken);
        place.map(moment).transpose()
    }
}

/// What a page may still hold. Callers cannot read answers of any size: many take no more than 4 MiB.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    left: usize,
}

impl Budget {
    /// For a page of about 1 MiB.
    pub const PAGE: Self = Self { left: 1 << 20 };

    /// Takes an entry in, and says whether it still fits. The first one always does, or no page would ever be
    /// turned.
    pub fn takes(&mut self, entry: &impl Message, is_first: bool) -> bool {
        // Its key and its length come before it.
        let size = entry.encoded_len() + 6;
        let fits = is_first || size <= self.left;
        self.left = self.left.saturating_sub(size);
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::MatchName;

    const LIST: List<'_> = List { method: "ListMatches", fields: &["tenants/default", "create_time"] };

    fn place() -> Place {
        let name = MatchName::parse("tenants/default/matches/m1234").unwrap();
        Place::new(1_767_225_600_000, &name)
    }

    #[test]
    fn a_token_tells_where_to_go_on() {
        assert_eq!(LIST.read_match(&LIST.after_match(&place())), Ok(Some(place())));
        assert_eq!(LIST.read_event(&LIST.after_event(u32::MAX)), Ok(Some(u32::MAX)));
        assert_eq!(LIST.read_moment(&LIST.from_moment(-7)), Ok(Some(-7)));
        assert_eq!(LIST.read_match(""), Ok(None));
        assert_eq!(LIST.read_event(""), Ok(None));
    }

    #[test]
    fn a_wrong_or_foreign_token_is_found_out() {
        let token = LIST.after_match(&place());
        for index in 0..token.len() {
            let mut changed = token.clone();
            let digit = if &token[index..=index] == "0" { "1" } else { "0" };
            changed.replace_range(index..=index, digit);
            assert_eq!(LIST.read_match(&changed), Err(BadPageToken), "{index}");
        }
        let upper = token.to_uppercase();
        for wrong in ["x", "00", "\u{e9}\u{e9}", &token[1..], &token[2..], &upper, &format!("{token}00")] {
            assert_eq!(LIST.read_match(wrong), Err(BadPageToken), "{wrong}");
        }
        assert_eq!(LIST.read_match(&LIST.after_event(7)), Err(BadPageToken));
        assert_eq!(LIST.read_event(&token), Err(BadPageToken));
        let others = [
            List { method: "ListMatchEvents", ..LIST },
            List { fields: &["tenants/default", "end_time"], ..LIST },
            List { fields: &["tenants/defaultcreate_time"], ..LIST },
        ];
        for other in others {
            assert_eq!(other.read_match(&token), Err(BadPageToken), "{other:?}");
        }
    }

    #[test]
    fn a_page_holds_what_fits_but_at_least_one() {
        let entry = |size| "x".repeat(size);
        let mut budget = Budget::PAGE;
        let taken = (0..).take_while(|n| budget.takes(&entry(16_000), *n == 0)).count();
        assert_eq!(taken, (1 << 20) / (16_000 + 4 + 6));

        let mut budget = Budget::PAGE;
        assert!(budget.takes(&entry(5 << 20), true));
        assert!(!budget.takes(&entry(0), false));
    }
}
