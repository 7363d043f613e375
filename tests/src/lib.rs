//! What tests of the whole thing need: servers in this process and in others, on ports of their own.

mod process;
mod service;
mod shared;

pub use process::{ServerProcess, binary};
pub use service::Service;
pub use shared::{project, shared, shared_or_say};
