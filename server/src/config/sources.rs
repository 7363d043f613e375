//! Where values come from besides flags: the environment, which `clap` reads itself, and a file.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::PathBuf,
};

use clap::{Arg, ArgMatches, Command, builder::Resettable, error::ErrorKind, parser::ValueSource};

use super::{
    file::File,
    problems::{Problems, said},
};

/// The option that names a file.
pub(super) const FILE: &str = "config";

/// What the file says and neither flags nor the environment do, as further arguments: what options ask of each other
/// then holds wherever they come from, which it would not if they were new defaults.
pub(super) fn further(
    command: &Command,
    serve: &Command,
    arguments: &[OsString],
    problems: &mut Problems,
) -> Vec<OsString> {
    // Whatever is wrong with the arguments is told when they are read for good.
    let Ok(given) = command.clone().ignore_errors(true).try_get_matches_from(arguments) else {
        return Vec::new();
    };
    let (command, given) = innermost(command, &given);
    let mut file = match named(command, given) {
        Some(path) => File::read(&path, serve, problems),
        None => File::default(),
    };
    let mut further = Vec::new();
    for arg in command.get_arguments() {
        if given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        match of_environment(arg) {
            Some((name, value)) => {
                if let Some(problem) = problem(command, arg, &value) {
                    problems.add(format_args!("{}: {problem}", name.display()));
                }
            }
            None => further.extend(file.take(arg)),
        }
    }
    further
}

/// The file of the command, if it is one that reads files.
fn named(command: &Command, given: &ArgMatches) -> Option<PathBuf> {
    let arg = command.get_arguments().find(|arg| arg.get_id() == FILE)?;
    let by_flag = given.get_one::<PathBuf>(FILE).cloned();
    by_flag.or_else(|| Some(of_environment(arg)?.1.into()))
}

fn of_environment(arg: &Arg) -> Option<(&OsStr, OsString)> {
    let name = arg.get_env()?;
    Some((name, env::var_os(name)?))
}

/// The command that was given, with what was said to it: `config print` is a command of a command.
pub(super) fn innermost<'a>(
    mut command: &'a Command,
    mut given: &'a ArgMatches,
) -> (&'a Command, &'a ArgMatches) {
    while let Some((name, further)) = given.subcommand() {
        let Some(found) = command.find_subcommand(name) else { break };
        (command, given) = (found, further);
    }
    (command, given)
}

/// What is wrong with this value of an option, if all others are left out.
pub(super) fn problem(command: &Command, arg: &Arg, value: &OsStr) -> Option<String> {
    if !arg.get_action().takes_values() {
        return None;
    }
    let arguments = [command.get_name().into(), flag(arg, value)];
    let alone = without_environment(command).try_get_matches_from(arguments).err()?;
    let is_of_others =
        matches!(alone.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::ArgumentConflict);
    (!is_of_others).then(|| said(&alone))
}

/// The command as it is where nothing is set.
pub(super) fn without_environment(command: &Command) -> Command {
    command.clone().mut_args(|arg| arg.env(Resettable::Reset))
}

/// An option with a value, as one argument.
pub(super) fn flag(arg: &Arg, value: &OsStr) -> OsString {
    let mut flag = OsString::from(format!("--{}=", arg.get_long().unwrap_or_default()));
    flag.push(value);
    flag
}
