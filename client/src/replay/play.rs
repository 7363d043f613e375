//! Playing a plan through the API.

use chaquete_proto::v1::act_request::Action;
use chaquete_proto::v1::{GetMatchResultRequest, MatchEvent, match_event};

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
    /// What went wrong; with a refusal the rest of the match was not played.
    pub findings: Vec<Finding>,
    /// What kept the server from answering: the match can be gone on with.
    pub interrupted: Option<Error>,
}

/// Plays a recorded match, both seats of it, and tells of each action that was acknowledged.
///
/// All requests have ids that follow from record and run. Played again, what was acknowledged before is
/// answered as it was then, and the rest is played; so a replay that broke off, for whatever cause, is
/// gone on with by playing it again.
pub async fn play(
    client: &Client,
    plan: &Plan,
    acknowledged: &(impl Fn(&Acknowledged) + Sync + ?Sized),
) -> Played {
    let mut player = Player { client, plan, acknowledged, revision: 0, played: Played::default() };
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
        self.advance(1, created.r#match.unwrap_or_default().revision, &create.request_id);
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
        let (request_id, events) = send(self.client, &action.request)
            .await
            .map_err(|error| Stop::at(action.line, action.column, error))?;
        let revisions =
            events.first().zip(events.last()).map(|(first, last)| (first.revision, last.revision));
        match revisions {
            Some((first, last)) if first == self.revision + 1 => {
                self.advance(first, last, &request_id);
                Ok(events)
            }
            _ => {
                let found = revisions.map_or_else(|| "none".to_owned(), |(first, _)| first.to_string());
                let expected = self.revision + 1;
                Err(Stop::Finding(Finding::mismatch(action.line, "first revision", expected, found)))
            }
        }
    }

    fn advance(&mut self, first_revision: i32, last_revision: i32, request_id: &str) {
        self.revision = last_revision;
        self.played.actions += 1;
        (self.acknowledged)(&Acknowledged {
            match_name: self.plan.name.clone(),
            request_id: request_id.to_owned(),
            first_revision,
            last_revision,
        });
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

/// Sends an action; its request id and the events that it caused come back.
async fn send(client: &Client, action: &Action) -> Result<(String, Vec<MatchEvent>), Error> {
    macro_rules! call {
        ($method:ident, $request:expr) => {
            ($request.request_id.clone(), client.$method($request.clone()).await?.events)
        };
    }
    Ok(match action {
        Action::RollDice(request) => call!(roll_dice, request),
        Action::SubmitMove(request) => call!(submit_move, request),
        Action::OfferDouble(request) => call!(offer_double, request),
        Action::AcceptDouble(request) => call!(accept_double, request),
        Action::DeclineDouble(request) => call!(decline_double, request),
        Action::BeaverDouble(request) => call!(beaver_double, request),
        Action::OfferResignation(request) => call!(offer_resignation, request),
        Action::AcceptResignation(request) => call!(accept_resignation, request),
        Action::DeclineResignation(request) => call!(decline_resignation, request),
        Action::MarkReady(_)
        | Action::ContributeEntropy(_)
        | Action::ClaimTimeout(_)
        | Action::CreateMatch(_) => (String::new(), Vec::new()),
    })
}
