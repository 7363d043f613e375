//! Rolls are counted, and tested once there are enough.

use chaquete_client::Client;
use chaquete_proto::v1::{self, Dice, DiceSource, RollDiceRequest, Seat};
use chaquete_tests::{Service, act, play_to_the_end, seat_to_act};

use crate::support::{create, services, statistics};

/// Plays a match with dice that are told, and nothing else happens: seat one always moves first.
async fn play(client: &Client, id: &str, rolls: &[(i32, i32)]) {
    let mut played = create(client, id, DiceSource::External).await;
    for &(first, second) in rolls {
        let dice = Some(Dice { first, second });
        // The opening dice are of nobody: either may tell them.
        let seat = Some(seat_to_act(&played)).filter(|&seat| seat != Seat::Unspecified).unwrap_or(Seat::One);
        let (name, seat) = (played.name.clone(), seat.into());
        let roll = RollDiceRequest { name, seat, dice, ..RollDiceRequest::default() };
        played = client.roll_dice(roll).await.unwrap().r#match.unwrap();
        played = act(client, &played, &mut |_| 0).await.unwrap();
    }
}

#[tokio::test]
async fn rolls_are_counted_but_for_those_that_open() {
    for service in services().await {
        let client = service.client().await;
        // The opening roll gives the first turn to seat one, alice; then bob and alice roll by turns.
        play(&client, "m-one", &[(6, 1), (3, 3), (2, 1), (5, 4)]).await;
        play(&client, "m-two", &[(4, 1), (3, 3), (1, 2)]).await;
        create(&client, "none", DiceSource::External).await;

        let all = statistics(&service, "", "").await.unwrap();
        assert_eq!((all.roll_count, all.match_count, all.double_count), (5, 2, 2));
        let counted = |answer: &v1::ComputeDiceStatisticsResponse, first: usize, second: usize| {
            answer.combination_counts[(first - 1) * 6 + second - 1]
        };
        assert_eq!(all.combination_counts.len(), 36);
        assert_eq!(
            [counted(&all, 3, 3), counted(&all, 2, 1), counted(&all, 1, 2), counted(&all, 5, 4)],
            [2, 1, 1, 1]
        );
        assert_eq!(all.combination_counts.iter().sum::<i64>(), 5, "each die in its place, and no others");
        assert!(all.tests.is_empty(), "so few rolls tell nothing");

        let alice = statistics(&service, "alice", "").await.unwrap();
        assert_eq!((alice.roll_count, alice.match_count, alice.double_count), (2, 2, 0));
        let bob = statistics(&service, "bob", "players.subject:\"bob\"").await.unwrap();
        assert_eq!((bob.roll_count, counted(&bob, 3, 3), counted(&bob, 5, 4)), (3, 2, 1));
        assert_eq!(statistics(&service, "carol", "").await.unwrap().match_count, 0);
        service.stop().await;
    }
}

#[tokio::test]
async fn committed_dice_are_tested_once_there_are_enough() {
    let service = Service::start().await;
    let client = service.client().await;
    for number in 0..6 {
        let created = create(&client, &format!("m-{number:04}"), DiceSource::Committed).await;
        play_to_the_end(&client, created, &mut |count| count / 2).await.unwrap();
    }
    let all = statistics(&service, "", "state = MATCH_STATE_COMPLETED").await.unwrap();
    assert!(all.roll_count > 200 && all.match_count == 6, "{}", all.roll_count);
    let ids: Vec<_> = all.tests.iter().map(|test| test.id.as_str()).collect();
    let known = [
        "chi_square_faces",
        "chi_square_combinations",
        "chi_square_doubles",
        "chi_square_successive",
        "serial_correlation",
    ];
    assert_eq!(ids, known);
    assert!(all.tests.iter().all(|test| (1e-9..=1.0).contains(&test.p_value)), "{:?}", all.tests);
    service.stop().await;
}
