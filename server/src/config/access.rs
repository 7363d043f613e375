//! Who may call, and how connections are protected.

use std::{collections::BTreeSet, path::PathBuf};

use clap::Args;

use super::values::{switch, word};
use crate::{
    access::{IssuedRole, IssuerConfig, KeySource},
    layer::web::Origin,
    log::Word,
};

/// Arguments of who may call.
#[derive(Clone, Debug, Args)]
pub(super) struct AccessArgs {
    /// Serve nobody without credentials, even if no key was made yet. Otherwise a server that has neither a key nor an
    /// issuer asks nobody, and serves only the machine it runs on.
    #[arg(long, env = "CHAQUETE_REQUIRE_IDENTITY", action = clap::ArgAction::SetTrue, value_parser = switch())]
    require_identity: bool,

    /// File with the key that signs tokens of players and spectators. Default: beside the embedded database, made if
    /// missing. Servers on one Postgres need the same file; without one they issue no tokens.
    #[arg(long, env = "CHAQUETE_TOKEN_KEY", value_name = "FILE")]
    token_key: Option<PathBuf>,

    /// Another issuer whose tokens count (JWT with EdDSA or ES256): what they say in `iss`.
    #[arg(long, env = "CHAQUETE_ISSUER", value_name = "ISS", requires_all = ["issuer_audience", "issuer_keys"])]
    issuer: Option<String>,

    /// What tokens of the issuer must say in `aud`.
    #[arg(long, env = "CHAQUETE_ISSUER_AUDIENCE", value_name = "AUD", requires = "issuer")]
    issuer_audience: Option<String>,

    /// Where the keys of the issuer are: a file with a JSON Web Key Set, or an https URL.
    #[arg(long, env = "CHAQUETE_ISSUER_KEYS", value_name = "FILE|URL", requires = "issuer")]
    issuer_keys: Option<KeySource>,

    /// The tenant of all tokens of the issuer. Default: each says its own in `tenant`.
    #[arg(long, env = "CHAQUETE_ISSUER_TENANT", value_name = "TENANT", requires = "issuer")]
    issuer_tenant: Option<String>,

    /// What tokens of the issuer may say in `role`, with commas between them.
    #[arg(
        long,
        env = "CHAQUETE_ISSUER_ROLES",
        value_name = "ROLES",
        value_parser = word::<IssuedRole>(),
        value_delimiter = ',',
        default_values = [IssuedRole::Player.word(), IssuedRole::Spectator.word()]
    )]
    issuer_roles: Vec<IssuedRole>,

    /// File with the certificates (PEM) that the server shows, its own first. Read again on SIGHUP.
    #[arg(long, env = "CHAQUETE_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// File with the private key (PEM) of the server's certificate. Read again on SIGHUP.
    #[arg(long, env = "CHAQUETE_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,

    /// File with the certificates (PEM) of those who sign certificates of clients. A client may then show one; it
    /// counts as the service key that was made with it.
    #[arg(long, env = "CHAQUETE_TLS_CLIENT_CA", value_name = "FILE", requires = "tls_cert")]
    tls_client_ca: Option<PathBuf>,

    /// Let pages from here call (gRPC-Web), as browsers write it: `https://play.example.com`, with commas between several.
    /// Default: only programs call, over HTTP/2.
    #[arg(long, env = "CHAQUETE_WEB_ORIGIN", value_name = "ORIGINS", value_delimiter = ',')]
    web_origin: Vec<Origin>,

    /// Serve an address that others can reach without TLS: for a server behind a proxy that ends it.
    #[arg(long, env = "CHAQUETE_ALLOW_PLAINTEXT", action = clap::ArgAction::SetTrue, value_parser = switch())]
    allow_plaintext: bool,

    /// Serve an address that others can reach without asking anybody who they are: whoever reaches it can do
    /// everything.
    #[arg(long, env = "CHAQUETE_ALLOW_ANYONE", action = clap::ArgAction::SetTrue, value_parser = switch())]
    allow_anyone: bool,
}

/// Who may call.
#[derive(Clone, Debug, Default)]
pub struct AccessConfig {
    /// Whether everybody is asked even if there is nobody to be known.
    pub require_identity: bool,
    /// File with the key that signs tokens; `None`: beside the database.
    pub token_key: Option<PathBuf>,
    /// Another issuer whose tokens count.
    pub issuer: Option<IssuerConfig>,
    /// How connections are protected; `None`: they are not.
    pub tls: Option<TlsFiles>,
    /// From where pages may call.
    pub web_origins: Vec<Origin>,
    /// Whether an address that others can reach may be served without TLS.
    pub allow_plaintext: bool,
    /// Whether an address that others can reach may be served without asking anybody.
    pub allow_anyone: bool,
}

/// What TLS is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The server's certificates (PEM), its own first.
    pub certificates: PathBuf,
    /// Its private key (PEM).
    pub key: PathBuf,
    /// Who signs certificates of clients; `None`: clients show none.
    pub client_authorities: Option<PathBuf>,
}

impl From<AccessArgs> for AccessConfig {
    fn from(args: AccessArgs) -> Self {
        // Which of them come together was looked at before.
        let issuer = args.issuer.zip(args.issuer_audience).zip(args.issuer_keys);
        Self {
            require_identity: args.require_identity,
            token_key: args.token_key,
            issuer: issuer.map(|((issuer, audience), keys)| IssuerConfig {
                issuer,
                audience,
                keys,
                tenant: args.issuer_tenant,
                roles: BTreeSet::from_iter(args.issuer_roles),
            }),
            tls: args.tls_cert.zip(args.tls_key).map(|(certificates, key)| TlsFiles {
                certificates,
                key,
                client_authorities: args.tls_client_ca,
            }),
            web_origins: args.web_origin,
            allow_plaintext: args.allow_plaintext,
            allow_anyone: args.allow_anyone,
        }
    }
}
