//! Postgres goes away under load and comes back.

use chaquete_server::store::suite::cluster::{Cluster, Stop};
use chaquete_tests::{Postgres, Replays, all_there_once, patient};

#[tokio::test(flavor = "multi_thread")]
async fn restarts_of_postgres_lose_and_double_nothing() {
    let Some(cluster) = Cluster::start_or_say(&[]).await else { return };
    let postgres = Postgres::on(&cluster).await;
    let service = postgres.serve().await;
    let client = patient(&service.endpoint()).await;
    let mut replays = Replays::start(vec![client.clone(); 4]);
    for how in [Stop::Fast, Stop::Immediate, Stop::Immediate, Stop::Fast, Stop::Immediate] {
        replays.go_on(100).await;
        cluster.restart(how).await.unwrap();
    }
    replays.go_on(100).await;
    all_there_once(&client, &replays.end().await).await;
    service.stop().await;
}
