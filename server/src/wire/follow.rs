//! Many matches that are to be followed.

use std::time::Duration;

use chaquete_proto::v1;

use super::{
    creation,
    page::List,
    query::read_heartbeat,
    scalar,
    violations::{BadRequest, Path, Violations},
};
use crate::clock::Millis;

/// Whose matches are to be followed.
#[derive(Clone, Debug)]
pub struct Follow {
    /// The tenant.
    pub tenant: String,
    /// Only matches in which this subject plays.
    pub subject: Option<String>,
    /// From which moment on; `None`: from now.
    pub since: Option<Millis>,
    /// How often a heartbeat comes when nothing happens.
    pub heartbeat: Duration,
}

impl Follow {
    /// The token to go on from a moment.
    #[must_use]
    pub fn token(&self, moment: Millis) -> String {
        with_follow(&self.tenant, self.subject.as_deref().unwrap_or_default(), |list| {
            list.from_moment(moment)
        })
    }
}

/// The stream that a resume token belongs to.
fn with_follow<T>(tenant: &str, subject: &str, then: impl FnOnce(List<'_>) -> T) -> T {
    then(List { method: "WatchMatches", fields: &[tenant, subject] })
}

/// Whose matches are to be followed.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_follow(request: &v1::WatchMatchesRequest) -> Result<Follow, BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let subject = Some(request.subject.clone()).filter(|subject| !subject.is_empty());
    if let Some(subject) = &subject {
        creation::check_subject(&mut violations, Path::root("subject"), subject);
    }
    let since = tenant.as_deref().and_then(|tenant| {
        let read = with_follow(tenant, &request.subject, |list| list.read_moment(&request.resume_token));
        let path = Path::root("resume_token");
        violations.check(
            read.is_ok(),
            path,
            "must be one that came with the same `parent` and `subject`, or empty",
        );
        read.ok()
    });
    let heartbeat = read_heartbeat(&mut violations, request.heartbeat_interval.as_ref());
    let follow = || Some(Follow { tenant: tenant?, subject, since: since?, heartbeat: heartbeat? });
    violations.finish(follow())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad_fields(request: &v1::WatchMatchesRequest) -> Vec<String> {
        let bad = read_follow(request).expect_err("a bad request");
        bad.violations.into_iter().map(|violation| violation.field).collect()
    }

    #[test]
    fn a_stream_of_matches_is_resumed_by_its_own_token_only() {
        let request = |subject: &str, resume_token: String| v1::WatchMatchesRequest {
            parent: "tenants/default".to_owned(),
            subject: subject.to_owned(),
            resume_token,
            heartbeat_interval: None,
        };
        let first = read_follow(&request("ann", String::new())).unwrap();
        assert_eq!(
            (first.subject.as_deref(), first.since, first.heartbeat),
            (Some("ann"), None, Duration::from_secs(15))
        );
        let token = first.token(1_767_225_600_000);
        assert_eq!(read_follow(&request("ann", token.clone())).unwrap().since, Some(1_767_225_600_000));
        assert_eq!(bad_fields(&request("bob", token.clone())), ["resume_token"]);
        assert_eq!(bad_fields(&request("", token.clone())), ["resume_token"]);
        assert_eq!(bad_fields(&request("ann", token[2..].to_owned())), ["resume_token"]);
        let bad = v1::WatchMatchesRequest {
            heartbeat_interval: Some(prost_types::Duration { seconds: 61, nanos: 0 }),
            ..request("é", "x".to_owned())
        };
        assert_eq!(bad_fields(&bad), ["subject", "resume_token", "heartbeat_interval"]);
        assert_eq!(bad_fields(&v1::WatchMatchesRequest::default()), ["parent"]);
    }
}
