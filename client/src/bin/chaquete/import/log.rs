//! What a JSON log says about its match.

use chaquete_client::match_id;
use serde_json::Value;

/// The match of a log: it keeps its id, so that a log goes back to where it was and is the same there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Log {
    pub(super) match_id: String,
    pub(super) uid: String,
}

impl Log {
    /// What the first line says; `None` if it says neither: why not is for the server to tell.
    pub(super) fn of(content: &[u8]) -> Option<Self> {
        let facts: Value = serde_json::from_slice(content.split(|&byte| byte == b'\n').next()?).ok()?;
        let text = |key: &str| facts.get(key).and_then(Value::as_str);
        Some(Self { match_id: match_id(text("match")?).to_owned(), uid: text("uid")?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_match() {
        let log = b"{\"format\":\"bgexport/1\",\"match\":\"tenants/club/matches/final\",\"uid\":\"u\"}\n{}\n";
        assert_eq!(Log::of(log), Some(Log { match_id: "final".to_owned(), uid: "u".to_owned() }));
        for other in [&b""[..], b"{}", b"[1]\n", b"\xff\n", b"{\"match\":1,\"uid\":\"u\"}"] {
            assert_eq!(Log::of(other), None, "{other:?}");
        }
    }
}
