//! Sessions that are ended, statements that fail for reasons that pass, a database that only reads.

use chaquete_proto::v1::{ErrorReason, GetMatchRequest};
use chaquete_server::store::suite::cluster::Cluster;
use chaquete_tests::{Postgres, Replays, all_there_once, new_match, patient, rules_to};

use super::support::{OURS, impatient, terminate};

/// The writer, once it has written: readers select.
const WRITER: &str = "application_name = 'chaquete-server' AND query !~ '^(SELECT|SET)' AND query <> ''";

/// How often sessions are ended.
const ENDS: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_loses_its_session_is_noticed_by_nobody() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    // Whatever goes wrong is not tried again from here.
    let client = impatient(&service).await;
    let mut replays = Replays::start(vec![client.clone(); 4]);
    let mut ended = 0;
    while ended < ENDS {
        replays.go_on(5).await;
        ended += terminate(&postgres.database, WRITER).await;
    }
    all_there_once(&client, &replays.end().await).await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_sessions_ended_again_and_again_lose_and_double_nothing() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = patient(&service.endpoint()).await;
    let mut replays = Replays::start(vec![client.clone(); 4]);
    let mut ended = 0;
    while ended < ENDS {
        replays.go_on(10).await;
        ended += terminate(&postgres.database, OURS).await;
    }
    all_there_once(&client, &replays.end().await).await;
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_for_a_reason_that_passes_is_written_again() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    // Every third statement that writes events fails, once as if others had been faster, once as if it had waited for
    // someone who waits for it. Sequences are not rolled back.
    let trouble = "
        CREATE SEQUENCE chaquete.statements;
        CREATE FUNCTION chaquete.trouble() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            number bigint := nextval('chaquete.statements');
        BEGIN
            IF number % 6 = 1 THEN
                RAISE EXCEPTION 'overtaken' USING ERRCODE = 'serialization_failure';
            ELSIF number % 6 = 4 THEN
                RAISE EXCEPTION 'in a circle' USING ERRCODE = 'deadlock_detected';
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER trouble AFTER INSERT ON chaquete.events
        FOR EACH STATEMENT EXECUTE FUNCTION chaquete.trouble()";
    postgres.database.execute(trouble).await.unwrap();
    let service = postgres.serve().await;
    let client = impatient(&service).await;
    let mut replays = Replays::start(vec![client.clone(); 4]);
    replays.go_on(200).await;
    all_there_once(&client, &replays.end().await).await;
    let statements =
        postgres.database.value("SELECT last_value::text FROM chaquete.statements").await.unwrap();
    assert!(statements.parse::<u32>().unwrap() > 60, "{statements}");
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_only_reads_is_waited_for() {
    let Some(postgres) = Postgres::new_or_say().await else { return };
    let service = postgres.serve().await;
    let client = impatient(&service).await;
    let created = client.create_match(new_match(rules_to(3))).await.unwrap();
    let name = created.r#match.unwrap().name;

    let maintenance = Cluster::shared_or_say().await.unwrap().maintenance();
    let database = postgres.database.value("SELECT current_database()::text").await.unwrap();
    let let_it = async |setting| {
        let setting = format!("ALTER DATABASE {database} {setting}");
        maintenance.execute(&setting).await.unwrap();
    };
    let_it("SET default_transaction_read_only = on").await;
    terminate(&postgres.database, OURS).await;
    for _ in 0..3 {
        let refused = client.create_match(new_match(rules_to(3))).await.unwrap_err();
        assert_eq!(refused.reason(), Some(ErrorReason::StorageUnavailable), "{refused:?}");
        assert!(refused.is_unavailable() && refused.retry_after().is_some(), "{refused:?}");
    }
    let patient = patient(&service.endpoint()).await;
    patient.get_match(GetMatchRequest { name, ..GetMatchRequest::default() }).await.unwrap();
    let_it("RESET default_transaction_read_only").await;
    // The session in which it only reads is not used again.
    client.create_match(new_match(rules_to(3))).await.unwrap();
    service.stop().await;
}
