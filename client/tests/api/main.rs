//! The library against a server over real sockets.

mod plan;
mod replay;
mod retry;
mod server;
mod watch;
