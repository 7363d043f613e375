//! Playing a plan through the API.

use std::collections::HashMap;

use chaquete_proto::v1::act_request::Action;
use chaquete_proto::v1::{GetMatchResultRequest, ListMatchEventsRequest, MatchEvent, match_event};

use super::compare;
use super::finding::Finding;
use super::plan::{Plan, PlannedAction, PlannedGame};
use crate::{Client, Error, Origin};

/// An action that the server has acknowledged: it is in the log for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledged {
    /// The match.
    pub match_name: String,
    /// The request id of the action.
    pub request_id: String,
    /// The revision of the first event it caused.
    pub first_revision: i32,
    /// The revision of the last event it caused.
    pub last_revision: i32,
}

/// What became of a recorded match.
#[derive(Debug, Default)]
pub struct Played {
    /// Games that ended on the server.
    pub games: usize,
    /// Actions acknowledged, the creation of the match included.
    pub actions: usize,
    /// Actions that were in the log before: an interrupted replay had come so far.
    pub found: usize,
    /// What went wrong; with a refusal the rest of the match was not played.
    pub findings: Vec<Finding>,
    /// What kept the server from answering: the match can be gone on with.
    pub interrupted: Option<Error>,
}

/// Plays a recorded match, both seats of it, and tells of each action that was acknowledged.
///
/// All requests have ids that follow from record and run. A replay that broke off, for whatever cause, is
/// gone on with by playing it again: what is in the log already is read from there and compared as if it
/// had just been answered, and the rest is played.
pub async fn play(
    client: &Client,
    plan: &Plan,
    acknowledged: &(impl Fn(&Acknowledged) + Sync + ?Sized),
) -> Played {
    let mut player =
        Player { client, plan, acknowledged, revision: 0, logged: HashMap::new(), played: Played::default() };
    if let Err(stop) = player.all().await {
        match stop {
            Stop::Finding(finding) => player.played.findings.push(finding),
            Stop::Interrupted(error) => player.played.interrupted = Some(error),
        }
    }
    player.played
}

struct Player<'p, A: ?Sized> {
    client: &'p Client,
    plan: &'p Plan,
    acknowledged: &'p A,
    /// The last revision that came back.
    revision: i32,
    /// What is in the log already, by the request that caused it.
    logged: HashMap<String, Vec<MatchEvent>>,
    played: Played,
}

enum Stop {
    Finding(Finding),
    Interrupted(Error),
}

impl Stop {
    fn at(line: u32, column: u32, error: Error) -> Self {
        match error.origin() {
            Origin::Server if !error.is_unavailable() => {
                Self::Finding(Finding::of_refusal(line, column, &error))
            }
            Origin::Server | Origin::Transport | Origin::Client => Self::Interrupted(error),
        }
    }
}

impl<A: Fn(&Acknowledged) + Sync + ?Sized> Player<'_, A> {
    async fn all(&mut self) -> Result<(), Stop> {
        let Some(first) = self.plan.games.first() else { return Ok(()) };
        let create = &self.plan.create;
        let created = self.client.create_match(create.clone()).await;
        let created = created.map_err(|error| Stop::at(first.line, 1, error))?;
        // The events of a creation do not come with its answer; the match tells the last of them.
        self.acknowledge(1, created.r#match.unwrap_or_default().revision, &create.request_id);
        self.logged = self.log().await.map_err(|error| Stop::at(first.line, 1, error))?;
        for game in &self.plan.games {
            self.game(game).await?;
        }
        self.result().await
    }

    async fn game(&mut self, game: &PlannedGame) -> Result<(), Stop> {
        let mut ended = None;
        for action in &game.actions {
            let events = self.action(action).await?;
            ended = events.into_iter().find_map(|event| match event.kind {
                Some(match_event::Kind::GameEnded(ended)) => ended.result,
                _ => None,
            });
        }
        self.played.games += usize::from(ended.is_some());
        let findings = compare::game(self.plan, game, ended.as_ref());
        // From a game that ended otherwise the rest of the match cannot follow.
        let stops = ended.is_some() != game.result.is_some();
        self.played.findings.extend(findings);
        if stops {
            let what = Finding::mismatch(game.line, "rest of the match", "played", "left out");
            return Err(Stop::Finding(what));
        }
        Ok(())
    }

    async fn action(&mut self, action: &PlannedAction) -> Result<Vec<MatchEvent>, Stop> {
        let request_id = request_id(&action.request);
        if let Some(events) = self.logged.remove(request_id) {
            self.revision = self.in_sequence(action.line, &events)?.1;
            self.played.found += 1;
            return Ok(events);
        }
        let events = send(self.client, &action.request).await;
        let events = events.map_err(|error| Stop::at(action.line, action.column, error))?;
        let (first, last) = self.in_sequence(action.line, &events)?;
        self.acknowledge(first, last, request_id);
        Ok(events)
    }

    /// First and last revision of events, if they follow on what came before.
    fn in_sequence(&self, line: u32, events: &[MatchEvent]) -> Result<(i32, i32), Stop> {
        let revisions =
            events.first().zip(events.last()).map(|(first, last)| (first.revision, last.revision));
        let expected = self.revision + 1;
        revisions.filter(|&(first, _)| first == expected).ok_or_else(|| {
            let found = revisions.map_or_else(|| "none".to_owned(), |(first, _)| first.to_string());
            Stop::Finding(Finding::mismatch(line, "first revision", expected, found))
        })
    }

    fn acknowledge(&mut self, first_revision: i32, last_revision: i32, request_id: &str) {
        self.revision = last_revision;
        self.played.actions += 1;
        (self.acknowledged)(&Acknowledged {
            match_name: self.plan.name.clone(),
            request_id: request_id.to_owned(),
            first_revision,
            last_revision,
        });
    }

    /// The events after the creation, by the request that caused them.
    async fn log(&self) -> Result<HashMap<String, Vec<MatchEvent>>, Error> {
        let mut events = self.client.events(ListMatchEventsRequest {
            parent: self.plan.name.clone(),
            page_size: 1000,
            after_revision: self.revision,
            ..ListMatchEventsRequest::default()
        });
        let mut logged: HashMap<String, Vec<MatchEvent>> = HashMap::new();
        let mut cause = String::new();
        while let Some(event) = events.next().await? {
            // What the server adds of itself, as the end of a game, may have no id; it belongs to the action
            // before it.
            if !event.request_id.is_empty() {
                cause.clone_from(&event.request_id);
            }
            logged.entry(cause.clone()).or_default().push(event);
        }
        Ok(logged)
    }

    /// Reads the result back from the server.
    async fn result(&mut self) -> Result<(), Stop> {
        let line = self.plan.games.last().map_or(1, |game| game.line);
        let request = GetMatchResultRequest { name: self.plan.name.clone() };
        let answer = self.client.get_match_result(request).await;
        let answer = answer.map_err(|error| Stop::at(line, 1, error))?;
        self.played.findings.extend(compare::end(self.plan, line, &answer.result.unwrap_or_default()));
        Ok(())
    }
}

/// Sends an action; the events that it caused come back.
async fn send(client: &Client, action: &Action) -> Result<Vec<MatchEvent>, Error> {
    macro_rules! send {
        ($method:ident, $request:expr) => {
            client.$method($request.clone()).await?.events
        };
    }
    Ok(match action {
        Action::RollDice(request) => send!(roll_dice, request),
        Action::SubmitMove(request) => send!(submit_move, request),
        Action::OfferDouble(request) => send!(offer_double, request),
        Action::AcceptDouble(request) => send!(accept_double, request),
        Action::DeclineDouble(request) => send!(decline_double, request),
        Action::BeaverDouble(request) => send!(beaver_double, request),
        Action::OfferResignation(request) => send!(offer_resignation, request),
        Action::AcceptResignation(request) => send!(accept_resignation, request),
        Action::DeclineResignation(request) => send!(decline_resignation, request),
        // Nothing that a record tells of.
        Action::MarkReady(_)
        | Action::ContributeEntropy(_)
        | Action::ClaimTimeout(_)
        | Action::CreateMatch(_) => Vec::new(),
    })
}

fn request_id(action: &Action) -> &str {
    match action {
        Action::MarkReady(request) => &request.request_id,
        Action::ContributeEntropy(request) => &request.request_id,
        Action::RollDice(request) => &request.request_id,
        Action::SubmitMove(request) => &request.request_id,
        Action::OfferDouble(request) => &request.request_id,
        Action::AcceptDouble(request) => &request.request_id,
        Action::DeclineDouble(request) => &request.request_id,
        Action::BeaverDouble(request) => &request.request_id,
        Action::OfferResignation(request) => &request.request_id,
        Action::AcceptResignation(request) => &request.request_id,
        Action::DeclineResignation(request) => &request.request_id,
        Action::ClaimTimeout(request) => &request.request_id,
        Action::CreateMatch(request) => &request.request_id,
    }
}
