//! The library against a server over real sockets.

mod command_line;
mod convert;
mod export;
mod export_command;
mod import;
mod output;
mod pages;
mod pictures;
mod plan;
mod replay;
mod retry;
mod server;
mod watch;
