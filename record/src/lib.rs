//! Text and ids of other programs.

mod base64;
mod game_position;
mod game_position_error;
mod match_id;
mod position_id;
mod xgid;

pub use base64::IdTextError;
pub use game_position::{GamePosition, Offer, Play, Stage};
pub use game_position_error::GamePositionError;
pub use match_id::{GameState, MatchId, MatchIdError};
pub use position_id::{PositionId, PositionIdError};
pub use xgid::{Xgid, XgidError, XgidRule, XgidStage};
