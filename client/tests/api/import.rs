//! `chaquete import`, against a server that answers as it should, or does not.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;

use chaquete_client::proto::{
    GetMatchResponse, ImportMatchRequest, ImportMatchResponse, ImportWarning, Match, RecordFormat,
};
use chaquete_client::record_match_id;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::command_line::{NOBODY, Said, chaquete, file, folder, text};
use crate::plan::RECORD;
use crate::server::{Call, Reply, Server, unavailable};

fn request(call: &Call) -> ImportMatchRequest {
    assert_eq!(call.method, "ImportMatch");
    call.decode()
}

/// A refusal with its reason and facts.
fn refusal<const N: usize>(code: Code, reason: &str, facts: [(&str, &str); N]) -> Reply {
    let facts: HashMap<_, _> = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let mut details = ErrorDetails::with_error_info(reason, "backgammon.v1", facts);
    if code == Code::InvalidArgument {
        details.add_bad_request_violation("content", "line 15, column 9: it is none");
    }
    Reply::status(Status::with_error_details(code, "it is none", details))
}

/// What a server answers that refuses a record because of this place.
fn unparsable(line: &str, column: &str) -> Reply {
    let facts = [("line", line), ("column", column), ("code", "DIE_NOT_AVAILABLE")];
    refusal(Code::InvalidArgument, "UNPARSABLE_CONTENT", facts)
}

/// A server that keeps what it is given, once; which finds every record odd, and those that say so wrong.
fn server() -> Server {
    let there = Mutex::new(HashSet::new());
    Server::start(move |call, _| {
        let ImportMatchRequest { match_id, content, validate_only, .. } = request(call);
        if content.starts_with(b"wrong") {
            return unparsable("15", "9");
        }
        if !validate_only && !there.lock().expect("the matches").insert(match_id) {
            return refusal(Code::AlreadyExists, "MATCH_EXISTS", [("name", "n")]);
        }
        let warning = |line, column, code: &str, repaired| ImportWarning {
            line,
            column,
            code: code.to_owned(),
            text: "it is odd".to_owned(),
            repaired,
        };
        Reply::message(&ImportMatchResponse {
            r#match: None,
            warnings: vec![warning(7, 33, "LOSSES", true), warning(0, 0, "MATCH_UNFINISHED", false)],
        })
    })
}

fn import(server: &Server, folder: &Path, options: &[&str]) -> Said {
    chaquete(&server.address, &[&["import", text(folder)], options].concat())
}

#[test]
fn records_are_imported_and_what_is_odd_or_wrong_is_told() {
    let (server, records) = (server(), folder("import-all"));
    let right = file("import-all", "a.mat", RECORD);
    let wrong = file("import-all", "b.sgf", "wrong");
    file("import-all", "c.txt", "no record, and not looked at");
    let said = import(&server, &records, &["--jobs", "1"]);
    assert_eq!(said.code, Some(1));
    let (right, wrong) = (text(&right), text(&wrong));
    let name = format!("tenants/default/matches/{}", record_match_id(RECORD.as_bytes()));
    assert_eq!(
        said.out,
        format!(
            "{right}: {name}\n2 records: 1 imported, 0 already there, 1 refused; 2 oddities, 1 of them repaired\n"
        )
    );
    assert_eq!(
        said.err.lines().collect::<Vec<_>>(),
        [
            format!("{right}:7:33: LOSSES it is odd (repaired)"),
            format!("{right}: MATCH_UNFINISHED it is odd (kept)"),
            format!("{wrong}:15:9: DIE_NOT_AVAILABLE it is none (refused)"),
        ]
    );
    let formats: Vec<_> = server.calls().iter().map(|call| request(call).format()).collect();
    assert_eq!(formats, [RecordFormat::Mat, RecordFormat::Sgf]);
}

#[test]
fn a_refusal_has_as_much_of_a_place_as_is_known() {
    let record = file("import-places", "a.mat", RECORD);
    for ((line, column), place) in
        [(("15", "9"), ":15:9: "), (("15", "0"), ":15: "), (("0", "0"), ": "), (("", ""), ": ")]
    {
        let server = Server::start(move |_, _| unparsable(line, column));
        let said = import(&server, &record, &[]);
        let start = format!("{}{place}DIE_NOT_AVAILABLE ", text(&record));
        assert!(said.code == Some(1) && said.err.starts_with(&start), "{place}: {}", said.err);
        assert_eq!(said.err.contains("line 15"), place != ":15:9: ", "the place is told once: {}", said.err);
    }
}

#[test]
fn a_log_keeps_the_name_of_its_match_and_is_not_brought_again() {
    let server = Server::start(|call, before| match (call.method.as_str(), before) {
        ("GetMatch", 0) => refusal(Code::NotFound, "NOT_FOUND", [("name", "n")]),
        ("GetMatch", before) => {
            let uid = if before < 3 { "u-1" } else { "u-2" }.to_owned();
            Reply::message(&GetMatchResponse { r#match: Some(Match { uid, ..Match::default() }) })
        }
        _ => Reply::message(&ImportMatchResponse::default()),
    });
    let facts = "{\"format\":\"bgexport/1\",\"match\":\"tenants/other/matches/final\",\"uid\":\"u-1\"}\n";
    let log = file("import-log", "a.bglog", facts);
    for figures in ["1 imported, 0 already there", "0 imported, 1 already there"] {
        let said = import(&server, &log, &["--tenant", "club"]);
        assert!(said.code == Some(0) && said.out.contains(figures), "{}{}", said.out, said.err);
        assert!(said.out.contains(": tenants/club/matches/final"), "{}", said.out);
    }
    let methods: Vec<_> = server.calls().into_iter().map(|call| call.method).collect();
    assert_eq!(methods, ["GetMatch", "ImportMatch", "GetMatch"]);
    let asked = request(&server.calls()[1]);
    assert_eq!((asked.format(), asked.match_id.as_str()), (RecordFormat::Json, "final"));

    let other = import(&server, &log, &[]);
    assert_eq!(other.code, Some(1));
    assert!(
        other.err.contains(": NAME_TAKEN tenants/default/matches/final is another match"),
        "{}",
        other.err
    );

    let elsewhere = Server::start(|call, _| match call.method.as_str() {
        "GetMatch" => refusal(Code::NotFound, "NOT_FOUND", [("name", "n")]),
        _ => refusal(Code::AlreadyExists, "MATCH_EXISTS", [("uid", "u-1")]),
    });
    let said = import(&elsewhere, &log, &[]);
    assert!(
        said.code == Some(0) && said.out.contains(": the log of match u-1 is already there\n"),
        "{}",
        said.out
    );
}

#[test]
fn the_same_record_is_imported_once() {
    let (server, records) = (server(), folder("import-again"));
    file("import-again", "a.mat", RECORD);
    file("import-again", "copy-of-a.mat", RECORD);
    let first = import(&server, &records, &[]);
    assert!(
        first
            .out
            .ends_with("2 records: 1 imported, 1 already there, 0 refused; 2 oddities, 1 of them repaired\n")
    );
    let again = import(&server, &records, &[]);
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
    assert!(again.out.contains("2 records: 0 imported, 2 already there, 0 refused; "), "{}", again.out);
    assert_eq!(again.out.matches("is already there\n").count(), 2, "{}", again.out);
}

#[test]
fn what_was_asked_for_goes_with_every_record() {
    let server = server();
    let record = file("import-options", "record.txt", RECORD);
    let options =
        ["--label", "event=spring", "--label", "a.b=c=d", "--player-one", "u-1", "--player-two", "u-2"];
    let further = ["--format", "oldmoves", "--tenant", "club", "--check"];
    let said = import(&server, &record, &[&options[..], &further].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("record.txt: can be imported\n1 records: 1 can be imported, "), "{}", said.out);
    let asked = request(&server.calls()[0]);
    assert_eq!((asked.parent.as_str(), asked.validate_only), ("tenants/club", true));
    assert_eq!((asked.format(), asked.content.as_slice()), (RecordFormat::Oldmoves, RECORD.as_bytes()));
    let labels = [("event", "spring"), ("a.b", "c=d")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(asked.labels, labels.into());
    let players: Vec<_> = asked.players.iter().map(|player| (player.seat, player.subject.as_str())).collect();
    assert_eq!(players, [(1, "u-1"), (2, "u-2")]);
}

#[test]
fn an_import_is_sent_again_under_the_same_id_until_a_server_answers() {
    let server = Server::start(|_, before| match before {
        0 => Reply::status(unavailable(None)),
        _ => Reply::message(&ImportMatchResponse::default()),
    });
    let record = file("import-retry", "record.mat", RECORD);
    assert_eq!(import(&server, &record, &[]).code, Some(0));
    let ids: HashSet<_> = server.calls().iter().map(|call| request(call).request_id).collect();
    assert_eq!((server.calls().len(), ids.len()), (2, 1));
    assert!(ids.iter().all(|id| id.len() == 36), "{ids:?}");
}

#[test]
fn what_need_not_be_sent_is_refused_here() {
    let server = server();
    let large = "x".repeat((1 << 20) + 1);
    for (name, content, code) in [
        ("a.mat", large.as_str(), "FILE_TOO_LARGE"),
        ("b.mat", "", "NO_RECORD"),
        ("c.ogxm", "OGXM", "NOT_READ"),
    ] {
        let said = import(&server, &file("import-here", name, content), &[]);
        assert_eq!((said.code, said.err.lines().count()), (Some(1), 1), "{}", said.err);
        assert!(said.err.contains(code) && said.err.ends_with("(refused)\n"), "{}", said.err);
    }
    let players = ["--player-one", "u-1", "--player-two", "u-2"];
    let said = import(&server, &file("import-here", "d.json", "{}"), &players);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("says who played"), "{}", said.err);
    assert!(server.calls().is_empty());
}

#[test]
fn a_failure_that_no_record_is_to_blame_for_ends_the_import() {
    let server = Server::start(|_, _| Reply::status(Status::permission_denied("not for you")));
    let records = folder("import-failure");
    for name in ["a.mat", "b.mat", "c.mat"] {
        file("import-failure", name, RECORD);
    }
    let said = import(&server, &records, &["--jobs", "1"]);
    assert_eq!((said.code, server.calls().len()), (Some(2), 1));
    assert!(said.err.starts_with("chaquete: ") && said.err.contains("not for you"), "{}", said.err);
    assert!(said.out.contains("0 refused, 3 not done; "), "{}", said.out);
}

#[test]
fn what_cannot_be_meant_is_told_without_a_server() {
    let record = file("import-usage", "record.mat", RECORD);
    for options in [
        &["--label", "event"][..],
        &["--label", "Event=spring"],
        &["--label", "event="],
        &["--label", "event=a", "--label", "event=b"],
        &["--player-one", "u-1"],
        &["--player-one", "u-1", "--player-two", ""],
        &["--format", "xg"],
    ] {
        let said = chaquete(NOBODY, &[&["import", text(&record)], options].concat());
        assert_eq!(said.code, Some(2), "{options:?}");
        assert!(!said.err.contains("cannot reach"), "{options:?}: {}", said.err);
    }
    let empty = folder("import-nothing");
    let said = chaquete(NOBODY, &["import", text(&empty)]);
    assert!(said.err.contains("no records (*.mat, *.sgf, *.bglog, *.oldmoves) in "), "{}", said.err);
}
