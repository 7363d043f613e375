//! Who somebody is, by what was shown.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;

use super::{
    caller::{Backend, Caller},
    issuer::Issuer,
    service_key,
    token::{BadToken, ISSUER, Token, TokenKeys},
};
use crate::{
    clock::{Clock, Millis},
    store::{Holder, KeyHash, Store, StoreError, StoredKey},
};

/// How long a key counts as it was read: so long after it was revoked elsewhere it is still taken.
const KEYS_KEPT: Duration = Duration::from_secs(5);

/// The same for tokens that were revoked through another server.
const REVOCATIONS_KEPT: Duration = Duration::from_secs(1);

/// How long the signature of a token counts as checked: so long after an issuer has withdrawn a key its tokens may still
/// be taken, besides the time for which its key set is used.
const CHECKED_KEPT: Duration = Duration::from_secs(60);

/// How many keys, people and tokens are kept in mind.
const KEPT: u64 = 10_000;

/// How long a token can be, in bytes.
const MAX_TOKEN: usize = 4_096;

/// Tells callers by their credentials. Clones share what is kept in mind.
#[derive(Clone)]
pub struct Authority {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    tokens: Option<Arc<TokenKeys>>,
    issuer: Option<Issuer>,
    /// Who shows nothing.
    unknown: Caller,
    keys: Cache<KeyHash, Option<Arc<StoredKey>>>,
    revoked: Cache<(String, String), Option<Millis>>,
    /// Tokens whose signatures were checked, by their hashes.
    checked: Cache<[u8; 32], Arc<Token>>,
}

/// What a caller has shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// What came after `Bearer` in `authorization`.
    pub bearer: Option<&'a str>,
    /// The hash of the certificate with which it has connected.
    pub certificate: Option<KeyHash>,
}

/// Somebody who was told by credentials.
#[derive(Clone, Debug)]
pub struct Known {
    /// Who that is.
    pub caller: Arc<Caller>,
    /// From when on that is so no more.
    pub expires: Option<Millis>,
}

/// Why nobody was told.
#[derive(Debug, thiserror::Error)]
pub enum Unknown {
    /// The credentials do not count. Why is for the log only.
    #[error("{0}")]
    Refused(&'static str),
    /// This server has no key to sign tokens with, or to check them.
    #[error("this server has no token key")]
    NoTokenKey,
    /// It cannot be looked up now.
    #[error(transparent)]
    Unavailable(#[from] StoreError),
}

impl From<BadToken> for Unknown {
    fn from(BadToken(why): BadToken) -> Self {
        Self::Refused(why)
    }
}

impl Authority {
    /// An authority over what is in this store. `unknown` is who shows nothing.
    pub fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        tokens: Option<TokenKeys>,
        issuer: Option<Issuer>,
        unknown: Caller,
    ) -> Self {
        let kept = |time| Cache::builder().max_capacity(KEPT).time_to_live(time);
        Self {
            store,
            clock,
            tokens: tokens.map(Arc::new),
            issuer,
            unknown,
            keys: kept(KEYS_KEPT).build(),
            revoked: Cache::builder().max_capacity(KEPT).time_to_live(REVOCATIONS_KEPT).build(),
            checked: Cache::builder().max_capacity(KEPT).time_to_live(CHECKED_KEPT).build(),
        }
    }

    /// Who has shown this. Whoever shows something is never taken for one who has shown nothing.
    ///
    /// # Errors
    /// What was shown does not count, or it cannot be looked up now.
    pub async fn identify(&self, shown: Shown<'_>) -> Result<Known, Unknown> {
        match (shown.bearer, shown.certificate) {
            (Some(text), _) if text.starts_with(service_key::PREFIX) => {
                self.key(service_key::hash(text.as_bytes())).await
            }
            (Some(text), _) => self.token(text).await,
            (None, Some(certificate)) => self.key(certificate).await,
            (None, None) => Ok(Known { caller: Arc::new(self.unknown.clone()), expires: None }),
        }
    }

    /// Whether this was seen lately, or needs not be looked at: whoever shows nothing where nobody is asked.
    #[must_use]
    pub fn has_seen(&self, shown: Shown<'_>) -> bool {
        let has_key = |hash| self.keys.get(&hash).is_some_and(|key| key.is_some());
        match (shown.bearer, shown.certificate) {
            (Some(text), _) if text.starts_with(service_key::PREFIX) => {
                has_key(service_key::hash(text.as_bytes()))
            }
            (Some(text), _) => self.checked.contains_key(&service_key::hash(text.as_bytes())),
            (None, Some(certificate)) => has_key(certificate),
            (None, None) => self.unknown == Caller::Local,
        }
    }

    /// The token as a text that its holder shows.
    ///
    /// # Errors
    /// It is for somebody who gets none, or the store fails.
    pub async fn issue(&self, mut token: Token) -> Result<(String, Token), Unknown> {
        if let Some((tenant, subject)) = token.caller.person() {
            // What was revoked up to now stays so, even if a clock is behind.
            let since = self.store.tokens_since(tenant, subject).await?;
            token.issued = token.issued.max(since.unwrap_or(Millis::MIN));
        }
        Ok((self.tokens()?.sign(&token)?, token))
    }

    /// Refuses from now on all tokens of a subject that were issued until now; gives the time since when they count.
    ///
    /// # Errors
    /// The store fails.
    pub async fn revoke(&self, tenant: &str, subject: &str) -> Result<Millis, StoreError> {
        // Tokens of this very millisecond are among them.
        let not_before = self.clock.now() + 1;
        self.store.revoke_tokens(tenant, subject, not_before).await?;
        self.revoked.invalidate(&(tenant.to_owned(), subject.to_owned()));
        Ok(not_before)
    }

    fn tokens(&self) -> Result<&TokenKeys, Unknown> {
        self.tokens.as_deref().ok_or(Unknown::NoTokenKey)
    }

    async fn key(&self, hash: KeyHash) -> Result<Known, Unknown> {
        let stored = match self.keys.get(&hash) {
            Some(stored) => stored,
            None => {
                let stored = self.store.key(hash).await?.map(Arc::new);
                self.keys.insert(hash, stored.clone());
                stored
            }
        };
        let now = self.clock.now();
        let stored =
            stored.filter(|stored| stored.is_valid(now)).ok_or(Unknown::Refused("no key that counts"))?;
        let key = service_key::id(&hash);
        let caller = match &stored.holder {
            Holder::Backend { tenant, scopes } => {
                Caller::Backend(Backend { tenant: tenant.clone(), key, scopes: scopes.clone() })
            }
            Holder::Operator => Caller::Operator { key },
        };
        Ok(Known { caller: Arc::new(caller), expires: stored.expire_time })
    }

    async fn token(&self, text: &str) -> Result<Known, Unknown> {
        let token = self.signed(text).await?;
        if token.expires <= self.clock.now() {
            return Err(Unknown::Refused("an expired token"));
        }
        if let Some((tenant, subject)) = token.caller.person()
            && self.since(tenant, subject).await?.is_some_and(|since| token.issued < since)
        {
            return Err(Unknown::Refused("a revoked token"));
        }
        Ok(Known { caller: Arc::new(token.caller.clone()), expires: Some(token.expires) })
    }

    /// The token of a text that was signed by us or the other issuer.
    async fn signed(&self, text: &str) -> Result<Arc<Token>, Unknown> {
        if text.len() > MAX_TOKEN {
            return Err(Unknown::Refused("a token that is too long"));
        }
        let hash = service_key::hash(text.as_bytes());
        if let Some(token) = self.checked.get(&hash) {
            return Ok(token);
        }
        let token = match (says_issuer(text)?.as_str(), &self.issuer) {
            (ISSUER, _) => self.tokens()?.verify(text)?,
            (name, Some(issuer)) if name == issuer.name() => issuer.verify(text).await?,
            _ => return Err(Unknown::Refused("of an unknown issuer")),
        };
        let token = Arc::new(token);
        self.checked.insert(hash, Arc::clone(&token));
        Ok(token)
    }

    /// Since when tokens of a subject count, as of a moment ago.
    async fn since(&self, tenant: &str, subject: &str) -> Result<Option<Millis>, StoreError> {
        let person = (tenant.to_owned(), subject.to_owned());
        match self.revoked.get(&person) {
            Some(since) => Ok(since),
            None => {
                let since = self.store.tokens_since(tenant, subject).await?;
                self.revoked.insert(person, since);
                Ok(since)
            }
        }
    }
}

/// Who a token says has issued it: only to know whose keys to check it with.
fn says_issuer(text: &str) -> Result<String, BadToken> {
    #[derive(serde::Deserialize)]
    struct Says {
        iss: String,
    }
    let says = jsonwebtoken::dangerous::insecure_decode_claims::<Says>(text);
    says.map(|says| says.iss).map_err(|_| BadToken("no token"))
}
