//! What is part of the contract but not built says so.

use chaquete_proto::v1;
use tonic::Code;

use crate::support::{Bare, refused};

/// Calls a method with an empty request: it must say that it is not built.
macro_rules! unbuilt {
    ($client:expr, $($method:ident: $request:ident = $feature:literal),* $(,)?) => {$({
        let refused = refused($client.clone().$method(v1::$request::default()).await);
        assert_eq!((refused.code, refused.reason.as_str()), (Code::Unimplemented, "UNIMPLEMENTED"));
        assert_eq!(refused.metadata["feature"], $feature);
    })*};
}

#[tokio::test]
async fn methods() {
    let bare = Bare::start().await;
    unbuilt!(
        bare.matches,
        issue_token: IssueTokenRequest = "MatchService.IssueToken",
        revoke_tokens: RevokeTokensRequest = "MatchService.RevokeTokens",
    );
}
