//! Tokens of players and spectators: JWTs that this service signs itself, with Ed25519.

use std::{io, path::Path, str::FromStr};

use chaquete_proof::hex;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

use super::{
    caller::{Caller, Player},
    jws, service_key,
};
use crate::{clock::Millis, key_file, name::MatchName};

/// Who signs our tokens, as `iss` says it.
pub(super) const ISSUER: &str = "chaquete";

/// The keys that sign tokens: the first signs, all of them count.
///
/// As a text, one key a line: 64 lower-case hexadecimal digits. Empty lines and lines that begin with `#` are passed
/// over.
#[derive(Clone)]
pub struct TokenKeys(Vec<TokenKey>);

#[derive(Clone)]
struct TokenKey {
    id: String,
    signs: EncodingKey,
    verifies: DecodingKey,
}

/// Why a text is no keys. The text itself is never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTokenKeys {
    /// There is no key.
    #[error("there is no key in it")]
    None,
    /// A line is no key.
    #[error("line {line}: not 64 lower-case hexadecimal digits")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
}

/// Why there are no keys, from a file or a new one.
pub type TokenKeyFileError = key_file::KeyFileError<BadTokenKeys>;

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Whose it is: a player or a spectator.
    pub caller: Caller,
    /// When it was issued.
    pub issued: Millis,
    /// From when on it counts no more.
    pub expires: Millis,
}

/// Why a text is no token that counts. What is wrong is for the log; callers are told no details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadToken(pub &'static str);

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    tenant: String,
    role: Role,
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    only: Option<String>,
    /// Seconds since 1970, as JWTs have it.
    iat: i64,
    exp: i64,
    /// The same to the millisecond: revoking is that exact.
    issued_ms: Millis,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Player,
    Spectator,
}

impl TokenKeys {
    /// A new key, kept nowhere but in memory.
    ///
    /// # Errors
    /// The operating system has no randomness to give.
    pub fn generate() -> Result<Self, TokenKeyFileError> {
        let secret = key_file::random::<32>();
        let secret = secret.map_err(|error| TokenKeyFileError::Random { what: "token keys", error })?;
        Ok(Self(vec![TokenKey::new(secret)]))
    }

    /// The keys in a file.
    ///
    /// # Errors
    /// There is no such file, others can read it, or it holds no keys.
    pub fn read(path: &Path) -> Result<Self, TokenKeyFileError> {
        key_file::read(path)
    }

    /// The keys in a file, which is made with a new key if there is none.
    ///
    /// # Errors
    /// As [`TokenKeys::read`], or the file cannot be made.
    pub fn read_or_make(path: &Path) -> Result<Self, TokenKeyFileError> {
        key_file::read_or_make(path)
    }

    /// The token as a text.
    ///
    /// # Errors
    /// It is for somebody who gets none from us.
    pub fn sign(&self, token: &Token) -> Result<String, BadToken> {
        jws::install();
        let claims = Claims::of(token).ok_or(BadToken("only players and spectators get tokens"))?;
        let key = &self.0[0];
        let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::EdDSA) };
        encode(&header, &claims, &key.signs).map_err(|_| BadToken("it cannot be signed"))
    }

    /// What a text says, if one of these keys has signed it. Whether it has expired is not looked at.
    ///
    /// # Errors
    /// None of these keys has, or it says nothing.
    pub fn verify(&self, text: &str) -> Result<Token, BadToken> {
        jws::install();
        let header = jsonwebtoken::decode_header(text).map_err(|_| BadToken("no header"))?;
        let named = |key: &&TokenKey| header.kid.as_deref() == Some(&*key.id);
        let key = self.0.iter().find(named).ok_or(BadToken("signed with an unknown key"))?;
        let decoded = decode::<Claims>(text, &key.verifies, &validation());
        decoded.map_err(|_| BadToken("not signed by us"))?.claims.token()
    }
}

/// Everything but the signature and the issuer is looked at by us: the time is an argument.
fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.set_required_spec_claims(&["iss", "sub", "exp"]);
    validation.set_issuer(&[ISSUER]);
    validation
}

impl TokenKey {
    fn new(secret: [u8; 32]) -> Self {
        let public = ed25519_dalek::SigningKey::from_bytes(&secret).verifying_key().to_bytes();
        Self {
            id: service_key::id(&service_key::hash(&public)),
            signs: EncodingKey::from_ed_der(&secret),
            verifies: DecodingKey::from_ed_der(&public),
        }
    }
}

impl Claims {
    fn of(token: &Token) -> Option<Self> {
        let (role, tenant, subject, only) = match &token.caller {
            Caller::Player(Player { tenant, subject, only }) => {
                (Role::Player, tenant, subject, only.as_ref())
            }
            Caller::Spectator { subject, only } => (Role::Spectator, &only.tenant, subject, Some(only)),
            _ => return None,
        };
        Some(Self {
            iss: ISSUER.to_owned(),
            sub: subject.clone(),
            tenant: tenant.clone(),
            role,
            only: only.map(ToString::to_string),
            iat: token.issued.div_euclid(1_000),
            exp: token.expires.div_euclid(1_000),
            issued_ms: token.issued,
        })
    }

    fn token(self) -> Result<Token, BadToken> {
        let only = match &self.only {
            Some(name) => Some(MatchName::parse(name).ok_or(BadToken("no name of a match"))?),
            None => None,
        };
        let caller = match (self.role, only) {
            (Role::Player, only) => Caller::Player(Player { tenant: self.tenant, subject: self.sub, only }),
            (Role::Spectator, Some(only)) => Caller::Spectator { subject: self.sub, only },
            (Role::Spectator, None) => return Err(BadToken("a spectator of no match")),
        };
        Ok(Token { caller, issued: self.issued_ms, expires: self.exp.saturating_mul(1_000) })
    }
}

impl FromStr for TokenKeys {
    type Err = BadTokenKeys;

    fn from_str(text: &str) -> Result<Self, BadTokenKeys> {
        let keys = key_file::lines(text)
            .map(|(line, text)| hex::decode(text).map(TokenKey::new).ok_or(BadTokenKeys::Line { line }));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        if keys.is_empty() { Err(BadTokenKeys::None) } else { Ok(Self(keys)) }
    }
}

impl key_file::Keys for TokenKeys {
    const WHAT: &str = "token keys";
    const DANGER: &str = "whoever reads them can be any player";

    fn new_text() -> io::Result<String> {
        let secret = hex::encode(&key_file::random::<32>()?);
        Ok(format!("# Signs the tokens of players and spectators. Keep it secret.\n{secret}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_800_000_000_123;

    fn player(only: Option<&str>) -> Token {
        let only = only.map(|name| MatchName::parse(name).unwrap());
        let caller = Caller::Player(Player { tenant: "t-1".into(), subject: "u 7/ü".into(), only });
        Token { caller, issued: NOW, expires: 1_800_000_060_000 }
    }

    fn spectator() -> Token {
        let only = MatchName::parse("tenants/t-1/matches/final").unwrap();
        Token { caller: Caller::Spectator { subject: "press".into(), only }, ..player(None) }
    }

    #[test]
    fn what_was_signed_is_read_again() {
        let keys = TokenKeys::generate().unwrap();
        for token in [player(None), player(Some("tenants/t-1/matches/final")), spectator()] {
            assert_eq!(keys.verify(&keys.sign(&token).unwrap()), Ok(token));
        }
        let operator = Token { caller: Caller::Operator { key: "k".into() }, ..player(None) };
        keys.sign(&operator).unwrap_err();
    }

    #[test]
    fn keys_that_were_replaced_count_until_they_are_removed() {
        let (old, new) = ("a".repeat(64), "b".repeat(64));
        let keys = |text: &str| text.parse::<TokenKeys>().unwrap();
        let text = keys(&old).sign(&player(None)).unwrap();
        keys(&format!("# new\n{new}\n\n{old}\r\n")).verify(&text).unwrap();
        assert_eq!(keys(&new).verify(&text), Err(BadToken("signed with an unknown key")));
        for (text, error) in [
            (String::new(), BadTokenKeys::None),
            ("# none".to_owned(), BadTokenKeys::None),
            (format!("{old}\n{}", "A".repeat(64)), BadTokenKeys::Line { line: 2 }),
            ("abc".to_owned(), BadTokenKeys::Line { line: 1 }),
        ] {
            assert_eq!(text.parse::<TokenKeys>().err(), Some(error), "{text}");
        }
    }

    #[test]
    fn a_token_that_was_changed_anywhere_does_not_count() {
        let keys = TokenKeys::generate().unwrap();
        let text = keys.sign(&player(None)).unwrap();
        for place in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            // Another character of the alphabet, two steps on: the last one of a part may carry unused bits.
            changed[place] = if changed[place] == b'Q' { b'g' } else { b'Q' };
            if changed == text.as_bytes() {
                continue;
            }
            let changed = String::from_utf8(changed).unwrap();
            keys.verify(&changed).expect_err(&format!("{place}: {changed}"));
        }
        for cut in 0..text.len() {
            keys.verify(&text[..cut]).unwrap_err();
        }
    }

    /// The well-known ways to talk a verifier into something.
    #[test]
    fn no_other_algorithm_counts() {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let keys = TokenKeys::generate().unwrap();
        let text = keys.sign(&player(None)).unwrap();
        let payload = text.split('.').nth(1).unwrap();
        let id = &keys.0[0].id;
        for algorithm in ["none", "None", "HS256", "RS256", "ES256", "PS256", "EdDSA"] {
            let header = URL_SAFE_NO_PAD.encode(format!(r#"{{"alg":"{algorithm}","kid":"{id}"}}"#));
            for signature in ["", "AAAA", &"A".repeat(86)] {
                keys.verify(&format!("{header}.{payload}.{signature}")).unwrap_err();
            }
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let error = "secret".parse::<TokenKeys>().err().unwrap();
        assert!(!error.to_string().contains("secret"));
    }
}
