//! The library against a server over real sockets.

mod retry;
mod server;
mod watch;
