//! Watching matches over a real connection.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::time::Duration;

use chaquete_proto::v1::{
    self, MatchUpdate, match_event::Kind, match_rules::Length, match_service_client::MatchServiceClient,
    play_service_client::PlayServiceClient, watch_match_response::Message,
};
use chaquete_tests::Service;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status, Streaming, transport::Channel};
use tonic_types::StatusExt;

/// Nothing here takes longer, whatever the machine does besides.
const SOON: Duration = Duration::from_secs(30);

struct Played {
    service: Service,
    matches: MatchServiceClient<Channel>,
    play: PlayServiceClient<Channel>,
    /// The match as it was last seen.
    seen: v1::Match,
}

impl Played {
    /// A server with a long match with external dice: revision 2, the opening roll is due.
    async fn start() -> Self {
        let service = Service::start().await;
        let channel = Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap();
        let player = |subject: &str| v1::Player { subject: subject.to_owned(), ..Default::default() };
        let rules = v1::MatchRules { length: Some(Length::Points(255)), ..Default::default() };
        let source = v1::DiceSource::External.into();
        let request = v1::CreateMatchRequest {
            parent: "tenants/default".to_owned(),
            r#match: Some(v1::Match {
                players: vec![player("ann"), player("bob")],
                rules: Some(rules),
                dice_policy: Some(v1::DicePolicy { source, ..Default::default() }),
                ..Default::default()
            }),
            ..Default::default()
        };
        let mut matches = MatchServiceClient::new(channel.clone());
        let seen = matches.create_match(request).await.unwrap().into_inner().r#match.unwrap();
        Self { service, matches, play: PlayServiceClient::new(channel), seen }
    }

    /// Rolls 3-1 for seat one.
    async fn roll(&mut self) {
        let request = v1::RollDiceRequest {
            name: self.seen.name.clone(),
            seat: 1,
            expected_revision: self.seen.revision,
            dice: Some(v1::Dice { first: 3, second: 1 }),
            ..Default::default()
        };
        self.seen = self.play.roll_dice(request).await.unwrap().into_inner().r#match.unwrap();
    }

    /// Plays the 3-1 of seat one.
    async fn submit(&mut self) {
        let request = v1::SubmitMoveRequest {
            name: self.seen.name.clone(),
            seat: 1,
            expected_revision: self.seen.revision,
            r#move: Some(v1::Move { steps: Vec::new(), notation: "8/5 6/5".to_owned() }),
            ..Default::default()
        };
        self.seen = self.play.submit_move(request).await.unwrap().into_inner().r#match.unwrap();
    }

    /// Seat one gives up so many games, four events each.
    async fn give_up(&mut self, games: usize) {
        for _ in 0..games {
            let offer = v1::OfferResignationRequest {
                name: self.seen.name.clone(),
                seat: 1,
                kind: v1::WinKind::Single.into(),
                expected_revision: self.seen.revision,
                ..Default::default()
            };
            let offered = self.play.offer_resignation(offer).await.unwrap().into_inner();
            let accept = v1::AcceptResignationRequest {
                name: self.seen.name.clone(),
                seat: 2,
                expected_revision: offered.r#match.unwrap().revision,
                ..Default::default()
            };
            let accepted = self.play.accept_resignation(accept).await.unwrap().into_inner();
            self.seen = accepted.r#match.unwrap();
        }
    }

    async fn cancel(&mut self) {
        let name = self.seen.name.clone();
        let request = v1::CancelMatchRequest { name, reason: "rain".to_owned(), ..Default::default() };
        self.seen = self.matches.cancel_match(request).await.unwrap().into_inner().r#match.unwrap();
    }

    async fn watch(&self, how: v1::WatchMatchRequest) -> Streaming<v1::WatchMatchResponse> {
        let request = v1::WatchMatchRequest { name: self.seen.name.clone(), ..how };
        self.matches.clone().watch_match(request).await.unwrap().into_inner()
    }

    async fn events(&self, how: v1::ListMatchEventsRequest) -> Result<v1::ListMatchEventsResponse, Status> {
        let request = v1::ListMatchEventsRequest { parent: self.seen.name.clone(), ..how };
        Ok(self.matches.clone().list_match_events(request).await?.into_inner())
    }
}

async fn next(stream: &mut Streaming<v1::WatchMatchResponse>) -> Option<Message> {
    let message = timeout(SOON, stream.message()).await.expect("a message in time").expect("no error");
    message.map(|message| message.message.expect("a message of a known kind"))
}

async fn update(stream: &mut Streaming<v1::WatchMatchResponse>) -> MatchUpdate {
    match next(stream).await {
        Some(Message::Update(update)) => *update,
        other => panic!("{other:?} is no update"),
    }
}

async fn revisions(stream: &mut Streaming<v1::WatchMatchResponse>, count: usize) -> Vec<i32> {
    let mut revisions = Vec::new();
    for _ in 0..count {
        revisions.push(update(stream).await.event.unwrap().revision);
    }
    revisions
}

fn wait_for(seconds: i64) -> v1::ListMatchEventsRequest {
    let wait_for = Some(prost_types::Duration { seconds, nanos: 0 });
    v1::ListMatchEventsRequest { after_revision: 2, wait_for, ..Default::default() }
}

#[tokio::test]
async fn events_come_from_the_beginning_then_live_until_the_match_ends() {
    let mut played = Played::start().await;
    let mut stream = played.watch(v1::WatchMatchRequest::default()).await;
    assert_eq!(revisions(&mut stream, 2).await, [1, 2]);
    played.roll().await;
    played.submit().await;
    assert_eq!(revisions(&mut stream, 2).await, [3, 4]);
    played.cancel().await;
    let last = update(&mut stream).await;
    assert_eq!((last.game, last.score), (None, None));
    assert!(matches!(last.event.unwrap().kind, Some(Kind::MatchEnded(_))));
    assert_eq!(next(&mut stream).await, None, "the stream ends with OK");

    let mut resumed = played.watch(v1::WatchMatchRequest { after_revision: 4, ..Default::default() }).await;
    assert_eq!(revisions(&mut resumed, 1).await, [5]);
    assert_eq!(next(&mut resumed).await, None);
    let mut late = played.watch(v1::WatchMatchRequest { after_revision: 5, ..Default::default() }).await;
    assert_eq!(next(&mut late).await, None);
}

#[tokio::test]
async fn a_snapshot_is_followed_by_the_next_event() {
    let mut played = Played::start().await;
    played.roll().await;
    let mut stream = played.watch(v1::WatchMatchRequest { snapshot: true, ..Default::default() }).await;
    let Some(Message::Snapshot(snapshot)) = next(&mut stream).await else { panic!("the snapshot first") };
    assert_eq!(*snapshot, played.seen);
    played.submit().await;
    assert_eq!(revisions(&mut stream, 1).await, [4]);
}

#[tokio::test]
async fn each_event_comes_with_the_game_after_it() {
    let mut played = Played::start().await;
    played.roll().await;
    for after_revision in [0, 2] {
        let how = v1::WatchMatchRequest { include_game: true, after_revision, ..Default::default() };
        let mut stream = played.watch(how).await;
        if after_revision == 0 {
            let created = update(&mut stream).await;
            assert_eq!((created.game, created.score), (None, Some(v1::Score::default())));
            let started = update(&mut stream).await;
            assert_eq!(started.game.unwrap().phase(), v1::GamePhase::OpeningRoll);
        }
        let rolled = update(&mut stream).await;
        assert_eq!(rolled.game, played.seen.current_game, "the same as in the answer of the action");
    }
}

#[tokio::test]
async fn heartbeats_come_when_nothing_happens() {
    let played = Played::start().await;
    let heartbeat_interval = Some(prost_types::Duration { seconds: 5, nanos: 0 });
    let how = v1::WatchMatchRequest { heartbeat_interval, after_revision: 2, ..Default::default() };
    let mut stream = played.watch(how).await;
    let Some(Message::Heartbeat(heartbeat)) = next(&mut stream).await else { panic!("a heartbeat") };
    assert_eq!(heartbeat.revision, 2);
    assert!(heartbeat.server_time.unwrap().seconds > 1_700_000_000);
}

#[tokio::test]
async fn streams_and_polls_end_when_the_server_goes_down() {
    let played = Played::start().await;
    let mut stream = played.watch(v1::WatchMatchRequest { after_revision: 2, ..Default::default() }).await;
    let matches = played.matches.clone();
    let request = v1::ListMatchEventsRequest { parent: played.seen.name.clone(), ..wait_for(60) };
    let poll = tokio::spawn(async move { matches.clone().list_match_events(request).await });
    // The poll is under way before the server is told to stop.
    sleep(Duration::from_millis(500)).await;
    let stopped = tokio::spawn(played.service.stop());
    let ended = timeout(SOON, stream.message()).await.unwrap().unwrap_err();
    let polled = timeout(SOON, poll).await.unwrap().unwrap().unwrap_err();
    for status in [ended, polled] {
        let details = status.get_error_details();
        assert_eq!(status.code(), Code::Unavailable, "{status:?}");
        assert_eq!(details.error_info().unwrap().reason, "SERVER_DRAINING");
        assert!(details.retry_info().is_some());
    }
    timeout(SOON, stopped).await.expect("no stream holds the server up").unwrap();
}

#[tokio::test]
async fn a_long_poll_waits_for_the_next_event() {
    let mut played = Played::start().await;
    let none = played.events(wait_for(0)).await.unwrap();
    assert_eq!((none.events.len(), none.current_revision), (0, 2));
    let none = played.events(wait_for(1)).await.unwrap();
    assert_eq!((none.events.len(), none.current_revision), (0, 2));

    let matches = played.matches.clone();
    let request = v1::ListMatchEventsRequest { parent: played.seen.name.clone(), ..wait_for(60) };
    let poll = tokio::spawn(async move { matches.clone().list_match_events(request).await });
    sleep(Duration::from_millis(300)).await;
    played.roll().await;
    let polled = timeout(SOON, poll).await.unwrap().unwrap().unwrap().into_inner();
    assert_eq!((polled.events.len(), polled.events[0].revision, polled.current_revision), (1, 3, 3));
    let at_once = timeout(SOON, played.events(wait_for(60))).await.unwrap().unwrap();
    assert_eq!(at_once, polled);
}

#[tokio::test]
async fn who_reads_too_slowly_is_cut_off_and_told_where_to_go_on() {
    let mut played = Played::start().await;
    let name = played.seen.name.clone();
    let how = v1::WatchMatchRequest { name, include_game: true, ..Default::default() };
    // A connection of its own that takes no more than it must, and nobody who reads.
    let narrow = Channel::from_shared(played.service.endpoint()).unwrap().initial_stream_window_size(65_535);
    let mut narrow = MatchServiceClient::new(narrow.connect().await.unwrap());
    let mut stream = narrow.watch_match(how.clone()).await.unwrap().into_inner();
    played.give_up(100).await;
    sleep(Duration::from_secs(12)).await;

    let mut read = 0;
    let status = loop {
        match timeout(SOON, stream.message()).await.unwrap() {
            Ok(Some(v1::WatchMatchResponse { message: Some(Message::Update(update)) })) => {
                read += 1;
                assert_eq!(update.event.unwrap().revision, read);
            }
            Ok(other) => panic!("{other:?}"),
            Err(status) => break status,
        }
    };
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!((status.code(), info.reason.as_str()), (Code::Unavailable, "SLOW_CONSUMER"));
    assert_eq!(info.metadata["last_revision"], read.to_string());
    assert!(read < played.seen.revision, "not everything was sent");
    assert!(details.retry_info().is_some());

    let mut resumed = played.watch(v1::WatchMatchRequest { after_revision: read, ..how }).await;
    assert_eq!(revisions(&mut resumed, 1).await, [read + 1]);
}
