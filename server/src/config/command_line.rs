//! The command line of `chaquete-server`, brought together with the environment and a file.

use std::{
    env,
    ffi::{OsStr, OsString},
};

use clap::{
    Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand, builder::Resettable,
    error::ErrorKind,
};

use super::{
    ContractArgs, HealthArgs, KeyCommand, MigrateArgs, RebuildArgs, RetainArgs, ServeArgs, StoreArgs, Task,
    check, print, problems::Problems, sources,
};

/// What each status of the program means, for the end of its help.
const EXIT_CODES: &str = "\
Exit codes:
  0  done, and all is well
  1  it failed, or something is not well: the log lines say what
  2  it was told something wrong, by flags, environment or file: nothing was begun";

/// The command line of `chaquete-server`.
#[derive(Debug, Parser)]
#[command(
    name = "chaquete-server",
    version,
    about = "A backgammon rules-and-match service",
    after_help = EXIT_CODES
)]
struct CommandLine {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Serve matches over gRPC (the default).
    Serve(Box<ServeArgs>),
    /// Make the tables of a Postgres database, or bring them up to date: once, before the first server of a version
    /// starts. The embedded store does so by itself.
    Migrate(MigrateArgs),
    /// Fold every log and compare what is stored beside it: what lists look for, the end of the log, the snapshot.
    /// What does not say what the log says is mended. On Postgres servers may serve meanwhile.
    Rebuild(RebuildArgs),
    /// Export matches that ended long ago to files, and drop each once its file is there for good. On Postgres this
    /// needs the role that ran the migrations, and servers may serve meanwhile.
    Retain(RetainArgs),
    /// Make, list and revoke the keys that backends and operators show. The embedded store must not be served meanwhile.
    #[command(subcommand)]
    Key(KeyCommand),
    /// Ask a running server whether it serves, and answer with the status: 0 if it does, 1 if not. It looks for the
    /// server where its own flags, environment and file say that it listens.
    Health(HealthArgs),
    /// Write the compiled contract to a file, as proxies and tools want it: a `google.protobuf.FileDescriptorSet`, with
    /// the details of errors.
    Contract(ContractArgs),
    /// Look at the configuration that `serve` would have with the same flags, environment and file.
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print it as a file that says the same, without passwords.
    Print(Box<PrintArgs>),
    /// Tell everything that is wrong with it, without starting anything.
    Check(Box<ServeArgs>),
}

#[derive(Debug, Args)]
struct PrintArgs {
    #[command(flatten)]
    serve: ServeArgs,

    /// Print the defaults, whatever was chosen.
    #[arg(long)]
    defaults: bool,
}

impl Task {
    /// What this process was told to do. Says why, and ends the process, if it was told something wrong.
    #[must_use]
    pub fn read() -> Self {
        read(env::args_os().collect()).unwrap_or_else(|error| error.exit())
    }
}

/// Reads arguments, the environment, and the file that one of them names.
fn read(mut arguments: Vec<OsString>) -> Result<Task, clap::Error> {
    let command = without_empty(CommandLine::command());
    // `serve` is the default, also with its options.
    if arguments.get(1).is_none_or(|first| is_option_of_a_command(first)) {
        arguments.insert(1, "serve".into());
    }
    let mut problems = Problems::default();
    arguments.extend(sources::further(&command, serve(&command)?, &arguments, &mut problems));
    let matches = match command.clone().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => return Err(problems.and(error)),
    };
    let mut read = CommandLine::from_arg_matches(&matches)?.command;
    if let Some(Err(error)) = read.store().map(StoreArgs::take_password) {
        problems.add(error);
    }
    let (command, matches) = sources::innermost(&command, &matches);
    if let Subcommands::Config(ConfigCommand::Check(args)) = &read {
        check::paths(command, matches, &mut problems);
        check::config(&ServeArgs::clone(args).into(), &mut problems);
    }
    problems.none()?;
    read.into_task(matches)
}

/// Whether it is an option, and not one that the program has without any command (its help and version).
fn is_option_of_a_command(first: &OsStr) -> bool {
    let own = ["-h", "--help", "-V", "--version"];
    first.as_encoded_bytes().starts_with(b"-") && own.iter().all(|option| first != *option)
}

/// The command that has every option of a server.
fn serve(command: &Command) -> Result<&Command, clap::Error> {
    let missing = || clap::Error::new(ErrorKind::InvalidSubcommand);
    command.find_subcommand("serve").ok_or_else(missing)
}

impl Subcommands {
    /// What it is told about its store; what is printed has no secrets.
    fn store(&mut self) -> Option<&mut StoreArgs> {
        match self {
            Self::Serve(args) | Self::Config(ConfigCommand::Check(args)) => Some(&mut args.store),
            Self::Migrate(args) => Some(&mut args.store),
            Self::Rebuild(args) => Some(&mut args.store),
            Self::Retain(args) => Some(&mut args.store),
            Self::Key(command) => Some(command.store_mut()),
            Self::Health(_) | Self::Contract(_) | Self::Config(ConfigCommand::Print(_)) => None,
        }
    }

    fn into_task(self, matches: &ArgMatches) -> Result<Task, clap::Error> {
        Ok(match self {
            Self::Serve(args) => Task::Serve(Box::new((*args).into())),
            Self::Migrate(args) => Task::Migrate(args),
            Self::Rebuild(args) => Task::Rebuild(args),
            Self::Retain(args) => Task::Retain(args),
            Self::Key(command) => Task::Key(command),
            Self::Health(args) => Task::Health(args),
            Self::Contract(args) => Task::Contract(args),
            Self::Config(ConfigCommand::Check(_)) => Task::Say("the configuration is well\n".to_owned()),
            Self::Config(ConfigCommand::Print(args)) => {
                let command = CommandLine::command();
                let serve = serve(&command)?;
                Task::Say(if args.defaults {
                    print::defaults(serve)?
                } else {
                    print::effective(serve, matches)
                })
            }
        })
    }
}

/// A variable that is set to nothing counts as not set: whoever starts the server from a file of variables has no
/// other way to say so.
fn without_empty(command: Command) -> Command {
    let unset = |arg: Arg| match arg.get_env().and_then(env::var_os) {
        Some(value) if value.is_empty() => arg.env(Resettable::Reset),
        _ => arg,
    };
    command.mut_args(unset).mut_subcommands(without_empty)
}
