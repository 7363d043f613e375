//! Texts of fields with a separator between: most forms of a position are one.

use chaquete_rules::{CubeValue, Dice, SetupError};
use thiserror::Error;

use crate::excerpt::excerpt;
use crate::position_id::listed;

/// A field that holds something which means nothing there. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: the {field} must be {expected}, not {found:?}")]
pub struct FieldError {
    /// Where the field begins.
    pub column: usize,
    /// The field.
    pub field: &'static str,
    /// What it can hold.
    pub expected: &'static str,
    /// What it holds.
    pub found: String,
}

/// Why a text of fields is no position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldsError {
    /// There are too few fields, or too many.
    #[error("there must be {expected}, not {found}")]
    FieldCount {
        /// How many there are of what.
        expected: &'static str,
        /// Fields found; of a longer text, one more than there can be.
        found: usize,
    },
    /// A field holds something that means nothing there, or contradicts another.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The checkers are no position.
    #[error("{}", listed(.0))]
    Setup(Vec<SetupError>),
}

/// A form of a position has no word for something that the position holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{form} has no word for {what}")]
pub struct NoWord {
    /// The form.
    pub form: &'static str,
    /// What it cannot say.
    pub what: &'static str,
}

/// One field of a text and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) name: &'static str,
    pub(crate) column: usize,
    pub(crate) text: &'a str,
}

/// The fields of a text that begins at a column, with the names they have; one more than there are names,
/// if the text goes on.
pub(crate) fn fields<'a>(
    text: &'a str,
    separator: char,
    column: usize,
    names: &[&'static str],
) -> Vec<Field<'a>> {
    let mut column = column;
    text.split(separator)
        .zip(names.iter().copied().chain(["end"]))
        .map(|(text, name)| {
            let field = Field { name, column, text };
            column += text.chars().count() + 1;
            field
        })
        .collect()
}

impl Field<'_> {
    pub(crate) fn error(self, expected: &'static str) -> FieldError {
        FieldError { column: self.column, field: self.name, expected, found: excerpt(self.text) }
    }

    /// A number of digits only.
    pub(crate) fn number(self, max: u32, expected: &'static str) -> Result<u32, FieldError> {
        let is_plain = self.text.bytes().all(|byte| byte.is_ascii_digit());
        match self.text.parse() {
            Ok(number) if is_plain && number <= max => Ok(number),
            _ => Err(self.error(expected)),
        }
    }

    /// A number with or without a minus.
    pub(crate) fn signed(self, max: u32, expected: &'static str) -> Result<i32, FieldError> {
        let (sign, digits) = self.text.strip_prefix('-').map_or((1, self.text), |digits| (-1, digits));
        let number =
            Self { text: digits, ..self }.number(max, expected).ok().and_then(|n| i32::try_from(n).ok());
        number.map(|number| sign * number).ok_or_else(|| self.error(expected))
    }

    /// `0` or `1`.
    pub(crate) fn flag(self) -> Result<bool, FieldError> {
        self.number(1, "0 or 1").map(|number| number == 1)
    }

    /// A value of the cube.
    pub(crate) fn cube_value(self) -> Result<CubeValue, FieldError> {
        const EXPECTED: &str = "a power of two from 1 to 4096";
        CubeValue::new(self.number(CubeValue::MAX.get(), EXPECTED)?).ok_or_else(|| self.error(EXPECTED))
    }

    /// A die in this field and one in the next; both 0 if nothing is rolled.
    pub(crate) fn dice(self, second: Self) -> Result<Option<Dice>, FieldError> {
        const EXPECTED: &str = "1 to 6, or 0 like the other one";
        match (self.number(6, EXPECTED)? as u8, second.number(6, EXPECTED)? as u8) {
            (0, 0) => Ok(None),
            (one, two) => Dice::new(one, two).map(Some).ok_or_else(|| second.error(EXPECTED)),
        }
    }
}
