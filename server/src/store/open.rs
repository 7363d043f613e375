//! How a store is named and opened.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Store, Writing, postgres, sqlite};

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is not a name of a store.
    #[error(
        "{} names no store: say \"sqlite:FILE\", \"postgres://HOST/DATABASE\" or \"memory:\"",
        Shown(url)
    )]
    Url {
        /// What was given.
        url: String,
    },
    /// Another server, or another store of this one, has the file open.
    #[error("{} is being served by another process", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// The file has several names. SQLite puts what it needs beside the name that it is told, so whoever came
    /// by another name would miss what was written by this one.
    #[error(
        "{} is one of {links} names (hard links) of the same file: leave it only one, or serve a copy",
        path.display()
    )]
    Linked {
        /// The file.
        path: PathBuf,
        /// How many names it has.
        links: u64,
    },
    /// The directory of the file is missing and cannot be created, or cannot be entered.
    #[error("the directory of {} cannot be used: {source}", path.display())]
    Directory {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file cannot be created, or not be opened for reading and writing.
    #[error("{} cannot be opened for reading and writing: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The file is something else than a database, or is damaged.
    #[error("{} is not a database, or is damaged", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is not there, and was not to be made.
    #[error("{} is not there", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file is the database of another program. It was not changed.
    #[error("{} is a database of another program", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The store was written by a newer version of this server. It was not changed.
    #[error("the store was written by a newer server: it has migration {version}, unknown here")]
    TooNew {
        /// The unknown migration.
        version: i64,
    },
    /// The tables are not those of this server yet.
    #[error("migration {version} is pending: run `chaquete-server migrate` first")]
    Pending {
        /// The first one.
        version: i64,
    },
    /// There is nothing to spread tables with.
    #[error("the database has no Citus: have its owner run CREATE EXTENSION citus")]
    NoCitus,
    /// Only Postgres can be written to over several connections.
    #[error(
        "the embedded store is written to by one writer, in batches of up to 1,024: only Postgres can be written to otherwise"
    )]
    OneWriter,
    /// The engine fails.
    #[error("the store cannot be opened: {0}")]
    Engine(String),
}

/// Opens the store that a URL names: `sqlite:FILE` (created with its directory if missing), `memory:` (new and
/// empty, gone when it is closed) or `postgres://…` (with its tables made by [`migrate`]). Must be called in a
/// tokio runtime.
///
/// # Errors
/// The URL names no store, or the store cannot be used; see [`OpenError`].
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    open_writing(url, Writing::default()).await
}

/// The same, with another way of writing than the usual.
///
/// # Errors
/// As [`open`]; or it is the embedded store, which knows no other way.
pub async fn open_writing(url: &str, writing: Writing) -> Result<Arc<dyn Store>, OpenError> {
    check(url, writing)?;
    match file_of(url) {
        _ if is_postgres(url) => postgres::open(url, writing).await,
        Some(path) => sqlite::open_file(path).await,
        None => sqlite::open_memory().await,
    }
}

/// Whether a URL names a store that can be written to so, as far as can be told without opening it.
///
/// # Errors
/// It names none, or it is the embedded store, which knows only one way of writing.
pub fn check(url: &str, writing: Writing) -> Result<(), OpenError> {
    if is_postgres(url) {
        return Ok(());
    }
    if writing != Writing::default() {
        return Err(OpenError::OneWriter);
    }
    if url == "memory:" || file_of(url).is_some() {
        Ok(())
    } else {
        Err(OpenError::Url { url: url.to_owned() })
    }
}

/// Opens a store that is there already: a name that was mistyped makes no new one.
///
/// # Errors
/// As [`open`]; or there is no such file.
pub async fn open_existing(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    match file_of(url) {
        Some(path) if !path.exists() => Err(OpenError::Missing { path: path.to_owned() }),
        _ => open(url).await,
    }
}

/// Makes the tables of a Postgres database, or brings them up to date. The embedded store does so by itself.
///
/// # Errors
/// The URL names no Postgres database, or it cannot be brought up to date.
pub async fn migrate(url: &str) -> Result<(), OpenError> {
    if is_postgres(url) { postgres::migrate(url).await } else { Err(OpenError::Url { url: url.to_owned() }) }
}

/// Does what [`migrate`] does and spreads the tables over the machines of a cluster of Citus.
///
/// # Errors
/// As [`migrate`]; or the database has no Citus.
pub async fn distribute(url: &str) -> Result<(), OpenError> {
    if is_postgres(url) {
        postgres::distribute(url).await
    } else {
        Err(OpenError::Url { url: url.to_owned() })
    }
}

/// Whether several servers can serve the store that a URL names.
#[must_use]
pub fn is_shared(url: &str) -> bool {
    is_postgres(url)
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// The URL of a store as it may be shown: without its password.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("", self.0));
        // A password may hold anything, so it ends at the last sign that can end it.
        match rest.rsplit_once('@') {
            // Also of what was meant to be a URL of Postgres.
            Some((login, place)) if !scheme.is_empty() && file_of(self.0).is_none() => {
                let user = login.split(':').next().unwrap_or_default();
                write!(f, "{scheme}://{user}@{}", without_password(place))
            }
            _ if is_postgres(self.0) => f.write_str(without_password(self.0)),
            _ => f.write_str(self.0),
        }
    }
}

/// What stands before the parameter with the password.
fn without_password(url: &str) -> &str {
    url.split_once("password=").map_or(url, |(before, _)| before.trim_end_matches(['?', '&']))
}

/// The file of `sqlite:FILE`; `None` for other stores. Also in the spelling `sqlite://FILE`, where the slashes belong to the URL.
pub fn file_of(url: &str) -> Option<&Path> {
    let file = url.strip_prefix("sqlite:")?;
    let file = file.strip_prefix("//").unwrap_or(file);
    (!file.is_empty() && file != ":memory:").then(|| Path::new(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_in_two_spellings() {
        for (url, file) in [
            ("sqlite:data/chaquete.db", Some("data/chaquete.db")),
            ("sqlite://data/chaquete.db", Some("data/chaquete.db")),
            ("sqlite:/var/lib/chaquete.db", Some("/var/lib/chaquete.db")),
            ("sqlite:///var/lib/chaquete.db", Some("/var/lib/chaquete.db")),
            ("sqlite:", None),
            ("sqlite://", None),
            ("sqlite::memory:", None),
            ("chaquete.db", None),
            ("postgres://localhost/chaquete", None),
        ] {
            assert_eq!(file_of(url), file.map(Path::new), "{url}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("postgres://ana:s3cret@db.example/chaquete", "postgres://ana@db.example/chaquete"),
            (
                "postgresql://ana:p@ss:w@db:5432/chaquete?sslmode=require",
                "postgresql://ana@db:5432/chaquete?sslmode=require",
            ),
            ("postgres://ana@db/chaquete", "postgres://ana@db/chaquete"),
            ("postgres:///chaquete?host=/run&password=s3cret", "postgres:///chaquete?host=/run"),
            ("postgre://ana:s3cret@db/chaquete", "postgre://ana@db/chaquete"),
            ("sqlite:data/a@b.db", "sqlite:data/a@b.db"),
            ("sqlite://data/a@b.db", "sqlite://data/a@b.db"),
            ("memory:", "memory:"),
        ] {
            assert_eq!(Shown(url).to_string(), shown);
        }
    }

    #[tokio::test]
    async fn what_is_not_there_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mistyped.db");
        let error =
            open_existing(&format!("sqlite:{}", file.display())).await.err().expect("nothing is there");
        assert!(matches!(error, OpenError::Missing { .. }), "{error}");
        assert!(!file.exists());
    }

    #[tokio::test]
    async fn what_names_no_store_is_not_opened() {
        let error = open("mysql://localhost").await.err().expect("no store");
        assert!(matches!(error, OpenError::Url { .. }), "{error}");
    }
}
