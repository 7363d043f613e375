//! A match that is to be created.

use chaquete_proof::hex;
use chaquete_proto::v1;
use chaquete_rules::{BySeat, Terms};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    command, dice,
    notes::{check_annotations, check_labels},
    rules, scalar, time,
    violations::{BadRequest, Path, Violations},
};
use crate::{
    access::Caller,
    execute::Creation,
    log::Request,
    name::{self, MatchName},
    store::{About, Notes},
};

pub(super) const MAX_DISPLAY_NAME: usize = 63;

/// What a caller of `CreateMatch` wants.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The match.
    pub creation: Creation,
    /// Whether it is only to be checked.
    pub validate_only: bool,
}

/// What a caller of `CreateMatch` wants.
///
/// # Errors
/// Everything that is wrong with the request.
pub fn read_creation(
    request: &v1::CreateMatchRequest,
    by: &Caller,
    allow_seeded_dice: bool,
) -> Result<Wanted, BadRequest> {
    let mut violations = Violations::default();
    let tenant = scalar::tenant(&mut violations, Path::root("parent"), &request.parent);
    let request_id = scalar::request_id(&mut violations, Path::root("request_id"), &request.request_id);
    let match_id = read_match_id(&mut violations, Path::root("match_id"), &request.match_id);
    let agreed =
        read_match(&mut violations, Path::root("match"), request.r#match.as_ref(), allow_seeded_dice);

    let digest = command::digest(
        "CreateMatch",
        &v1::CreateMatchRequest { request_id: String::new(), ..request.clone() },
    );
    let wanted = || {
        let ((terms, about), tenant, request_id) = (agreed?, tenant?, request_id?);
        let id = match_id?.unwrap_or_else(|| make_match_id(&tenant, request_id));
        Some(Wanted {
            creation: Creation {
                name: MatchName { tenant, id },
                request: request_id.map(|id| Request { id, digest }),
                actor: by.actor(None),
                terms,
                about,
            },
            validate_only: request.validate_only,
        })
    };
    violations.finish(wanted())
}

/// The name of the match that a request creates, whatever else is wrong with it. `None`: it is made by chance.
#[must_use]
pub fn name_to_be(request: &v1::CreateMatchRequest) -> Option<String> {
    let v1::CreateMatchRequest { parent, match_id, request_id, .. } = request;
    if !match_id.is_empty() {
        return Some(format!("{parent}/matches/{match_id}"));
    }
    let request_id = Uuid::parse_str(request_id).ok()?;
    let id = make_match_id(name::parse_tenant(parent)?, Some(request_id));
    Some(format!("{parent}/matches/{id}"))
}

pub(super) fn read_match_id(violations: &mut Violations, path: Path<'_>, id: &str) -> Option<Option<String>> {
    if id.is_empty() {
        return Some(None);
    }
    violations
        .check(
            name::is_match_id(id),
            path,
            "must be 4 to 63 small letters, digits and `-`, beginning with a letter, or empty",
        )
        .then(|| Some(id.to_owned()))
}

/// The id of a match for which the caller gave none: `m` and 104 bits as hexadecimal digits. With a
/// `request_id` they are the first of SHA-256 over `chaquete/match-id/1`, tenant and `request_id`, so that a
/// repeat of the call finds the match that the first one made. Must never change.
pub(super) fn make_match_id(tenant: &str, request_id: Option<Uuid>) -> String {
    let bits: [u8; 32] = request_id.map_or_else(rand::random, |request_id| {
        let tagged = Sha256::new().chain_update(b"chaquete/match-id/1\0").chain_update(tenant);
        tagged.chain_update(b"\0").chain_update(request_id.as_bytes()).finalize().into()
    });
    format!("m{}", hex::encode(&bits[..13]))
}

fn read_match(
    violations: &mut Violations,
    path: Path<'_>,
    wanted: Option<&v1::Match>,
    allow_seeded_dice: bool,
) -> Option<(Terms, About)> {
    violations.check(wanted.is_some(), path, "is required, with `players` and `rules`");
    let wanted = wanted?;
    let players = read_players(violations, path.field("players"), &wanted.players);
    let is_ruled = wanted.rules.is_some();
    violations.check(is_ruled, path.field("rules"), "is required, with `points` or `money_session`");
    let rules = wanted.rules.as_ref().map(|rules| rules::read_rules(violations, path.field("rules"), rules));
    let policy = wanted.dice_policy.clone().unwrap_or_default();
    let dice = dice::read_dice_policy(violations, path.field("dice_policy"), &policy, allow_seeded_dice);
    let control = wanted.time_control.unwrap_or_default();
    let limits = time::read_time_control(violations, path.field("time_control"), &control);
    let source = dice.map(|(source, _)| source);
    let automation = time::read_automation(violations, path.field("automation"), wanted.automation, source);
    check_labels(violations, path.field("labels"), &wanted.labels);
    check_annotations(violations, path.field("annotations"), &wanted.annotations);

    let ((subjects, display_names), rules, (dice, seed)) = (players?, rules??, dice?);
    let (time, ready_check) = (limits?, wanted.ready_check);
    let terms = Terms { players: subjects, rules, dice, time, automation, ready_check };
    let (labels, annotations) = (wanted.labels.clone(), wanted.annotations.clone());
    Some((terms, About { display_names, notes: Notes { labels, annotations }, seed, ..About::default() }))
}

/// Subjects and display names of the two players.
pub(super) fn read_players(
    violations: &mut Violations,
    path: Path<'_>,
    players: &[v1::Player],
) -> Option<(BySeat<String>, BySeat<String>)> {
    let (known, unknown) = players.split_at(players.len().min(2));
    for (index, (player, seat)) in known.iter().zip([v1::Seat::One, v1::Seat::Two]).enumerate() {
        let path = path.index(index);
        let claimed = scalar::known(violations, path.field("seat"), player.seat);
        let in_order = claimed.is_none_or(|claimed| [v1::Seat::Unspecified, seat].contains(&claimed));
        violations.check(
            in_order,
            path.field("seat"),
            format!("must be {}, or be left out: seat one comes first", seat.as_str_name()),
        );
        check_subject(violations, path.field("subject"), &player.subject);
        check_display_name(violations, path.field("display_name"), &player.display_name);
    }
    match (known, unknown) {
        ([one, two], []) => Some((
            BySeat::new(one.subject.clone(), two.subject.clone()),
            BySeat::new(one.display_name.clone(), two.display_name.clone()),
        )),
        _ => {
            violations.add(path, "must be exactly two, seat one first");
            None
        }
    }
}

/// The subject of a player.
pub(super) fn check_subject(violations: &mut Violations, path: Path<'_>, subject: &str) {
    violations.check(name::is_subject(subject), path, "is required: 1 to 128 printable ASCII characters");
}

fn check_display_name(violations: &mut Violations, path: Path<'_>, name: &str) {
    violations.check(
        name.chars().count() <= MAX_DISPLAY_NAME && !name.chars().any(char::is_control),
        path,
        "must have at most 63 characters, none of them a control character",
    );
}

#[cfg(test)]
mod tests;
