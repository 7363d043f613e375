//! Records that somebody made up: whatever they say, they are refused with what is wrong with them, or stored as a match
//! like any other.

use chaquete_proto::v1::{CreateMatchRequest, DicePolicy, DiceSource, UpdateMatchRequest};
use chaquete_rules::Event;
use chaquete_server::{
    log::{self, Entry, Part, Request},
    name::MatchName,
    store::bucket,
};
use prost_types::FieldMask;
use uuid::Uuid;

use super::*;

/// A match that was played here to its end, as a log.
async fn played(dice: DiceSource) -> Vec<u8> {
    let service = Service::start().await;
    let client = service.client().await;
    let mut new = CreateMatchRequest { request_id: created().to_string(), ..new_match(rules_to(1)) };
    let seed = if dice == DiceSource::Seeded { vec![7; 32] } else { Vec::new() };
    let policy = DicePolicy { source: dice.into(), seed, ..DicePolicy::default() };
    new.r#match.as_mut().unwrap().dice_policy = Some(policy);
    let created = client.create_match(new).await.unwrap().r#match.unwrap();
    let ended = play_to_the_end(&client, created, &mut |n| n / 2).await.unwrap();
    let log = Caller::new(&service).await.export(&ended.name, RecordFormat::Json).await.unwrap().content;
    service.stop().await;
    log
}

/// The `request_id` of the call that created it.
fn created() -> Uuid {
    Uuid::from_u128(77)
}

/// A log with other entries, and the hash chain that belongs to them.
fn forged(log: &[u8], change: impl Fn(&mut Vec<Entry>)) -> Vec<u8> {
    let exported = log::read_export(log).unwrap();
    let mut entries: Vec<_> =
        exported.events.iter().map(|event| log::decode(&event.bytes).unwrap()).collect();
    change(&mut entries);
    let mut head = log::initial_hash(&exported.facts.uid);
    let mut lines = Vec::new();
    for bytes in entries.iter().map(log::encode) {
        head = log::next_hash(&head, &bytes);
        lines.push(String::from_utf8(bytes).unwrap());
    }
    let facts = String::from_utf8(exported.facts.write()).unwrap();
    let (before, hash) = facts.split_once("\"hash\":\"").unwrap();
    let facts = format!("{before}\"hash\":\"{head}{}", &hash[64..]);
    format!("{facts}\n{}\n", lines.join("\n")).into()
}

fn json(content: impl Into<Vec<u8>>) -> ImportMatchRequest {
    record(RecordFormat::Json, content)
}

fn place(status: &Status) -> (String, String) {
    assert_eq!(reason(status), (Code::InvalidArgument, ErrorReason::UnparsableContent), "{status}");
    let told = status.get_details_error_info().unwrap().metadata;
    (told["code"].clone(), told["line"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_no_server_writes_is_refused() {
    let log = played(DiceSource::Seeded).await;
    let other_command = |entries: &mut Vec<Entry>| {
        let alone = Part::First { events: 1.try_into().unwrap(), request: None };
        entries.iter_mut().for_each(|entry| entry.part = alone);
    };
    let same_request = |entries: &mut Vec<Entry>| {
        let request = Some(Request { id: Uuid::max(), digest: [0; 32] });
        for entry in entries {
            match &mut entry.part {
                Part::First { request: had, .. } => *had = request,
                Part::Later { request_id } => *request_id = None,
            }
        }
    };
    let subject = |name: &str| {
        let name = name.to_owned();
        move |entries: &mut Vec<Entry>| {
            let Event::MatchCreated(terms) = &mut entries[0].event else { panic!("it is created first") };
            terms.players.one.clone_from(&name);
        }
    };
    type Change = Box<dyn Fn(&mut Vec<Entry>)>;
    let all =
        |change: fn(&mut Entry)| Box::new(move |e: &mut Vec<Entry>| e.iter_mut().for_each(change)) as Change;
    let changes: Vec<(Change, &str, &str)> = vec![
        (all(|entry| entry.time = i64::MIN), "OUT_OF_FORM", "2"),
        (all(|entry| entry.time = i64::MAX), "OUT_OF_FORM", "2"),
        (all(|entry| entry.time -= i64::from(entry.revision)), "OUT_OF_FORM", "3"),
        (all(|entry| entry.revision += 1), "OUT_OF_FORM", "2"),
        (all(|entry| entry.rules = 2), "OUT_OF_FORM", "2"),
        (all(|entry| entry.game = 9), "OUT_OF_FORM", "2"),
        (all(|entry| entry.part = Part::Later { request_id: None }), "OUT_OF_FORM", "2"),
        (Box::new(other_command), "AGAINST_RULES", "3"),
        (Box::new(same_request), "OUT_OF_FORM", "5"),
        (Box::new(subject("")), "SUBJECTS", "2"),
        (Box::new(subject("a\0b")), "SUBJECTS", "2"),
        (Box::new(subject(&"\u{4e00}".repeat(30_000))), "SUBJECTS", "2"),
        (Box::new(subject("bob")), "FACTS", "1"),
    ];
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        for (change, code, line) in &changes {
            let refused = caller.import(json(forged(&log, change))).await.unwrap_err();
            assert_eq!(place(&refused), ((*code).to_owned(), (*line).to_owned()), "{refused}");
        }
        caller.import(json(forged(&log, |_| ()))).await.unwrap();
        service.stop().await;
    }
}

/// Dice of every source, and such logs as imports make.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logs_of_all_dice_are_taken_along() {
    let service = Service::start().await;
    let mut caller = Caller::new(&service).await;
    for dice in [DiceSource::Committed, DiceSource::Seeded] {
        caller.import(json(played(dice).await)).await.unwrap();
    }
    let external = caller.import(mat(MATCH)).await.unwrap().r#match.unwrap();
    let log = caller.export(&external.name, RecordFormat::Json).await.unwrap().content;
    service.stop().await;
    let elsewhere = Service::start().await;
    Caller::new(&elsewhere).await.import(json(log)).await.unwrap();
    elsewhere.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_is_imported_again_however_late_and_under_any_request() {
    let log = played(DiceSource::Committed).await;
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        // It may well be the id of the call that created the match: it is in the log, with another digest.
        let labels = [("league".to_owned(), "b".to_owned())].into();
        let request = ImportMatchRequest { request_id: created().to_string(), labels, ..json(&*log) };
        let first = caller.import(request.clone()).await.unwrap().r#match.unwrap();
        assert_eq!(caller.import(request.clone()).await.unwrap().r#match.unwrap(), first);
        let others = ImportMatchRequest { labels: Default::default(), ..request.clone() };
        let taken = caller.import(others).await.unwrap_err();
        assert_eq!(reason(&taken), (Code::AlreadyExists, ErrorReason::MatchExists), "with other labels");

        let labels = [("league".to_owned(), "c".to_owned())].into();
        let update = UpdateMatchRequest {
            r#match: Some(Match { name: first.name.clone(), labels, ..Match::default() }),
            update_mask: Some(FieldMask { paths: vec!["labels".to_owned()] }),
            ..UpdateMatchRequest::default()
        };
        caller.matches.update_match(update).await.unwrap();
        let again = caller.import(request).await.unwrap().r#match.unwrap();
        assert_eq!((again.revision, &again.log_hash), (first.revision, &first.log_hash));
        service.stop().await;
    }
}

/// A uid is looked for where the name lies: names that lie together cannot have the same log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_there_under_another_name_is_said_to_be() {
    let log = played(DiceSource::Committed).await;
    let bucket_of = |id: &str| bucket(&MatchName { tenant: "default".to_owned(), id: id.to_owned() });
    let mut ids = (0..).map(|n| format!("match-{n}")).filter(|id| bucket_of(id) == 7);
    let (one, other) = (ids.next().unwrap(), ids.next().unwrap());
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        caller.import(ImportMatchRequest { match_id: one.clone(), ..json(&*log) }).await.unwrap();
        let taken = ImportMatchRequest { match_id: other.clone(), ..json(&*log) };
        let taken = caller.import(taken).await.unwrap_err();
        assert_eq!(reason(&taken), (Code::AlreadyExists, ErrorReason::MatchExists), "{taken}");
        let uid = log::read_export(&log).unwrap().facts.uid.to_string();
        assert_eq!(taken.get_details_error_info().unwrap().metadata["uid"], uid);
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_record_says_has_its_bounds() {
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        let zero = caller.import(mat(&MATCH.replace("Spring Open", "Spring\0Open"))).await.unwrap();
        assert_eq!(
            zero.r#match.unwrap().annotations.get("event"),
            None,
            "no annotation holds the character zero"
        );

        let comments = " 0 point match\n\n Game 1\n A : 0        B : 0\n".to_owned() + &";\n".repeat(200_000);
        let warnings = caller.import(mat(&comments)).await.unwrap().warnings;
        let last = warnings.last().unwrap();
        assert_eq!((warnings.len(), &*last.code), (1_001, "MORE"), "{last:?}");

        let log = String::from_utf8(forged(&played(DiceSource::Seeded).await, |entries| entries.truncate(1)))
            .unwrap();
        let unknown = log.replace("match_created", &"x".repeat(900_000));
        assert_eq!(
            place(&caller.import(json(unknown)).await.unwrap_err()).1,
            "2",
            "and the status can be sent"
        );
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_wrong_with_a_stream_of_records_is_told_at_once() {
    let service = Service::start().await;
    let mut caller = Caller::new(&service).await;
    let wrong = ExportMatchesRequest { parent: "nobody".into(), format: 99, ..Default::default() };
    let only_read = RecordFormat::Oldmoves.into();
    let only_read =
        ExportMatchesRequest { parent: "tenants/default".into(), format: only_read, ..Default::default() };
    for (request, expected) in [(wrong, &["parent", "format"][..]), (only_read, &["format"])] {
        let refused = caller.operator.export_matches(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
        let fields = refused.get_details_bad_request().unwrap().field_violations;
        assert_eq!(fields.into_iter().map(|bad| bad.field).collect::<Vec<_>>(), expected);
    }
    service.stop().await;
}
