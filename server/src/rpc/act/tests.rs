use std::{
    io::Cursor,
    task::{Context, Poll},
    time::Duration,
};

use http_body::{Body, Frame};
use prost::Message;
use tokio_stream::StreamExt;
use tonic::codec::{DecodeBuf, Decoder};
use tonic_types::StatusExt;

use super::*;
use crate::{
    clock::SystemClock,
    dice::{Cups, DiceKeys},
    execute::{Capacity, Executor},
    feed::Feed,
    store,
    table::Tables,
    uid::RandomUids,
};

/// Requests that are always there already and never end.
struct Endless;

impl Body for Endless {
    type Data = Cursor<Vec<u8>>;
    type Error = Status;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        // A message of no bytes: a request for nothing.
        Poll::Ready(Some(Ok(Frame::data(Cursor::new(vec![0; 5])))))
    }
}

struct Requests;

impl Decoder for Requests {
    type Item = v1::ActRequest;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<v1::ActRequest>, Status> {
        Ok(Some(v1::ActRequest::decode(buffer).unwrap()))
    }
}

#[tokio::test]
async fn who_sends_without_a_pause_hears_that_the_server_stops() {
    let executor = Executor::new(
        store::open("memory:").await.unwrap(),
        Tables::new(1),
        Feed::default(),
        Cups::new(DiceKeys::generate().unwrap(), 1),
        Arc::new(SystemClock),
        Arc::new(RandomUids),
        Capacity { concurrency: 1, running_matches: None },
    );
    let shutdown = CancellationToken::new();
    let play = PlayRpc::new(executor, CallMeters::new([], []), shutdown.clone(), false);
    let mut answers = play.act_on(Request::new(Streaming::new_request(Requests, Endless, None, None)));
    for _ in 0..10 * MAX_UNANSWERED {
        answers.next().await.unwrap().unwrap();
    }
    shutdown.cancel();
    let end = async {
        loop {
            if let Err(status) = answers.next().await.expect("a reason comes first") {
                return status;
            }
        }
    };
    let status = timeout(Duration::from_secs(20), end).await.expect("it hears of it");
    assert_eq!(status.get_details_error_info().unwrap().reason, "SERVER_DRAINING");
    assert!(answers.next().await.is_none());
}
