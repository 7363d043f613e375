//! The server, and what is shown to it.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

/// The server, and what is shown to it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The server")]
pub(crate) struct Server {
    /// The server; with `https:` the connection is protected.
    #[arg(
        long,
        global = true,
        env = "CHAQUETE_SERVER",
        default_value = "http://127.0.0.1:50051",
        value_name = "URL"
    )]
    pub(crate) server: String,

    /// The tenant whose matches it is about, also those that are named by their ids alone. `-` is all, for operators who
    /// look at all of them.
    #[arg(long, global = true, env = "CHAQUETE_TENANT", default_value = "default")]
    pub(crate) tenant: Tenant,

    /// File with the service key or token that is shown with every call. It may also be in the environment itself, in
    /// CHAQUETE_TOKEN; an argument could be read by others.
    #[arg(long, global = true, env = "CHAQUETE_TOKEN_FILE", value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// File with the certificates (PEM) of those who may sign that of the server, besides those whom the machine
    /// trusts.
    #[arg(long, global = true, env = "CHAQUETE_CA", value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,

    /// File with the client's own certificate (PEM), to be shown to the server.
    #[arg(long, global = true, env = "CHAQUETE_CERT", value_name = "FILE", requires = "key")]
    pub(crate) cert: Option<PathBuf>,

    /// File with the private key (PEM) of that certificate.
    #[arg(long, global = true, env = "CHAQUETE_KEY", value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
}

impl Server {
    /// The full name of a match that was given by its id or its full name.
    pub(crate) fn match_name(&self, given: &str) -> String {
        if given.contains('/') { given.to_owned() } else { format!("{}/matches/{given}", self.tenant.0) }
    }
}

/// A tenant: its full name.
#[derive(Clone, Debug)]
pub(crate) struct Tenant(pub(crate) String);

impl FromStr for Tenant {
    type Err = Infallible;

    /// The last part of a name, or all of it.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(if text.contains('/') { text.to_owned() } else { format!("tenants/{text}") }))
    }
}
