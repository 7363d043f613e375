//! Actions of many matches on one stream. What is the same for calls is tested with them, in `repeats` and
//! `bad_input`; here is what only a stream has.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod answers;
mod bounds;
mod ends;
mod matches;
mod support;
