//! What the command line says and how it exits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use chaquete_client::proto::time_control::Control;
use chaquete_client::proto::{
    ActionDeadline, Automation, ClockControl, ClockMode, CreateMatchRequest, CreateMatchResponse,
    GameStarted, GetMatchResponse, Match, MatchEndReason, MatchEnded, MatchEvent, MatchPaused, MatchResult,
    MatchState, MatchUpdate, Score, TimeControl, TimeoutPolicy, WatchMatchResponse, match_event::Kind,
    match_rules::Length, watch_match_response::Message,
};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::plan::{RECORD, plan, request_ids};
use crate::replay::Book;
use crate::server::{Reply, Server};

pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn chaquete(server: &str, arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chaquete"));
    let command = command.env("CHAQUETE_SERVER", server).args(arguments);
    said(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.spawn().and_then(Child::wait_with_output).expect("the program");
    Said {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// An empty folder of this test.
pub(crate) fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _not_there = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file of this test, in a folder of its own.
pub(crate) fn file(test: &str, name: &str, content: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    path
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path of letters")
}

pub(crate) const NOBODY: &str = "http://127.0.0.1:1";

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

/// What the command line asks for with these options of `new`.
fn new_match(options: &[&str]) -> Match {
    let server = Server::start(|_, _| {
        let created = Match { name: "tenants/default/matches/m1".to_owned(), ..Match::default() };
        Reply::message(&CreateMatchResponse { r#match: Some(created) })
    });
    let said = chaquete(&server.address, &[&["new", "ann", "ben"], options].concat());
    assert_eq!((said.code, said.out.as_str()), (Some(0), "tenants/default/matches/m1\n"), "{}", said.err);
    let request: CreateMatchRequest = server.calls()[0].decode();
    assert_eq!(request.request_id.len(), 36);
    request.r#match.expect("a match")
}

#[test]
fn a_new_match_is_asked_for_and_its_name_printed() {
    let plain = new_match(&["--points", "5", "--no-crawford"]);
    let rules = plain.rules.expect("rules");
    assert_eq!((rules.length, rules.crawford), (Some(Length::Points(5)), Some(false)));
    assert_eq!((plain.time_control, plain.automation, plain.ready_check), (None, None, false));

    let money = ["--money", "--games", "3", "--beavers", "2", "--automatic-doubles", "1", "--no-jacoby"];
    let rules = new_match(&money).rules.expect("rules");
    assert_eq!((rules.max_beavers, rules.max_automatic_doubles, rules.jacoby), (2, 1, Some(false)));
}

#[test]
fn a_new_match_has_the_limits_and_helpers_that_were_asked_for() {
    let span = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
    let clock = ["--points", "5", "--clock", "10m", "--per-turn", "12s", "--mode", "fischer"];
    let asked = new_match(&[&clock[..], &["--timeout", "game", "--ready-check"]].concat());
    let mode = ClockMode::Fischer.into();
    let control = Some(Control::Clock(ClockControl { reserve: span(600), mode, per_turn: span(12) }));
    let timeout_policy = TimeoutPolicy::ForfeitGame.into();
    assert_eq!(asked.time_control, Some(TimeControl { control, timeout_policy }));
    assert!(asked.ready_check);

    let deadline = ["--money", "--action-deadline", "2d", "--auto-roll", "--auto-move", "--auto-bear-off"];
    let asked = new_match(&deadline);
    let control = Some(Control::ActionDeadline(ActionDeadline { limit: span(172_800) }));
    assert_eq!(asked.time_control, Some(TimeControl { control, timeout_policy: 0 }));
    let all =
        Automation { roll_when_cube_unavailable: true, play_forced_moves: true, bear_off_greedily: true };
    assert_eq!(asked.automation, Some(all));
}

#[test]
fn options_that_contradict_each_other_are_refused_before_a_server_is_asked() {
    for (length, other) in [("--points=5", "--games=3"), ("--points=5", "--no-jacoby")] {
        let said = chaquete(NOBODY, &["new", length, other, "ann", "ben"]);
        assert_eq!(said.code, Some(2));
        let option = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
        let (length, other) = (option(length), option(other));
        assert!(said.err.contains(&length) && said.err.contains(&other), "{}", said.err);
        assert!(said.err.contains("cannot be used with"), "{}", said.err);
    }
    let seeded = chaquete(NOBODY, &["new", "--points", "5", "--seed", &"0f".repeat(32), "ann", "ben"]);
    assert_eq!((seeded.code, seeded.err.as_str()), (Some(2), "chaquete: --seed is for --dice seeded only\n"));
    let external = chaquete(NOBODY, &["new", "--points=5", "--dice=external", "--auto-roll", "ann", "ben"]);
    assert_eq!(external.code, Some(2));
    assert!(external.err.contains("--auto-roll"), "{}", external.err);
}

/// What `watch --board` prints of a match that is paused and then ends so.
fn watched_to(reason: MatchEndReason) -> Vec<String> {
    let server = Server::start(move |call, _| {
        if call.method == "GetMatch" {
            // As it is by now: what is told begins before that.
            let game = Match { state: MatchState::Completed.into(), ..Match::default() };
            return Reply::message(&GetMatchResponse { r#match: Some(game) });
        }
        let score = Some(Score { one: 3, two: 3 });
        let result = MatchResult { r#final: true, reason: reason.into(), score, ..MatchResult::default() };
        let paused = Kind::MatchPaused(MatchPaused { reason: "rain".to_owned() });
        let started = Kind::GameStarted(GameStarted::default());
        let ended = Kind::MatchEnded(MatchEnded { result: Some(result), reason: String::new() });
        let updates: Vec<WatchMatchResponse> =
            [paused, started, ended].map(Some).into_iter().zip(1..).map(update).collect();
        Reply::messages(&updates)
    });
    let said = chaquete(&server.address, &["watch", "m1", "--board"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.out.lines().map(str::to_owned).collect()
}

fn update((kind, revision): (Option<Kind>, i32)) -> WatchMatchResponse {
    let event = MatchEvent { revision, kind, ..MatchEvent::default() };
    let update = MatchUpdate { event: Some(event), ..MatchUpdate::default() };
    WatchMatchResponse { message: Some(Message::Update(Box::new(update))) }
}

#[test]
fn a_watch_tells_pauses_and_ends_without_a_winner() {
    let closed = watched_to(MatchEndReason::SessionClosed);
    assert_eq!(closed[0], "    1  the match is paused: rain");
    let heads: Vec<&String> = closed.iter().filter(|line| line.contains("revision")).collect();
    assert_eq!(heads, ["  paused  revision 2", "  completed  revision 3"]);
    assert!(closed.contains(&"    3  the session ends level, 3-3".to_owned()), "{closed:?}");
    let cancelled = watched_to(MatchEndReason::Cancelled);
    assert!(cancelled.contains(&"  cancelled  revision 3".to_owned()), "{cancelled:?}");
    assert!(!cancelled.iter().any(|line| line.contains("nobody")), "{cancelled:?}");
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
