//! The edge: what gets through it in which words, and what does not.

use std::{fs, process::Command};

use chaquete_client::Client;
use chaquete_proto::v1::GetMatchRequest;
use chaquete_tests::{Edge, ServerProcess, framed};
use prost::Message;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::program_or_say;

/// The edge with a server of its own behind it.
struct Served {
    edge: Edge,
    _server: ServerProcess,
    _folder: TempDir,
}

impl Served {
    async fn start_or_say() -> Option<Self> {
        program_or_say("curl")?;
        let folder = tempfile::tempdir().unwrap();
        let server = ServerProcess::start(&folder.path().join("store.db"), "127.0.0.1:0");
        let edge = Edge::start_or_say(server.address()).await?;
        Some(Self { edge, _server: server, _folder: folder })
    }

    /// Posts to a method; the status and the body of the answer, after its headers if they are asked for.
    ///
    /// Whoever refuses a request before all of it is there resets its stream, and curl at times sees that before the
    /// answer: it is asked again then.
    fn post(&self, method: &str, body: &[u8], further: &[&str]) -> (u16, Vec<u8>) {
        let mut tries = (0..10).map(|_| self.try_to_post(method, body, further));
        let answered = tries.find(|(said, _)| !said.starts_with("curl: (92)"));
        let (said, answer) = answered.expect("curl sees an answer");
        (said.parse().unwrap_or_else(|_| panic!("{said}")), answer)
    }

    /// What curl says, the status if all is well, and the body.
    fn try_to_post(&self, method: &str, body: &[u8], further: &[&str]) -> (String, Vec<u8>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), body).unwrap();
        let output = Command::new("curl")
            .args([
                "--silent",
                "--show-error",
                "--path-as-is",
                "--max-time",
                "20",
                "--write-out",
                "%{stderr}%{http_code}",
            ])
            .arg("--data-binary")
            .arg(format!("@{}", file.path().display()))
            .args(further)
            .arg(format!("{}/{method}", self.edge.url()))
            .output()
            .unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.stdout)
    }

    fn json(&self, method: &str, body: &Value) -> (u16, Value) {
        let (status, answer) =
            self.post(method, body.to_string().as_bytes(), &["--header", "content-type: application/json"]);
        let text = String::from_utf8_lossy(&answer);
        (status, serde_json::from_str(&text).unwrap_or_else(|_| json!(text)))
    }
}

const MATCH: &str = "tenants/default/matches/edge";

fn new_match(edge: &Served) -> (u16, Value) {
    let body = json!({
        "parent": "tenants/default", "matchId": "edge", "requestId": "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a01",
        "match": {
            "players": [{"seat": "SEAT_ONE", "subject": "alice"}, {"seat": "SEAT_TWO", "subject": "bob"}],
            "rules": {"points": 5}
        }
    });
    edge.json("backgammon.v1.MatchService/CreateMatch", &body)
}

#[tokio::test]
async fn a_match_is_played_in_json() {
    let Some(edge) = Served::start_or_say().await else { return };
    let (status, created) = new_match(&edge);
    assert_eq!((status, created["match"]["name"].as_str()), (200, Some(MATCH)), "{created}");
    let seat = created["match"]["currentGame"]["seatToAct"].clone();

    let (_, legal) = edge.json(
        "backgammon.v1.PlayService/GetLegalMoves",
        &json!({"name": MATCH, "view": "LEGAL_MOVES_VIEW_LIST"}),
    );
    let notation = legal["legalMoves"]["moves"][0]["move"]["notation"].clone();
    let (status, moved) = edge.json(
        "backgammon.v1.PlayService/SubmitMove",
        &json!({"name": MATCH, "seat": seat, "expectedRevision": legal["revision"], "move": {"notation": notation}}),
    );
    assert_eq!(status, 200, "{moved}");
    let other = if seat == "SEAT_ONE" { "SEAT_TWO" } else { "SEAT_ONE" };
    let roll = json!({"name": MATCH, "seat": other, "requestId": "6f0a5a52-5a5e-4a53-9f0c-0c6a7f0e8a02"});
    let (status, rolled) = edge.json("backgammon.v1.PlayService/RollDice", &roll);
    assert_eq!(status, 200, "{rolled}");

    let (status, read) = edge.json("backgammon.v1.MatchService/GetMatch", &json!({"name": MATCH}));
    assert_eq!(status, 200);
    assert_eq!(read["match"]["revision"], rolled["match"]["revision"], "{read}");
    assert_eq!(read["match"]["currentGame"]["seatOnRoll"], other);

    // What is wrong is said in JSON as well, with its details.
    let (status, again) =
        edge.json("backgammon.v1.PlayService/RollDice", &json!({"name": MATCH, "seat": seat}));
    assert_eq!(
        (status, again["details"][1]["fieldViolations"][0]["field"].as_str()),
        (400, Some("request_id"))
    );
    let (status, nobody) =
        edge.json("backgammon.v1.MatchService/GetMatch", &json!({"name": "tenants/default/matches/nobody"}));
    assert_eq!((status, nobody["details"][0]["reason"].as_str()), (404, Some("NOT_FOUND")));
}

#[tokio::test]
async fn grpc_and_grpc_web_get_through_to_pages_that_may() {
    let Some(edge) = Served::start_or_say().await else { return };
    new_match(&edge);
    let client = Client::connect(edge.edge.url()).await.unwrap();
    let read =
        client.get_match(GetMatchRequest { name: MATCH.to_owned(), ..GetMatchRequest::default() }).await;
    assert_eq!(read.unwrap().r#match.unwrap().name, MATCH);

    let body =
        framed(&GetMatchRequest { name: MATCH.to_owned(), ..GetMatchRequest::default() }.encode_to_vec());
    let method = "backgammon.v1.MatchService/GetMatch";
    for (origin, may) in [("http://localhost:3000", true), ("https://elsewhere.example", false)] {
        let origin = format!("origin: {origin}");
        let headers =
            ["--include", "--header", "content-type: application/grpc-web+proto", "--header", &origin];
        let (status, answer) = edge.post(method, &body, &headers);
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!((status, answer.contains("access-control-allow-origin")), (200, may), "{answer}");
        // The match is a message; the trailers are the end of the body.
        assert!(answer.contains(MATCH) && answer.ends_with("grpc-status:0\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn operators_and_reflection_have_no_way_in() {
    let Some(edge) = Served::start_or_say().await else { return };
    let operator = "backgammon.v1.OperatorService/GetCheckpoint";
    let reflection = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    for method in [operator, reflection, &format!("backgammon.v1.MatchService/../{operator}"), "nothing"] {
        let (status, _) = edge.json(method, &json!({}));
        assert_eq!(status, 404, "{method}");
    }
    for method in [operator, reflection, &format!("/{operator}")] {
        let grpc = ["--http2-prior-knowledge", "--header", "content-type: application/grpc", "--include"];
        let (_, answer) = edge.post(method, &[0; 5], &grpc);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.contains("grpc-status: 7"), "{method}: {answer}");
    }
    let (status, _) = edge
        .json("backgammon.v1.MatchService%2f..%2fbackgammon.v1.OperatorService/GetCheckpoint", &json!({}));
    assert_eq!(status, 400);
}
