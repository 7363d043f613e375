//! The compiled contract as a file, for what stands before the server: proxies that read requests, tools.

use std::{collections::BTreeSet, fs, io, path::Path};

use chaquete_proto::FILE_DESCRIPTOR_SET;
use prost::{DecodeError, Message};
use prost_types::FileDescriptorSet;

/// Writes a `google.protobuf.FileDescriptorSet` with everything that answers may hold, the details of errors included.
///
/// # Errors
/// The file cannot be written.
pub fn write(file: &Path) -> io::Result<()> {
    let details = missing(tonic_types::pb::FILE_DESCRIPTOR_SET).map_err(io::Error::other)?;
    // Two sets one after the other are one set with the files of both.
    fs::write(file, [FILE_DESCRIPTOR_SET, &details].concat())
}

/// The files of a set that are not in the contract: readers refuse a file that comes twice.
fn missing(encoded: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let known = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET)?.file;
    let known: BTreeSet<_> = known.iter().map(|file| file.name()).collect();
    let mut others = FileDescriptorSet::decode(encoded)?;
    others.file.retain(|file| !known.contains(file.name()));
    Ok(others.encode_to_vec())
}
