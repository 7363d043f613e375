//! What other servers write, as notifications of the database: one a batch, sent by the statement that writes it.
//!
//! They are only hints. When a connection is lost so are some of them, and that is told as well.

use std::{fmt, time::Duration};

use chaquete_proof::hex;
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgListener},
};
use tokio::{
    sync::broadcast,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::{citus::Layout, connect::pool};
use crate::store::{MatchKey, News};

/// How our sessions that listen are called.
pub(super) const LISTENER: &str = "chaquete-server listener";

/// The channel of the database.
const CHANNEL: &str = "chaquete_news";

/// One match in a notification: its bucket, uid and revision as hexadecimal digits.
const ENTRY: usize = 42;

/// How much of it may wait for whoever hears it. Who is further behind is told that it has missed something.
const WAITING: usize = 4_096;

/// How long nothing may be heard before it is asked whether the connection still is one.
const SILENCE: Duration = Duration::from_secs(10);

/// How often it is looked for news that may not be heard.
const POLL: Duration = Duration::from_secs(1);

/// The pause before it is tried to listen again, which doubles each time that it fails, up to the most.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(5));

/// SQL that tells of the rows of `$changed`, each with `bucket`, `uid` and `revision`, in the name of the store
/// `$origin`. At most 180 fit into a notification, which may have 7,999 bytes. Nothing is told unless a row of the
/// CTE that it makes is asked for.
macro_rules! told {
    ($changed:literal, $origin:literal) => {
        concat!(
            "told AS MATERIALIZED (SELECT pg_notify('chaquete_news', ",
            $origin,
            " || string_agg(lpad(to_hex(bucket::integer), 2, '0') || replace(uid::text, '-', '') || \
             lpad(to_hex(revision), 8, '0'), '')) \
             FROM (SELECT bucket, uid, revision, (row_number() OVER () - 1) / 180 AS part FROM ",
            $changed,
            ") AS numbered GROUP BY part)"
        )
    };
}
pub(super) use told;

/// Which store it is that tells: it need not hear itself. A random number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin(String);

impl Origin {
    /// How long it is as text.
    const LEN: usize = 16;

    pub(super) fn new() -> Self {
        Self(hex::encode(&rand::random::<[u8; Self::LEN / 2]>()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The task that listens, and who hears it.
pub(super) struct Listener {
    hearers: broadcast::Sender<News>,
    stop: CancellationToken,
    task: TaskTracker,
}

impl Listener {
    pub(super) fn start(options: &PgConnectOptions, origin: Origin, layout: Layout) -> Self {
        let hearers = broadcast::channel(WAITING).0;
        let (stop, task) = (CancellationToken::new(), TaskTracker::new());
        let options = options.clone().application_name(LISTENER);
        let listening = listen(options, origin, hearers.clone());
        task.spawn(stop.clone().run_until_cancelled_owned(listening));
        if layout == Layout::Spread {
            task.spawn(stop.clone().run_until_cancelled_owned(look_for_oneself(hearers.clone())));
        }
        task.close();
        Self { hearers, stop, task }
    }

    pub(super) fn hear(&self) -> broadcast::Receiver<News> {
        self.hearers.subscribe()
    }

    pub(super) async fn end(&self) {
        self.stop.cancel();
        self.task.wait().await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Has whoever hears this look for itself now and then, for ever: notifications stay on the machine that sends them.
async fn look_for_oneself(hearers: broadcast::Sender<News>) {
    loop {
        sleep(POLL).await;
        say(&hearers, News::MayHaveMissed);
    }
}

/// Listens for ever, however often the connection is lost. Whenever it is, and as long as there is no other, whoever
/// hears this has to look for itself.
async fn listen(options: PgConnectOptions, origin: Origin, hearers: broadcast::Sender<News>) {
    let mut pause = PAUSE.0;
    loop {
        // Of its own, and of one connection: what is left of a lost one goes with it.
        let pool = pool(options.clone(), 1);
        match attend(&pool, &hearers).await {
            Ok(listener) => {
                pause = PAUSE.0;
                let Err(error) = hear_all(listener, &origin, &hearers).await;
                tracing::debug!(%error, "the connection that listens is lost");
            }
            Err(error) => {
                tracing::warn!(%error, "nothing is heard of other servers");
                pause = (pause * 2).min(PAUSE.1);
            }
        }
        say(&hearers, News::MayHaveMissed);
        sleep(pause).await;
    }
}

/// Begins to listen. From here on whatever is committed is heard; what was before is there to be read.
async fn attend(pool: &PgPool, hearers: &broadcast::Sender<News>) -> Result<PgListener, sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    say(hearers, News::MayHaveMissed);
    Ok(listener)
}

/// Passes on what is heard, until the connection is lost.
async fn hear_all(
    mut listener: PgListener,
    origin: &Origin,
    hearers: &broadcast::Sender<News>,
) -> Result<std::convert::Infallible, sqlx::Error> {
    loop {
        match timeout(SILENCE, listener.try_recv()).await {
            Ok(heard) => {
                let heard =
                    heard?.ok_or_else(|| sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into()))?;
                for news in read(heard.payload(), origin) {
                    say(hearers, news);
                }
            }
            Err(_) => {
                let asked = timeout(SILENCE, sqlx::query("SELECT 1").execute(&mut listener)).await;
                asked.map_err(|_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))??;
            }
        }
    }
}

/// Nobody need hear it.
fn say(hearers: &broadcast::Sender<News>, news: News) {
    drop(hearers.send(news));
}

/// What a notification tells that was not sent by this store. One that cannot be read may tell anything.
fn read(payload: &str, origin: &Origin) -> Vec<News> {
    match payload.split_at_checked(Origin::LEN) {
        Some((from, _)) if from == origin.0 => Vec::new(),
        Some((_, entries)) => read_entries(entries).unwrap_or_else(|| vec![News::MayHaveMissed]),
        None => vec![News::MayHaveMissed],
    }
}

fn read_entries(entries: &str) -> Option<Vec<News>> {
    let read = |entry: &[u8]| {
        let bytes: [u8; ENTRY / 2] = hex::decode(std::str::from_utf8(entry).ok()?)?;
        let (bucket, rest) = bytes.split_first()?;
        let (uid, revision) = rest.split_first_chunk()?;
        let key = MatchKey { bucket: *bucket, uid: Uuid::from_bytes(*uid) };
        Some(News::Moved { key, revision: u32::from_be_bytes(*revision.first_chunk()?) })
    };
    entries.as_bytes().chunks(ENTRY).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_of_others_are_read() {
        let origin = Origin::new();
        let entry = "ff000102030405060708090a0b0c0d0e0f0000012c";
        let key = MatchKey { bucket: 255, uid: Uuid::from_bytes(std::array::from_fn(|n| n as u8)) };
        let moved = News::Moved { key, revision: 300 };
        assert_eq!(read(&format!("0123456789abcdef{entry}{entry}"), &origin), [moved, moved]);
        assert_eq!(read(&format!("{origin}{entry}"), &origin), []);
        for odd in [
            "",
            "0123456789abcde",
            "0123456789abcdeff",
            &format!("0123456789abcdef{entry}0"),
            "ééééééééééééé",
        ] {
            assert_eq!(read(odd, &origin), [News::MayHaveMissed], "{odd}");
        }
    }
}
