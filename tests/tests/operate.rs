//! What operators do with a store as a whole, by the server program.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use chaquete_tests::{ServerProcess, binary};

/// Runs the server program with these arguments and nothing in its environment, on the store in a file.
fn run(file: &Path, arguments: &[&str]) -> Output {
    let store = format!("sqlite:{}", file.display());
    let mut command = Command::new(binary("chaquete-server"));
    command.args(arguments).args(["--store", &store]).env_clear().output().unwrap()
}

/// What it says on standard output if it ends well, and otherwise its log lines.
fn said(output: &Output) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

#[test]
fn a_store_is_rebuilt_and_retained_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let (file, exports) = (folder.path().join("store.db"), folder.path().join("exports"));
    let retain = ["retain", "--older-than", "30", "--export", exports.to_str().unwrap()];

    let missing = said(&run(&file, &["rebuild"])).unwrap_err();
    assert!(missing.contains("store.db is not there"), "{missing}");
    assert!(!file.exists());

    let server = ServerProcess::start(&file, "127.0.0.1:0");
    let served = said(&run(&file, &["rebuild", "--check"])).unwrap_err();
    assert!(served.contains("is being served by another process"), "{served}");
    drop(server);

    for rebuild in [&["rebuild"][..], &["rebuild", "--check"]] {
        let rebuilt = said(&run(&file, rebuild)).unwrap();
        assert_eq!(rebuilt, "0 matches: 0 mended, 0 differ, 0 damaged\n");
    }
    let nowhere = said(&run(&file, &retain)).unwrap_err();
    assert!(nowhere.contains("exports"), "{nowhere}");
    assert!(!exports.exists());
    fs::create_dir(&exports).unwrap();
    assert_eq!(
        said(&run(&file, &retain)).unwrap(),
        "0 matches ended before: 0 exported, 0 dropped, 0 left\n"
    );
    let unsaid = said(&run(&file, &["retain"])).unwrap_err();
    assert!(unsaid.contains("--older-than") && unsaid.contains("--export"), "{unsaid}");
}
