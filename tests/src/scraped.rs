//! Metrics as Prometheus sees them.

use std::{collections::BTreeSet, net::SocketAddr};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// What was scraped: lines of the text format.
#[derive(Clone, Debug)]
pub struct Scraped(pub String);

impl Scraped {
    /// Scrapes a server.
    ///
    /// # Panics
    /// It does not answer as it should.
    pub async fn from(address: SocketAddr) -> Self {
        let answer = get(address, "/metrics").await;
        let (head, text) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.contains("content-type: text/plain; version=0.0.4"), "{head}");
        Self(text.to_owned())
    }

    /// The value of one series, as it is written: `name{label="value"}`, labels in their order.
    #[must_use]
    pub fn value(&self, series: &str) -> Option<f64> {
        let value = |line: &str| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok();
        self.0.lines().find_map(value)
    }

    /// The sum over all series of a name.
    #[must_use]
    pub fn sum(&self, name: &str) -> f64 {
        let value = |line: &str| {
            let rest = line.strip_prefix(name).filter(|rest| rest.starts_with([' ', '{']))?;
            rest.rsplit(' ').next()?.parse::<f64>().ok()
        };
        self.0.lines().filter_map(value).sum()
    }

    /// The names of all metrics.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&str> {
        let types = self.0.lines().filter_map(|line| line.strip_prefix("# TYPE "));
        types.filter_map(|line| line.split(' ').next()).collect()
    }
}

/// The answer to a request of HTTP/1.1, head and all.
///
/// # Panics
/// There is none.
pub async fn get(address: SocketAddr, path: &str) -> String {
    let mut connection = TcpStream::connect(address).await.expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    connection.write_all(request.as_bytes()).await.expect("the request is sent");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.expect("the answer is text");
    answer
}
