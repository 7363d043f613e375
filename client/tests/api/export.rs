//! A stream of records gives every match once, whatever the connection does.

use std::time::Duration;

use chaquete_client::proto::{ExportMatchesRequest, ExportMatchesResponse, RecordFormat};
use chaquete_client::{Client, Export, RetryPolicy};
use tonic::{Code, Status};

use crate::server::{Reply, Server, unavailable};

/// The match of a number: its resume token is the number.
fn record(number: usize) -> ExportMatchesResponse {
    ExportMatchesResponse {
        r#match: format!("tenants/default/matches/m{number}"),
        content: format!("record {number}").into(),
        resume_token: number.to_string(),
        ..ExportMatchesResponse::default()
    }
}

fn records(numbers: impl IntoIterator<Item = usize>) -> Reply {
    Reply::messages(&numbers.into_iter().map(record).collect::<Vec<_>>())
}

fn request() -> ExportMatchesRequest {
    ExportMatchesRequest {
        parent: "tenants/default".to_owned(),
        filter: "imported = true".to_owned(),
        format: RecordFormat::Mat.into(),
        ..ExportMatchesRequest::default()
    }
}

/// The records of all matches that an export gives to its end.
async fn given(mut export: Export) -> Vec<String> {
    let mut contents = Vec::new();
    while let Some(record) = export.next().await.expect("an export") {
        contents.push(String::from_utf8(record.content).expect("text"));
    }
    contents
}

/// The tokens with which the calls asked; all else of them is as it was.
fn asked(server: &Server) -> Vec<String> {
    let requests = server.calls().into_iter().map(|call| call.decode::<ExportMatchesRequest>());
    let token = |asked: ExportMatchesRequest| {
        assert_eq!(ExportMatchesRequest { resume_token: String::new(), ..asked.clone() }, request());
        asked.resume_token
    };
    requests.map(token).collect()
}

#[tokio::test]
async fn a_broken_export_goes_on_after_the_last_record() {
    let server = Server::start(|_, before| match before {
        0 => records([1, 2]).then(unavailable(None)),
        1 => Reply::status(unavailable(None)),
        2 => records([3]).then(unavailable(Some(Duration::from_millis(10)))),
        _ => records([4]),
    });
    let export = server.client().await.export_matches(request());
    assert_eq!(given(export).await, ["record 1", "record 2", "record 3", "record 4"]);
    assert_eq!(asked(&server), ["", "2", "2", "3"]);
}

#[tokio::test]
async fn an_export_goes_on_where_another_ended() {
    let server = Server::start(|_, _| records([8, 9]));
    let client = server.client().await;
    let mut export =
        client.export_matches(ExportMatchesRequest { resume_token: "7".to_owned(), ..request() });
    assert_eq!(export.resume_token(), "7");
    export.next().await.expect("an export").expect("a record");
    assert_eq!(export.resume_token(), "8");
    assert_eq!(given(export).await, ["record 9"]);
    assert_eq!(asked(&server), ["7"]);
}

#[tokio::test]
async fn the_end_is_the_end() {
    let server = Server::start(|_, _| Reply::default());
    let mut export = server.client().await.export_matches(request());
    for _ in 0..2 {
        assert_eq!(export.next().await.expect("the end"), None);
    }
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn a_refusal_ends_the_export_and_leaves_the_place() {
    let server = Server::start(|_, before| match before {
        0 => records([1]).then(Status::permission_denied("not yours")),
        _ => records([2]),
    });
    let mut export = server.client().await.export_matches(request());
    assert!(export.next().await.expect("a record").is_some());
    assert_eq!(export.next().await.expect_err("refused").code(), Code::PermissionDenied);
    assert_eq!(export.resume_token(), "1");
    assert_eq!(given(export).await, ["record 2"]);
}

#[tokio::test]
async fn patience_with_an_export_is_counted_from_the_last_record() {
    let wait = || unavailable(Some(Duration::from_millis(150)));
    let server = Server::start(move |_, before| match before {
        0 | 2 | 4 => records([before]).then(wait()),
        _ => Reply::status(wait()),
    });
    let policy = RetryPolicy { patience: Duration::from_millis(600), ..RetryPolicy::NEVER };
    let client = Client::builder(&server.address).retry(policy).connect().await.expect("up");
    let mut export = client.export_matches(request());
    for _ in 0..3 {
        assert!(export.next().await.expect("a record").is_some());
    }
    assert_eq!(export.next().await.expect_err("nobody").code(), Code::Unavailable);
}
