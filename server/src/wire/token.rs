//! Tokens of players and spectators, as backends ask for them.

use std::{ops::RangeInclusive, time::Duration};

use chaquete_proto::v1;

use super::{
    scalar,
    violations::{BadRequest, Path, Violations},
};
use crate::{
    access::{Caller, Player},
    name::{self, MatchName},
};

/// How long a token is valid unless its request says so.
const DEFAULT_TTL: Duration = Duration::from_secs(3_600);

/// How long a token may be valid.
const TTL: RangeInclusive<Duration> = Duration::from_secs(60)..=Duration::from_secs(86_400);

/// A token that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedToken {
    /// The tenant.
    pub tenant: String,
    /// Whose it is to be: a player or a spectator.
    pub caller: Caller,
    /// The one match that it is to be for, if it is for one.
    pub only: Option<MatchName>,
    /// How long it is to be valid.
    pub ttl: Duration,
}

/// What a caller of `IssueToken` wants.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_issue(request: &v1::IssueTokenRequest) -> Result<WantedToken, BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let role = read_role(&mut violations, request.role);
    let subject = read_subject(&mut violations, &request.subject);
    let only = match request.r#match.as_str() {
        "" => Some(None),
        name => scalar::match_name(&mut violations, Path::root("match"), name).map(Some),
    };
    if let (Some(Some(only)), Some(tenant)) = (&only, &tenant) {
        violations.check(only.tenant == *tenant, Path::root("match"), "must be a match of this tenant");
    }
    let is_missing = role == Some(v1::Role::Spectator) && only == Some(None);
    violations.check(!is_missing, Path::root("match"), "is required for spectators");
    let ttl = scalar::duration(&mut violations, Path::root("ttl"), request.ttl.as_ref(), TTL);
    let wanted = || {
        let (tenant, only) = (tenant?, only?);
        let caller = caller(role?, tenant.clone(), subject?, only.clone())?;
        Some(WantedToken { tenant, caller, only, ttl: ttl?.unwrap_or(DEFAULT_TTL) })
    };
    violations.finish(wanted())
}

fn caller(role: v1::Role, tenant: String, subject: String, only: Option<MatchName>) -> Option<Caller> {
    match role {
        v1::Role::Player => Some(Caller::Player(Player { tenant, subject, only })),
        _ => Some(Caller::Spectator { subject, only: only? }),
    }
}

/// Whose tokens are to be revoked: tenant and subject.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_revoke(request: &v1::RevokeTokensRequest) -> Result<(String, String), BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let subject = read_subject(&mut violations, &request.subject);
    violations.finish(tenant.zip(subject))
}

fn read_role(violations: &mut Violations, role: i32) -> Option<v1::Role> {
    let path = Path::root("role");
    let role = scalar::known(violations, path, role)?;
    let is_issued = matches!(role, v1::Role::Player | v1::Role::Spectator);
    violations.check(is_issued, path, "must be ROLE_PLAYER or ROLE_SPECTATOR");
    is_issued.then_some(role)
}

fn read_subject(violations: &mut Violations, subject: &str) -> Option<String> {
    let is_one = name::is_subject(subject);
    violations.check(is_one, Path::root("subject"), "is required: 1 to 128 printable ASCII characters");
    is_one.then(|| subject.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> v1::IssueTokenRequest {
        v1::IssueTokenRequest {
            parent: "tenants/t-1".to_owned(),
            role: v1::Role::Player.into(),
            subject: "u-7".to_owned(),
            ..v1::IssueTokenRequest::default()
        }
    }

    fn fields(request: &v1::IssueTokenRequest) -> Vec<String> {
        let bad = read_issue(request).expect_err("a bad request");
        bad.violations.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn a_token_is_for_all_matches_of_a_player_or_for_one() {
        let wanted = read_issue(&request()).unwrap();
        let player = Player { tenant: "t-1".into(), subject: "u-7".into(), only: None };
        let caller = Caller::Player(player.clone());
        let expected = WantedToken { tenant: "t-1".into(), caller, only: None, ttl: DEFAULT_TTL };
        assert_eq!(wanted, expected);
        let name = "tenants/t-1/matches/final";
        let only = MatchName::parse(name).unwrap();
        let ttl = Some(prost_types::Duration { seconds: 60, nanos: 0 });
        let of_one = v1::IssueTokenRequest { r#match: name.into(), ttl, ..request() };
        let player = Player { only: Some(only.clone()), ..player };
        let (caller, ttl) = (Caller::Player(player), Duration::from_secs(60));
        let expected = WantedToken { caller, only: Some(only.clone()), ttl, ..expected };
        assert_eq!(read_issue(&of_one).unwrap(), expected);
        let spectator = v1::IssueTokenRequest { role: v1::Role::Spectator.into(), ..of_one };
        let caller = Caller::Spectator { subject: "u-7".into(), only };
        assert_eq!(read_issue(&spectator).unwrap().caller, caller);
    }

    #[test]
    fn whatever_is_wrong_is_said_at_once() {
        let bad = v1::IssueTokenRequest {
            parent: "t-1".to_owned(),
            role: v1::Role::Operator.into(),
            subject: "ü".to_owned(),
            r#match: "final".to_owned(),
            ttl: Some(prost_types::Duration { seconds: 59, nanos: 0 }),
        };
        assert_eq!(fields(&bad), ["parent", "role", "subject", "match", "ttl"]);
        let spectator = v1::IssueTokenRequest { role: v1::Role::Spectator.into(), ..request() };
        assert_eq!(fields(&spectator), ["match"]);
        let foreign = v1::IssueTokenRequest { r#match: "tenants/t-2/matches/final".into(), ..request() };
        assert_eq!(fields(&foreign), ["match"]);
        read_revoke(&v1::RevokeTokensRequest { parent: "tenants/t-1".into(), subject: String::new() })
            .unwrap_err();
    }
}
