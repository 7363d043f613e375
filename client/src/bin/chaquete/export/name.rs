//! What files of matches are called.

use crate::failure::Failure;
use crate::format::Format;

/// Whether the matches are of one tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Their ids tell them apart.
    Tenant,
    /// Only their tenants and ids do.
    Everywhere,
}

/// The name of the file of a match. It follows from the name of the match alone, so no server can say where on this
/// machine something is written.
pub(super) fn of_match(name: &str, scope: Scope, format: Format) -> Result<String, Failure> {
    let strange = || Failure::StrangeName { name: name.to_owned() };
    let parts: Vec<&str> = name.split('/').collect();
    let ["tenants", tenant, "matches", id] = parts[..] else { return Err(strange()) };
    if ![tenant, id].into_iter().all(is_plain) {
        return Err(strange());
    }
    let ending = format.ending();
    Ok(match scope {
        Scope::Tenant => format!("{id}.{ending}"),
        Scope::Everywhere => format!("{tenant}.{id}.{ending}"),
    })
}

/// Whether a part of a name is made as names of tenants and matches are.
fn is_plain(part: &str) -> bool {
    let is_first = |byte: u8| byte.is_ascii_alphanumeric();
    let is_other = |byte: u8| is_first(byte) || byte == b'-' || byte == b'_';
    part.len() <= 63 && part.bytes().next().is_some_and(is_first) && part.bytes().all(is_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_like_its_match() {
        let name = |scope| of_match("tenants/club/matches/first-light", scope, Format::Mat).expect("a name");
        assert_eq!(name(Scope::Tenant), "first-light.mat");
        assert_eq!(name(Scope::Everywhere), "club.first-light.mat");
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in [
            "",
            "first-light",
            "tenants/club/matches/",
            "tenants/club/matches/..",
            "tenants/club/matches/.hidden",
            "tenants/club/matches/a/b",
            "tenants/../matches/abcd",
            "tenants/club/matches/a\\b",
            "tenants/club/matches/a\0b",
            "tenants/club/matches/-rf",
            &format!("tenants/club/matches/{}", "a".repeat(64)),
        ] {
            assert!(of_match(name, Scope::Everywhere, Format::Mat).is_err(), "{name:?}");
        }
    }
}
