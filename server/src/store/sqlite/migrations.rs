//! The steps that lead to the tables of today.

use sqlx::migrate::Migrator;

use crate::store::migrations::{Step, migrator_of};

/// Every step.
const STEPS: &[Step] = &[
    (1, "matches", include_str!("../../../../migrations/sqlite/0001_matches.sql")),
    (2, "deadlines", include_str!("../../../../migrations/sqlite/0002_deadlines.sql")),
    (3, "facts", include_str!("../../../../migrations/sqlite/0003_facts.sql")),
    (4, "checkpoints", include_str!("../../../../migrations/sqlite/0004_checkpoints.sql")),
    (5, "credentials", include_str!("../../../../migrations/sqlite/0005_credentials.sql")),
    (6, "running", include_str!("../../../../migrations/sqlite/0006_running.sql")),
];

/// All steps, to be applied to a database that may have taken some of them.
pub(super) fn migrator() -> Migrator {
    migrator_of(STEPS)
}

#[cfg(test)]
mod tests {
    use chaquete_rules::{BySeat, MatchEndReason, Seat, Variant};
    use sqlx::ConnectOptions;

    use super::*;
    use crate::{
        name::MatchName,
        store::{
            Agreed, Standing,
            migrations::are_the_files_of,
            sqlite::{lists, read},
        },
    };

    #[test]
    fn every_file_is_a_step() {
        are_the_files_of("sqlite", STEPS);
    }

    /// A store that an older server has left, with a match in it, takes the later steps.
    #[tokio::test]
    async fn what_older_servers_left_is_kept() {
        let first = "INSERT INTO matches (bucket, uid, tenant, match_id, display_name_one, display_name_two, \
                     labels, annotations, revision, hash, state, create_time, update_time, end_time) \
                     VALUES (55, zeroblob(16), 't', 'm', '', '', '{}', '{}', 2, zeroblob(32), 'completed', 4, 5, 5), \
                     (7, zeroblob(16), 't', 'bare', '', '', '{}', '{}', 1, zeroblob(32), 'active', 4, 5, NULL)";
        let log = r#"INSERT INTO events (bucket, uid, revision, hash, event) VALUES
            (55, zeroblob(16), 1, zeroblob(32), '{"one":"ana","two":"bo","points":7,"variant":"nackgammon"}'),
            (55, zeroblob(16), 2, zeroblob(32), '{"winner":2,"reason":"points_reached"}'),
            (7, zeroblob(16), 1, zeroblob(32), 'damaged')"#;
        let mut connection = super::super::connect::options().filename(":memory:").connect().await.unwrap();
        migrator_of(&STEPS[..1]).run(&mut connection).await.unwrap();
        for sql in [first, log] {
            sqlx::query(sql).execute(&mut connection).await.unwrap();
        }
        migrator().run(&mut connection).await.unwrap();
        let name = |id: &str| MatchName { tenant: "t".to_owned(), id: id.to_owned() };
        let kept = read::find_row(&mut connection, name("m")).await.unwrap().unwrap().unwrap();
        assert_eq!((kept.key.bucket, kept.head.update_time, kept.head.deadline), (55, 5, None));
        let subjects = BySeat::new("ana".to_owned(), "bo".to_owned());
        assert_eq!(kept.agreed, Agreed { subjects, points: Some(7), variant: Variant::Nackgammon });
        let reason = Some(MatchEndReason::PointsReached);
        assert_eq!(kept.standing, Standing { winner: Some(Seat::Two), reason, ..Standing::default() });
        assert!(read::find_row(&mut connection, name("bare")).await.unwrap().is_some_and(|row| row.is_ok()));
        assert_eq!(lists::running(&mut connection, None, 10).await.unwrap(), []);
        assert_eq!(read::last_beat(&mut connection).await.unwrap(), None);
    }
}
