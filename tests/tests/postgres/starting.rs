//! Many that start at once on one database.

use chaquete_proto::v1::GetMatchRequest;
use chaquete_server::store::{migrate, suite::cluster::Cluster};
use chaquete_tests::{Postgres, new_match, rules_to};

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_made_once_however_many_jobs_make_them() {
    let Some(cluster) = Cluster::shared_or_say().await else { return };
    for _ in 0..3 {
        let empty = cluster.empty_database().await.unwrap();
        let job = || migrate(empty.url());
        let (one, two, three) = tokio::join!(job(), job(), job());
        for made in [one, two, three] {
            made.unwrap();
        }
        Postgres::of(empty).serve().await.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_servers_start_at_once_and_are_one() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let (one, two, three) = tokio::join!(postgres.serve(), postgres.serve(), postgres.serve());
    let services = [one, two, three];
    let mut names = Vec::new();
    for service in &services {
        let created = service.client().await.create_match(new_match(rules_to(3))).await.unwrap();
        names.push(created.r#match.unwrap().name);
    }
    for service in &services {
        let client = service.client().await;
        for name in &names {
            client.get_match(GetMatchRequest { name: name.clone(), ..Default::default() }).await.unwrap();
        }
    }
    for service in services {
        service.stop().await;
    }
}
