//! `CreateMatch`.

use chaquete_proto::v1;

use super::{check_tenant, match_service::MatchRpc};
use crate::{
    status::Error,
    wire::{
        creation,
        state::{self, View},
    },
};

impl MatchRpc {
    pub(super) async fn create(
        &self,
        request: &v1::CreateMatchRequest,
    ) -> Result<v1::CreateMatchResponse, Error> {
        let wanted = creation::read_creation(request, self.parts.allow_seeded_dice)?;
        if let Some(feature) = wanted.unbuilt {
            return Err(Error::Unimplemented { feature });
        }
        check_tenant(&wanted.creation.name.tenant)?;
        let executor = &self.parts.executor;
        let table = if wanted.validate_only {
            executor.consider_creation(wanted.creation).await?
        } else {
            executor.create(wanted.creation).await?.table
        };
        Ok(v1::CreateMatchResponse { r#match: Some(state::match_then(&table, View::Full)) })
    }
}
