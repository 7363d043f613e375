//! The legal set, and the notation of moves, against GNU Backgammon itself, asked about some 200 rolls: the
//! moves that it suggests, all of them, must lead to exactly our results. Runs where the program is
//! installed (Debian's package `gnubg`), as `gnubg` or as what `CHAQUETE_GNUBG` names.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod files;
    pub(crate) mod gnu_id;
    pub(crate) mod numbers;
    pub(crate) mod rolls;
}

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use chaquete_rules::{Dice, LegalMoves, Position};
use common::gnu_id::gnu_id;
use common::rolls::rolls;

const ROLLS: usize = 200;

/// Asks for all moves of each roll and prints them on a line of their own.
const SCRIPT: &str = r#"
import gnubg
for command in ["set player 0 human", "set player 1 human", "set automatic game off",
                "set evaluation chequerplay evaluation plies 0", "new match 25"]:
    gnubg.command(command)
for position, first, second in rolls:
    gnubg.command("set turn 1")
    gnubg.command("set board " + position)
    gnubg.command("set turn 1")
    gnubg.command("set dice %d %d" % (first, second))
    hint = gnubg.hint(4000)
    print("\nMOVES " + ";".join(move["move"] for move in hint["hint"]))
"#;

fn program() -> Option<PathBuf> {
    let named = env::var_os("CHAQUETE_GNUBG").map(PathBuf::from);
    let path = env::var_os("PATH")?;
    let usual =
        env::split_paths(&path).chain([PathBuf::from("/usr/games")]).map(|folder| folder.join("gnubg"));
    named.into_iter().chain(usual).find(|path| path.exists())
}

/// The moves of each roll, as GNU Backgammon writes them.
fn ask(program: &Path, rolls: &[(Position, Dice)]) -> Vec<Vec<String>> {
    let cases: Vec<_> = rolls
        .iter()
        .map(|(position, dice)| format!("('{}', {}, {})", gnu_id(position), dice.first, dice.second))
        .collect();
    let folder = env::temp_dir().join(format!("chaquete-gnubg-{}", process::id()));
    fs::create_dir_all(&folder).unwrap();
    let script = folder.join("moves.py");
    fs::write(&script, format!("rolls = [{}]\n{SCRIPT}", cases.join(", "))).unwrap();
    // Its settings are kept in the home folder: it gets a new one.
    let output =
        Command::new(program).args(["-t", "-q", "-p"]).arg(&script).env("HOME", &folder).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let moves = |line: &str| line.split(';').map(str::to_owned).collect();
    text.lines().filter_map(|line| line.strip_prefix("MOVES ")).map(moves).collect()
}

#[test]
fn gnu_backgammon_suggests_exactly_the_legal_moves() {
    let Some(program) = program() else {
        eprintln!("SKIPPED: GNU Backgammon is not installed; NOTHING was compared with it");
        return;
    };
    // It suggests nothing where there is nothing to choose.
    let rolls: Vec<_> = rolls()
        .into_iter()
        .filter(|&(position, dice)| !LegalMoves::new(position, dice).is_empty())
        .take(ROLLS)
        .collect();
    let answers = ask(&program, &rolls);
    assert_eq!(answers.len(), rolls.len(), "an answer to each roll");
    for ((position, dice), moves) in rolls.into_iter().zip(answers) {
        let legal = LegalMoves::new(position, dice);
        let about = format!("{} {}{}: {moves:?}", gnu_id(&position), dice.first, dice.second);
        let after = |text: &String| {
            let written = text.parse().unwrap_or_else(|error| panic!("{text:?} of {about}: {error}"));
            let found =
                legal.resolve(&written).unwrap_or_else(|error| panic!("{text:?} of {about}: {error:?}"));
            gnu_id(&found.after)
        };
        let theirs: BTreeSet<_> = moves.iter().map(after).collect();
        let ours: BTreeSet<_> = legal.iter().map(|legal| gnu_id(&legal.after)).collect();
        assert_eq!(theirs, ours, "{about}");
        assert_eq!(moves.len(), legal.len(), "{about}");
    }
}
