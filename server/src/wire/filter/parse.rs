//! How filters are put together: the grammar of AIP-160 without functions.
//!
//! ```text
//! expression   = alternatives { [ AND ] alternatives }
//! alternatives = term { OR term }
//! term         = [ NOT | "-" ] ( comparison | "(" expression ")" )
//! comparison   = field operator value
//! field        = word { "." word } | "labels." key
//! value        = word | text in quotes | "*"
//! ```
//!
//! White space separates terms and keywords. Round operators it may stand or not; within fields it may not.

use super::{
    BadFilter, MAX_COMPARISONS, MAX_DEPTH, Placed, Read,
    meaning::{Field, KEY, Operator, Value, meaning},
    scan::{NO_WILDCARDS, Scanner},
};
use crate::store::{Filter, LabelKey, Relation};

const KEYWORDS: [&str; 3] = ["AND", "OR", "NOT"];

/// Longer ones first.
const OPERATORS: [(&str, Operator); 7] = [
    ("<=", Operator::Is(Relation::AtMost)),
    (">=", Operator::Is(Relation::AtLeast)),
    ("!=", Operator::IsNot),
    ("<", Operator::Is(Relation::Less)),
    (">", Operator::Is(Relation::Greater)),
    ("=", Operator::Is(Relation::Equal)),
    (":", Operator::Has),
];

/// Reads a filter.
pub(super) struct Parser<'a> {
    scanner: Scanner<'a>,
    depth: usize,
    comparisons: usize,
}

impl<'a> Parser<'a> {
    pub(super) const fn new(scanner: Scanner<'a>) -> Self {
        Self { scanner, depth: 0, comparisons: 0 }
    }

    /// The whole filter.
    pub(super) fn filter(mut self) -> Read<Filter> {
        self.scanner.space();
        if self.scanner.peek().is_none() {
            return Ok(Filter::EVERY);
        }
        let filter = self.expression()?;
        if self.scanner.peek().is_none() { Ok(filter) } else { Err(self.bad("no `(` belongs to this `)`")) }
    }

    /// What holds if each of its parts does. Whether `AND` is written makes no difference.
    fn expression(&mut self) -> Read<Filter> {
        let mut parts = vec![self.alternatives()?];
        while self.goes_on() {
            self.keyword("AND")?;
            parts.push(self.alternatives()?);
        }
        Ok(Filter::all(parts))
    }

    /// What holds if one of its parts does: `OR` binds tighter than `AND`.
    fn alternatives(&mut self) -> Read<Filter> {
        let mut parts = vec![self.term()?];
        while self.keyword("OR")? {
            parts.push(self.term()?);
        }
        Ok(Filter::any(parts))
    }

    fn term(&mut self) -> Read<Filter> {
        let is_negated = self.scanner.eat("-") || self.keyword("NOT")?;
        let at = self.scanner.position();
        let term = if self.scanner.eat("(") { self.rest_of_group(at)? } else { self.comparison()? };
        self.separated()?;
        Ok(if is_negated { term.negated() } else { term })
    }

    /// What follows the parenthesis that was opened here, up to the one that closes it.
    fn rest_of_group(&mut self, opened: usize) -> Read<Filter> {
        if self.depth == MAX_DEPTH {
            let because = format!("a filter has at most {MAX_DEPTH} parentheses within each other");
            return Err(BadFilter::at(opened, because));
        }
        self.depth += 1;
        self.scanner.space();
        let group = self.expression()?;
        self.depth -= 1;
        if self.scanner.eat(")") { Ok(group) } else { Err(self.bad("the `)` of an open `(` is missing")) }
    }

    fn comparison(&mut self) -> Read<Filter> {
        if self.comparisons == MAX_COMPARISONS {
            return Err(self.bad(format!("a filter has at most {MAX_COMPARISONS} comparisons")));
        }
        self.comparisons += 1;
        let field = self.field()?;
        self.scanner.space();
        let operator = self.operator()?;
        self.scanner.space();
        let value = self.value()?;
        meaning(field, &operator, &value)
    }

    fn field(&mut self) -> Read<Field> {
        let at = self.scanner.position();
        let mut name = self.scanner.word().to_owned();
        if name == "labels" && self.scanner.eat(".") {
            return self.label_key().map(Field::Label);
        }
        while self.scanner.eat(".") {
            name.push('.');
            name.push_str(self.scanner.word());
        }
        match Field::named(&name) {
            Some(field) => Ok(field),
            None if KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(&name)) => {
                Err(BadFilter::at(at, "AND, OR and NOT stand between comparisons, in capitals"))
            }
            None => Err(BadFilter::at(at, format!("one of these fields is expected: {}", Field::names()))),
        }
    }

    /// All that follows `labels.`, points included: below a label there is nothing.
    fn label_key(&mut self) -> Read<LabelKey> {
        let at = self.scanner.position();
        let mut key = String::new();
        loop {
            match self.scanner.quoted()? {
                Some(text) => key.push_str(&text),
                None => key.push_str(self.scanner.word()),
            }
            if !self.scanner.eat(".") {
                return LabelKey::new(&key).ok_or_else(|| BadFilter::at(at, KEY));
            }
            key.push('.');
        }
    }

    fn operator(&mut self) -> Read<Placed<Operator>> {
        let at = self.scanner.position();
        let found = OPERATORS.into_iter().find(|(token, _)| self.scanner.eat(token));
        let Some((_, it)) = found else {
            return Err(self.bad("an operator is expected: `=`, `!=`, `<`, `<=`, `>`, `>=` or `:`"));
        };
        Ok(Placed { at, it })
    }

    fn value(&mut self) -> Read<Placed<Value>> {
        let at = self.scanner.position();
        if let Some(text) = self.scanner.quoted()? {
            return Ok(Placed { at, it: Value::Text(text) });
        }
        match self.scanner.bare_value() {
            "*" => Ok(Placed { at, it: Value::Any }),
            wild if wild.contains('*') => Err(BadFilter::at(at, NO_WILDCARDS)),
            none if none.is_empty() || KEYWORDS.contains(&none) => {
                Err(BadFilter::at(at, "one value is expected: a word, or a text in quotes"))
            }
            word => Ok(Placed { at, it: Value::Text(word.to_owned()) }),
        }
    }

    /// Reads this keyword, if it comes next.
    fn keyword(&mut self, keyword: &str) -> Read<bool> {
        let comes_next = self.scanner.peek_word() == keyword && self.scanner.eat(keyword);
        if comes_next {
            self.separated()?;
        }
        Ok(comes_next)
    }

    /// Reads the space after something; at the end, and before a `)`, there need be none.
    fn separated(&mut self) -> Read<()> {
        if self.scanner.space() || !self.goes_on() { Ok(()) } else { Err(self.bad("a space is expected")) }
    }

    /// Whether there is more of the expression that is being read.
    fn goes_on(&self) -> bool {
        self.scanner.peek().is_some_and(|next| next != ')')
    }

    fn bad(&self, because: impl Into<String>) -> BadFilter {
        BadFilter::at(self.scanner.position(), because)
    }
}
