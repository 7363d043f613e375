//! What is wrong with a configuration, as far as can be told without starting anything.

use std::{fs, io, path::Path};

use clap::{Arg, ArgMatches, Command, ValueHint};

use super::{Config, problems::Problems};
use crate::{lifecycle, store};

/// Looks for the files that are named: whoever reads them later wants them to be there.
pub(super) fn paths(command: &Command, matches: &ArgMatches, problems: &mut Problems) {
    for arg in command.get_arguments() {
        let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        for path in values.map(Path::new) {
            if let Err(error) = is_there(arg, path) {
                let option = arg.get_long().unwrap_or_default();
                problems.add(format_args!("--{option}: {}: {error}", path.display()));
            }
        }
    }
}

fn is_there(arg: &Arg, path: &Path) -> io::Result<()> {
    match arg.get_value_hint() {
        ValueHint::AnyPath | ValueHint::FilePath => fs::File::open(path).map(drop),
        ValueHint::DirPath => fs::read_dir(path).map(drop),
        // It will be made, in a folder that must be there.
        ValueHint::Other => match path.parent() {
            Some(folder) if folder != Path::new("") => fs::read_dir(folder).map(drop),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Looks at what the values are together.
pub(super) fn config(config: &Config, problems: &mut Problems) {
    if let Err(error) = store::check(&config.store, config.writing) {
        problems.add(error);
    }
    for unfit in lifecycle::unfit(config) {
        problems.add(unfit);
    }
}
