//! What callers do wrong is no error in a log; what a server does wrong is one, once.

use chaquete_proto::v1::{
    GetMatchRequest, SubmitMoveRequest, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient,
};
use serde_json::Value;
use tonic::{Code, transport::Channel};

use crate::program::Program;

/// All sorts of mistakes.
async fn make_mistakes(endpoint: &str) {
    let channel = Channel::from_shared(endpoint.to_owned()).unwrap().connect().await.unwrap();
    let mut matches = MatchServiceClient::new(channel.clone());
    let nowhere = "tenants/default/matches/nowhere".to_owned();
    for (name, code) in [(String::new(), Code::InvalidArgument), (nowhere, Code::NotFound)] {
        let request = GetMatchRequest { name, ..GetMatchRequest::default() };
        assert_eq!(matches.get_match(request).await.unwrap_err().code(), code);
    }
    let refused = PlayServiceClient::new(channel).submit_move(SubmitMoveRequest::default()).await;
    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
}

/// Levels of all lines, each with its message.
fn levels(lines: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&line["level"]), text(&line["fields"]["message"]))
    };
    lines.lines().map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_of_callers_are_told_only_to_those_who_look_for_them() {
    for (chosen, told) in [("info", 0), ("chaquete_server=debug", 3)] {
        let program =
            Program::start(&["--store", "memory:", "--log-format", "json"], &[("RUST_LOG", chosen)]);
        make_mistakes(&program.endpoint()).await;
        let lines = program.lines();
        let mut levels = levels(&lines);
        // Said once as it starts, and nobody's mistake but the operator's.
        levels.retain(|(_, message)| !message.starts_with("nobody is asked who they are"));
        assert!(levels.iter().all(|(level, _)| level != "ERROR" && level != "WARN"), "{lines}");
        let failed = levels.iter().filter(|(_, message)| message == "the call failed").count();
        assert_eq!(failed, told, "{lines}");
        if told > 0 {
            assert!(lines.contains(r#""otel.name":"SubmitMove""#), "{lines}");
            assert!(lines.contains(r#""reason":"INVALID_FIELD""#), "{lines}");
        }
    }
}
