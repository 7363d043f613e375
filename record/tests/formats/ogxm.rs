//! OGXM files: the bytes of small matches, and all of them read by the reference codec of the format.
//!
//! The codec is the Python package `ogxm`; the interpreter that has it is named by `CHAQUETE_OGXM_PYTHON`.
//! Without it the test says that it was skipped.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use chaquete_record::{Chronicle, GamePosition, NoWord, Play, Stage, Transcript, ogxm, sgf};
use chaquete_rules::{Event, GameEndReason, Length, Match, Seat};
use serde_json::Value;

use crate::data::{files, sample, shared_corpus, skipped};
use crate::exports::import;

/// Prints what the codec reads from each of the files that are listed, and whether it breaks a rule of the format.
const SCRIPT: &str = "
import json, sys, ogxm
for line in open(sys.argv[1]):
    found = ogxm.binary_to_json(open(line.strip(), 'rb').read())
    print(json.dumps([ogxm.v2_problem(found), found]))
";

/// The documents that the codec reads from these files.
fn read_by_codec(run: &str, all: &[Vec<u8>]) -> Option<Vec<Value>> {
    let python = env::var("CHAQUETE_OGXM_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_codec = Command::new(&python).args(["-c", "import ogxm"]).stderr(Stdio::null()).status();
    if !has_codec.is_ok_and(|status| status.success()) {
        skipped("the codec of OGXM is not here: nothing that we write was read by it (pip install ogxm)");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(run);
    fs::create_dir_all(&folder).unwrap();
    let mut list = String::new();
    for (index, bytes) in all.iter().enumerate() {
        let path = folder.join(format!("{index}.ogxm"));
        fs::write(&path, bytes).unwrap();
        list += &format!("{}\n", path.display());
    }
    fs::write(folder.join("files"), list).unwrap();
    let output = Command::new(&python).args(["-c", SCRIPT]).arg(folder.join("files")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let documents = String::from_utf8(output.stdout).unwrap();
    let documents = documents.lines().map(|line| {
        let found: Value = serde_json::from_str(line).unwrap();
        assert_eq!(found[0], Value::Null, "{line}");
        found[1].clone()
    });
    Some(documents.collect())
}

/// The OGID before a roll was played, but for the state, the number of the move and what was done with the cube.
fn plain(ogid: &str) -> String {
    let fields: Vec<&str> = ogid.split(':').collect();
    let cube = &fields[2][..fields[2].len() - 1];
    let length = fields[8].trim_end_matches('L');
    [fields[0], fields[1], cube, fields[3], fields[4], fields[6], fields[7], length].join(":")
}

fn before_roll(state: &Match, seat: Seat) -> String {
    let game = state.game().unwrap();
    let play = match state.terms().rules.length {
        Length::Points { points, .. } => Play::Match { length: points.get(), crawford: game.crawford },
        Length::Money(_) => Play::Money { jacoby: false, beavers: false },
    };
    let position = GamePosition {
        board: game.board,
        on_roll: seat,
        stage: Stage::Move(game.dice().unwrap_or_else(|| panic!("{:?}", game.phase))),
        cube: game.cube,
        score: state.score(),
        play,
        cube_limit: None,
    };
    plain(&position.ogid().unwrap())
}

/// What happens in a match: the OGID before each move, and how the games end.
fn ours(chronicle: &Chronicle) -> (Vec<String>, Vec<String>) {
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    let mut start = 0;
    chronicle.replay(|state, event| match event {
        Event::GameStarted { .. } => start = moves.len(),
        Event::MoveMade { seat, .. } => moves.push(before_roll(state, *seat)),
        Event::GameEnded(result) => {
            // A game that does not count is not written.
            let Some(win) = result.win else { return moves.truncate(start) };
            let how = match result.reason {
                GameEndReason::BorneOff => "played_out",
                GameEndReason::DoubleDeclined => "dropped",
                GameEndReason::Resigned => "resigned",
                _ => "forfeited",
            };
            ends.push(format!("{} {} {how}", u8::from(win.seat == Seat::Two), result.points));
        }
        _ => {}
    });
    (moves, ends)
}

fn theirs(document: &Value) -> (Vec<String>, Vec<String>) {
    let games = document["games"].as_array().unwrap();
    let plies = games.iter().flat_map(|game| game["plies"].as_array().unwrap());
    let moved = plies.filter(|ply| ply["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    let moves = moved.map(|ply| plain(ply["ogid_before"].as_str().unwrap())).collect();
    let ended = games.iter().filter(|game| game["points_won"].as_u64() > Some(0));
    let ends = ended.map(|game| {
        format!("{} {} {}", game["winner"], game["points_won"], game["termination"].as_str().unwrap())
    });
    (moves, ends.collect())
}

/// Holds what the codec reads against what was written; gives how many moves were compared.
pub(crate) fn assert_read_by_codec(run: &str, matches: &[(String, Chronicle)]) -> Option<usize> {
    let written: Vec<_> = matches
        .iter()
        .filter_map(|(name, match_)| Some((name, match_, ogxm::write(match_).ok()?.0)))
        .collect();
    let all: Vec<Vec<u8>> = written.iter().map(|(.., bytes)| bytes.clone()).collect();
    let documents = read_by_codec(run, &all)?;
    let mut compared = 0;
    for ((name, chronicle, _), document) in written.iter().zip(&documents) {
        assert_eq!(document["replay_complete"], true, "{name}");
        let names = [&document["player_white"], &document["player_black"]]
            .map(|name| name.as_str().unwrap_or_default());
        assert_eq!(names, [chronicle.names().one.as_str(), chronicle.names().two.as_str()]);
        let (ours, theirs) = (ours(chronicle), theirs(document));
        let differs = ours.0.iter().zip(&theirs.0).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{name}");
        assert_eq!(ours, theirs, "{name}");
        compared += ours.0.len();
    }
    Some(compared)
}

fn all_of(run: &str, folder: &Path) -> Option<usize> {
    let matches: Vec<_> =
        files(folder).into_iter().map(|(name, bytes)| (name.clone(), import(&name, &bytes))).collect();
    assert_read_by_codec(run, &matches)
}

#[test]
fn the_sample_is_read_by_the_reference_codec() {
    let compared = all_of("ogxm-sample", &sample());
    assert!(compared.is_none_or(|moves| moves == 1_431), "{compared:?}");
}

#[test]
fn the_whole_corpus_is_read_by_the_reference_codec() {
    let Some(folder) = shared_corpus() else { return };
    let compared = all_of("ogxm-corpus", &folder);
    assert!(compared.is_none_or(|moves| moves == 17_391), "{compared:?}");
}

fn chronicle(nodes: &str) -> Chronicle {
    let file = format!("(;GM[6]PW[Alice]PB[Bob]DT[2024-02-29]EV[Cup]{nodes})");
    Transcript::of(&sgf::read(file.as_bytes()).unwrap()).chronicle().unwrap()
}

/// The bytes of a match with everything in it, put together by the published layout.
#[test]
fn the_bytes_are_as_published() {
    let file = "RU[Jacoby]CV[2]RE[W+4R]\n;W[31hefe];B[64aggk];W[double];B[take];PL[W]DI[62]";
    let (bytes, remarks) = ogxm::write(&chronicle(file)).unwrap();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = [
        // OGXM, version 2.1, readable from 2.0 on, the size.
        "4f47584d",
        "0200",
        "0100",
        "0200",
        "0000",
        "6a000000",
        // MTCH: money play of backgammon; names, rules 1 to 4, cube limit 1024, midnight, event, no more than a day.
        "4d544348",
        "1e000000",
        "01",
        "1d",
        "8fa201",
        "00",
        "00",
        "05416c696365",
        "03426f62",
        "1e",
        "8008",
        "80d0a491df31",
        "03437570",
        "00",
        // GAME: White wins 4 points, one automatic double, resigned.
        "47414d45",
        "15000000",
        "01",
        "06",
        "c301",
        "00",
        "04",
        "01",
        "02",
        // 31: 8/5 6/5; 64: 24/18/14; double, take; 62 not played; a single game resigned.
        "02",
        "7133",
        "51",
        "d892",
        "15",
        "56",
        "0a",
        "00",
        "db",
        "02",
        "02",
        "01",
        // CSUM: its algorithm, its length, the sum; the end.
        "4353554d",
        "08000000",
        "01",
        "07",
        "00",
        "00",
        "04",
        "94360580",
        "454e4421",
    ];
    assert_eq!(hex, expected.concat());
    let codes: Vec<_> = remarks.iter().map(|remark| remark.kind.code()).collect();
    assert_eq!(codes, ["TERM_AUTOMATIC_DOUBLES", "AUTOMATIC_DOUBLE_DICE"]);
}

#[test]
fn what_the_format_cannot_say_is_refused() {
    for (nodes, what) in [
        (";W[31hefe];B[double];W[double];B[drop]", "a beaver that is declined"),
        (";W[31hefe];B[double];W[double]", "a beaver that waits for its answer"),
        (
            ";W[31hefe];B[double];W[double];B[double];W[take];B[64aggk]",
            "a raccoon after which the one who was doubled has the cube",
        ),
    ] {
        assert_eq!(ogxm::write(&chronicle(nodes)), Err(NoWord { form: "an OGXM file", what }));
    }
    assert!(ogxm::write(&chronicle(";W[31hefe];B[double];W[double];B[take];B[64aggk]")).is_ok());
}
