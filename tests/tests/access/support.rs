//! Clients with credentials, and what they are refused.

use std::fmt::Debug;

use chaquete_client::{Client, Error};
use chaquete_proto::v1::{ErrorReason, IssueTokenRequest, Role};
use chaquete_tests::Closed;
use tonic::Code;

/// A client that shows this key or token.
pub(crate) fn client(closed: &Closed, token: &str) -> Client {
    Client::builder(closed.service.endpoint()).token(token).connect_lazy().unwrap()
}

/// A token from a backend: for all matches, if `only` is empty.
pub(crate) async fn token(backend: &Client, tenant: &str, role: Role, subject: &str, only: &str) -> String {
    let request = IssueTokenRequest {
        parent: format!("tenants/{tenant}"),
        role: role.into(),
        subject: subject.to_owned(),
        r#match: only.to_owned(),
        ttl: None,
    };
    backend.issue_token(request).await.unwrap().token
}

/// With which code and reason a call was refused.
pub(crate) fn refused<T: Debug>(result: Result<T, Error>) -> (Code, Option<ErrorReason>) {
    let error = result.expect_err("it is refused");
    (error.code(), error.reason())
}
