//! Standard output that nobody reads, or that can hold no more.

use std::fs::File;
use std::io::pipe;
use std::process::{Command, Stdio};

use chaquete_client::proto::watch_match_response::Message;
use chaquete_client::proto::{
    CreateMatchResponse, ExportMatchResponse, Game, GetMatchResponse, ImportMatchResponse,
    ListMatchEventsResponse, ListMatchesResponse, Match, MatchEnded, MatchEvent, MatchUpdate,
    WatchMatchResponse, match_event::Kind,
};

use crate::command_line::{NOBODY, Said, file, said, text};
use crate::plan::{RECORD, plan};
use crate::replay::Book;
use crate::server::{Call, Reply, Server};

const NAME: &str = "tenants/default/matches/m1";

fn event() -> MatchEvent {
    MatchEvent { revision: 1, kind: Some(Kind::MatchEnded(MatchEnded::default())), ..MatchEvent::default() }
}

/// A little of everything.
fn answer(call: &Call) -> Reply {
    let game = Match { name: NAME.to_owned(), ..Match::default() };
    match call.method.as_str() {
        "CreateMatch" => Reply::message(&CreateMatchResponse { r#match: Some(game) }),
        "GetMatch" => Reply::message(&GetMatchResponse { r#match: Some(game) }),
        "ListMatches" => {
            Reply::message(&ListMatchesResponse { matches: vec![game], ..ListMatchesResponse::default() })
        }
        "ListMatchEvents" => Reply::message(&ListMatchEventsResponse {
            events: vec![event(); 3],
            ..ListMatchEventsResponse::default()
        }),
        "WatchMatch" => {
            let update = MatchUpdate { event: Some(event()), game: Some(Game::default()), score: None };
            Reply::message(&WatchMatchResponse { message: Some(Message::Update(Box::new(update))) })
        }
        "ImportMatch" => Reply::message(&ImportMatchResponse::default()),
        "ExportMatch" => {
            Reply::message(&ExportMatchResponse { content: vec![b'x'; 9], ..ExportMatchResponse::default() })
        }
        other => panic!("not asked for here: {other}"),
    }
}

/// A record.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/corpus/06ea713902f8.mat");

/// Everything that prints, against a server that answers.
const COMMANDS: [&[&str]; 15] = [
    &["show", "m1"],
    &["show", "m1", "--log"],
    &["show", "--id", "4HPwATDgc/ABMA"],
    &["show", "--id", "4HPwATDgc/ABMA", "--svg", "-"],
    &["show", "--id", "4HPwATDgc/ABMA", "--png", "-"],
    &["watch", "m1"],
    &["watch", "m1", "--board"],
    &["new", "ann", "ben", "--points", "5"],
    &["list"],
    &["export", "m1", "--out", "-"],
    &["import", SAMPLE],
    &["convert", SAMPLE, "--to", "sgf", "--out", "-"],
    &["convert", "--id", "4HPwATDgc/ABMA"],
    &["--help"],
    &["--version"],
];

fn run(server: &str, arguments: &[&str], out: impl Into<Stdio>) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chaquete"));
    said(command.env("CHAQUETE_SERVER", server).args(arguments).stdout(out).stderr(Stdio::piped()))
}

/// The writing end of a pipe that nobody reads.
fn unread() -> Stdio {
    let (reader, writer) = pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("a device that is always full").into()
}

#[test]
fn a_reader_that_has_gone_ends_it_quietly() {
    let server = Server::start(|call, _| answer(call));
    for arguments in COMMANDS {
        let said = run(&server.address, arguments, unread());
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let server = Server::start(|call, _| answer(call));
    for arguments in COMMANDS {
        let said = run(&server.address, arguments, full());
        assert_eq!((said.code, said.err.lines().count()), (Some(2), 1), "{arguments:?}: {}", said.err);
        assert!(said.err.starts_with("chaquete: ") && said.err.contains("standard output"), "{}", said.err);
    }
    let created = run(&server.address, &["new", "ann", "ben", "--money"], full());
    assert!(created.err.contains(NAME), "a match is made, and its name must not be lost: {}", created.err);
}

#[test]
fn errors_that_nobody_reads_keep_their_exit_code() {
    for err in [unread(), full()] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chaquete"));
        let status = command.args(["--server", NOBODY, "list"]).stdout(Stdio::null()).stderr(err).status();
        assert_eq!(status.expect("the program").code(), Some(2));
    }
}

#[test]
fn a_replay_keeps_its_exit_code_when_nobody_reads_the_figures() {
    let right = file("unread", "right.mat", RECORD);
    let wrong = file("unread", "wrong.mat", &RECORD.replace("24/18 13/9", "24/18 13/8"));
    let dry = |record, out| run(NOBODY, &["replay", "--dry-run", text(record)], out).code;
    assert_eq!((dry(&right, unread()), dry(&wrong, unread())), (Some(0), Some(1)));
    assert_eq!(dry(&right, full()), Some(2));
}

#[test]
fn a_log_of_acknowledged_actions_that_cannot_be_written_is_exit_code_2() {
    let book = Book::of(&plan(RECORD));
    let server = Server::start(move |call, _| book.answer(call));
    let record = file("full-log", "record.mat", RECORD);
    let arguments = ["replay", text(&record), "--run", "run-a", "--ack-log", "/dev/full"];
    let said = run(&server.address, &arguments, Stdio::piped());
    assert_eq!(said.code, Some(2));
    assert!(said.out.ends_with("acknowledged 11 actions (run run-a)\n"), "{}", said.out);
    let complaints = said.err.lines().filter(|line| line.contains("cannot be written")).count();
    assert_eq!(complaints, 1, "{}", said.err);
}
