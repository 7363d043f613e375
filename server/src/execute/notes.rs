//! Changes of labels and annotations.

use std::collections::BTreeMap;

use crate::store::Notes;

/// The most labels that a match may have.
pub const MAX_LABELS: usize = 32;

/// How many bytes the annotations of a match may have together, keys included.
pub const MAX_ANNOTATIONS: usize = 16 * 1024;

/// Facts by their keys.
type Facts = BTreeMap<String, String>;

/// What is to become of labels and annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesChange {
    /// Of the labels.
    pub labels: FactsChange,
    /// Of the annotations.
    pub annotations: FactsChange,
}

/// What is to become of facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactsChange {
    /// They are these and no others.
    Whole(Facts),
    /// Those with these keys have these values, or are removed. All others stay.
    Keys(BTreeMap<String, Option<String>>),
}

/// A match would have more beside its log than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    /// Too many labels.
    #[error("the match would have {0} labels, and may have {MAX_LABELS}")]
    Labels(usize),
    /// Annotations of too many bytes.
    #[error("the annotations would have {0} bytes, keys included, and may have {MAX_ANNOTATIONS}")]
    Annotations(usize),
}

impl NotesChange {
    /// What comes of these.
    ///
    /// # Errors
    /// It is more than a match may have.
    pub fn apply(&self, before: &Notes) -> Result<Notes, TooMuch> {
        let labels = self.labels.apply(&before.labels);
        let annotations = self.annotations.apply(&before.annotations);
        if labels.len() > MAX_LABELS {
            return Err(TooMuch::Labels(labels.len()));
        }
        match size(&annotations) {
            bytes if bytes > MAX_ANNOTATIONS => Err(TooMuch::Annotations(bytes)),
            _ => Ok(Notes { labels, annotations }),
        }
    }
}

impl FactsChange {
    fn apply(&self, before: &Facts) -> Facts {
        let changes = match self {
            Self::Whole(facts) => return facts.clone(),
            Self::Keys(changes) => changes,
        };
        let mut facts = before.clone();
        for (key, value) in changes {
            match value {
                Some(value) => facts.insert(key.clone(), value.clone()),
                None => facts.remove(key),
            };
        }
        facts
    }
}

/// The bytes of facts, keys included.
#[must_use]
pub fn size(facts: &Facts) -> usize {
    facts.iter().map(|(key, value)| key.len() + value.len()).sum()
}
