//! Tokens of another issuer: JWTs signed with EdDSA or ES256, and the key set that they are checked with.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use chaquete_proof::words;
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet},
};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::{
    caller::{Backend, Caller, Player},
    jws,
    token::{BadToken, Token},
};
use crate::{
    clock::{Clock, Millis},
    log::Word,
    name::{self, MatchName},
    store::Scope,
};

/// How long a key set is used before it is looked for again.
const FRESH: Millis = 300_000;

/// How long after a key set was looked for an unknown key is no reason to look again.
const PAUSE: Millis = 30_000;

/// How long the issuer may take to send its key set, and how large that may be.
const FETCH: (Duration, u64) = (Duration::from_secs(5), 256 * 1024);

/// How far the clock of the issuer may be ahead of ours.
const LEEWAY: Millis = 60_000;

/// Another issuer whose tokens count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerConfig {
    /// What its tokens say in `iss`.
    pub issuer: String,
    /// What they must say in `aud`.
    pub audience: String,
    /// Where its keys are.
    pub keys: KeySource,
    /// The tenant of all its tokens; `None`: each says its own in `tenant`.
    pub tenant: Option<String>,
    /// What its tokens may say in `role`.
    pub roles: BTreeSet<IssuedRole>,
}

/// Where a key set is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// In a file.
    File(PathBuf),
    /// At a URL (`https:`; on loopback also `http:`).
    Url(String),
}

impl FromStr for KeySource {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let is_here = |rest: &str| {
            let hosts = ["localhost", "127.0.0.1", "[::1]"];
            let after = hosts.iter().find_map(|host| rest.strip_prefix(host));
            // A name may go on, and what looks like a host may be a user.
            after.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])) && !rest.contains('@')
        };
        match text.split_once("://") {
            Some(("https", _)) => Ok(Self::Url(text.to_owned())),
            Some(("http", rest)) if is_here(rest) => Ok(Self::Url(text.to_owned())),
            Some(_) => Err("keys are read from a file or over https (on this machine also http)"),
            None => Ok(Self::File(text.into())),
        }
    }
}

/// What a token of another issuer can be for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IssuedRole {
    /// A player, the one in `sub`; for the one match in `match` if there is one.
    #[default]
    Player,
    /// A spectator of the match in `match`.
    Spectator,
    /// A backend, with the scopes in `scope`.
    Backend,
    /// An operator.
    Operator,
}

words!(IssuedRole { Player: "player", Spectator: "spectator", Backend: "backend", Operator: "operator" });

/// Checks tokens of another issuer. Clones share its key set.
#[derive(Clone)]
pub struct Issuer {
    config: Arc<IssuerConfig>,
    clock: Arc<dyn Clock>,
    keys: Arc<Mutex<Keys>>,
}

#[derive(Default)]
struct Keys {
    set: Arc<JwkSet>,
    /// When they were looked for last, in vain or not.
    looked: Option<Millis>,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: f64,
    #[serde(default)]
    nbf: Option<f64>,
    #[serde(default)]
    iat: Option<f64>,
    #[serde(default)]
    tenant: Option<String>,
    #[serde(default)]
    role: IssuedRole,
    #[serde(default)]
    scope: String,
    #[serde(default, rename = "match")]
    only: Option<String>,
}

/// Why a key set cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("the keys of the issuer cannot be had: {0}")]
pub struct NoKeys(String);

impl Issuer {
    /// The issuer, without its keys as yet.
    pub fn new(config: IssuerConfig, clock: Arc<dyn Clock>) -> Self {
        Self { config: Arc::new(config), clock, keys: Arc::default() }
    }

    /// What its tokens say in `iss`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.config.issuer
    }

    /// Looks for its keys.
    ///
    /// # Errors
    /// They cannot be had; those from before still count.
    pub async fn look(&self) -> Result<(), NoKeys> {
        let now = self.clock.now();
        self.lock().looked = Some(now);
        let source = self.config.keys.clone();
        let read = spawn_blocking(move || read(&source)).await;
        let set = read.map_err(|panicked| NoKeys(panicked.to_string()))??;
        self.lock().set = Arc::new(set);
        Ok(())
    }

    /// What a token says, if this issuer has signed it and it has not expired.
    ///
    /// # Errors
    /// It has not, or the token is not for us.
    pub async fn verify(&self, text: &str) -> Result<Token, BadToken> {
        jws::install();
        let header = jsonwebtoken::decode_header(text).map_err(|_| BadToken("no header"))?;
        if !matches!(header.alg, Algorithm::EdDSA | Algorithm::ES256) {
            return Err(BadToken("another algorithm than EdDSA or ES256"));
        }
        let key = self.key(header.kid.as_deref(), header.alg).await?;
        let key = DecodingKey::from_jwk(&key).map_err(|_| BadToken("a key that is none"))?;
        let decoded = decode::<Claims>(text, &key, &self.validation(header.alg));
        let claims = decoded.map_err(|_| BadToken("not signed by the issuer, or not for us"))?.claims;
        self.token(claims)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        // Times are looked at by us: the clock is an argument.
        validation.validate_exp = false;
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        validation.set_issuer(&[&self.config.issuer]);
        validation.set_audience(&[&self.config.audience]);
        validation
    }

    /// The key of this id, looked for again if it is new or the set is old.
    async fn key(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Jwk, BadToken> {
        let (mut found, looked) = {
            let keys = self.lock();
            (find(&keys.set, id, algorithm), keys.looked)
        };
        let pause = if found.is_some() { FRESH } else { PAUSE };
        if looked.is_none_or(|looked| !(0..pause).contains(&(self.clock.now() - looked))) {
            if let Err(error) = self.look().await {
                tracing::warn!(issuer = self.config.issuer, "{error}");
            }
            found = find(&self.lock().set, id, algorithm);
        }
        found.ok_or(BadToken("signed with an unknown key"))
    }

    fn token(&self, claims: Claims) -> Result<Token, BadToken> {
        let now = self.clock.now();
        let (issued, expires) = (claims.iat.map(millis), millis(claims.exp));
        if claims.nbf.map(millis).max(issued).is_some_and(|begins| now + LEEWAY < begins) {
            return Err(BadToken("of the future"));
        }
        if expires <= now {
            return Err(BadToken("expired"));
        }
        let caller = self.caller(claims)?;
        Ok(Token { caller, issued: issued.unwrap_or(Millis::MIN), expires })
    }

    fn caller(&self, claims: Claims) -> Result<Caller, BadToken> {
        if !self.config.roles.contains(&claims.role) {
            return Err(BadToken("a role that this issuer does not give"));
        }
        let only = match &claims.only {
            Some(name) => Some(MatchName::parse(name).ok_or(BadToken("no name of a match"))?),
            None => None,
        };
        if !name::is_subject(&claims.sub) {
            return Err(BadToken("a subject that is none"));
        }
        if claims.role == IssuedRole::Operator {
            return Ok(Caller::Operator { key: claims.sub });
        }
        let tenant = self.tenant(claims.tenant)?;
        if only.as_ref().is_some_and(|only| only.tenant != tenant) {
            return Err(BadToken("a match of another tenant"));
        }
        match (claims.role, only) {
            (IssuedRole::Spectator, Some(only)) => Ok(Caller::Spectator { subject: claims.sub, only }),
            (IssuedRole::Spectator, None) => Err(BadToken("a spectator of no match")),
            (IssuedRole::Backend, _) => {
                let scopes = claims.scope.split_whitespace().filter_map(Scope::from_word).collect();
                Ok(Caller::Backend(Backend { tenant, key: claims.sub, scopes }))
            }
            (_, only) => Ok(Caller::Player(Player { tenant, subject: claims.sub, only })),
        }
    }

    /// The tenant of a token: what is configured for all of them, which the token may repeat, or what it says.
    fn tenant(&self, said: Option<String>) -> Result<String, BadToken> {
        match (&self.config.tenant, said) {
            (Some(all), Some(said)) if *all != said => Err(BadToken("another tenant than this issuer's")),
            (Some(all), _) => Ok(all.clone()),
            (None, Some(said)) if name::is_tenant(&said) => Ok(said),
            (None, _) => Err(BadToken("of no tenant")),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Keys> {
        // Nothing is left half-way by whoever panics.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seconds as JWTs have them, as a time of ours.
fn millis(seconds: f64) -> Millis {
    // Out of range, and what is no number, becomes the nearest that there is: long ago or never.
    (seconds * 1_000.0) as Millis
}

/// The key of a token: by its id, or the only one that it can be.
fn find(set: &JwkSet, id: Option<&str>, algorithm: Algorithm) -> Option<Jwk> {
    let mut fitting = set.keys.iter().filter(|key| fits(key, algorithm));
    match id {
        Some(_) => fitting.find(|key| key.common.key_id.as_deref() == id).cloned(),
        None => fitting.next().filter(|_| fitting.next().is_none()).cloned(),
    }
}

fn fits(key: &Jwk, algorithm: Algorithm) -> bool {
    match &key.algorithm {
        AlgorithmParameters::OctetKeyPair(key) => {
            algorithm == Algorithm::EdDSA && key.curve == EllipticCurve::Ed25519
        }
        AlgorithmParameters::EllipticCurve(key) => {
            algorithm == Algorithm::ES256 && key.curve == EllipticCurve::P256
        }
        _ => false,
    }
}

/// Reads a key set. Keys that are not understood are passed over: an issuer may have others, for others.
fn read(source: &KeySource) -> Result<JwkSet, NoKeys> {
    let text = match source {
        KeySource::File(path) => std::fs::read_to_string(path).map_err(|error| NoKeys(error.to_string()))?,
        KeySource::Url(url) => fetch(url).map_err(|error| NoKeys(error.to_string()))?,
    };
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<serde_json::Value>,
    }
    let set: Set = serde_json::from_str(&text).map_err(|error| NoKeys(format!("no key set: {error}")))?;
    let keys = set.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
    Ok(JwkSet { keys })
}

fn fetch(url: &str) -> Result<String, ureq::Error> {
    // Who is sent elsewhere does not go: keys come from where the operator said.
    let agent =
        ureq::Agent::config_builder().timeout_global(Some(FETCH.0)).max_redirects(0).build().new_agent();
    agent.get(url).call()?.body_mut().with_config().limit(FETCH.1).read_to_string()
}

#[cfg(test)]
mod tests;
