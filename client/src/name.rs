//! Resource names.

use sha2::{Digest as _, Sha256};

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

/// The match id under which the command line imports a record: it follows from the content, so that nothing is
/// imported twice.
///
/// ```
/// use chaquete_client::record_match_id;
///
/// let id = record_match_id(b" 7 point match");
/// assert_eq!(id, record_match_id(b" 7 point match"));
/// assert_ne!(id, record_match_id(b" 9 point match"));
/// assert!(id.starts_with("import-") && id.len() == 39);
/// ```
#[must_use]
pub fn record_match_id(content: &[u8]) -> String {
    format!("import-{}", hex(&Sha256::digest(content)[..16]))
}

/// Bytes as text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The last part of the name of a match.
#[must_use]
pub fn match_id(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
