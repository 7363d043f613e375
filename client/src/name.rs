//! Resource names.

/// The tenant of a server that has none configured.
pub const DEFAULT_TENANT: &str = "tenants/default";

/// The full name of a match: `text` as it is if it is a full name, else the match of that id in the
/// [default tenant](DEFAULT_TENANT).
///
/// ```
/// use chaquete_client::match_name;
///
/// assert_eq!(match_name("final"), "tenants/default/matches/final");
/// assert_eq!(match_name("tenants/club/matches/final"), "tenants/club/matches/final");
/// ```
#[must_use]
pub fn match_name(text: &str) -> String {
    if text.contains('/') { text.to_owned() } else { format!("{DEFAULT_TENANT}/matches/{text}") }
}

/// The last part of the name of a match.
#[must_use]
pub fn match_id(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
