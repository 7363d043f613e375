//! Calls that are taken back as fast as they are made: whoever does so is cut off, and others are served meanwhile.

use std::io::Cursor;

use chaquete_proto::v1::GetServerInfoRequest;
use chaquete_tests::Service;
use h2::{Reason, client::SendRequest};
use http::{Method, Request};
use tokio::{net::TcpStream, task::yield_now};

/// How many calls an attacker makes on one connection, if it is let.
const CALLS: usize = 20_000;

/// Makes calls and takes each back at once; how many went out.
async fn attack(mut sender: SendRequest<Cursor<Vec<u8>>>, url: &str) -> usize {
    for call in 0..CALLS {
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("{url}/backgammon.v1.RulesService/GetServerInfo"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())
            .unwrap();
        sender = match sender.ready().await {
            Ok(ready) => ready,
            Err(_) => return call,
        };
        let Ok((_answer, mut stream)) = sender.send_request(request, false) else { return call };
        stream.send_reset(Reason::CANCEL);
        // What is written goes out in pieces of so many calls.
        if call % 100 == 99 {
            yield_now().await;
        }
    }
    CALLS
}

#[tokio::test(flavor = "multi_thread")]
async fn who_takes_every_call_back_at_once_is_cut_off() {
    let service = Service::start().await;
    let stream = TcpStream::connect(service.endpoint().trim_start_matches("http://")).await.unwrap();
    let (sender, connection) = h2::client::Builder::new().handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let url = service.endpoint();
    let attacked = tokio::spawn(async move { attack(sender, &url).await });
    let client = service.client().await;
    client.get_server_info(GetServerInfoRequest {}).await.unwrap();
    let sent = attacked.await.unwrap();
    let ended = connection.await.unwrap();
    assert!(sent < CALLS, "nobody stopped it: {ended:?}");
    let error = ended.expect_err("it is cut off");
    // Whoever writes on is told why, or sees no more than that nobody reads any more.
    assert!(error.is_io() || error.reason() == Some(Reason::ENHANCE_YOUR_CALM), "{error}");
    client.get_server_info(GetServerInfoRequest {}).await.unwrap();
    service.stop().await;
}
