//! `chaquete token`: what players and spectators show.

use std::process::ExitCode;

use chaquete_client::proto::{IssueTokenRequest, RevokeTokensRequest, Role};
use chaquete_client::{Client, RetryPolicy};

use crate::args::{Issue, Server, Token};
use crate::failure::Failure;
use crate::out;

pub(crate) async fn run(server: &Server, token: &Token) -> Result<ExitCode, Failure> {
    let client = crate::connect(server, RetryPolicy::default()).await?;
    match token {
        Token::Issue(args) => issue(&client, server, args).await?,
        Token::Revoke { subject } => {
            let parent = server.tenant.0.clone();
            client.revoke_tokens(RevokeTokensRequest { parent, subject: subject.clone() }).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn issue(client: &Client, server: &Server, args: &Issue) -> Result<(), Failure> {
    let role = if args.spectator { Role::Spectator } else { Role::Player };
    let request = IssueTokenRequest {
        parent: server.tenant.0.clone(),
        role: role.into(),
        subject: args.subject.clone(),
        r#match: args.only.as_deref().map(|given| server.match_name(given)).unwrap_or_default(),
        ttl: Some(args.ttl.0),
    };
    out::line(client.issue_token(request).await?.token)
}
