//! What players may do: with the seats that they hold, in the matches that they play.

use chaquete_client::Client;
use chaquete_proto::v1::{
    self, CreateMatchRequest, ErrorReason, GetMatchRequest, ListMatchesRequest, Match, RollDiceRequest, Seat,
    SubmitMoveRequest, WatchMatchesRequest,
};
use chaquete_tests::{Closed, act, any_of, legal_moves, new_match, rules_to, seat_to_act};
use tonic::Code;

use crate::support::{client, refused, token};

struct Club {
    closed: Closed,
    backend: Client,
}

impl Club {
    async fn open() -> Self {
        let closed = Closed::start(&["club"]).await;
        let backend = client(&closed, &closed.backends[0]);
        Self { closed, backend }
    }

    async fn new_match(&self, one: &str, two: &str) -> Match {
        let mut request = CreateMatchRequest { parent: "tenants/club".into(), ..new_match(rules_to(1)) };
        let players = &mut request.r#match.as_mut().unwrap().players;
        one.clone_into(&mut players[0].subject);
        two.clone_into(&mut players[1].subject);
        self.backend.create_match(request).await.unwrap().r#match.unwrap()
    }

    async fn player(&self, subject: &str, only: &str) -> Client {
        client(&self.closed, &token(&self.backend, "club", v1::Role::Player, subject, only).await)
    }
}

fn roll(name: &str, seat: Seat) -> RollDiceRequest {
    RollDiceRequest {
        name: name.to_owned(),
        seat: seat.into(),
        request_id: chaquete_client::new_request_id(),
        ..RollDiceRequest::default()
    }
}

/// Whose turn it is: its subject and the other one's.
fn in_turn(played: &Match) -> (&str, &str) {
    let (one, two) = (&*played.players[0].subject, &*played.players[1].subject);
    if seat_to_act(played) == Seat::One { (one, two) } else { (two, one) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_acts_for_the_seat_that_it_holds_without_naming_it() {
    let club = Club::open().await;
    let played = club.new_match("alice", "bob").await;
    let (subject, other) = in_turn(&played);
    let (player, other) = (club.player(subject, "").await, club.player(other, &played.name).await);
    let (seat, taken) = match seat_to_act(&played) {
        Seat::One => (Seat::One, Seat::Two),
        _ => (Seat::Two, Seat::One),
    };

    // The opening roll was made on its own: a move is due.
    let first = legal_moves(&player, &played.name).await.unwrap().moves.swap_remove(0);
    let submit = |seat: Seat| SubmitMoveRequest {
        name: played.name.clone(),
        seat: seat.into(),
        request_id: chaquete_client::new_request_id(),
        r#move: first.r#move.clone(),
        ..SubmitMoveRequest::default()
    };
    let not_held = (Code::PermissionDenied, Some(ErrorReason::SeatNotHeld));
    assert_eq!(refused(player.submit_move(submit(taken)).await), not_held);
    assert_eq!(refused(other.submit_move(submit(seat)).await), not_held);
    // Its own seat is meant, whose turn it is not.
    let refusal = refused(other.submit_move(submit(Seat::Unspecified)).await);
    assert_eq!(refusal, (Code::FailedPrecondition, Some(ErrorReason::NotYourTurn)));

    let request = submit(Seat::Unspecified);
    let answer = player.submit_move(request.clone()).await.unwrap();
    let actor = answer.events[0].actor.clone().unwrap();
    assert_eq!((actor.kind(), actor.seat(), &*actor.subject), (v1::ActorKind::Player, seat, subject));
    assert_eq!(player.submit_move(request).await.unwrap(), answer, "a repeat");
    club.closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_holds_both_seats_says_for_which_one_it_acts() {
    let club = Club::open().await;
    let played = club.new_match("alice", "alice").await;
    let player = club.player("alice", "").await;
    let refusal = refused(player.roll_dice(roll(&played.name, Seat::Unspecified)).await);
    assert_eq!(refusal, (Code::InvalidArgument, Some(ErrorReason::InvalidField)));
    // Unspecified is the creator of the match, for backends only.
    let contribution = v1::ContributeEntropyRequest {
        name: played.name.clone(),
        request_id: chaquete_client::new_request_id(),
        contribution: Some(v1::contribute_entropy_request::Contribution::Commitment(vec![1; 32])),
        ..v1::ContributeEntropyRequest::default()
    };
    let refusal = refused(player.contribute_entropy(contribution).await);
    assert_eq!(refusal, (Code::InvalidArgument, Some(ErrorReason::InvalidField)));
    act(&player, &played, &mut any_of(2)).await.unwrap();
    club.closed.service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_lists_and_follows_what_it_plays_in() {
    let club = Club::open().await;
    let mine = club.new_match("alice", "bob").await;
    let theirs = club.new_match("carol", "dave").await;
    let alice = club.player("alice", "").await;

    let list = |filter: &str| ListMatchesRequest {
        parent: "tenants/club".into(),
        filter: filter.into(),
        ..ListMatchesRequest::default()
    };
    let names = async |client: &Client, filter: &str| {
        let listed = client.list_matches(list(filter)).await.unwrap().matches;
        listed.into_iter().map(|found| found.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&alice, "").await, mine.name);
    assert_eq!(names(&alice, r#"players.subject:"carol""#).await, "");
    assert_eq!(names(&alice, r#"players.subject:"bob" OR players.subject:"carol""#).await, mine.name);
    assert_eq!(names(&club.backend, "").await.split(' ').count(), 2);
    let unknown = alice.get_match(GetMatchRequest { name: theirs.name.clone(), view: 0 }).await;
    assert_eq!(refused(unknown), (Code::NotFound, Some(ErrorReason::NotFound)));

    // A token for one match is for nothing else, not even for a list of it.
    let bound = club.player("alice", &mine.name).await;
    bound.get_match(GetMatchRequest { name: mine.name.clone(), view: 0 }).await.unwrap();
    assert_eq!(
        refused(bound.list_matches(list("")).await),
        (Code::PermissionDenied, Some(ErrorReason::AccessDenied))
    );
    let second = club.new_match("alice", "erin").await;
    let other = bound.get_match(GetMatchRequest { name: second.name.clone(), view: 0 }).await;
    assert_eq!(refused(other), (Code::NotFound, Some(ErrorReason::NotFound)));

    // Whatever subject it names, it follows its own matches.
    let mut matches =
        v1::match_service_client::MatchServiceClient::connect(club.closed.service.endpoint()).await.unwrap();
    let token = token(&club.backend, "club", v1::Role::Player, "alice", "").await;
    let mut request = tonic::Request::new(WatchMatchesRequest {
        parent: "tenants/club".into(),
        subject: "carol".into(),
        ..WatchMatchesRequest::default()
    });
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    let mut followed = matches.watch_matches(request).await.unwrap().into_inner();
    assert_eq!(followed.message().await.unwrap().unwrap().r#match, None, "a heartbeat");
    act(&club.backend, &theirs, &mut any_of(3)).await.unwrap();
    act(&club.backend, &mine, &mut any_of(4)).await.unwrap();
    let changed = followed.message().await.unwrap().unwrap().r#match.unwrap();
    assert_eq!(changed.name, mine.name);
    drop(followed);
    club.closed.service.stop().await;
}
