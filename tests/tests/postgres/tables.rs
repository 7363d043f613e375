//! Tables that change while servers write and read them.

use chaquete_tests::{Postgres, Replays, all_there_once, patient};

/// How often each table gets another column.
const COLUMNS: usize = 5;

#[tokio::test(flavor = "multi_thread")]
async fn columns_are_added_while_matches_are_played() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = patient(&service.endpoint()).await;
    let mut replays = Replays::start(vec![client.clone(); 4]);
    for n in 0..COLUMNS {
        for table in ["matches", "events", "match_players", "archive"] {
            replays.go_on(20).await;
            // One with a value in every row there is, one without.
            let statement = format!(
                "ALTER TABLE chaquete.{table} ADD COLUMN later_{n} integer NOT NULL DEFAULT {n}, \
                 ADD COLUMN note_{n} text"
            );
            postgres.database.execute(&statement).await.unwrap();
        }
    }
    replays.go_on(100).await;
    all_there_once(&client, &replays.end().await).await;
    service.stop().await;
}
