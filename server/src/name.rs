//! Names of tenants and matches: `tenants/{tenant}/matches/{match}`.

use std::fmt;

/// The tenant of a server without configured tenants.
pub const DEFAULT_TENANT: &str = "default";

/// The full name of a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatchName {
    /// The tenant.
    pub tenant: String,
    /// The last part of the name, unique in the tenant: 4 to 63 characters of `[a-z0-9-]`, beginning with
    /// a letter.
    pub id: String,
}

impl MatchName {
    /// The name in its usual form; `None` if it is not of that form.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let (tenant, id) = name.strip_prefix("tenants/")?.split_once("/matches/")?;
        (is_tenant(tenant) && is_match_id(id)).then(|| Self { tenant: tenant.to_owned(), id: id.to_owned() })
    }
}

impl fmt::Display for MatchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tenants/{}/matches/{}", self.tenant, self.id)
    }
}

/// The tenant named by `tenants/{tenant}`; `None` if it is not of that form.
#[must_use]
pub fn parse_tenant(parent: &str) -> Option<&str> {
    parent.strip_prefix("tenants/").filter(|tenant| is_tenant(tenant))
}

/// Whether this can be the last part of a match's name.
#[must_use]
pub fn is_match_id(id: &str) -> bool {
    (4..=63).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.bytes().all(is_plain)
}

/// Whether this can be the subject of a player: 1 to 128 printable ASCII characters.
#[must_use]
pub fn is_subject(subject: &str) -> bool {
    (1..=128).contains(&subject.len()) && subject.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether this can be the name of a tenant: 1 to 63 characters of `[a-z0-9-]`.
#[must_use]
pub fn is_tenant(tenant: &str) -> bool {
    (1..=63).contains(&tenant.len()) && tenant.bytes().all(is_plain)
}

const fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}
