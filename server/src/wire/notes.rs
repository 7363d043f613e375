//! Labels and annotations: what may be given, and how they are changed.

use std::collections::{BTreeMap, BTreeSet};

use chaquete_proto::v1;
use chaquete_rules::Command;
use prost_types::FieldMask;

use super::{
    order::Order,
    violations::{Path, Violations},
};
use crate::{
    execute::{self, FactsChange, MAX_ANNOTATIONS, MAX_LABELS, NotesChange},
    store::LabelKey,
};

const MAX_LABEL: usize = 63;

/// Facts by their keys.
type Facts = BTreeMap<String, String>;

static MATCH: Path<'static> = Path::root("match");

/// The labels that a request gives.
pub(super) fn check_labels(violations: &mut Violations, path: Path<'_>, labels: &Facts) {
    violations.check(labels.len() <= MAX_LABELS, path, "must be at most 32");
    for (key, value) in labels {
        violations.check(
            LabelKey::new(key).is_some(),
            path.key(key),
            "a key must be 1 to 63 small letters, digits, `_`, `.` and `-`",
        );
        violations.check(
            (1..=MAX_LABEL).contains(&value.chars().count()) && !value.chars().any(char::is_control),
            path.key(key),
            "a value must be 1 to 63 characters, none of them a control character",
        );
    }
}

/// The annotations that a request gives.
pub(super) fn check_annotations(violations: &mut Violations, path: Path<'_>, annotations: &Facts) {
    let bytes = execute::size(annotations);
    violations.check(bytes <= MAX_ANNOTATIONS, path, "must have at most 16 KiB together, keys included");
    for (key, value) in annotations {
        violations.check(!key.is_empty(), path.key(key), "a key must not be empty");
        violations.check(!value.is_empty(), path.key(key), "a value must not be empty");
        violations.check(
            !key.contains('\0') && !value.contains('\0'),
            path.key(key),
            "neither key nor value may contain the character zero",
        );
    }
}

impl Order for v1::UpdateMatchRequest {
    const METHOD: &'static str = "UpdateMatch";

    type Response = v1::UpdateMatchResponse;

    fn name(&self) -> &str {
        self.r#match.as_ref().map_or("", |wanted| &wanted.name)
    }

    fn name_path() -> Path<'static> {
        MATCH.field("name")
    }

    fn expected_revision(&self) -> i32 {
        self.expected_revision
    }

    fn request_id(&self) -> &str {
        &self.request_id
    }

    fn anonymous(&self) -> Self {
        Self { request_id: String::new(), ..self.clone() }
    }

    fn command(&self, _: &mut Violations) -> Option<Command> {
        Some(Command::Update)
    }

    fn notes(&self, violations: &mut Violations) -> Option<Option<NotesChange>> {
        let nothing = v1::Match::default();
        let wanted = self.r#match.as_ref().unwrap_or(&nothing);
        let Masks { labels, annotations } = read_mask(violations, self.update_mask.as_ref());
        let (given_labels, given_annotations) =
            (labels.choose(&wanted.labels), annotations.choose(&wanted.annotations));
        check_labels(violations, MATCH.field("labels"), &given_labels);
        check_annotations(violations, MATCH.field("annotations"), &given_annotations);
        Some(Some(NotesChange {
            labels: labels.change(given_labels),
            annotations: annotations.change(given_annotations),
        }))
    }

    fn response(done: v1::Match) -> Self::Response {
        v1::UpdateMatchResponse { r#match: Some(done) }
    }
}

/// Which labels and annotations a mask names.
#[derive(Default)]
struct Masks<'a> {
    labels: Mask<'a>,
    annotations: Mask<'a>,
}

impl<'a> Masks<'a> {
    /// Takes in what a path of a mask names; `None`: nothing that can be updated.
    fn take_in(&mut self, path: &'a str) -> Option<()> {
        let (facts, key) = path.split_once('.').map_or((path, None), |(facts, key)| (facts, Some(key)));
        match facts {
            "labels" if key.is_none_or(|key| LabelKey::new(key).is_some()) => self.labels.take_in(key),
            "annotations" if key.is_none_or(|key| !key.is_empty()) => self.annotations.take_in(key),
            _ => return None,
        }
        Some(())
    }
}

/// Which of the labels, or of the annotations, a mask names.
#[derive(Default)]
struct Mask<'a> {
    whole: bool,
    keys: BTreeSet<&'a str>,
}

impl<'a> Mask<'a> {
    fn take_in(&mut self, key: Option<&'a str>) {
        match key {
            Some(key) => drop(self.keys.insert(key)),
            None => self.whole = true,
        }
    }

    /// Those of these facts that are named: only they count.
    fn choose(&self, facts: &Facts) -> Facts {
        let named = facts.iter().filter(|(key, _)| self.whole || self.keys.contains(key.as_str()));
        named.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// What is to become of facts for which these are given.
    fn change(self, mut given: Facts) -> FactsChange {
        if self.whole {
            return FactsChange::Whole(given);
        }
        FactsChange::Keys(self.keys.into_iter().map(|key| (key.to_owned(), given.remove(key))).collect())
    }
}

fn read_mask<'a>(violations: &mut Violations, mask: Option<&'a FieldMask>) -> Masks<'a> {
    let path = Path::root("update_mask");
    let paths = mask.map_or(&[][..], |mask| &mask.paths);
    violations.check(
        !paths.is_empty(),
        path,
        "is required: `labels`, `annotations`, or keys as `labels.KEY`",
    );
    let mut masks = Masks::default();
    for (index, named) in paths.iter().enumerate() {
        violations.check(
            masks.take_in(named).is_some(),
            path.field("paths").index(index),
            "must be `labels`, `annotations`, or a key that they can have as `labels.KEY`: nothing else can be updated",
        );
    }
    masks
}

#[cfg(test)]
mod tests;
