//! Arguments of the commands about service keys.

use std::{num::NonZeroU32, path::PathBuf};

use clap::{Args, Subcommand};

use super::{StoreArgs, values::word};
use crate::{name, store::Scope};

/// What can be done with service keys.
#[derive(Clone, Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a key. It is printed once, alone on a line; what is stored does not give it away.
    Create {
        /// Whose store.
        #[command(flatten)]
        store: StoreArgs,

        /// Which key.
        #[command(flatten)]
        key: NewKey,
    },
    /// List keys, also those that were revoked.
    List {
        /// Whose store.
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Revoke a key. Servers that have it in mind take it for up to five seconds more.
    Revoke {
        /// Whose store.
        #[command(flatten)]
        store: StoreArgs,

        /// The key, as `list` calls it.
        id: String,
    },
}

impl KeyCommand {
    /// Whose keys.
    #[must_use]
    pub const fn store(&self) -> &StoreArgs {
        let (Self::Create { store, .. } | Self::List { store } | Self::Revoke { store, .. }) = self;
        store
    }

    pub(super) const fn store_mut(&mut self) -> &mut StoreArgs {
        let (Self::Create { store, .. } | Self::List { store } | Self::Revoke { store, .. }) = self;
        store
    }
}

/// A key that is to be made.
#[derive(Clone, Debug, Args)]
pub struct NewKey {
    /// For a backend of this tenant.
    #[arg(long, value_name = "TENANT", value_parser = tenant, conflicts_with = "operator", required_unless_present = "operator")]
    pub tenant: Option<String>,

    /// For an operator, who may read every tenant, verify and adjudicate.
    #[arg(long)]
    pub operator: bool,

    /// What a backend may do, with commas between them. Default: everything.
    #[arg(long, value_name = "SCOPES", value_parser = word::<Scope>(), value_delimiter = ',', conflicts_with = "operator")]
    pub scope: Vec<Scope>,

    /// What people call it.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub label: String,

    /// For how many days it counts. Default: until it is revoked.
    #[arg(long, value_name = "DAYS")]
    pub days: Option<NonZeroU32>,

    /// In place of a new secret: the certificate (PEM) that the client shows.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
}

fn tenant(text: &str) -> Result<String, &'static str> {
    if name::is_tenant(text) {
        Ok(text.to_owned())
    } else {
        Err("a tenant has 1 to 63 characters of a-z, 0-9 and -")
    }
}
