//! Requests that are well formed, but not possible now.

use chaquete_proto::v1;
use tonic::{Code, Status};

use crate::support::{Bare, ID, OTHER_ID, creation, refused};

/// Checks code, reason and facts of an answer; the facts as `key=value`.
fn expect<T>(answer: Result<T, Status>, code: Code, reason: &str, facts: &[&str]) {
    let refused = refused(answer);
    let told: Vec<_> = refused.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!((refused.code, refused.reason.as_str()), (code, reason), "{told:?}");
    assert_eq!(told, facts);
}

/// Checks an answer that what is asked for is against the rules now.
fn expect_now<T>(answer: Result<T, Status>, reason: &str, facts: &[&str]) {
    expect(answer, Code::FailedPrecondition, reason, facts);
}

fn double(of: &v1::Match, seat: i32) -> v1::OfferDoubleRequest {
    v1::OfferDoubleRequest {
        name: of.name.clone(),
        seat,
        expected_revision: of.revision,
        ..Default::default()
    }
}

fn submit(of: &v1::Match, seat: i32, notation: &str) -> v1::SubmitMoveRequest {
    v1::SubmitMoveRequest {
        name: of.name.clone(),
        seat,
        expected_revision: of.revision,
        r#move: Some(v1::Move { steps: Vec::new(), notation: notation.to_owned() }),
        ..Default::default()
    }
}

fn roll(of: &v1::Match, dice: Option<v1::Dice>) -> v1::RollDiceRequest {
    v1::RollDiceRequest {
        name: of.name.clone(),
        seat: 1,
        expected_revision: of.revision,
        dice,
        ..Default::default()
    }
}

#[tokio::test]
async fn actions_against_the_rules() {
    for bare in Bare::both_ways().await {
        let opening = bare.created("opening").await;
        expect_now(bare.act(roll(&opening, None)).await, "DICE_NOT_ACCEPTED", &["dice_source=EXTERNAL"]);
        let legal_moves = v1::GetLegalMovesRequest { name: opening.name.clone(), view: 0 };
        let facts = ["action=SUBMIT_MOVE", "current_revision=2", "phase=OPENING_ROLL"];
        expect_now(bare.play.clone().get_legal_moves(legal_moves).await, "WRONG_PHASE", &facts);
        assert_eq!(bare.revision(&opening.name).await, opening.revision, "nothing was written");

        let rolled = bare.rolled("rolled").await;
        let again = roll(&rolled, Some(v1::Dice { first: 1, second: 2 }));
        let facts = ["action=ROLL_DICE", "current_revision=3", "phase=MOVE"];
        expect_now(bare.act(again).await, "WRONG_PHASE", &facts);
        let facts = ["current_revision=3", "seat=TWO", "seat_to_act=ONE"];
        expect_now(bare.act(submit(&rolled, 2, "8/5 6/5")).await, "NOT_YOUR_TURN", &facts);
        for (notation, facts) in [
            ("8/5 7/6", ["rule=NO_CHECKER", "step=1"]),
            ("6/5 6/5", ["rule=DIE_NOT_AVAILABLE", "step=1"]),
            ("8/5", ["rule=MUST_USE_MORE_DICE", "step=1"]),
            ("13/14 8/5", ["rule=WRONG_DIRECTION", "step=0"]),
        ] {
            for validate_only in [false, true] {
                let request = v1::SubmitMoveRequest { validate_only, ..submit(&rolled, 1, notation) };
                expect_now(bare.act(request).await, "ILLEGAL_MOVE", &facts);
            }
        }
        expect_now(bare.act(double(&rolled, 1)).await, "CUBE_NOT_AVAILABLE", &["rule=OPENING_TURN"]);
        let late = v1::OfferDoubleRequest { expected_revision: 2, ..double(&rolled, 1) };
        let facts = ["current_revision=3", "expected_revision=2"];
        expect(bare.act(late).await, Code::Aborted, "REVISION_MISMATCH", &facts);
        assert_eq!(bare.revision(&rolled.name).await, rolled.revision, "nothing was written");
    }
}

#[tokio::test]
async fn resignations_and_ended_matches() {
    for bare in Bare::both_ways().await {
        let rolled = bare.rolled("rolled").await;
        let name = rolled.name.clone();
        let offer = |kind, expected_revision| v1::OfferResignationRequest {
            name: name.clone(),
            seat: 1,
            kind,
            expected_revision,
            ..Default::default()
        };
        bare.act(offer(2, 3)).await.unwrap();
        let decline = v1::DeclineResignationRequest {
            name: name.clone(),
            seat: 2,
            expected_revision: 4,
            ..Default::default()
        };
        bare.act(decline).await.unwrap();
        let facts = ["declined_kind=GAMMON", "kind=SINGLE"];
        expect_now(bare.act(offer(1, 5)).await, "RESIGNATION_NOT_AVAILABLE", &facts);

        let cancel = v1::CancelMatchRequest {
            name: name.clone(),
            reason: "rain".to_owned(),
            expected_revision: 5,
            ..Default::default()
        };
        let mut matches = bare.matches.clone();
        let cancelled = matches.cancel_match(cancel.clone()).await.unwrap().into_inner().r#match.unwrap();
        assert_eq!(cancelled.state(), v1::MatchState::Cancelled);
        let over = ["state=CANCELLED"];
        expect_now(bare.act(double(&cancelled, 1)).await, "MATCH_NOT_ACTIVE", &over);
        let legal_moves = v1::GetLegalMovesRequest { name: name.clone(), view: 0 };
        expect_now(bare.play.clone().get_legal_moves(legal_moves).await, "MATCH_NOT_ACTIVE", &over);
        let again = v1::CancelMatchRequest { expected_revision: 0, ..cancel };
        expect_now(matches.cancel_match(again).await, "MATCH_NOT_ACTIVE", &over);
        assert_eq!(bare.revision(&name).await, cancelled.revision, "nothing was written");
    }
}

#[tokio::test]
async fn names_that_are_none_or_taken() {
    for bare in Bare::both_ways().await {
        let mut matches = bare.matches.clone();
        let created = bare.created("m1234").await;
        let taken = v1::CreateMatchRequest { match_id: "m1234".to_owned(), ..creation() };
        let facts = ["name=tenants/default/matches/m1234"];
        expect(bare.act(taken.clone()).await, Code::AlreadyExists, "MATCH_EXISTS", &facts);
        let checked = v1::CreateMatchRequest { validate_only: true, ..taken };
        expect(bare.act(checked).await, Code::AlreadyExists, "MATCH_EXISTS", &facts);

        for name in ["tenants/default/matches/none", "tenants/other/matches/m1234"] {
            let facts = [format!("name={name}")];
            let facts = facts.each_ref().map(String::as_str);
            let request = v1::GetMatchRequest { name: name.to_owned(), view: 0 };
            expect(matches.get_match(request).await, Code::NotFound, "NOT_FOUND", &facts);
            let request = v1::WatchMatchRequest { name: name.to_owned(), ..Default::default() };
            expect(matches.watch_match(request).await, Code::NotFound, "NOT_FOUND", &facts);
            let request = double(&v1::Match { name: name.to_owned(), ..created.clone() }, 1);
            expect(bare.act(request).await, Code::NotFound, "NOT_FOUND", &facts);
        }
        let facts = ["name=tenants/other"];
        let elsewhere = v1::CreateMatchRequest { parent: "tenants/other".to_owned(), ..creation() };
        expect(bare.act(elsewhere).await, Code::NotFound, "NOT_FOUND", &facts);
        let list = |parent: &str| v1::ListMatchesRequest { parent: parent.to_owned(), ..Default::default() };
        expect(matches.list_matches(list("tenants/other")).await, Code::NotFound, "NOT_FOUND", &facts);
        // All tenants of a server that asks nobody are the one that there is.
        assert_eq!(matches.list_matches(list("tenants/-")).await.unwrap().into_inner().matches.len(), 1);
        assert_eq!(bare.match_count().await, 1);
    }
}

#[tokio::test]
async fn a_request_id_is_for_one_request() {
    for bare in Bare::both_ways().await {
        let request = v1::CreateMatchRequest { request_id: ID.to_owned(), ..creation() };
        let first = bare.act(request.clone()).await.unwrap();
        let again = bare.act(request.clone()).await.unwrap();
        assert_eq!(first, again);
        let mut other = request;
        other.r#match.as_mut().unwrap().labels.insert("k".to_owned(), "v".to_owned());
        let reused = format!("request_id={ID}");
        expect(bare.act(other).await, Code::InvalidArgument, "REQUEST_ID_REUSED", &[&reused]);
        assert_eq!(bare.match_count().await, 1);

        let created = first.r#match.unwrap();
        let by_id = v1::RollDiceRequest {
            request_id: OTHER_ID.to_owned(),
            expected_revision: 0,
            ..roll(&created, Some(v1::Dice { first: 3, second: 1 }))
        };
        let rolled = bare.act(by_id.clone()).await.unwrap();
        let moved = rolled.r#match.clone().unwrap();
        bare.act(submit(&moved, 1, "8/5 6/5")).await.unwrap();
        assert_eq!(bare.act(by_id.clone()).await.unwrap(), rolled, "the first answer again");
        let other = v1::RollDiceRequest { seat: 2, ..by_id };
        let reused = format!("request_id={OTHER_ID}");
        expect(bare.act(other).await, Code::InvalidArgument, "REQUEST_ID_REUSED", &[&reused]);
    }
}

#[tokio::test]
async fn page_tokens_belong_to_their_list() {
    let bare = Bare::start().await;
    let mut matches = bare.matches.clone();
    let name = bare.created("m1234").await.name;
    bare.created("m1235").await;
    let bad = "INVALID_PAGE_TOKEN";

    let list =
        v1::ListMatchesRequest { parent: "tenants/default".to_owned(), page_size: 1, ..Default::default() };
    let page = matches.list_matches(list.clone()).await.unwrap().into_inner();
    let next = v1::ListMatchesRequest { page_token: page.next_page_token.clone(), ..list.clone() };
    let last = matches.list_matches(next.clone()).await.unwrap().into_inner();
    assert_ne!(page.matches[0].name, last.matches[0].name);
    assert_eq!(last.next_page_token, "");
    for wrong in [
        v1::ListMatchesRequest { page_token: "x".to_owned(), ..list.clone() },
        v1::ListMatchesRequest { page_token: format!("{}0", next.page_token), ..list },
        v1::ListMatchesRequest { order_by: "create_time".to_owned(), ..next.clone() },
        v1::ListMatchesRequest { view: 2, ..next },
    ] {
        expect(matches.list_matches(wrong).await, Code::InvalidArgument, bad, &[]);
    }

    let list = v1::ListMatchEventsRequest { parent: name.clone(), page_size: 1, ..Default::default() };
    let events = matches.list_match_events(list.clone()).await.unwrap().into_inner();
    assert_eq!((events.events[0].revision, events.current_revision), (1, 2));
    let next = v1::ListMatchEventsRequest { page_token: events.next_page_token, ..list.clone() };
    let events = matches.list_match_events(next.clone()).await.unwrap().into_inner();
    assert_eq!((events.events[0].revision, events.next_page_token.as_str()), (2, ""));
    for wrong in [
        v1::ListMatchEventsRequest { page_token: page.next_page_token, ..list },
        v1::ListMatchEventsRequest { after_revision: 1, ..next.clone() },
        v1::ListMatchEventsRequest { parent: name.replace("m1234", "m1235"), ..next },
    ] {
        expect(matches.list_match_events(wrong).await, Code::InvalidArgument, bad, &[]);
    }
}

#[tokio::test]
async fn revisions_of_another_history() {
    let bare = Bare::start().await;
    let mut matches = bare.matches.clone();
    let name = bare.created("m1234").await.name;
    let facts = ["current_revision=2"];
    let list = v1::ListMatchEventsRequest { parent: name.clone(), after_revision: 3, ..Default::default() };
    expect(matches.list_match_events(list).await, Code::OutOfRange, "REVISION_IN_FUTURE", &facts);
    let watch = v1::WatchMatchRequest { name, after_revision: 3, ..Default::default() };
    expect(matches.watch_match(watch).await, Code::OutOfRange, "REVISION_IN_FUTURE", &facts);
}
