//! What is part of the contract but not built says so.

use chaquete_proto::v1;
use tonic::Code;

use crate::support::{Bare, creation, refused};

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
    for bare in Bare::both_ways().await {
        let refused = refused(bare.act(v1::ContributeEntropyRequest::default()).await);
        assert_eq!((refused.code, refused.reason.as_str()), (Code::Unimplemented, "UNIMPLEMENTED"));
        assert_eq!(refused.metadata["feature"], "PlayService.ContributeEntropy");
    }
}

/// One way to choose an option, and what it is called.
type Choice = (fn(&mut v1::Match), &'static str);

#[tokio::test]
async fn options() {
    let options: [Choice; 2] = [
        (
            |wanted| {
                wanted.dice_policy = Some(v1::DicePolicy { players_contribute: true, ..Default::default() });
            },
            "CreateMatchRequest.match.dice_policy.players_contribute",
        ),
        (
            |wanted| {
                let creator_commitment = vec![1; 32];
                wanted.dice_policy = Some(v1::DicePolicy { creator_commitment, ..Default::default() });
            },
            "CreateMatchRequest.match.dice_policy.creator_commitment",
        ),
    ];
    for bare in Bare::both_ways().await {
        for (choose, feature) in options {
            let mut request = creation();
            choose(request.r#match.as_mut().unwrap());
            let refused = refused(bare.act(request).await);
            assert_eq!((refused.code, refused.metadata["feature"].as_str()), (Code::Unimplemented, feature));
        }
        assert_eq!(bare.match_count().await, 0);
    }
}
