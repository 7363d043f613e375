//! Between the messages of the contract and the domain: this module and [`rpc`](crate::rpc) alone name types
//! of the contract.
//!
//! Requests are read whole: every field that is missing, malformed or out of range becomes one
//! [violation](violations), so that a caller learns all of them at once.

pub mod act;
pub mod checkpoint;
pub mod command;
pub mod creation;
pub mod dice;
pub mod event;
pub mod filter;
pub mod follow;
pub mod game;
pub mod legal;
pub mod notes;
pub mod order;
pub mod page;
pub mod position;
pub mod query;
pub mod record;
pub mod replay;
#[cfg(test)]
mod robust;
pub mod rules;
pub mod scalar;
pub mod state;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod time;
pub mod token;
pub mod turn;
pub mod verify;
pub mod violations;
pub mod words;
