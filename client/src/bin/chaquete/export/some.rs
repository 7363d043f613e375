//! The export of single matches.

use std::process::ExitCode;

use chaquete_client::Client;
use chaquete_client::proto::ExportMatchRequest;

use super::name::{self, Scope};
use crate::args::{Export, Server};
use crate::failure::Failure;
use crate::file::Put;
use crate::format::Format;
use crate::out;
use crate::outputs::{Outputs, Taken, Target};

pub(super) async fn run(server: &Server, args: &Export, format: Format) -> Result<ExitCode, Failure> {
    let target = Target::of(args.out.as_ref(), args.names.len())?;
    let names: Vec<String> = args.names.iter().map(|name| server.match_name(name)).collect();
    let client = crate::connect(server, args.retry()).await?;
    let mut outputs = Outputs::new(target, args.existing())?;
    let mut code = ExitCode::SUCCESS;
    for name in names {
        if export(&client, &name, format, &mut outputs).await? == Put::Taken {
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

async fn export(client: &Client, name: &str, format: Format, outputs: &mut Outputs) -> Result<Put, Failure> {
    let file_name = name::of_match(name, Scope::Tenant, format)?;
    let request = ExportMatchRequest { name: name.to_owned(), format: super::wire(format) };
    let record = client.export_match(request).await.map_err(|error| Failure::of_match(name, error))?;
    for remark in &record.remarks {
        out::complain(format_args!("{name}: {remark}"));
    }
    let (path, put) = outputs.put(file_name.as_ref(), &record.content)?;
    match put {
        Put::Taken => out::complain(Taken(&path)),
        Put::Written | Put::Same if outputs.is_standard_output() => {}
        Put::Written | Put::Same => out::figures(format_args!("{}\n", path.display()))?,
    }
    Ok(put)
}
