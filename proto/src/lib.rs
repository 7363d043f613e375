//! The API of Chaquete, `backgammon.v1`, in Rust: messages, clients and servers.
//!
//! The contract is in `backgammon/v1/*.proto`; [`v1`] is generated from it, comments included. The
//! compiled contract itself is [`FILE_DESCRIPTOR_SET`], from which [`access`] reads who may call
//! what.
//!
//! ```
//! use chaquete_proto::v1::{MatchRules, Variant, match_rules::Length};
//!
//! let rules = MatchRules { length: Some(Length::Points(7)), ..MatchRules::default() };
//! assert_eq!(rules.variant(), Variant::Unspecified);
//! ```

pub mod access;

/// The package `backgammon.v1`: messages, enums, and for each service a client and a server module.
#[expect(
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "generated: the generators switch lints off in their own output"
)]
pub mod v1 {
    tonic::include_proto!("backgammon.v1");
}

/// The compiled contract: an encoded `google.protobuf.FileDescriptorSet` with all imports, comments
/// and custom options, for reflection and for tools.
pub const FILE_DESCRIPTOR_SET: &[u8] = tonic::include_file_descriptor_set!("backgammon.v1");
