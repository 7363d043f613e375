//! What others have contributed to the dice.

use chaquete_rules::{Contributions, Entropy};

use crate::log::bytes::{BadEntry, read::Reader, write::Object};

const COMMITMENTS: [&str; 3] = ["commitment_one", "commitment_two", "commitment_creator"];
const OPENINGS: [&str; 3] = ["opening_one", "opening_two", "opening_creator"];

pub(super) fn write(entropy: &Entropy, object: &mut Object) {
    object.integer("epoch", entropy.epoch);
    write_all(COMMITMENTS, &entropy.commitments, object);
    write_all(OPENINGS, &entropy.openings, object);
    object.optional("deadline_ms", entropy.deadline);
}

fn write_all(keys: [&str; 3], contributions: &Contributions, object: &mut Object) {
    for (key, bytes) in keys.into_iter().zip(&contributions.0) {
        if let Some(bytes) = bytes {
            object.bytes(key, bytes);
        }
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Entropy, BadEntry> {
    Ok(Entropy {
        epoch: reader.integer("epoch")?,
        commitments: read_all(COMMITMENTS, reader)?,
        openings: read_all(OPENINGS, reader)?,
        deadline: reader.optional("deadline_ms", Reader::integer)?,
    })
}

fn read_all(keys: [&'static str; 3], reader: &mut Reader<'_>) -> Result<Contributions, BadEntry> {
    let mut contributions = Contributions::NONE;
    for (key, bytes) in keys.into_iter().zip(&mut contributions.0) {
        *bytes = reader.optional(key, Reader::bytes)?;
    }
    Ok(contributions)
}
