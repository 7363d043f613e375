//! Matches that we write, as GNU Backgammon reads them: the same position before every play.
//!
//! Without the program the test says that it was skipped. With `CHAQUETE_SLOW=1` it tries to install it first.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use chaquete_record::{Chronicle, PositionId};
use chaquete_rules::{Event, Game, GameEndReason, LegalMoves, Move, Seat};
use serde_json::Value;

use crate::data::{files, sample, shared_corpus, skipped};
use crate::exports::{Forced, Format, MAT, SGF, import};

/// A double that waits at the end of a file keeps the program busy in the next one: this file frees it again.
const PLAIN: &str = "
 7 point match

 Game 1
 A : 0                           B : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                      64: 24/18 18/14
  3) 31: 8/5 6/5                 64: 24/18 18/14
";

/// What the program prints of each file that it is given: all matches, as lines of JSON.
const SCRIPT: &str = r#"
import gnubg, json
gnubg.command("set confirm new off")
gnubg.command("set display off")
for line in open("FOLDER/files"):
    gnubg.command('import mat "FOLDER/plain.mat"')
    gnubg.command('READ "' + line.strip() + '"')
    print("\nMATCH " + json.dumps(gnubg.match(0, 1, 0)))
"#;

/// The program, if it is here or can be installed.
fn program() -> Option<PathBuf> {
    let known = || {
        let paths = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&paths).chain([PathBuf::from("/usr/games")]).collect::<Vec<_>>();
        folders.into_iter().map(|folder| folder.join("gnubg")).find(|path| path.is_file())
    };
    if known().is_none() && env::var_os("CHAQUETE_SLOW").is_some() {
        let install = ["install", "--yes", "--no-install-recommends", "gnubg"];
        let _ = Command::new("apt-get").args(install).stdin(Stdio::null()).status();
    }
    if known().is_none() {
        skipped("GNU Backgammon is not here: nothing that we write was read by it (apt-get install gnubg)");
    }
    known()
}

/// What the program reads from files with these texts, one after the other.
pub(crate) fn read_by_gnubg(run: &str, command: &str, texts: &[String]) -> Option<Vec<Value>> {
    let program = program()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(run);
    fs::create_dir_all(&folder).unwrap();
    let mut list = String::new();
    for (index, text) in texts.iter().enumerate() {
        let path = folder.join(format!("{index}.txt"));
        fs::write(&path, text).unwrap();
        list += &format!("{}\n", path.display());
    }
    fs::write(folder.join("files"), list).unwrap();
    fs::write(folder.join("plain.mat"), PLAIN).unwrap();
    let script = folder.join("read.py");
    fs::write(&script, SCRIPT.replace("FOLDER", &folder.to_string_lossy()).replace("READ", command)).unwrap();
    let output = Command::new(program)
        .args(["-t", "-q", "-r", "-p"])
        .arg(&script)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let matches: Vec<Value> = printed
        .lines()
        .filter_map(|line| line.strip_prefix("MATCH "))
        .map(|json| serde_json::from_str(json).unwrap())
        .collect();
    assert_eq!(matches.len(), texts.len(), "{printed}");
    Some(matches)
}

/// A game as it should be read: its actions in words, each with the position of the one who acts.
#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    start: [u64; 2],
    actions: Vec<String>,
}

const fn player(seat: Seat) -> &'static str {
    match seat {
        Seat::One => "X",
        Seat::Two => "O",
    }
}

fn moved(player: &str, mut dice: [u64; 2], mut steps: Vec<[u64; 2]>, position: &str) -> String {
    dice.sort_unstable();
    steps.sort_unstable();
    format!("{player} {dice:?} {steps:?} from {position}")
}

/// What it makes of a roll that was not played: from some formats, if there is only one way to play it, that.
fn unplayed(game: &Game, forced: Forced) -> Option<String> {
    let (seat, dice) = (game.seat_on_roll()?, game.dice()?);
    let legal = LegalMoves::new(game.board.position(seat), dice);
    let mut moves = legal.iter();
    match (moves.next(), moves.next()) {
        (Some(only), None) if forced == Forced::Played => Some(played(game, seat, only.mv)),
        _ => Some("set dice".to_owned()),
    }
}

fn played(game: &Game, seat: Seat, mv: Move) -> String {
    let dice = game.dice().map(|dice| [dice.first.pips().into(), dice.second.pips().into()]).unwrap();
    let steps = mv.steps().iter().map(|step| [step.source.number().into(), step.target().number().into()]);
    let position = PositionId::of(&game.board.position(seat)).to_string();
    moved(player(seat), dice, steps.collect(), &position)
}

/// The games of a match, by us.
fn ours(chronicle: &Chronicle, forced: Forced) -> Vec<Read> {
    let mut games: Vec<Read> = Vec::new();
    let end = chronicle.replay(|state, event| {
        if let Event::GameStarted { .. } = event {
            let score = state.score();
            games.push(Read { start: [score.one.into(), score.two.into()], actions: Vec::new() });
        }
        let (Some(game), Some(read)) = (state.game(), games.last_mut()) else { return };
        let action = match event {
            Event::MoveMade { seat, mv, .. } => played(game, *seat, *mv),
            Event::TurnForfeited { seat } => played(game, *seat, Move::EMPTY),
            Event::DoubleOffered { seat, .. } | Event::DoubleBeavered { seat, .. } => {
                format!("{} double", player(*seat))
            }
            Event::DoubleAccepted { seat, .. } => format!("{} take", player(*seat)),
            Event::DoubleDeclined { seat } => format!("{} drop", player(*seat)),
            Event::GameEnded(result) if result.reason == GameEndReason::Resigned => {
                let winner = result.win.unwrap().seat;
                read.actions.extend(unplayed(game, forced));
                format!("{} resign", player(winner.opponent()))
            }
            _ => return,
        };
        read.actions.push(action);
    });
    if let (None, Some(game), Some(last)) = (end.result(), end.game(), games.last_mut()) {
        last.actions.extend(unplayed(game, forced));
    }
    // A game that nobody has begun is not written.
    if games.len() > 1 && games.last().is_some_and(|game| game.actions.is_empty()) {
        games.pop();
    }
    games
}

/// The games of a match, by GNU Backgammon.
fn theirs(found: &Value) -> Vec<Read> {
    let pair = |value: &Value| [value[0].as_u64().unwrap(), value[1].as_u64().unwrap()];
    let action = |action: &Value| {
        let player = action["player"].as_str().unwrap_or_default();
        match action["action"].as_str().unwrap() {
            "move" => {
                let steps = action["move"].as_array().unwrap().iter().map(pair).collect();
                moved(player, pair(&action["dice"]), steps, action["board"].as_str().unwrap())
            }
            "set" => "set dice".to_owned(),
            other => format!("{player} {other}"),
        }
    };
    let games = found["games"].as_array().unwrap().iter().map(|game| Read {
        start: ["score-X", "score-O"].map(|key| game["info"][key].as_u64().unwrap()),
        actions: game["game"].as_array().unwrap().iter().map(action).collect(),
    });
    games.collect()
}

/// Holds what GNU Backgammon reads against what was written; gives how many actions were compared.
pub(crate) fn assert_read_the_same(
    run: &str,
    format: Format,
    matches: &[(String, Chronicle)],
) -> Option<usize> {
    let texts: Vec<String> = matches.iter().map(|(_, chronicle)| format.export(chronicle).0).collect();
    let found = read_by_gnubg(run, format.gnubg, &texts)?;
    let mut compared = 0;
    for (((name, chronicle), found), text) in matches.iter().zip(&found).zip(&texts) {
        let (ours, theirs) = (ours(chronicle, format.forced), theirs(found));
        assert_eq!(ours.len(), theirs.len(), "{name}\n{text}");
        for (number, (ours, theirs)) in (1..).zip(ours.iter().zip(&theirs)) {
            let same =
                ours.actions.iter().zip(&theirs.actions).take_while(|(ours, theirs)| ours == theirs).count();
            let rest = (&ours.actions[same..], &theirs.actions[same..]);
            assert!(ours == theirs, "{name}, game {number}: {rest:?}\n{text}");
            compared += ours.actions.len();
        }
    }
    Some(compared)
}

fn all_of(run: &str, format: Format, folder: &Path) -> Option<usize> {
    let matches: Vec<_> = files(folder)
        .into_iter()
        .map(|(name, bytes)| {
            let chronicle = import(&name, &bytes);
            (name, chronicle)
        })
        .collect();
    assert_read_the_same(run, format, &matches)
}

#[test]
fn the_sample_is_read_with_the_same_positions() {
    for (run, format) in [("gnubg-sample-mat", MAT), ("gnubg-sample-sgf", SGF)] {
        let compared = all_of(run, format, &sample());
        assert!(compared.is_none_or(|actions| actions > 1_500), "{compared:?}");
    }
}

#[test]
fn the_whole_corpus_is_read_with_the_same_positions() {
    let Some(folder) = shared_corpus() else { return };
    for (run, format) in [("gnubg-corpus-mat", MAT), ("gnubg-corpus-sgf", SGF)] {
        let compared = all_of(run, format, &folder);
        assert!(compared.is_none_or(|actions| actions > 19_000), "{compared:?}");
    }
}
