//! Every field of every request that is served, missing, out of range and malformed: each answer has the
//! documented code and reason, tells all bad fields at once, and nothing is written.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod actions;
mod matches;
mod refusals;
mod rules;
mod support;
