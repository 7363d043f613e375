//! A configuration as a file that says the same, every key under its explanation.

use std::ffi::OsStr;

use clap::{Arg, ArgAction, ArgMatches, Command};
use toml_writer::ToTomlValue;

use super::{file::keys, sources::without_environment};
use crate::store::Shown;

/// How wide lines of explanation may be.
const WIDTH: usize = 100;

/// The first lines of the defaults.
const HEAD: &str = "\
# The defaults of `chaquete-server serve`, as `chaquete-server config print --defaults` prints them.
# An option that has no value of its own stands behind a # and says what a value would be.

";

/// The defaults.
pub(super) fn defaults(serve: &Command) -> Result<String, clap::Error> {
    let none = without_environment(serve).try_get_matches_from([serve.get_name()])?;
    Ok(HEAD.to_owned() + &effective(serve, &none))
}

/// What was chosen, by whatever means.
pub(super) fn effective(serve: &Command, matches: &ArgMatches) -> String {
    let entries: Vec<_> = keys(serve).map(|arg| entry(arg, matches)).collect();
    entries.join("\n")
}

fn entry(arg: &Arg, matches: &ArgMatches) -> String {
    let key = arg.get_long().unwrap_or_default();
    let explained = comment(&explanation(arg));
    match value(arg, matches) {
        Some(value) => format!("{explained}{key} = {value}\n"),
        None => format!("{explained}#{key} = {}\n", placeholder(arg)),
    }
}

/// What the help says of an option.
fn explanation(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    // clap takes the last full stop away.
    let help = format!("{}.", help.trim_end_matches('.'));
    let names: Vec<_> = arg.get_possible_values().iter().map(|value| quoted(value.get_name())).collect();
    if arg.get_action().takes_values() && !names.is_empty() {
        return format!("{help} One of {}.", names.join(", "));
    }
    help
}

fn placeholder(arg: &Arg) -> String {
    arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string).unwrap_or_default()
}

/// The value of an option, if it has one, without the password that may be in a URL.
fn value(arg: &Arg, matches: &ArgMatches) -> Option<String> {
    let id = arg.get_id().as_str();
    if !arg.get_action().takes_values() {
        return Some(matches.get_flag(id).to_string());
    }
    let shown = |raw: &OsStr| match raw.to_string_lossy() {
        secret if arg.is_hide_env_values_set() => literal(&Shown(&secret).to_string()),
        text => literal(&text),
    };
    let values: Vec<_> = matches.get_raw(id)?.map(shown).collect();
    Some(match arg.get_action() {
        ArgAction::Append => format!("[{}]", values.join(", ")),
        _ => values.concat(),
    })
}

/// Numbers as numbers, all else as texts.
fn literal(text: &str) -> String {
    let is_number = text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
    if is_number { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    text.to_toml_value()
}

/// A text as lines that say nothing to a reader of TOML.
fn comment(text: &str) -> String {
    text.lines().flat_map(wrapped).map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect()
}

/// A line in as many as it takes.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.chars().count() + word.chars().count() < WIDTH => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
