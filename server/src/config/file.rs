//! A file of options: TOML whose keys are the long options of `serve`.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs,
    ops::Range,
    path::Path,
};

use clap::{Arg, ArgAction, Command};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    problems::Problems,
    sources::{FILE, flag, problem},
};

/// How alike a key must be to the one that is suggested, from 0 to 1.
const ALIKE: f64 = 0.7;

/// What a file says: for each of its keys the arguments that say the same.
#[derive(Debug, Default)]
pub(super) struct File(BTreeMap<String, Vec<OsString>>);

impl File {
    /// Reads a file of options of this command. What is wrong is told, and left out.
    pub(super) fn read(path: &Path, serve: &Command, problems: &mut Problems) -> Self {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                problems.add(format_args!("{}: {error}", path.display()));
                return Self::default();
            }
        };
        let place = |span: Range<usize>| format!("{}:{}", path.display(), place(&text, span.start));
        let (table, errors) = DeTable::parse_recoverable(&text);
        for error in errors {
            let place = place(error.span().unwrap_or_default());
            problems.add(format_args!("{place}: {}", error.message()));
        }
        let mut settings: Vec<_> = table.into_inner().into_iter().collect();
        settings.sort_by_key(|(key, _)| key.span().start);
        let mut file = Self::default();
        for (key, value) in settings {
            match arguments(serve, key.get_ref(), value.get_ref()) {
                Ok(arguments) => drop(file.0.insert(key.into_inner().into_owned(), arguments)),
                Err(wrong) => {
                    let (span, problem) = match wrong {
                        Wrong::Key(problem) => (key.span(), problem),
                        Wrong::Value(problem) => (value.span(), problem),
                    };
                    problems.add(format_args!("{}: {problem}", place(span)));
                }
            }
        }
        file
    }

    /// What it says of an option, as arguments.
    pub(super) fn take(&mut self, arg: &Arg) -> Vec<OsString> {
        arg.get_long().and_then(|key| self.0.remove(key)).unwrap_or_default()
    }
}

/// Which part of a line is wrong, and why.
enum Wrong {
    Key(String),
    Value(String),
}

/// What a line says, as arguments.
fn arguments(serve: &Command, key: &str, value: &DeValue<'_>) -> Result<Vec<OsString>, Wrong> {
    let arg = keys(serve).find(|arg| arg.get_long() == Some(key));
    let arg = arg.ok_or_else(|| Wrong::Key(unknown(serve, key)))?;
    let values = values(arg, value).map_err(|wanted| Wrong::Value(format!("{key} is {wanted}")))?;
    if !arg.get_action().takes_values() {
        return Ok(values.into_iter().map(|_| format!("--{key}").into()).collect());
    }
    for value in &values {
        if let Some(problem) = problem(serve, arg, OsStr::new(value)) {
            return Err(Wrong::Value(problem));
        }
    }
    Ok(values.iter().map(|value| flag(arg, OsStr::new(value))).collect())
}

/// The options that a file may have: all that have a name, except the file's own.
pub(super) fn keys(serve: &Command) -> impl Iterator<Item = &Arg> {
    serve.get_arguments().filter(|arg| arg.get_id() != FILE && arg.get_long().is_some())
}

fn unknown(serve: &Command, key: &str) -> String {
    let known = keys(serve).filter_map(Arg::get_long);
    let alike = known.map(|known| (strsim::jaro_winkler(key, known), known));
    let best = alike.filter(|(alike, _)| *alike > ALIKE).max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = best.map(|(_, known)| format!("; did you mean {known}?")).unwrap_or_default();
    format!("there is no {key}{hint}")
}

/// The texts of a value, once for each time that the option is said; else what the value should be.
fn values(arg: &Arg, value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    let is_switch = !arg.get_action().takes_values();
    match (value, arg.get_action()) {
        (DeValue::Boolean(is_on), _) if is_switch => {
            Ok(if *is_on { vec![String::new()] } else { Vec::new() })
        }
        _ if is_switch => Err("either true or false"),
        (DeValue::Array(several), ArgAction::Append) => several
            .iter()
            .map(Spanned::get_ref)
            .map(text)
            .collect::<Option<_>>()
            .ok_or("a list of texts or numbers"),
        _ => text(value).map(|text| vec![text]).ok_or("a text or a number"),
    }
}

fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Line and column of a byte of a text, from 1.
fn place(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    format!("{}:{}", before.matches('\n').count() + 1, line.chars().count() + 1)
}
