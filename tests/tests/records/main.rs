//! Records in and out: what other programs have written becomes a match as if it had been played here, and any match can
//! be taken elsewhere.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

mod hostile;

use std::fs;

use chaquete_proto::v1::{
    self, ErrorReason, ExportMatchRequest, ExportMatchResponse, ExportMatchesRequest, ExportMatchesResponse,
    GetMatchRequest, ImportMatchRequest, ImportMatchResponse, ListMatchesRequest, Match, MatchState, Player,
    RecordFormat, match_service_client::MatchServiceClient, operator_service_client::OperatorServiceClient,
};
use chaquete_server::config::Config;
use chaquete_tests::{Postgres, Service, act, new_match, play_to_the_end, project, rules_to, shared_or_say};
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

/// A whole match with its oddities: a forced move that is left out, points that were capped, a loser's cell.
const MATCH: &str = "; [Event \"Spring Open\"]
; [EventDate \"2024.02.29\"]

 3 point match

 Game 1
 Ann Lee : 0                     Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                      64: 24/14
  3) 66: 24/18 24/18 13/7 13/7   Concedes
      Wins 2 points

 Game 2
 Ann Lee : 2                     Bob : 0
  1)                             52: 13/8 24/22
  2) 64: 24/14                   Losses 1 point
      Wins 1 point and the match
";

struct Caller {
    matches: MatchServiceClient<Channel>,
    operator: OperatorServiceClient<Channel>,
}

impl Caller {
    async fn new(service: &Service) -> Self {
        let channel = Channel::from_shared(service.endpoint()).unwrap().connect().await.unwrap();
        let matches = MatchServiceClient::new(channel.clone()).max_decoding_message_size(64 << 20);
        Self { matches, operator: OperatorServiceClient::new(channel).max_decoding_message_size(64 << 20) }
    }

    async fn import(&mut self, request: ImportMatchRequest) -> Result<ImportMatchResponse, Status> {
        self.matches.import_match(request).await.map(tonic::Response::into_inner)
    }

    async fn export(&mut self, name: &str, format: RecordFormat) -> Result<ExportMatchResponse, Status> {
        let request = ExportMatchRequest { name: name.to_owned(), format: format.into() };
        self.matches.export_match(request).await.map(tonic::Response::into_inner)
    }

    async fn get(&mut self, name: &str) -> Match {
        let request = GetMatchRequest { name: name.to_owned(), view: v1::MatchView::Full.into() };
        self.matches.get_match(request).await.unwrap().into_inner().r#match.unwrap()
    }

    async fn exports(&mut self, token: &str, most: usize) -> Vec<ExportMatchesResponse> {
        let request = ExportMatchesRequest {
            parent: "tenants/default".to_owned(),
            format: RecordFormat::Mat.into(),
            resume_token: token.to_owned(),
            ..ExportMatchesRequest::default()
        };
        let mut stream = self.operator.export_matches(request).await.unwrap().into_inner();
        let mut all = Vec::new();
        while all.len() < most
            && let Some(one) = stream.message().await.unwrap()
        {
            all.push(one);
        }
        all
    }
}

fn record(format: RecordFormat, content: impl Into<Vec<u8>>) -> ImportMatchRequest {
    ImportMatchRequest {
        parent: "tenants/default".to_owned(),
        format: format.into(),
        content: content.into(),
        ..ImportMatchRequest::default()
    }
}

fn mat(content: &str) -> ImportMatchRequest {
    record(RecordFormat::Mat, content)
}

fn reason(status: &Status) -> (Code, ErrorReason) {
    let info = status.get_details_error_info().unwrap();
    (status.code(), ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason)).unwrap())
}

/// Every store has to do the same.
async fn services() -> Vec<(Service, Option<Postgres>)> {
    let mut services = vec![(Service::start().await, None)];
    if let Some(postgres) = Postgres::new_or_say().await {
        services.push((postgres.serve().await, Some(postgres)));
    }
    services
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_becomes_a_match_that_was_played() {
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        let labels = [("league".to_owned(), "b".to_owned())].into();
        let request = ImportMatchRequest { labels, ..mat(MATCH) };
        let told = caller.import(request.clone()).await.unwrap();
        let imported = told.r#match.unwrap();
        assert!(imported.imported);
        assert_eq!(imported.state(), MatchState::Completed);
        assert_eq!(imported.result.as_ref().unwrap().score, Some(v1::Score { one: 3, two: 0 }));
        assert_eq!(imported.annotations["event"], "Spring Open");
        assert_eq!(imported.annotations["date"], "2024-02-29");
        let players: Vec<_> = imported.players.iter().map(|p| (&*p.subject, &*p.display_name)).collect();
        assert_eq!(players, [("imported/1", "Ann Lee"), ("imported/2", "Bob")]);
        let odd: Vec<_> = told.warnings.iter().map(|warning| (warning.line, &*warning.code)).collect();
        assert!(odd.contains(&(16, "LOSSES")) && odd.contains(&(10, "CONCESSION")), "{odd:?}");
        assert_eq!(caller.get(&imported.name).await, imported);

        let list = ListMatchesRequest {
            parent: "tenants/default".to_owned(),
            filter: "imported = true AND labels.league = \"b\"".to_owned(),
            ..ListMatchesRequest::default()
        };
        let listed = caller.matches.list_matches(list).await.unwrap().into_inner().matches;
        assert_eq!(listed.len(), 1);
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_can_be_repeated_checked_and_given_its_players() {
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        let players =
            ["u-1", "u-2"].map(|subject| Player { subject: subject.to_owned(), ..Player::default() });
        let request = ImportMatchRequest {
            players: players.into(),
            request_id: chaquete_client::new_request_id(),
            ..mat(MATCH)
        };
        let check = ImportMatchRequest { validate_only: true, ..request.clone() };
        let checked = caller.import(check).await.unwrap();
        let name = checked.r#match.unwrap().name;
        let absent = caller.matches.get_match(GetMatchRequest { name, view: 0 }).await.unwrap_err();
        assert_eq!(absent.code(), Code::NotFound, "it was only checked");

        let first = caller.import(request.clone()).await.unwrap();
        assert_eq!(caller.import(request.clone()).await.unwrap(), first, "a repeat has the same answer");
        let imported = first.r#match.unwrap();
        assert_eq!(imported.players[1].subject, "u-2");
        assert_eq!(imported.players[1].display_name, "Bob", "the name of the record");
        let other = ImportMatchRequest { content: MATCH.replace("Bob", "Bert").into(), ..request.clone() };
        let reused = caller.import(other).await.unwrap_err();
        assert_eq!(reason(&reused), (Code::InvalidArgument, ErrorReason::RequestIdReused));

        let named = ImportMatchRequest { match_id: "final-2024".to_owned(), ..mat(MATCH) };
        caller.import(named.clone()).await.unwrap();
        let taken = caller.import(named).await.unwrap_err();
        assert_eq!(reason(&taken), (Code::AlreadyExists, ErrorReason::MatchExists));
        service.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_played_is_refused_with_its_place_and_stores_nothing() {
    let service = Service::start().await;
    let mut caller = Caller::new(&service).await;
    for (content, line, code) in [
        (MATCH.replace("8/5 6/5", "8/5 6/26"), 8, "BAD_MOVE"),
        (MATCH.replace("24/18 24/18 13/7 13/7", "24/18 24/18 13/7 8/1"), 10, "DIE_NOT_AVAILABLE"),
        (MATCH.replace("Ann Lee : 2", "Ann Lee : 1"), 14, "SCORE_GAP"),
        ("no record at all".to_owned(), 1, "NO_LENGTH"),
    ] {
        let refused = caller.import(mat(&content)).await.unwrap_err();
        assert_eq!(reason(&refused), (Code::InvalidArgument, ErrorReason::UnparsableContent), "{refused}");
        let told = refused.get_details_error_info().unwrap().metadata;
        assert_eq!((&*told["code"], &*told["line"]), (code, &*line.to_string()), "{refused}");
    }
    for format in [RecordFormat::Ogxm, RecordFormat::Sgf, RecordFormat::Json, RecordFormat::Oldmoves] {
        let refused = caller.import(record(format, MATCH)).await.unwrap_err();
        assert_eq!(reason(&refused).1, ErrorReason::UnparsableContent, "{format:?}: {refused}");
    }
    let too_large = caller.import(mat(&" ".repeat(2 << 20))).await.unwrap_err();
    assert_eq!(reason(&too_large), (Code::InvalidArgument, ErrorReason::InvalidField), "{too_large}");
    assert_eq!(caller.exports("", 10).await, [], "nothing was stored");
    service.stop().await;
}

/// What is exported is imported again as the same match, in every format that is read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_goes_out_and_comes_back() {
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        let first = caller.import(mat(MATCH)).await.unwrap().r#match.unwrap();
        let log = caller.export(&first.name, RecordFormat::Json).await.unwrap();
        assert_eq!((&*log.file_name, log.revision), (&*format!("{}.bglog", id(&first)), first.revision));
        for format in [RecordFormat::Mat, RecordFormat::Sgf] {
            let out = caller.export(&first.name, format).await.unwrap();
            let again = caller.import(record(format, out.content)).await.unwrap().r#match.unwrap();
            assert_eq!(again.annotations, first.annotations, "{format:?}");
            assert_eq!(again.players, first.players, "{format:?}");
            let other = caller.export(&again.name, RecordFormat::Json).await.unwrap();
            assert_eq!(events(&other.content), events(&log.content), "{format:?}");
        }
        let compact = caller.export(&first.name, RecordFormat::Ogxm).await.unwrap();
        assert!(compact.content.starts_with(b"OGXM"));
        let only_read = caller.export(&first.name, RecordFormat::Oldmoves).await.unwrap_err();
        assert_eq!(reason(&only_read), (Code::InvalidArgument, ErrorReason::InvalidField));
        service.stop().await;
    }
}

fn id(of: &Match) -> &str {
    of.name.rsplit('/').next().unwrap()
}

/// What happened, without when and by which call.
fn events(log: &[u8]) -> Vec<String> {
    let text = String::from_utf8(log.to_vec()).unwrap();
    let told = |line: &str| {
        let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
        event.as_object_mut().unwrap().remove("ms");
        event.to_string()
    };
    text.lines().skip(1).map(told).collect()
}

/// A log is taken to another server with every byte and hash, dice and all; and only a whole one, of a match that is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_is_the_same_elsewhere() {
    let here = Service::start().await;
    let client = here.client().await;
    let ended = client.create_match(new_match(rules_to(1))).await.unwrap().r#match.unwrap();
    let running = client.create_match(new_match(rules_to(3))).await.unwrap().r#match.unwrap();
    let running = act(&client, &running, &mut |n| n - 1).await.unwrap();
    let ended = play_to_the_end(&client, ended, &mut |n| n / 2).await.unwrap();
    let mut caller = Caller::new(&here).await;
    let log = caller.export(&ended.name, RecordFormat::Json).await.unwrap().content;
    let unfinished = caller.export(&running.name, RecordFormat::Json).await.unwrap().content;
    here.stop().await;

    for (there, _database) in services().await {
        let mut caller = Caller::new(&there).await;
        let request =
            ImportMatchRequest { match_id: "taken-along".to_owned(), ..record(RecordFormat::Json, &*log) };
        let first = caller.import(request.clone()).await.unwrap();
        assert_eq!(caller.import(request).await.unwrap(), first, "the same log twice is the same call");
        let imported = first.r#match.unwrap();
        assert_eq!((&imported.uid, &imported.log_hash), (&ended.uid, &ended.log_hash));
        assert_eq!(imported.result, ended.result);
        let again = caller.export(&imported.name, RecordFormat::Json).await.unwrap().content;
        let lines =
            |log: &[u8]| log.split(|byte| *byte == b'\n').skip(1).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(lines(&again), lines(&log), "every byte");

        let refused = caller.import(record(RecordFormat::Json, &*unfinished)).await.unwrap_err();
        assert_eq!(reason(&refused), (Code::InvalidArgument, ErrorReason::UnparsableContent), "{refused}");
        let text = String::from_utf8(log.clone()).unwrap();
        let (facts, events) = text.split_once('\n').unwrap();
        let changes = [
            (facts.replace("\"winner\":", "\"winner\": "), events.to_owned()),
            (facts.replacen("\"one\":\"alice\"", "\"one\":\"mallory\"", 1), events.to_owned()),
            (facts.to_owned(), events.replacen("\"auto_double\":0", "\"auto_double\":1", 1)),
            (facts.to_owned(), events.lines().skip(1).collect::<Vec<_>>().join("\n")),
        ];
        for (facts, events) in changes {
            let changed = record(RecordFormat::Json, format!("{facts}\n{events}"));
            let refused = caller.import(changed).await.unwrap_err();
            assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
        }
        there.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_records_go_out_and_a_broken_stream_goes_on() {
    for (service, _database) in services().await {
        let mut caller = Caller::new(&service).await;
        let mut matches = Vec::new();
        for n in 0..80 {
            // Names of one length that are in no order.
            let match_id = format!("m-{:03}", n * 37 % 80);
            let told = caller.import(ImportMatchRequest { match_id, ..mat(MATCH) }).await.unwrap();
            let created = told.r#match.unwrap();
            let time = created.create_time.unwrap();
            matches.push(((time.seconds, time.nanos), created.name));
        }
        // Matches of one millisecond are in the order of their names.
        matches.sort();
        let names: Vec<_> = matches.into_iter().map(|(_, name)| name).collect();
        let all = caller.exports("", usize::MAX).await;
        let told: Vec<_> = all.iter().map(|one| &*one.r#match).collect();
        assert_eq!(told, names);
        assert!(all.iter().all(|one| one.content.starts_with(b";") && one.file_name.ends_with(".mat")));
        for cut in [1, 31, 32, 33, 79] {
            let begun = caller.exports("", cut).await;
            let rest = caller.exports(&begun.last().unwrap().resume_token, usize::MAX).await;
            assert_eq!([begun, rest].concat(), all, "cut after {cut}");
        }
        let wrong = ExportMatchesRequest {
            parent: "tenants/default".to_owned(),
            format: RecordFormat::Mat.into(),
            filter: "imported = true".to_owned(),
            resume_token: all[3].resume_token.clone(),
        };
        let wrong = caller.operator.export_matches(wrong).await.unwrap_err();
        assert_eq!(reason(&wrong), (Code::InvalidArgument, ErrorReason::InvalidPageToken));
        service.stop().await;
    }
}

/// All real matches come in, and go out as the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_corpus_comes_in_and_goes_out() {
    let few = project().join("tests/data/corpus");
    let folders = shared_or_say("corpus").into_iter().chain(few.exists().then_some(few));
    let files: Vec<_> = folders
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "mat"))
        .collect();
    let service = Service::start_with(Config { store: "memory:".to_owned(), ..Config::default() }).await;
    let mut caller = Caller::new(&service).await;
    for path in files {
        let content = fs::read(&path).unwrap();
        let imported = caller.import(record(RecordFormat::Mat, content)).await;
        let imported =
            imported.unwrap_or_else(|status| panic!("{}: {status}", path.display())).r#match.unwrap();
        let out = caller.export(&imported.name, RecordFormat::Mat).await.unwrap();
        let again = caller.import(record(RecordFormat::Mat, out.content)).await.unwrap().r#match.unwrap();
        let mut log = async |name: &str| caller.export(name, RecordFormat::Json).await.unwrap().content;
        let (again, first) = (log(&again.name).await, log(&imported.name).await);
        assert_eq!(events(&again), events(&first), "{}", path.display());
    }
    service.stop().await;
}

/// A match file has no place for games that begin from a board of their own: the log has.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_format_cannot_hold_is_not_written_as_something_else() {
    let service = Service::start().await;
    let mut caller = Caller::new(&service).await;
    let rules = v1::MatchRules { initial_position: "AwAAIAAAAAAAAA".to_owned(), ..rules_to(3) };
    let of_its_own = service.client().await.create_match(new_match(rules)).await.unwrap().r#match.unwrap();
    let refused = caller.export(&of_its_own.name, RecordFormat::Mat).await.unwrap_err();
    assert_eq!(reason(&refused), (Code::FailedPrecondition, ErrorReason::NotRepresentable), "{refused}");
    assert!(caller.export(&of_its_own.name, RecordFormat::Json).await.is_ok());
    // Among others it is told and keeps none of them back.
    caller.import(mat(MATCH)).await.unwrap();
    let all = caller.exports("", usize::MAX).await;
    let told: Vec<_> = all.iter().map(|one| (one.content.is_empty(), one.remarks.len())).collect();
    assert_eq!(told, [(true, 1), (false, 0)]);
    service.stop().await;
}
