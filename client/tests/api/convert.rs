//! `chaquete convert`: records and positions without a server.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command_line::{NOBODY, Said, chaquete, file, folder, text};
use crate::plan::RECORD;

fn convert(arguments: &[&str]) -> Said {
    chaquete(NOBODY, &[&["convert"], arguments].concat())
}

/// The content of a file.
fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The content of all files of a folder, by their names.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut files: Vec<_> = entries.map(|path| (name(&path), read(&path))).collect();
    files.sort();
    files
}

#[test]
fn a_record_takes_another_form_and_what_is_odd_is_told_with_its_place() {
    let record = file("convert-one", "record.mat", RECORD);
    let out = folder("convert-one-out");
    let said = convert(&[text(&record), "--to", "sgf", "--out", text(&out)]);
    let sgf = out.join("record.sgf");
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), format!("{}\n", text(&sgf)).as_str()),
        "{}",
        said.err
    );
    assert!(read(&sgf).starts_with(b"(;FF[4]GM[6]"));
    let lines: Vec<&str> = said.err.lines().collect();
    let record = text(&record);
    let odd = format!("{record}:15:35: NO_ROLL a cell without a roll (kept)");
    let remark = format!("{record}: MATCH_UNFINISHED the match has not ended");
    assert!(lines.contains(&odd.as_str()) && lines.contains(&remark.as_str()), "{}", said.err);
}

#[test]
fn a_record_that_cannot_be_played_is_refused_with_its_place() {
    let wrong = file("convert-wrong", "wrong.mat", &RECORD.replace("24/18 13/9", "24/18 13/8"));
    let unreadable = file("convert-wrong", "unreadable.mat", &RECORD.replace("24/23", "24/26"));
    let gap = file("convert-wrong", "gap.mat", &RECORD.replace("Bob : 1", "Bob : 2"));
    let out = folder("convert-wrong-out");
    for (record, place, code) in [
        (&wrong, "15:6", "DIE_NOT_AVAILABLE"),
        (&unreadable, "14:42", "BAD_MOVE"),
        (&gap, "13:2", "SCORE_GAP"),
    ] {
        let said = convert(&[text(record), "--to", "sgf", "--out", text(&out)]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{}", said.err);
        let refusals: Vec<&str> = said.err.lines().filter(|line| line.ends_with("(refused)")).collect();
        let start = format!("{}:{place}: {code} ", text(record));
        assert!(matches!(refusals[..], [line] if line.starts_with(&start)), "{start}: {}", said.err);
    }
    let all = convert(&[text(&wrong), text(&gap), "--to", "sgf", "--out", text(&out)]);
    assert!(all.out.starts_with("2 records: 0 converted, 2 refused; "), "{}", all.out);
    assert!(contents(&out).is_empty());
}

#[test]
fn standard_input_goes_to_standard_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chaquete"));
    let command = command.args(["convert", "-", "--to", "ogxm"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.stderr(Stdio::null()).spawn().expect("the program");
    running.stdin.take().expect("its input").write_all(RECORD.as_bytes()).expect("read");
    let output = running.wait_with_output().expect("the end");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"OGXM") && output.stdout.ends_with(b"END!"));
}

#[test]
fn the_beginning_of_a_file_tells_its_format_when_its_name_does_not() {
    let listing =
        "Score is 0-0 in a 1 point match.\nAnn is X - Bob is O\nX: (3 1) 8-5 6-5\nX: wins 1 point\n";
    let sgf = "(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RE[W+1R]\n;W[31hefe])\n";
    for (name, content) in [("listing.txt", listing), ("tree.txt", sgf)] {
        let record = file("convert-content", name, content);
        let said = convert(&[text(&record), "--to", "mat", "--out", "-"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.out.contains("31: 8/5 6/5") && said.out.contains("Ann : 0"), "{}", said.out);
    }
    let named = file("convert-content", "no.sgf", listing);
    assert_eq!(convert(&[text(&named), "--to", "mat", "--out", "-"]).code, Some(1));
    let said = convert(&[text(&named), "--from", "oldmoves", "--to", "mat", "--out", "-"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn nothing_is_replaced_unless_it_is_wanted() {
    let record = file("convert-force", "record.mat", RECORD);
    let there = file("convert-force", "record.sgf", "mine");
    let out = ["--out", text(&there)];
    let said = convert(&[&[text(&record)], &out[..]].concat());
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.err.contains("another file is there") && said.err.contains("--force"), "{}", said.err);
    assert_eq!(read(&there), b"mine");

    let forced = convert(&[&[text(&record)], &out[..], &["--force"]].concat());
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(read(&there).starts_with(b"(;"), "the ending of --out tells the format");
    let again = convert(&[&[text(&record)], &out[..]].concat());
    assert_eq!(again.code, Some(0), "the same content needs no replacement: {}", again.err);
    assert_eq!(contents(there.parent().expect("a folder")).len(), 2, "no draft is left");
}

#[test]
fn two_records_of_one_name_do_not_take_each_others_place() {
    let first = file("convert-twice/a", "record.mat", RECORD);
    let second = file("convert-twice/b", "record.mat", &RECORD.replace("Alice", "Carol"));
    let out = folder("convert-twice-out");
    let files = [text(&first), text(&second)];
    let said = convert(&[&files[..], &["--to", "mat", "--out", text(&out), "--force"]].concat());
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("2 records: 1 converted, 1 refused"), "{}", said.out);
    assert!(String::from_utf8_lossy(&read(out.join("record.mat"))).contains("Alice"));
}

#[test]
fn what_cannot_be_converted_says_why() {
    let record = file("convert-why", "record.mat", RECORD);
    let log = file("convert-why", "log.json", "{}");
    for (arguments, code, word) in [
        (&[text(&record)][..], 2, "--to"),
        (&[text(&record), "--to", "json"], 2, "server"),
        (&[text(&record), "--to", "oldmoves"], 2, "not written"),
        (&[text(&log), "--to", "mat"], 1, "server"),
        (&["--id", "nonsense"], 2, "14 characters"),
        (&["no-such-file.mat", "--to", "sgf"], 2, "no-such-file.mat"),
        (&[text(&record), text(&log), "--to", "sgf", "--out", "-"], 2, "standard output"),
    ] {
        let said = convert(arguments);
        assert_eq!((said.code, said.err.lines().count()), (Some(code), 1), "{arguments:?}: {}", said.err);
        assert!(said.err.contains(word), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn a_position_is_shown_in_every_form() {
    let said = convert(&["--id", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:33:2:3:0:7:10"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(
        lines,
        [
            "Position ID  4HPwATDgc/ABMA",
            "GNU ID       4HPwATDgc/ABMA:cIntACAAGAAE",
            "XGID         XGID=-b----E-C---eE---c-e----B-:0:0:-1:33:2:3:0:7:10",
            "OGID         11ccccchhhjjjjj:66666888dddddoo:N0N:33:W:R:2:3:7:0",
            "FIBS         board:X:O:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:3:3:1:1:1:0:\
             1:-1:0:25:0:0:0:0:0:0:0:1",
            "Snowie       7;0;0;0;1;O;X;0;3;2;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;3;",
        ]
    );
    // Each of them is read as the same position.
    for line in &lines[1..] {
        let (_, form) = line.split_at(13);
        assert_eq!(convert(&["--id", form]).out, said.out, "{form}");
    }
}

#[test]
fn a_form_without_a_word_for_a_position_says_so() {
    let said = convert(&["--id", "XGID=-b----E-C---eE---c-e----B-:1:-1:1:B:0:0:0:0:10"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("OGID         - (an OGID has no word for beavers)\n"), "{}", said.out);
}

#[test]
fn a_position_has_as_many_checkers_as_its_game() {
    // A side with one checker left of three, and of fifteen.
    let position = "XGID=-a-----------------------A:0:0:1:00:0:0:0:0:10";
    for (checkers, off) in [("3", ":0:25:2:2:"), ("15", ":0:25:14:14:")] {
        let said = convert(&["--id", position, "--checkers", checkers]);
        assert!(said.out.contains(off), "{checkers}: {}", said.out);
    }
    let said = convert(&["--id", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "--checkers", "3"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
    assert_eq!(convert(&["--id", position, "--checkers", "16"]).code, Some(2));
}

/// The real matches that are checked in, and all of them where they are here.
fn corpora() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let whole = root.join("../shared/corpus");
    if !whole.is_dir() {
        let line = "SKIPPED: the whole corpus is not here; a sample of it is in tests/data/corpus\n";
        std::io::stderr().write_all(line.as_bytes()).expect("standard error");
    }
    [root.join("tests/data/corpus"), whole].into_iter().filter(|folder| folder.is_dir()).collect()
}

#[test]
fn real_matches_come_back_from_sgf_as_they_were() {
    for corpus in corpora() {
        let records = contents(&corpus).iter().filter(|(name, _)| name.ends_with(".mat")).count();
        let (plain, sgf, back) = (folder("corpus-mat"), folder("corpus-sgf"), folder("corpus-back"));
        for (from, to, out) in [(&corpus, "mat", &plain), (&corpus, "sgf", &sgf), (&sgf, "mat", &back)] {
            let said = convert(&[text(from), "--to", to, "--out", text(out)]);
            assert_eq!(said.code, Some(0), "{}", said.err);
            let figures = format!("{records} records: {records} converted, 0 refused; ");
            assert!(said.out.lines().last().is_some_and(|line| line.starts_with(&figures)), "{}", said.out);
        }
        assert_eq!(contents(&plain).len(), records);
        assert!(contents(&plain) == contents(&back), "{}", corpus.display());
        let ogxm = folder("corpus-ogxm");
        let said = convert(&[text(&corpus), "--to", "ogxm", "--out", text(&ogxm)]);
        assert_eq!((said.code, contents(&ogxm).len()), (Some(0), records), "{}", said.err);
    }
}
