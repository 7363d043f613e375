//! `IssueToken` and `RevokeTokens`.

use chaquete_proto::v1;
use tonic::Request;

use super::match_service::MatchRpc;
use crate::{
    access::{Token, Unknown},
    clock::Millis,
    execute::Failure,
    status::Error,
    wire::{scalar, token},
};

impl MatchRpc {
    pub(super) async fn issue(
        &self,
        request: Request<v1::IssueTokenRequest>,
    ) -> Result<v1::IssueTokenResponse, Error> {
        let visit = self.visit(&request);
        let wanted = token::read_issue(request.get_ref())?;
        visit.check_tenant(&wanted.tenant)?;
        if let Some(only) = &wanted.only {
            // A token for a match that is not there would be one for whichever takes the name later.
            visit.load(only).await?;
        }
        let issued = self.parts.clock.now();
        let ttl = wanted.ttl.as_millis().try_into().unwrap_or(Millis::MAX);
        let expires = whole_seconds(issued.saturating_add(ttl));
        let wanted = Token { caller: wanted.caller, issued, expires };
        let issued = self.parts.authority.issue(wanted).await;
        let (token, Token { expires, .. }) = issued.map_err(failed)?;
        Ok(v1::IssueTokenResponse { token, expire_time: Some(scalar::timestamp(expires)) })
    }

    pub(super) async fn revoke(
        &self,
        request: Request<v1::RevokeTokensRequest>,
    ) -> Result<v1::RevokeTokensResponse, Error> {
        let visit = self.visit(&request);
        let (tenant, subject) = token::read_revoke(request.get_ref())?;
        visit.check_tenant(&tenant)?;
        let not_before = self.parts.authority.revoke(&tenant, &subject).await.map_err(Failure::from)?;
        Ok(v1::RevokeTokensResponse { not_before: Some(scalar::timestamp(not_before)) })
    }
}

/// Tokens end with a second: so do the times in them.
fn whole_seconds(time: Millis) -> Millis {
    time.div_euclid(1_000) * 1_000 + if time.rem_euclid(1_000) == 0 { 0 } else { 1_000 }
}

fn failed(unknown: Unknown) -> Error {
    match unknown {
        Unknown::NoTokenKey => Error::NoTokenKey,
        Unknown::Unavailable(error) => Failure::from(error).into(),
        Unknown::Refused(why) => Failure::Internal(why.to_owned()).into(),
    }
}
