//! What a client shows of itself, and whom it trusts.

use std::fmt;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// A connection on which every call shows the client's credentials.
pub(crate) type Transport = InterceptedService<Channel, Bearer>;

/// A service key or a token, shown with every call. It is never printed.
#[derive(Clone, Default)]
pub(crate) struct Bearer(Option<MetadataValue<Ascii>>);

impl Bearer {
    /// What is shown of this key or token; `None` if it cannot be one.
    pub(crate) fn new(token: &str) -> Option<Self> {
        let mut shown: MetadataValue<Ascii> = format!("Bearer {token}").parse().ok()?;
        shown.set_sensitive(true);
        Some(Self(Some(shown)))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(shown) = &self.0 {
            request.metadata_mut().insert("authorization", shown.clone());
        }
        Ok(request)
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_some() { "Bearer(…)" } else { "Bearer(none)" })
    }
}
