//! Everything that is wrong with the fields of a request, collected before anything is answered.

use std::fmt;

use tonic_types::FieldViolation;

/// How many violations are sent, and how long they may be together. They travel in a header, which some
/// clients bound at 8 KiB; nobody reads more.
const MAX_SENT: usize = 32;
const MAX_BYTES: usize = 4_096;

/// How much of a map key is shown in a path.
const MAX_KEY: usize = 64;

/// Where a field is in a request, named as in the contract: `move.steps[1].from`.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    part: Part<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Part<'a> {
    Field(&'static str),
    Index(usize),
    Key(&'a str),
}

impl<'a> Path<'a> {
    /// A field of the request itself.
    #[must_use]
    pub const fn root(field: &'static str) -> Self {
        Self { parent: None, part: Part::Field(field) }
    }

    /// A field of the message at this path.
    #[must_use]
    pub const fn field(&'a self, field: &'static str) -> Self {
        Self { parent: Some(self), part: Part::Field(field) }
    }

    /// An entry of the list at this path, from 0.
    #[must_use]
    pub const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), part: Part::Index(index) }
    }

    /// The value of a key of the map at this path.
    #[must_use]
    pub const fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), part: Part::Key(key) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.part {
            Part::Field(field) if self.parent.is_none() => f.write_str(field),
            Part::Field(field) => write!(f, ".{field}"),
            Part::Index(index) => write!(f, "[{index}]"),
            Part::Key(key) => write!(f, "[{:?}]", shortened(key)),
        }
    }
}

fn shortened(key: &str) -> &str {
    &key[..key.floor_char_boundary(MAX_KEY)]
}

/// Collects what is wrong with a request.
#[derive(Clone, Debug, Default)]
pub struct Violations {
    found: Vec<FieldViolation>,
    bytes: usize,
    unsent: usize,
}

impl Violations {
    /// Notes what is wrong with a field. The description teaches: it says what the field must be.
    pub fn add(&mut self, path: Path<'_>, description: impl Into<String>) {
        let violation = FieldViolation::new(path.to_string(), description);
        let bytes = violation.field.len() + violation.description.len();
        if self.found.len() < MAX_SENT && self.bytes + bytes <= MAX_BYTES {
            self.bytes += bytes;
            self.found.push(violation);
        } else {
            self.unsent += 1;
        }
    }

    /// Notes what is wrong with a field unless the condition holds. Returns whether it holds.
    pub fn check(&mut self, holds: bool, path: Path<'_>, description: impl Into<String>) -> bool {
        if !holds {
            self.add(path, description);
        }
        holds
    }

    /// What was read, if nothing was wrong. A part that could not be read is always noted, so `None` comes
    /// only with violations.
    ///
    /// # Errors
    /// All violations.
    pub fn finish<T>(self, read: Option<T>) -> Result<T, BadRequest> {
        match read {
            Some(read) if self.found.is_empty() => Ok(read),
            _ => Err(BadRequest { violations: self.found, unsent: self.unsent }),
        }
    }
}

/// A request with fields that are missing or malformed, whatever the state of the match.
#[derive(Clone, Debug, Default)]
pub struct BadRequest {
    /// What is wrong with which field.
    pub violations: Vec<FieldViolation>,
    /// How many more violations there are.
    pub unsent: usize,
}

impl BadRequest {
    /// A request with one bad field.
    #[must_use]
    pub fn one(path: Path<'_>, description: impl Into<String>) -> Self {
        Self { violations: vec![FieldViolation::new(path.to_string(), description)], unsent: 0 }
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.violations.first() else {
            return f.write_str("the request is malformed");
        };
        write!(f, "{}: {}", first.field, first.description)?;
        match self.violations.len() - 1 + self.unsent {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

impl std::error::Error for BadRequest {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_named_as_in_the_contract() {
        let (mv, labels) = (Path::root("move"), Path::root("match"));
        assert_eq!(mv.field("steps").index(1).field("from").to_string(), "move.steps[1].from");
        assert_eq!(labels.field("labels").key("a\"b").to_string(), r#"match.labels["a\"b"]"#);
    }

    #[test]
    fn all_violations_are_told_up_to_a_bound() {
        let mut violations = Violations::default();
        for index in 0..40 {
            violations.add(Path::root("list").index(index), "must not be");
        }
        let bad = violations.finish(Some(())).expect_err("there are violations");
        assert_eq!((bad.violations.len(), bad.unsent), (32, 8));
        assert_eq!(bad.to_string(), "list[0]: must not be (and 39 more)");

        let mut violations = Violations::default();
        let key = "\u{1}".repeat(100);
        for _ in 0..20 {
            violations.add(Path::root("labels").key(&key), "must not be");
        }
        let bad = violations.finish(Some(())).expect_err("there are violations");
        assert_eq!(bad.violations.len() + bad.unsent, 20);
        assert!(bad.violations.iter().map(|it| it.field.len()).sum::<usize>() < 4_096);
    }
}
