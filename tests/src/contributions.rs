//! What players and creators of tests contribute to dice.

use chaquete_client::{Client, Error};
use chaquete_proof::dice::commitment;
use chaquete_proto::v1::{
    ContributeEntropyRequest, ContributeEntropyResponse, CreateMatchRequest, DicePolicy, Seat,
    contribute_entropy_request::Contribution,
};
use chaquete_rules::{Contributor, Seat as Playing};

use crate::{new_match, rules_to};

/// The seat that stands for a contributor in a request: none for the creator.
#[must_use]
pub const fn seat_of(by: Contributor) -> Seat {
    match by.seat() {
        Some(Playing::One) => Seat::One,
        Some(Playing::Two) => Seat::Two,
        None => Seat::Unspecified,
    }
}

/// A request to create a match to one point, to whose dice both seats contribute, or not, and the creator these bytes.
#[must_use]
pub fn contributed_match(players: bool, creator: Option<[u8; 32]>) -> CreateMatchRequest {
    let committed = |opening| commitment(Contributor::Creator, &opening).to_vec();
    let policy = DicePolicy {
        players_contribute: players,
        creator_commitment: creator.map(committed).unwrap_or_default(),
        ..DicePolicy::default()
    };
    let mut request = new_match(rules_to(1));
    request.r#match.as_mut().expect("there is one").dice_policy = Some(policy);
    request
}

/// Contributes to the dice of a match.
///
/// # Errors
/// What the server refused.
pub async fn contribute(
    client: &Client,
    name: &str,
    by: Contributor,
    contribution: Contribution,
) -> Result<ContributeEntropyResponse, Error> {
    let request = ContributeEntropyRequest {
        name: name.to_owned(),
        seat: seat_of(by).into(),
        contribution: Some(contribution),
        ..ContributeEntropyRequest::default()
    };
    client.contribute_entropy(request).await
}

/// Commits to these bytes.
///
/// # Errors
/// What the server refused.
pub async fn commit_to(
    client: &Client,
    name: &str,
    by: Contributor,
    opening: &[u8; 32],
) -> Result<ContributeEntropyResponse, Error> {
    let commitment = commitment(by, opening).to_vec();
    contribute(client, name, by, Contribution::Commitment(commitment)).await
}

/// Opens what was committed to.
///
/// # Errors
/// What the server refused.
pub async fn open(
    client: &Client,
    name: &str,
    by: Contributor,
    opening: &[u8; 32],
) -> Result<ContributeEntropyResponse, Error> {
    contribute(client, name, by, Contribution::Opening(opening.to_vec())).await
}
