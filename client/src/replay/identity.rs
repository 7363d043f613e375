//! Names and ids that are the same whenever the same record is played in the same run.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::name::hex;

/// The name of a run of replays: what makes its matches and request ids its own, so that the same
/// command goes on where it was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId(String);

/// Why a text is no [`RunId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a run is named by 1 to 40 characters of a-z, 0-9 and -, beginning with a letter")]
pub struct RunIdError;

impl RunId {
    /// A new run, of a random name.
    #[must_use]
    pub fn random() -> Self {
        Self(format!("run-{:08x}", rand::random::<u32>()))
    }
}

impl FromStr for RunId {
    type Err = RunIdError;

    fn from_str(text: &str) -> Result<Self, RunIdError> {
        let is_letter = |byte: u8| byte.is_ascii_lowercase();
        let fits = (1..=40).contains(&text.len())
            && text.bytes().next().is_some_and(is_letter)
            && text.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit() || byte == b'-');
        if fits { Ok(Self(text.to_owned())) } else { Err(RunIdError) }
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// One recorded match in one run.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    run: RunId,
    content: [u8; 32],
}

impl Identity {
    /// `copy` tells equal files of one run apart: 0 for the first.
    pub(super) fn new(run: &RunId, content: &[u8], copy: u32) -> Self {
        let hash = Sha256::new().chain_update(copy.to_be_bytes()).chain_update(content).finalize();
        Self { run: run.clone(), content: hash.into() }
    }

    pub(super) fn match_id(&self) -> String {
        format!("{}-{}", self.run, hex(&self.content[..8]))
    }

    /// The request id of the `number`th request of the match: a UUID made from the hash.
    pub(super) fn request_id(&self, number: u64) -> String {
        let hash = Sha256::new()
            .chain_update(b"chaquete replay\0")
            .chain_update(self.content)
            .chain_update(number.to_be_bytes())
            .chain_update(self.run.0.as_bytes())
            .finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn run(name: &str) -> RunId {
        name.parse().expect("a run")
    }

    #[test]
    fn ids_are_the_same_every_time_and_differ_in_all_else() {
        let ids = |run_name: &str, content: &[u8], copy| {
            let identity = Identity::new(&run(run_name), content, copy);
            [identity.match_id(), identity.request_id(0), identity.request_id(1)]
        };
        assert_eq!(ids("a", b"file", 0), ids("a", b"file", 0));
        let all = [ids("a", b"file", 0), ids("b", b"file", 0), ids("a", b"elif", 0), ids("a", b"file", 1)];
        let different: HashSet<&String> = all.iter().flatten().collect();
        assert_eq!(different.len(), 12);
        assert!(all[0][0].starts_with("a-") && all[0][0].len() == 18, "{}", all[0][0]);
    }

    #[test]
    fn a_run_fits_into_the_name_of_a_match() {
        assert!("crash-test-1".parse::<RunId>().is_ok());
        for text in ["", "1st", "Run", "a_b", "-a", &"a".repeat(41)] {
            assert_eq!(text.parse::<RunId>(), Err(RunIdError), "{text}");
        }
        assert!(RunId::random().to_string().parse::<RunId>().is_ok());
    }
}
