//! The law, told as stories: given these events, when this command, then these events.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

#[path = "../common"]
mod common {
    pub(crate) mod random;
}

mod article;
mod automation;
mod cases;
mod contributions;
mod kit;
mod protocol;
mod random_play;
mod scoring;
mod time;
