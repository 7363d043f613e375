//! The service: a thin shell round the rules. It loads, decides, appends, publishes.

pub mod access;
pub mod audit;
pub mod checkpoint;
pub mod clock;
pub mod config;
pub mod contract;
pub mod damage;
pub mod dice;
pub mod exchange;
pub mod execute;
pub mod feed;
pub mod health;
mod key_file;
pub mod layer;
mod lifecycle;
pub mod name;
pub mod operate;
pub mod relay;
pub mod rpc;
pub mod status;
pub mod store;
pub mod supervisor;
pub mod sweep;
pub mod table;
pub mod tally;
pub mod telemetry;
pub mod uid;
pub mod wire;

/// The log as exact bytes. It is a crate of its own, since whoever audits a log needs no server.
pub use chaquete_proof::log;
pub use lifecycle::{App, RunError, StartError, TlsError};
