//! Requests, and streams that carry them.

use std::{collections::BTreeMap, fs, time::Duration};

use chaquete_client::{
    Actions, Answers, Client,
    replay::{Plan, RunId},
};
use chaquete_proto::v1::{self, act_request::Action, act_response::Outcome};
use chaquete_tests::{new_match, project, rules_to};
use tokio::time::timeout;

/// Nothing here takes longer, whatever the machine does besides.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// Recorded matches of real players, so many copies of each, as the requests that play them.
pub(crate) fn plans(copies: u32) -> Vec<Plan> {
    let run: RunId = "act".parse().unwrap();
    let files = fs::read_dir(project().join("tests/data/corpus")).unwrap().map(|entry| entry.unwrap().path());
    let records: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "mat")).collect();
    let plan = |record, copy| Plan::new(&fs::read(record).unwrap(), &run, copy).unwrap();
    records.iter().flat_map(|record| (0..copies).map(move |copy| plan(record, copy))).collect()
}

/// All requests of a recorded match, its creation first.
fn requests(plan: &Plan) -> Vec<Action> {
    let actions = plan.games.iter().flat_map(|game| &game.actions).map(|action| action.request.clone());
    [Action::CreateMatch(Box::new(plan.create.clone()))].into_iter().chain(actions).collect()
}

/// Requests of many matches, one of each in turn, tagged with match and number.
pub(crate) fn in_turns(plans: &[Plan], tagged: fn(u64, Action) -> v1::ActRequest) -> Vec<v1::ActRequest> {
    let mut matches: Vec<_> = plans.iter().map(|plan| requests(plan).into_iter()).collect();
    let mut all = Vec::new();
    for turn in 0.. {
        let of_this_turn = matches.iter_mut().enumerate();
        let of_this_turn = of_this_turn.filter_map(|(index, match_)| Some((index, match_.next()?)));
        let before = all.len();
        all.extend(of_this_turn.map(|(index, action)| tagged((index as u64) << 32 | turn, action)));
        if all.len() == before {
            break;
        }
    }
    all
}

/// A request for an answer with everything.
pub(crate) fn full(tag: u64, action: Action) -> v1::ActRequest {
    v1::ActRequest { tag, action: Some(action), detail: v1::ResponseDetail::Full.into() }
}

/// A request for an answer with nothing but where the match stands.
pub(crate) fn brief(tag: u64, action: Action) -> v1::ActRequest {
    v1::ActRequest { detail: v1::ResponseDetail::Revision.into(), ..full(tag, action) }
}

/// A request to create a match with external dice.
pub(crate) fn creation(match_id: &str) -> v1::CreateMatchRequest {
    let mut request = new_match(rules_to(5));
    let policy = v1::DicePolicy { source: v1::DiceSource::External.into(), ..Default::default() };
    request.r#match.as_mut().unwrap().dice_policy = Some(policy);
    v1::CreateMatchRequest { match_id: match_id.to_owned(), ..request }
}

/// Creates a match with external dice by a call.
pub(crate) async fn created(client: &Client, match_id: &str) -> v1::Match {
    client.create_match(creation(match_id)).await.unwrap().r#match.unwrap()
}

/// How many matches there are.
pub(crate) async fn match_count(client: &Client) -> usize {
    let request = v1::ListMatchesRequest { parent: "tenants/default".to_owned(), ..Default::default() };
    client.matches(request).all().await.unwrap().len()
}

/// Hands in from a task of its own, so that answers can be read at the same time.
pub(crate) fn hand_in(actions: Actions, requests: Vec<v1::ActRequest>) {
    tokio::spawn(async move {
        for request in requests {
            if actions.send(request).await.is_err() {
                return;
            }
        }
    });
}

pub(crate) async fn next(answers: &mut Answers) -> Option<v1::ActResponse> {
    timeout(SOON, answers.next()).await.expect("an answer in time").expect("no error")
}

/// All answers until the stream ends well.
pub(crate) async fn all(answers: &mut Answers) -> Vec<v1::ActResponse> {
    let mut all = Vec::new();
    while let Some(answer) = next(answers).await {
        all.push(answer);
    }
    all
}

/// Hands in all of these on a new stream and waits for all answers, by their tags.
pub(crate) async fn answered(
    client: &Client,
    requests: Vec<v1::ActRequest>,
) -> BTreeMap<u64, v1::ActResponse> {
    let (actions, mut answers) = client.act_stream().await.unwrap();
    let count = requests.len();
    hand_in(actions, requests);
    let answers: BTreeMap<_, _> =
        all(&mut answers).await.into_iter().map(|answer| (answer.tag, answer)).collect();
    assert_eq!(answers.len(), count, "each is answered");
    answers
}

/// The error with which an action was answered.
pub(crate) fn error(answer: &v1::ActResponse) -> &v1::ActionError {
    match &answer.outcome {
        Some(Outcome::Error(error)) => error,
        other => panic!("{other:?} is no error"),
    }
}
