//! The services of the contract: each method parses, executes, answers; nothing else.

mod act;
mod action;
mod answer;
mod checkpoint;
mod follow;
mod list;
mod match_service;
mod operator_service;
mod play_service;
mod record;
mod rules_service;
mod statistics;
mod stream;
mod token;
mod verify;
mod visit;
mod watch;

use tonic::{Response, Status};

pub use checkpoint::CheckpointParts;
pub use match_service::{MatchParts, MatchRpc};
pub use operator_service::OperatorRpc;
pub use play_service::PlayRpc;
pub use rules_service::RulesRpc;

/// What a method answers.
type Answer<T> = Result<Response<T>, Status>;
