//! `chaquete export`.

mod all;
mod name;
mod place;
mod some;

use std::process::ExitCode;

use chaquete_client::proto::RecordFormat;

use crate::args::{Export, Server};
use crate::failure::Failure;
use crate::format::Format;

pub(crate) async fn run(server: &Server, args: &Export) -> Result<ExitCode, Failure> {
    let format = args.format();
    if format == Format::Oldmoves {
        return Err(Failure::Usage("listings of FIBS are read, not written"));
    }
    if args.all { all::run(server, args, format).await } else { some::run(server, args, format).await }
}

fn wire(format: Format) -> i32 {
    RecordFormat::from(format).into()
}
