//! Records go in and come out by the command line: `chaquete import`, `export` and `convert` with a real server.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{collections::BTreeMap, fs, path::Path};

use chaquete_tests::{Service, chaquete, project, shared_or_say};
use tempfile::TempDir;

/// The files of a folder by their names, but for those that begin with a point.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let visible = named.filter(|(name, _)| !name.starts_with('.'));
    visible.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

/// Imports all match files of a folder, exports them in all formats and goes round with them.
async fn there_and_back(corpus: &Path) {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);
    let corpus = corpus.to_str().unwrap();
    let count = files(Path::new(corpus)).keys().filter(|name| name.ends_with(".mat")).count();

    let check = run(&["import", corpus, "--check"]);
    assert!(
        check.figures().starts_with(&format!("{count} records: {count} can be imported, 0 already there"))
    );
    let first = run(&["import", corpus, "--label", "event=corpus"]);
    assert!(
        first
            .figures()
            .starts_with(&format!("{count} records: {count} imported, 0 already there, 0 refused"))
    );
    let again = run(&["import", corpus]);
    assert!(
        again
            .figures()
            .starts_with(&format!("{count} records: 0 imported, {count} already there, 0 refused"))
    );

    for format in ["mat", "sgf", "ogxm"] {
        let of_corpus = r#"labels.event = "corpus""#;
        let all = ["export", "--all", "--filter", of_corpus, "--out", format, "--format", format];
        assert_eq!(run(&all).figures(), format!("{count} matches: {count} written"), "{format}");
        let resumed = run(&[&all[..], &["--resume"]].concat());
        assert_eq!(resumed.figures(), "0 matches: 0 written", "{format}");
        assert_eq!(files(&folder.path().join(format)).len(), count, "{format}");
    }
    run(&["convert", "sgf", "--to", "mat", "--out", "sgf-mat"]).figures();
    let folder_files = |name: &str| files(&folder.path().join(name));
    assert!(folder_files("mat") == folder_files("sgf-mat"), "SGF and match file say the same");

    // The log of a match that has ended goes to another server as it is, and back.
    run(&["export", "--all", "--filter", "end_time:*", "--out", "logs", "--format", "json"]).figures();
    let ended = folder_files("logs").len();
    assert!(ended > count / 2, "{ended} of {count} matches have ended");
    let other = Service::start().await;
    let run_there = |arguments: &[&str]| chaquete(&other, folder.path(), arguments);
    for figures in
        [format!("{ended} imported, 0 already there"), format!("0 imported, {ended} already there")]
    {
        let moved = run_there(&["import", "logs"]);
        assert!(moved.figures().contains(&figures), "{}", moved.out);
    }
    run_there(&["export", "--all", "--out", "moved", "--format", "json"]).figures();
    assert!(folder_files("logs") == folder_files("moved"), "every file and every byte");
    service.stop().await;
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn real_matches_go_in_and_come_out() {
    there_and_back(&project().join("tests/data/corpus")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_real_matches_go_in_and_come_out() {
    let Some(corpus) = shared_or_say("corpus") else { return };
    there_and_back(&corpus).await;
}

const RECORD: &str = " 1 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
      Wins 1 point and the match
";

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_wrong_is_refused_with_its_place() {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);
    for (name, content, line) in [
        ("move.mat", RECORD.replace("18/14", "18/13"), "move.mat:5:34: DIE_NOT_AVAILABLE "),
        ("point.mat", RECORD.replace("18/14", "18/26"), "point.mat:5:"),
        ("log.json", "{\"format\":\"bgexport/1\"}\n".to_owned(), "log.json:1: "),
        ("tree.sgf", "(;FF[4]GM[1])".to_owned(), "tree.sgf:1:"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
        let said = run(&["import", name]);
        assert_eq!((said.code, said.err.lines().count()), (Some(1), 1), "{}", said.err);
        assert!(said.err.starts_with(line) && said.err.ends_with("(refused)\n"), "{}", said.err);
        assert!(
            !said.err.contains("line 1") && !said.err.contains("line 5"),
            "the place is told once: {}",
            said.err
        );
    }
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_played_is_what_the_importer_says() {
    let (service, folder) = (Service::start().await, TempDir::new().unwrap());
    let run = |arguments: &[&str]| chaquete(&service, folder.path(), arguments);
    fs::write(folder.path().join("record.mat"), RECORD).unwrap();
    let said = run(&["import", "record.mat", "--player-one", "u-1", "--player-two", "u-2"]);
    let name = said.out.lines().next().unwrap().strip_prefix("record.mat: ").unwrap();
    assert!(
        run(&["list", "--filter", r#"players.subject:"u-2""#]).out.contains(name.rsplit('/').next().unwrap())
    );
    let exported = run(&["export", name, "--out", "-"]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    assert!(exported.out.contains("Ann : 0") && exported.out.contains("31: 8/5 6/5"), "{}", exported.out);
    service.stop().await;
}
