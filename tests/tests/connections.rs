//! Connections that cannot be accepted.
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::{fs, net::TcpStream, process::Command, time::Duration};

use chaquete_client::Client;
use chaquete_proto::v1::GetMatchRequest;
use chaquete_tests::{ServerProcess, new_match, rules_to};
use tokio::time::{sleep, timeout};

/// The numbers of the files that a process has open.
fn open_files(pid: u32) -> Vec<usize> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
    files.map(|file| file.unwrap().file_name().to_str().unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn a_server_with_too_many_open_files_goes_on_and_accepts_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let server = ServerProcess::start(&folder.path().join("full.sqlite"), "127.0.0.1:0");
    let client = Client::connect(server.endpoint()).await.unwrap();
    let name = client.create_match(new_match(rules_to(3))).await.unwrap().r#match.unwrap().name;
    let request = GetMatchRequest { name, ..GetMatchRequest::default() };

    // Room for five connections more, and for those whose numbers are free.
    let limit = open_files(server.pid()).into_iter().max().unwrap() + 6;
    let mut prlimit = Command::new("prlimit");
    prlimit.args([format!("--pid={}", server.pid()), format!("--nofile={limit}")]);
    assert!(prlimit.status().unwrap().success());
    let address = server.endpoint().strip_prefix("http://").unwrap();
    let crowd: Vec<_> = (0..limit + 10).map(|_| TcpStream::connect(address).unwrap()).collect();
    let full = async {
        while open_files(server.pid()).len() < limit {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), full).await.expect("no file can be opened any more");

    // It serves those that it has, while others wait; then them.
    client.get_match(request.clone()).await.unwrap();
    drop(crowd);
    let another = timeout(Duration::from_secs(10), Client::connect(server.endpoint())).await;
    another.expect("accepted").unwrap().get_match(request).await.unwrap();
}
