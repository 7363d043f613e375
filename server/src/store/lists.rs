//! Lists of matches: in which order, from where, and what is told of a match whose row is damaged.

use uuid::Uuid;

use super::{Filter, Head, Store, StoreError, StoredMatch};
use crate::{clock::Millis, name::MatchName};

/// In which order matches are listed. Ties are broken by name, in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The time that counts.
    pub by: OrderBy,
    /// Newest first.
    pub descending: bool,
}

/// The times that matches can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// When they were created.
    CreateTime,
    /// When they ended; those that have not are left out.
    EndTime,
}

/// Which page of which list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// The tenant; `None`: all.
    pub tenant: Option<String>,
    /// Which of its matches.
    pub filter: Filter,
    /// The order.
    pub order: Order,
    /// Begin after this place.
    pub after: Option<Place>,
    /// The most matches to return.
    pub limit: u32,
}

impl ListQuery {
    /// Whether a match that was listed is of the tenant that was asked for.
    #[must_use]
    pub fn asks_for(&self, listed: &Listed) -> bool {
        self.tenant.as_ref().is_none_or(|tenant| tenant.as_bytes() == listed.place.tenant)
    }
}

/// A place in a list: a time and, where several matches have the same, a name.
///
/// Names are bytes here: a list goes on after a match even if its name is damaged and no text any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub(super) time: Millis,
    pub(super) tenant: Vec<u8>,
    pub(super) id: Vec<u8>,
}

impl Place {
    /// The place of a match of this name in a list by this time.
    #[must_use]
    pub fn new(time: Millis, name: &MatchName) -> Self {
        Self { time, tenant: name.tenant.clone().into_bytes(), id: name.id.clone().into_bytes() }
    }

    /// The place as bytes, for tokens of pages.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = self.tenant.len() as u32;
        [&self.time.to_be_bytes()[..], &length.to_be_bytes(), &self.tenant, &self.id].concat()
    }

    /// The place that was made to these bytes; `None` if none was.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (time, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (tenant, id) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        Some(Self { time: Millis::from_be_bytes(*time), tenant: tenant.to_vec(), id: id.to_vec() })
    }
}

/// A match of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it stands: a page can begin after it.
    pub place: Place,
    /// The match, or what is left of it.
    pub row: Row,
}

/// How many matches are read at once by those who look at all.
const PAGE: u32 = 200;

/// Matches of all tenants, oldest first, page by page. What is added meanwhile comes as well.
#[derive(Clone, Debug)]
pub struct Pages(ListQuery);

impl Pages {
    /// Those that have this time and meet this condition.
    #[must_use]
    pub const fn new(by: OrderBy, filter: Filter) -> Self {
        let order = Order { by, descending: false };
        Self(ListQuery { tenant: None, filter, order, after: None, limit: PAGE })
    }

    /// The next page; an empty one is the last.
    ///
    /// # Errors
    /// The store fails. The same page comes the next time.
    pub async fn next(&mut self, store: &dyn Store) -> Result<Vec<Listed>, StoreError> {
        let page = store.list(&self.0).await?;
        if let Some(last) = page.last() {
            self.0.after = Some(last.place.clone());
        }
        Ok(page)
    }
}

/// A match that has a deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The deadline.
    pub deadline: Millis,
    /// The uid of the match.
    pub uid: Uuid,
    /// The match, or what is left of it.
    pub row: Row,
}

/// What is stored of a match, or what is left of it.
pub type Row = Result<StoredMatch, Box<BadRow>>;

/// What can still be read of a match whose row is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is stored of a match is damaged: {because}")]
pub struct BadRow {
    /// Its name.
    pub name: Option<MatchName>,
    /// Its uid.
    pub uid: Option<Uuid>,
    /// Its head.
    pub head: Option<Head>,
    /// The first thing that is wrong.
    pub because: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::suite::fixture::{START, new_match};

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let name = MatchName { tenant: "default".to_owned(), id: "m1234".to_owned() };
        let damaged = Place { time: -5, tenant: vec![0xff; 300], id: vec![0, 0xfe] };
        for place in [Place::new(1_767_225_600_000, &name), damaged] {
            let bytes = place.to_bytes();
            assert_eq!(Place::from_bytes(&bytes), Some(place.clone()));
            for cut in 0..12 + place.tenant.len() {
                assert_eq!(Place::from_bytes(&bytes[..cut]), None, "{cut}");
            }
        }
    }

    #[test]
    fn a_match_of_another_tenant_was_not_asked_for() {
        let of = |tenant: &str| {
            let stored = new_match(tenant).0;
            Listed { place: Place::new(START, &stored.name), row: Ok(stored) }
        };
        let asks = |tenant: Option<&str>, listed: &str| {
            let order = Order { by: OrderBy::CreateTime, descending: false };
            let tenant = tenant.map(str::to_owned);
            ListQuery { tenant, filter: Filter::EVERY, order, after: None, limit: 1 }.asks_for(&of(listed))
        };
        assert!(asks(Some("club"), "club") && asks(None, "club"));
        assert!(!asks(Some("club"), "clubs") && !asks(Some("clubs"), "club"));
    }
}
