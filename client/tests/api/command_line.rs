//! What the command line says and how it exits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chaquete_client::proto::{CreateMatchRequest, CreateMatchResponse, Match, match_rules::Length};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::plan::{RECORD, plan, request_ids};
use crate::replay::Book;
use crate::server::{Reply, Server};

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn chaquete(server: &str, arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_chaquete"))
        .env("CHAQUETE_SERVER", server)
        .args(arguments)
        .output()
        .expect("the program");
    Said {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A file of this test, in a folder of its own.
fn file(test: &str, name: &str, content: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

const NOBODY: &str = "http://127.0.0.1:1";

#[test]
fn what_cannot_be_done_is_one_line_and_exit_code_2() {
    let nobody = chaquete(NOBODY, &["list"]);
    assert_eq!(nobody.code, Some(2));
    assert!(
        nobody.err.starts_with("chaquete: cannot reach the server at http://127.0.0.1:1: "),
        "{}",
        nobody.err
    );

    let no_file = chaquete(NOBODY, &["replay", "no-such-file.mat"]);
    assert_eq!(no_file.code, Some(2));
    assert!(no_file.err.starts_with("chaquete: no-such-file.mat: "), "{}", no_file.err);

    let no_address = chaquete("not an address", &["list"]);
    assert_eq!(no_address.code, Some(2));
    for said in [nobody, no_file, no_address] {
        assert_eq!((said.err.lines().count(), said.out.as_str()), (1, ""));
    }
}

#[test]
fn an_unknown_match_is_named() {
    let server = Server::start(|_, _| {
        let name = [("name".to_owned(), "n".to_owned())];
        let details = ErrorDetails::with_error_info("NOT_FOUND", "backgammon.v1", name);
        Reply::status(Status::with_error_details(Code::NotFound, "no such match", details))
    });
    for command in ["show", "watch"] {
        let said = chaquete(&server.address, &[command, "lost"]);
        assert_eq!(said.code, Some(2));
        assert_eq!(said.err, "chaquete: there is no match tenants/default/matches/lost\n");
    }
}

#[test]
fn a_new_match_is_asked_for_and_its_name_printed() {
    let server = Server::start(|_, _| {
        let created = Match { name: "tenants/default/matches/m1".to_owned(), ..Match::default() };
        Reply::message(&CreateMatchResponse { r#match: Some(created) })
    });
    let said = chaquete(&server.address, &["new", "ann", "ben", "--points", "5", "--no-crawford"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "tenants/default/matches/m1\n"));
    let request: CreateMatchRequest = server.calls()[0].decode();
    assert_eq!(request.request_id.len(), 36);
    let rules = request.r#match.expect("a match").rules.expect("rules");
    assert_eq!((rules.length, rules.crawford), (Some(Length::Points(5)), Some(false)));
}

#[test]
fn a_replay_prints_its_figures_and_keeps_the_log() {
    let book = Book::of(&plan(RECORD));
    let server = Server::start(move |call, _| book.answer(call));
    let record = file("replay", "record.mat", RECORD);
    let log = file("replay", "acks", "");
    let arguments = ["replay", text(&record), "--run", "run-a", "--ack-log", text(&log)];
    let said = chaquete(&server.address, &arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.ends_with("acknowledged 11 actions (run run-a)\n"), "{}", said.out);
    assert!(said.out.contains("NO_ROLL"), "{}", said.out);
    let log = fs::read_to_string(log).expect("the log");
    let ids: Vec<&str> = log.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(ids, request_ids(&plan(RECORD)));
    let name = plan(RECORD).name;
    assert!(log.starts_with(&format!("{name} {} 1 2\n", ids[0])), "{log}");
    assert!(log.lines().nth(1).is_some_and(|line| line.ends_with(" 3 3")), "{log}");
}

#[test]
fn a_record_that_breaks_a_rule_is_exit_code_1() {
    let wrong = RECORD.replace("24/18 13/9", "24/18 13/8");
    let record = file("illegal", "wrong.mat", &wrong);
    file("illegal", "ignored.txt", "not a record");
    let folder = record.parent().expect("a folder");
    let said = chaquete(NOBODY, &["replay", "--dry-run", text(folder)]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.err.lines().count(), 1);
    assert!(said.err.contains("wrong.mat:15:") && said.err.contains("[DIE_NOT_AVAILABLE]"), "{}", said.err);

    let record = file("legal", "right.mat", RECORD);
    assert_eq!(chaquete(NOBODY, &["replay", "--dry-run", text(&record)]).code, Some(0));
}
