//! Lists that come in pages.

use chaquete_client::proto::{
    ListMatchEventsRequest, ListMatchEventsResponse, ListMatchesRequest, ListMatchesResponse, Match,
    MatchEvent,
};

use crate::server::{Reply, Server, unavailable};

fn page(names: &[&str], next_page_token: &str) -> Reply {
    let matches = names.iter().map(|name| Match { name: (*name).to_owned(), ..Match::default() });
    Reply::message(&ListMatchesResponse {
        matches: matches.collect(),
        next_page_token: next_page_token.to_owned(),
    })
}

/// Three pages, the second of them empty.
fn server() -> Server {
    Server::start(|call, _| match call.decode::<ListMatchesRequest>().page_token.as_str() {
        "" => page(&["a", "b"], "second"),
        "second" => page(&[], "third"),
        _ => page(&["c"], ""),
    })
}

#[tokio::test]
async fn all_pages_are_read_as_one_list() {
    let server = server();
    let request = ListMatchesRequest { filter: "f".to_owned(), page_size: 2, ..Default::default() };
    let mut matches = server.client().await.matches(request);
    let mut names = Vec::new();
    while let Some(game) = matches.next().await.expect("a list") {
        names.push(game.name);
    }
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(matches.next().await.expect("the end"), None);
    assert_eq!(server.calls().len(), 3);
    for call in server.calls() {
        let request: ListMatchesRequest = call.decode();
        assert_eq!((request.filter.as_str(), request.page_size), ("f", 2), "only the token changes");
    }
}

#[tokio::test]
async fn pages_are_asked_for_when_they_are_needed() {
    let server = server();
    let mut matches = server.client().await.matches(ListMatchesRequest::default());
    assert!(matches.next().await.expect("a list").is_some());
    assert_eq!(server.calls().len(), 1);
    let left = matches.all().await.expect("the rest");
    assert_eq!(left.iter().map(|game| game.name.as_str()).collect::<Vec<_>>(), ["b", "c"]);
}

#[tokio::test]
async fn events_come_in_pages_too_and_pages_are_tried_again() {
    let server = Server::start(|_, before| {
        let page = |revisions: &[i32], token: &str| {
            let events = revisions.iter().map(|&revision| MatchEvent { revision, ..Default::default() });
            Reply::message(&ListMatchEventsResponse {
                events: events.collect(),
                next_page_token: token.to_owned(),
                current_revision: 3,
            })
        };
        match before {
            0 => page(&[1, 2], "more"),
            1 => Reply::status(unavailable(None)),
            _ => page(&[3], ""),
        }
    });
    let events = server.client().await.events(ListMatchEventsRequest::default()).all().await;
    let revisions: Vec<i32> = events.expect("events").iter().map(|event| event.revision).collect();
    assert_eq!(revisions, [1, 2, 3]);
}
