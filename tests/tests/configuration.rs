//! The configuration of the server program: where values come from, what is wrong with them, how it is shown.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output},
};

use chaquete_tests::{ServerProcess, binary, project};
use tempfile::TempDir;

/// A folder with a file of options, and the program run beside it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("chaquete.toml"), text).unwrap();
        Self { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file that only its owner can read.
    fn secret(&self, name: &str, text: &str) -> String {
        fs::write(self.file(name), text).unwrap();
        fs::set_permissions(self.file(name), fs::Permissions::from_mode(0o600)).unwrap();
        self.file(name).to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(binary("chaquete-server"));
        command.args(arguments).env_clear().envs(variables.iter().copied());
        command.current_dir(self.folder.path()).output().unwrap()
    }

    /// What the effective configuration says, line by line, without explanations.
    fn prints(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
        let mut all = vec!["config", "print", "--config", "chaquete.toml"];
        all.extend(arguments);
        let output = self.run(&all, variables);
        assert_eq!(told(&output), "");
        let said = said(&output);
        said.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
    }

    /// What is wrong with it, a problem a line.
    fn wrong(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
        let mut all = vec!["config", "check", "--config", "chaquete.toml"];
        all.extend(arguments);
        let output = self.run(&all, variables);
        let well = output.status.code() == Some(0);
        assert_eq!(said(&output), if well { "the configuration is well\n" } else { "" });
        assert_eq!(output.status.code(), Some(if told(&output).is_empty() { 0 } else { 2 }));
        let problems = told(&output);
        problems.lines().map(|line| line.strip_prefix("error: ").unwrap_or(line).to_owned()).collect()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_documented_defaults_are_the_defaults() {
    let place = Place::with("threads = 3");
    let variables = [("CHAQUETE_THREADS", "4"), ("HOME", "/home/ana")];
    let printed = said(&place.run(&["config", "print", "--defaults", "--threads", "5"], &variables));
    let documented = fs::read_to_string(project().join("docs/chaquete.toml")).unwrap();
    assert_eq!(
        documented, printed,
        "write it anew: chaquete-server config print --defaults > docs/chaquete.toml"
    );

    // And whoever starts with it starts with the defaults.
    fs::write(place.file("chaquete.toml"), &documented).unwrap();
    assert_eq!(place.prints(&[], &[]), said_lines(&documented));
}

fn said_lines(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn flags_come_before_the_environment_before_the_file_before_the_defaults() {
    let place = Place::with("threads = 2");
    let threads = |arguments: &[&str], variables: &[(&str, &str)]| {
        place.prints(arguments, variables).into_iter().find(|line| line.starts_with("threads"))
    };
    let environment = [("CHAQUETE_THREADS", "3")];
    assert_eq!(threads(&[], &[]).unwrap(), "threads = 2");
    assert_eq!(threads(&[], &environment).unwrap(), "threads = 3");
    assert_eq!(threads(&["--threads", "4"], &environment).unwrap(), "threads = 4");
    assert_eq!(threads(&["--threads", "5"], &[]).unwrap(), "threads = 5");
    // A variable that is set to nothing is not set.
    assert_eq!(threads(&[], &[("CHAQUETE_THREADS", "")]).unwrap(), "threads = 2");
    fs::write(place.file("chaquete.toml"), "").unwrap();
    assert_eq!(threads(&[], &[]), None);
}

#[test]
fn what_is_printed_says_the_same_when_it_is_read() {
    let place = Place::with(
        "listen = \"[::1]:7\"\nbatch = 1_0\nallow-seeded-dice = true\nlog-format = 'json'\nlog-key = \"a\\\"b\\\\c #\"\n",
    );
    let first = place.prints(&["--store", "postgres://app@db/chaquete"], &[]);
    for line in [
        "listen = \"[::1]:7\"",
        "batch = 10",
        "allow-seeded-dice = true",
        "log-format = \"json\"",
        "store = \"postgres://app@db/chaquete\"",
    ] {
        assert!(first.contains(&line.to_owned()), "{line}: {first:?}");
    }
    fs::write(place.file("chaquete.toml"), first.join("\n")).unwrap();
    assert_eq!(place.prints(&[], &[]), first);
    // A switch that the file turns on is turned off by the environment.
    let off = place.prints(&[], &[("CHAQUETE_ALLOW_SEEDED_DICE", "no")]);
    assert!(off.contains(&"allow-seeded-dice = false".to_owned()), "{off:?}");
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_place() {
    let place = Place::with(
        "# of a server\n\
         lisen = \"127.0.0.1:1\"\n\
         log_key = 'k'\n\
         threads = 0\n  \
         batch = true\n\
         allow-seeded-dice = 'yes'\n\
         log-format = \"loud\"\n\
         zzz = 1\n\
         [store]\n",
    );
    let wrong = place.wrong(&["--writers", "many"], &[("CHAQUETE_CHECKPOINT_INTERVAL", "often")]);
    let expected = [
        "chaquete.toml:2:1: there is no lisen; did you mean listen?",
        "chaquete.toml:3:1: there is no log_key; did you mean log-key?",
        "chaquete.toml:4:11: invalid value '0' for '--threads <N>': number would be zero for non-zero type",
        "chaquete.toml:5:11: batch is a text or a number",
        "chaquete.toml:6:21: allow-seeded-dice is either true or false",
        "chaquete.toml:7:14: invalid value 'loud' for '--log-format <LOG_FORMAT>'",
        "  [possible values: text, json]",
        "chaquete.toml:8:1: there is no zzz",
        "chaquete.toml:9:1: store is a text or a number",
        "CHAQUETE_CHECKPOINT_INTERVAL: invalid value 'often' for '--checkpoint-interval <MS>': invalid digit found in \
         string",
        "invalid value 'many' for '--writers <N>': invalid digit found in string",
    ];
    assert_eq!(wrong, expected);
    // No command begins with a file that is wrong, not even one that does not ask for what is wrong.
    let output = place.run(&["rebuild", "--config", "chaquete.toml", "--store", "memory:"], &[]);
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(2), ""));
    assert!(told(&output).contains("did you mean listen?"), "{}", told(&output));
}

#[test]
fn a_file_that_is_not_toml_is_told_with_its_place() {
    let place = Place::with("threads = 1\nlisten = 127.0.0.1:1\nthreads = 2\n");
    let wrong = place.wrong(&[], &[]);
    assert!(wrong[0].starts_with("chaquete.toml:2:"), "{wrong:?}");
    assert!(wrong.iter().any(|line| line.starts_with("chaquete.toml:3:1: ")), "{wrong:?}");

    fs::remove_file(place.file("chaquete.toml")).unwrap();
    let missing = place.wrong(&[], &[]);
    assert!(missing[0].starts_with("chaquete.toml: No such file"), "{missing:?}");
}

#[test]
fn files_that_are_named_must_be_there() {
    let place = Place::with("store = 'memory:'\n");
    assert_eq!(place.wrong(&[], &[]), [""; 0]);
    let key = "17".repeat(32);
    let dice = place.secret("dice", &format!("first {key}\n"));
    let log = place.secret("log", &format!("example.com/log {key}\n"));
    let postgres = ["--store", "postgres://app@db/chaquete"];
    let unnamed = place.wrong(&postgres, &[]);
    assert!(unnamed[0].contains("--dice-key-file") && unnamed[1].contains("--log-key"), "{unnamed:?}");
    let named = [&postgres[..], &["--dice-key-file", &dice, "--log-key", &log]].concat();
    assert_eq!(place.wrong(&named, &[]), [""; 0]);
    assert_eq!(place.wrong(&[&named[..], &["--checkpoint-file", "newest"]].concat(), &[]), [""; 0]);

    let nowhere = [&named[..], &["--checkpoint-file", "nowhere/newest"]].concat();
    assert!(place.wrong(&nowhere, &[])[0].starts_with("--checkpoint-file: nowhere/newest: No such file"));
    fs::remove_file(&dice).unwrap();
    let gone = place.wrong(&named, &[]);
    assert!(gone[0].starts_with(&format!("--dice-key-file: {dice}: No such file")), "{gone:?}");

    let several = place.wrong(&["--store", "chaquete.db"], &[]);
    assert!(several[0].contains("chaquete.db names no store"), "{several:?}");
}

#[test]
fn what_is_in_the_files_must_be_of_use() {
    let place = Place::with("store = 'memory:'\n");
    for (option, words) in [
        ("--dice-key-file", "cannot use the secret of the dice"),
        ("--log-key", "cannot use the keys that sign checkpoints"),
        ("--token-key", "cannot use the keys that sign tokens"),
    ] {
        let junk = place.secret("junk", "no key\n");
        let wrong = place.wrong(&[option, &junk], &[]);
        assert!(wrong[0].contains(words), "{wrong:?}");
    }
    let open = place.secret("open", &format!("{}\n", "17".repeat(32)));
    assert_eq!(place.wrong(&["--token-key", &open], &[]), [""; 0]);
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).unwrap();
    let wrong = place.wrong(&["--token-key", &open], &[]);
    assert!(wrong[0].contains("are open to others"), "{wrong:?}");
    let junk = place.secret("junk.pem", "no certificate\n");
    let wrong = place.wrong(&["--tls-cert", &junk, "--tls-key", &junk], &[]);
    assert!(wrong[0].contains("cannot use") && wrong[0].contains("for TLS"), "{wrong:?}");
}

#[test]
fn passwords_come_from_files_and_are_never_shown() {
    let place = Place::with("store = 'postgres://app:s3cret@127.0.0.1:1/chaquete'\n");
    let printed = place.prints(&[], &[]);
    assert!(printed.contains(&"store = \"postgres://app@127.0.0.1:1/chaquete\"".to_owned()), "{printed:?}");

    let password = place.secret("password", "s3cret\n");
    let migrate =
        ["migrate", "--store", "postgres://app@127.0.0.1:1/chaquete", "--store-password-file", &password];
    let failed = place.run(&migrate, &[]);
    assert_eq!(failed.status.code(), Some(1), "nobody listens there: {}", told(&failed));
    assert!(!told(&failed).contains("s3cret"), "{}", told(&failed));

    fs::set_permissions(&password, fs::Permissions::from_mode(0o644)).unwrap();
    let open = place.run(&migrate, &[]);
    assert_eq!(open.status.code(), Some(2));
    assert!(told(&open).contains("set the mode to 0600"), "{}", told(&open));
    let embedded = ["--store", "memory:", "--store-password-file", &password];
    assert!(place.wrong(&embedded, &[])[0].contains("only Postgres asks for a password"));
}

#[test]
fn the_status_says_whether_it_is_worth_trying_again() {
    let place = Place::with("store = 'sqlite:store.db'\nlisten = '127.0.0.1:0'\n");
    let code = |arguments: &[&str]| place.run(arguments, &[]).status.code();
    for well in [&["--version"][..], &["--help"], &["config", "print"], &["config", "check"]] {
        assert_eq!(code(well), Some(0), "{well:?}");
    }
    for wrong in [
        &["serve", "--threds", "1"][..],
        &["sreve"],
        &["config"],
        &["serve", "--config", "nowhere.toml"],
        &["serve", "--listen", "127.0.0.1:0", "--store", "chaquete.db"],
        &["serve", "--listen", "127.0.0.1:0", "--store", "memory:", "--dice-key-file", "nowhere"],
    ] {
        assert_eq!(code(wrong), Some(2), "{wrong:?}");
    }
    let _server = ServerProcess::start(&place.file("store.db"), "127.0.0.1:0");
    for failed in [
        &["serve", "--config", "chaquete.toml"][..],
        // To serve is what it does if it is told nothing else.
        &["--config", "chaquete.toml"],
        &["rebuild", "--config", "chaquete.toml"],
    ] {
        assert_eq!(code(failed), Some(1), "{failed:?}");
    }
    let help = said(&place.run(&["--help"], &[]));
    assert!(help.contains("Exit codes:\n  0  "), "{help}");
}
