//! `chaquete dice`: what proves the dice of a match.

use std::process::ExitCode;

use chaquete_client::RetryPolicy;
use chaquete_proof::dice::proofs;
use chaquete_proof::log::{Exported, decode, read_export};

use crate::args::{Dice, Server};
use crate::failure::Failure;
use crate::logs;
use crate::out;

pub(crate) async fn run(server: &Server, args: &Dice) -> Result<ExitCode, Failure> {
    let content = if args.file {
        logs::of_file(&args.what)?
    } else {
        let client = crate::connect(server, RetryPolicy::default()).await?;
        logs::of_match(&client, &logs::name(server, &args.what)?).await?
    };
    let name = args.what.display();
    let unproved =
        |because: &dyn std::fmt::Display| Failure::NoProof { because: format!("{name}: {because}") };
    let Exported { facts, events } = read_export(&content).map_err(|error| unproved(&error))?;
    let entries: Result<Vec<_>, _> = events.iter().map(|event| decode(&event.bytes)).collect();
    let entries = entries.map_err(|error| unproved(&error))?;
    let proofs = proofs(&facts.uid, &entries).map_err(|error| unproved(&error))?;
    let last = proofs.len().saturating_sub(1);
    let proof = match args.epoch {
        None if proofs.len() > 1 => {
            return Err(unproved(&format_args!("it has the epochs 0 to {last}: choose one with --epoch")));
        }
        epoch => proofs.get(epoch.unwrap_or_default() as usize),
    };
    let proof = proof.ok_or_else(|| unproved(&"there is no such epoch of dice"))?;
    out::line(proof.to_json())?;
    Ok(ExitCode::SUCCESS)
}
