//! `chaquete export`, against a server that answers as it should, or does not.

use std::fs;
use std::path::Path;

use chaquete_client::proto::{
    ExportMatchRequest, ExportMatchResponse, ExportMatchesRequest, ExportMatchesResponse, RecordFormat,
};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::command_line::{NOBODY, Said, chaquete, folder, text};
use crate::server::{Reply, Server, unavailable};

/// A server that writes every match as its name.
fn server() -> Server {
    Server::start(|call, _| {
        let ExportMatchRequest { name, .. } = call.decode();
        if name.ends_with("lost") {
            let name = [("name".to_owned(), "n".to_owned())];
            let details = ErrorDetails::with_error_info("NOT_FOUND", "backgammon.v1", name);
            return Reply::status(Status::with_error_details(Code::NotFound, "no such match", details));
        }
        Reply::message(&ExportMatchResponse {
            content: name.into_bytes(),
            file_name: "../../elsewhere".to_owned(),
            remarks: vec!["limits of time are not written".to_owned()],
            ..ExportMatchResponse::default()
        })
    })
}

fn export(server: &Server, arguments: &[&str]) -> Said {
    chaquete(&server.address, &[&["export"], arguments].concat())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn matches_go_into_files_that_are_called_like_them() {
    let (server, out) = (server(), folder("export-some"));
    let said = export(&server, &["m1", "tenants/club/matches/m2", "--format", "sgf", "--out", text(&out)]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(names(&out), ["m1.sgf", "m2.sgf"]);
    assert_eq!(read(&out, "m2.sgf"), "tenants/club/matches/m2");
    assert_eq!(said.out, format!("{}\n{}\n", text(&out.join("m1.sgf")), text(&out.join("m2.sgf"))));
    assert!(
        said.err.starts_with("tenants/default/matches/m1: limits of time are not written\n"),
        "{}",
        said.err
    );
    let asked: ExportMatchRequest = server.calls()[0].decode();
    assert_eq!(asked.format(), RecordFormat::Sgf);
}

#[test]
fn one_match_goes_to_a_file_or_to_standard_output() {
    let (server, out) = (server(), folder("export-one"));
    let printed = export(&server, &["m1", "--out", "-"]);
    assert_eq!((printed.code, printed.out.as_str()), (Some(0), "tenants/default/matches/m1"));
    let record = out.join("mine.ogxm");
    assert_eq!(export(&server, &["m1", "--out", text(&record)]).code, Some(0));
    assert_eq!(names(&out), ["mine.ogxm"]);
    let formats = server.calls().into_iter().map(|call| call.decode::<ExportMatchRequest>().format());
    assert_eq!(formats.collect::<Vec<_>>(), [RecordFormat::Mat, RecordFormat::Ogxm], "the ending tells");

    fs::write(&record, "mine").expect("a file");
    let taken = export(&server, &["m1", "--out", text(&record)]);
    assert_eq!((taken.code, read(&out, "mine.ogxm").as_str()), (Some(1), "mine"));
    assert!(taken.err.contains("--force"), "{}", taken.err);
    assert_eq!(export(&server, &["m1", "--out", text(&record), "--force"]).code, Some(0));
    assert_ne!(read(&out, "mine.ogxm"), "mine");
}

#[test]
fn a_match_that_is_not_there_is_named() {
    let said = export(&server(), &["lost", "--out", "-"]);
    assert_eq!(said.code, Some(2));
    assert_eq!(said.err, "chaquete: there is no match tenants/default/matches/lost\n");
}

#[test]
fn what_cannot_be_meant_is_told_without_a_server() {
    for (arguments, word) in [
        (&["m1", "m2", "--out", "-"][..], "standard output"),
        (&["m1", "--format", "oldmoves"], "not written"),
        (&["--all"], "--out"),
        (&["--all", "--out", "-"], "folder"),
        (&["--all", "m1", "--out", "x"], "cannot be used with"),
        (&["m1", "--resume"], "cannot be used with"),
        (&["m1", "--filter", "x"], "cannot be used with"),
        (&["--resume"], "--all"),
        (&[], "MATCH"),
    ] {
        let said = chaquete(NOBODY, &[&["export"], arguments].concat());
        assert_eq!(said.code, Some(2), "{arguments:?}");
        assert!(said.err.contains(word) && !said.err.contains("cannot reach"), "{arguments:?}: {}", said.err);
    }
}

/// The match of a number, whose resume token it is. The third cannot be written.
fn record(number: usize) -> ExportMatchesResponse {
    let (content, remarks) = match number {
        3 => (Vec::new(), vec!["it is damaged".to_owned()]),
        _ => (format!("record {number}").into_bytes(), Vec::new()),
    };
    ExportMatchesResponse {
        r#match: format!("tenants/default/matches/m{number}"),
        content,
        file_name: "../../elsewhere".to_owned(),
        resume_token: format!("after {number}"),
        remarks,
    }
}

/// How many matches there are.
const ALL: usize = 5;

/// A server that is cut off after so many matches, in each call.
fn cut_off_after(count: usize, end: fn() -> Option<Status>) -> Server {
    Server::start(move |call, _| {
        let ExportMatchesRequest { resume_token, .. } = call.decode();
        let first =
            resume_token.strip_prefix("after ").map_or(1, |last| last.parse::<usize>().expect("a token") + 1);
        let records: Vec<_> = (first..=ALL).take(count).map(record).collect();
        let reply = Reply::messages(&records);
        match end() {
            Some(status) if records.len() == count => reply.then(status),
            _ => reply,
        }
    })
}

fn all(server: &Server, out: &Path, options: &[&str]) -> Said {
    export(server, &[&["--all", "--out", text(out)], options].concat())
}

const PLACE: &str = ".chaquete-export";

#[test]
fn all_matches_go_into_a_folder_over_broken_streams() {
    let server = cut_off_after(2, || Some(unavailable(None)));
    let out = folder("export-all").join("new");
    let said = all(&server, &out, &["--filter", "imported = true", "--tenant", "club"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "tenants/default/matches/m3: it is damaged\n"));
    assert_eq!(said.out, "5 matches: 4 written, 1 cannot be written\n");
    assert_eq!(names(&out), [PLACE, "m1.mat", "m2.mat", "m4.mat", "m5.mat"]);
    assert_eq!(read(&out, "m5.mat"), "record 5");
    let asked: Vec<ExportMatchesRequest> = server.calls().iter().map(|call| call.decode()).collect();
    let tokens: Vec<_> = asked.iter().map(|request| request.resume_token.as_str()).collect();
    assert_eq!(tokens, ["", "after 2", "after 4"]);
    assert!(
        asked.iter().all(|request| request.parent == "tenants/club" && request.filter == "imported = true")
    );
}

#[test]
fn an_interrupted_export_goes_on_where_it_was() {
    let broken = cut_off_after(2, || Some(Status::internal("broken")));
    let out = folder("export-resume");
    let said = all(&broken, &out, &[]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), "2 matches: 2 written\n"));
    assert!(said.err.contains("broken"), "{}", said.err);

    let whole = cut_off_after(9, || None);
    let refused = all(&whole, &out, &[]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--resume") && refused.err.contains("--force"), "{}", refused.err);
    let other = all(&whole, &out, &["--resume", "--format", "sgf"]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another format"), "{}", other.err);
    assert!(whole.calls().is_empty());

    let resumed = all(&whole, &out, &["--resume"]);
    assert_eq!(resumed.out, "3 matches: 2 written, 1 cannot be written\n");
    let asked: ExportMatchesRequest = whole.calls()[0].decode();
    assert_eq!(asked.resume_token, "after 2");
    let over = all(&whole, &out, &["--resume"]);
    assert_eq!((over.code, over.out.as_str()), (Some(0), "0 matches: 0 written\n"), "{}", over.err);
}

#[test]
fn a_record_that_was_written_before_the_place_was_kept_is_no_other_file() {
    let server = cut_off_after(9, || None);
    let out = folder("export-crash");
    fs::write(out.join("m1.mat"), "record 1").expect("a file");
    fs::write(out.join("m2.mat"), "mine").expect("a file");
    let said = all(&server, &out, &["--resume"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(
        said.out,
        "5 matches: 2 written, 1 there already, 1 kept as another file, 1 cannot be written\n"
    );
    assert_eq!(read(&out, "m2.mat"), "mine");
    let forced = all(&server, &out, &["--force"]);
    assert_eq!(forced.out, "5 matches: 4 written, 1 cannot be written\n");
    assert_eq!(read(&out, "m2.mat"), "record 2");
}

#[test]
fn matches_of_all_tenants_have_names_of_their_own() {
    let server = cut_off_after(9, || None);
    let out = folder("export-tenants");
    all(&server, &out, &["--tenant", "-", "--format", "json"]);
    assert!(names(&out).contains(&"default.m1.bglog".to_owned()), "{:?}", names(&out));
}

#[test]
fn no_server_says_where_a_file_goes() {
    let server = Server::start(|_, _| {
        let strange = ExportMatchesResponse { r#match: "tenants/a/matches/..".to_owned(), ..record(1) };
        Reply::message(&strange)
    });
    let out = folder("export-strange");
    let said = all(&server, &out, &[]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("is no name of a match"), "{}", said.err);
    assert!(names(&out).is_empty());
}
