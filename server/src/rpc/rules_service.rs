//! `backgammon.v1.RulesService`.

use chaquete_proto::v1::{self, rules_service_server::RulesService};
use chaquete_rules::{DiceSource, IllegalMove, LegalMoves, MatchPoints, Variant};
use tonic::{Request, Response};

use super::Answer;
use crate::{
    status::Error,
    wire::{
        legal::{self, LegalMovesView},
        position::{self, Described},
        scalar::number,
        turn,
        violations::{Path, Violations},
        words,
    },
};

/// The rules as plain functions.
#[derive(Clone, Copy, Debug)]
pub struct RulesRpc {
    allow_seeded_dice: bool,
}

impl RulesRpc {
    /// The service; it says whether seeded dice may be chosen.
    #[must_use]
    pub const fn new(allow_seeded_dice: bool) -> Self {
        Self { allow_seeded_dice }
    }

    fn info(self) -> v1::GetServerInfoResponse {
        let sources = [DiceSource::COMMITTED, DiceSource::External, DiceSource::Seeded];
        let sources = sources.into_iter().filter(|&it| it != DiceSource::Seeded || self.allow_seeded_dice);
        v1::GetServerInfoResponse {
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
            api_versions: vec!["backgammon.v1".to_owned()],
            variants: Variant::ALL.map(|variant| words::variant(variant).into()).into(),
            dice_sources: sources.map(|source| words::dice_source(source).into()).collect(),
            max_points: number(MatchPoints::MAX.get()),
            // As long as the match.
            request_id_retention: None,
        }
    }
}

fn compute(request: &v1::ComputeLegalMovesRequest) -> Result<v1::ComputeLegalMovesResponse, Error> {
    let mut violations = Violations::default();
    let path = Path::root("position");
    let described = position::read_position(&mut violations, path, request.position.as_ref());
    let roll = described.and_then(|described| described.roll(&mut violations, path));
    let view = LegalMovesView::read(&mut violations, Path::root("view"), request.view);
    let asked = || Some((described?, roll?, view?));
    let (described, (seat, dice), view) = violations.finish(asked())?;
    let legal = LegalMoves::new(described.board.position(seat), dice);
    Ok(v1::ComputeLegalMovesResponse { legal_moves: Some(legal::legal_moves(seat, &legal, view)) })
}

fn apply(request: &v1::ApplyMoveRequest) -> Result<v1::ApplyMoveResponse, Error> {
    let mut violations = Violations::default();
    let path = Path::root("position");
    let described = position::read_position(&mut violations, path, request.position.as_ref());
    let roll = described.and_then(|described| described.roll(&mut violations, path));
    violations.check(request.r#move.is_some(), Path::root("move"), "is required");
    let written = request
        .r#move
        .as_ref()
        .and_then(|mv| turn::read_move_or_none(&mut violations, Path::root("move"), mv));
    let asked = || Some((described?, roll?, written?));
    let (described, (seat, dice), written): (Described, _, _) = violations.finish(asked())?;
    let variant = request.position.as_ref().map_or(0, |position| position.variant);
    Ok(match LegalMoves::new(described.board.position(seat), dice).resolve(&written) {
        Ok(played) => position::applied(&described, seat, &played, variant),
        Err(IllegalMove { violation, step }) => {
            // A rule about the whole move is broken where the steps end.
            let step = if step < written.steps().count() { step } else { 0 };
            v1::ApplyMoveResponse {
                violation: words::move_violation(violation).into(),
                violating_step: number(step),
                ..v1::ApplyMoveResponse::default()
            }
        }
    })
}

#[tonic::async_trait]
impl RulesService for RulesRpc {
    async fn compute_legal_moves(
        &self,
        request: Request<v1::ComputeLegalMovesRequest>,
    ) -> Answer<v1::ComputeLegalMovesResponse> {
        Ok(Response::new(compute(request.get_ref())?))
    }

    async fn apply_move(&self, request: Request<v1::ApplyMoveRequest>) -> Answer<v1::ApplyMoveResponse> {
        Ok(Response::new(apply(request.get_ref())?))
    }

    async fn convert_position(
        &self,
        request: Request<v1::ConvertPositionRequest>,
    ) -> Answer<v1::ConvertPositionResponse> {
        Ok(Response::new(position::convert(request.get_ref()).map_err(Error::from)?))
    }

    async fn get_server_info(
        &self,
        _: Request<v1::GetServerInfoRequest>,
    ) -> Answer<v1::GetServerInfoResponse> {
        Ok(Response::new(self.info()))
    }
}
