//! Whom a server knows, and whether it asks.

use std::sync::Arc;

use super::{StartError, secrets::token_keys};
use crate::{
    access::{Authority, Caller, Issuer, KeySource},
    clock::Clock,
    config::Config,
    store::Store,
};

/// Who tells callers by their credentials. As long as there is nobody to be known, a server serves its own machine and
/// asks nobody.
pub(super) async fn authority(
    config: &Config,
    store: &Arc<dyn Store>,
    clock: &Arc<dyn Clock>,
) -> Result<Authority, StartError> {
    let issuer = issuer(config, clock).await?;
    let keys = store.keys().await.map_err(StartError::ServiceKeys)?;
    let now = clock.now();
    let is_asked =
        config.access.require_identity || issuer.is_some() || keys.iter().any(|key| key.is_valid(now));
    let unknown = if is_asked { Caller::Anonymous } else { Caller::Local };
    if !is_asked {
        if !config.listen.ip().is_loopback() && !config.access.allow_anyone {
            return Err(StartError::OpenToAnyone(config.listen));
        }
        tracing::warn!(
            listen = %config.listen,
            "nobody is asked who they are: whoever reaches this address can do everything"
        );
    }
    Ok(Authority::new(Arc::clone(store), Arc::clone(clock), token_keys(config)?, issuer, unknown))
}

async fn issuer(config: &Config, clock: &Arc<dyn Clock>) -> Result<Option<Issuer>, StartError> {
    let Some(configured) = config.access.issuer.clone() else { return Ok(None) };
    let is_here = matches!(configured.keys, KeySource::File(_));
    let issuer = Issuer::new(configured, Arc::clone(clock));
    match issuer.look().await {
        Err(error) if is_here => return Err(error.into()),
        // It may come back, and others can be known without it.
        Err(error) => tracing::warn!(issuer = issuer.name(), "{error}"),
        Ok(()) => {}
    }
    Ok(Some(issuer))
}
