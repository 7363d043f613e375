//! Chaquete from Rust: a client of the API `backgammon.v1`.
//!
//! [`Client`] has one method for each call. It makes a call again while no server answers, always
//! under the same `request_id`, so that an action is done once however often it had to be sent; and
//! [`Watch`] follows a match through broken connections without leaving out or repeating an event.
//! Backends with many matches send their actions on one stream, see [`Client::act_stream`];
//! [`Export`] reads the records of many, and goes on where a connection broke.
//! Refusals come as [`Error`], with the server's reason and facts as typed values.
//!
//! ```no_run
//! use chaquete_client::proto::{CreateMatchRequest, Match, MatchRules, Player, match_rules::Length};
//! use chaquete_client::{Client, DEFAULT_TENANT};
//!
//! # async fn example() -> Result<(), chaquete_client::Error> {
//! let client = Client::connect("http://127.0.0.1:50051").await?;
//! let player = |subject: &str| Player { subject: subject.to_owned(), ..Default::default() };
//! let rules = MatchRules { length: Some(Length::Points(7)), ..Default::default() };
//! let created = client
//!     .create_match(CreateMatchRequest {
//!         parent: DEFAULT_TENANT.to_owned(),
//!         r#match: Some(Match {
//!             players: vec![player("alice"), player("bob")],
//!             rules: Some(rules),
//!             ..Default::default()
//!         }),
//!         ..Default::default()
//!     })
//!     .await?;
//! # Ok(())
//! # }
//! ```
//!
//! The rest is what the command line `chaquete` is made of: [`draw`] shows boards and events as text,
//! [`picture`] boards as pictures, and [`replay`] plays recorded matches through the API.

mod act;
mod calls;
mod client;
mod credentials;
pub mod draw;
mod error;
mod export;
mod name;
mod pages;
pub mod picture;
pub mod replay;
mod request_id;
mod retry;
mod watch;

pub use chaquete_proto::v1 as proto;

pub use act::{Actions, Answers};
pub use client::{Client, ClientBuilder};
pub use error::{Error, FieldViolation, Origin};
pub use export::Export;
pub use name::{DEFAULT_TENANT, match_id, match_name, record_match_id};
pub use pages::{Events, List, Matches, Pages};
pub use request_id::new_request_id;
pub use retry::RetryPolicy;
pub use watch::{Watch, Watched};
