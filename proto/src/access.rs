//! Who may call what, read from the contract itself.
//!
//! Each method of the contract carries the option `backgammon.v1.access`. [`AccessTable::load`]
//! reads them all and fails if a method has none: a method nobody thought about must not be served.
//!
//! ```
//! use chaquete_proto::access::{AccessTable, Streaming};
//! use chaquete_proto::v1::Role;
//!
//! let table = AccessTable::load()?;
//! let method = table.get("/backgammon.v1.MatchService/WatchMatch").expect("it is in the contract");
//! assert!(method.allows(Role::Spectator));
//! assert_eq!(method.streaming, Streaming::Server);
//! # Ok::<(), chaquete_proto::access::AccessError>(())
//! ```

use std::collections::BTreeMap;

use prost_reflect::{DescriptorError, DescriptorPool, ExtensionDescriptor, MethodDescriptor};
use prost_types::method_options::IdempotencyLevel;

use crate::FILE_DESCRIPTOR_SET;
pub use crate::v1::Role;

use crate::v1::AccessRule;

/// Number of the option `backgammon.v1.access` in `google.protobuf.MethodOptions`.
pub const ACCESS_OPTION: u32 = 50101;

/// All methods of the contract by path.
#[derive(Debug, Clone)]
pub struct AccessTable {
    methods: BTreeMap<String, Method>,
}

/// What the contract says about one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Path of the method as it comes in HTTP/2, for example `/backgammon.v1.MatchService/GetMatch`.
    pub path: String,
    /// The roles that may call it; never empty, never [`Role::Unspecified`].
    pub roles: Vec<Role>,
    /// Which sides send streams.
    pub streaming: Streaming,
    /// Whether it can be repeated.
    pub idempotency: Idempotency,
}

/// Which sides of a call send a stream instead of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Streaming {
    /// Neither.
    Unary,
    /// The client.
    Client,
    /// The server.
    Server,
    /// Both.
    Bidirectional,
}

/// What happens when a call is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Idempotency {
    /// The contract promises nothing.
    Unknown,
    /// The call changes nothing.
    NoSideEffects,
    /// Repeated with the same `request_id` it acts once.
    Idempotent,
}

/// Why there is no access table.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The bytes are not a descriptor set.
    #[error("the descriptor set does not decode")]
    Descriptor(#[from] DescriptorError),
    /// The descriptor set does not declare the option.
    #[error("the descriptor set declares no method option {ACCESS_OPTION}")]
    NoOption,
    /// These methods have no rule, an empty one, or one with an unknown role.
    #[error("methods without a valid access rule: {}", .0.join(", "))]
    Missing(Vec<String>),
}

impl AccessTable {
    /// Reads the rules of the embedded contract.
    ///
    /// # Errors
    /// [`AccessError::Missing`] with every method that lacks a rule.
    pub fn load() -> Result<Self, AccessError> {
        Self::decode(FILE_DESCRIPTOR_SET)
    }

    /// Reads the rules of all services in an encoded `google.protobuf.FileDescriptorSet`.
    ///
    /// # Errors
    /// If the bytes are not such a set, if it does not declare the option, or if methods lack a rule.
    pub fn decode(descriptor_set: &[u8]) -> Result<Self, AccessError> {
        let pool = DescriptorPool::decode(descriptor_set)?;
        let option = pool
            .get_message_by_name("google.protobuf.MethodOptions")
            .and_then(|options| options.get_extension(ACCESS_OPTION))
            .ok_or(AccessError::NoOption)?;
        let mut methods = BTreeMap::new();
        let mut missing = Vec::new();
        for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
            let roles = roles(&option, &method);
            if roles.is_empty() {
                missing.push(path);
                continue;
            }
            let (streaming, idempotency) = (streaming(&method), idempotency(&method));
            methods.insert(path.clone(), Method { path, roles, streaming, idempotency });
        }
        if missing.is_empty() { Ok(Self { methods }) } else { Err(AccessError::Missing(missing)) }
    }

    /// The method of this path; `None` if the contract has no such method.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Method> {
        self.methods.get(path)
    }

    /// All methods, ordered by path.
    pub fn iter(&self) -> impl Iterator<Item = &Method> {
        self.methods.values()
    }
}

impl Method {
    /// Whether a caller of this role may call the method. A public method is open to all.
    #[must_use]
    pub fn allows(&self, role: Role) -> bool {
        self.roles.contains(&Role::Public) || self.roles.contains(&role)
    }
}

/// The roles of the method's rule; none if there is no rule or it names a role nobody knows.
fn roles(option: &ExtensionDescriptor, method: &MethodDescriptor) -> Vec<Role> {
    let options = method.options();
    let value = options.get_extension(option);
    let rule = value.as_message().and_then(|rule| rule.transcode_to::<AccessRule>().ok()).unwrap_or_default();
    let roles = rule.allow.into_iter().map(|number| match Role::try_from(number) {
        Ok(Role::Unspecified) | Err(_) => None,
        Ok(role) => Some(role),
    });
    roles.collect::<Option<_>>().unwrap_or_default()
}

fn streaming(method: &MethodDescriptor) -> Streaming {
    match (method.is_client_streaming(), method.is_server_streaming()) {
        (false, false) => Streaming::Unary,
        (true, false) => Streaming::Client,
        (false, true) => Streaming::Server,
        (true, true) => Streaming::Bidirectional,
    }
}

fn idempotency(method: &MethodDescriptor) -> Idempotency {
    let options = method.method_descriptor_proto().options.as_ref();
    match options.map_or(IdempotencyLevel::IdempotencyUnknown, |options| options.idempotency_level()) {
        IdempotencyLevel::IdempotencyUnknown => Idempotency::Unknown,
        IdempotencyLevel::NoSideEffects => Idempotency::NoSideEffects,
        IdempotencyLevel::Idempotent => Idempotency::Idempotent,
    }
}
