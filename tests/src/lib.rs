//! What tests of the whole thing need: servers in this process and in others, on ports of their own.

mod clock;
mod command_line;
mod contributions;
mod credentials;
mod dice;
mod edge;
mod matches;
mod postgres;
mod process;
mod raw;
mod receipts;
mod replays;
mod replicas;
mod scraped;
mod service;
mod shared;
mod tamper;
mod watched;
mod way;

pub use clock::TestClock;
pub use command_line::{Said, chaquete};
pub use contributions::{commit_to, contribute, contributed_match, open, seat_of};
pub use credentials::{Closed, backend, key_id, new_key, store_url};
pub use dice::{dice_proof, page_programs, verify_dice};
pub use edge::{Edge, program_or_say};
pub use matches::{
    act, any_of, cancel, current_game, events, legal_moves, new_match, play_to_the_end, rules_to, seat_to_act,
};
pub use postgres::Postgres;
pub use process::{ServerProcess, binary};
pub use raw::{Raw, RawAnswer, RawCall, framed};
pub use receipts::covered;
pub use replays::{Replays, all_there_once, is_whole, patient};
pub use replicas::Replicas;
pub use scraped::{Scraped, get};
pub use service::Service;
pub use shared::{project, shared, shared_or_say};
pub use tamper::tamper;
pub use watched::revisions;
pub use way::{Acting, Way, as_status};
