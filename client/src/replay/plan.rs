//! From a recorded match to the requests that play it.

use std::collections::HashMap;

use chaquete_proto::v1::act_request::Action;
use chaquete_proto::v1::{CreateMatchRequest, DicePolicy, DiceSource, Match, Player};
use chaquete_record::sheet::{Cell, Play};
use chaquete_record::{Act, GameTranscript, Oddity, OddityKind, RecordedEnd, Sheet, Transcript, mat};
use chaquete_rules::{GameResult, Score, Seat};

use super::finding::{Fault, Finding};
use super::identity::{Identity, RunId};
use super::wire;
use crate::DEFAULT_TENANT;

/// A recorded match as the requests that play it, all of them made before the first is sent.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of the match.
    pub name: String,
    /// The request that creates it.
    pub create: CreateMatchRequest,
    /// The games, in their order.
    pub games: Vec<PlannedGame>,
    /// The score after them and the winner, if the match has ended then.
    pub(super) end: (Score, Option<Seat>),
    /// What is odd about the record, though it can be played.
    pub oddities: Vec<Oddity>,
    /// What keeps the record, or its rest, from being played.
    pub findings: Vec<Finding>,
}

/// A recorded game as the requests that play it.
#[derive(Clone, Debug)]
pub struct PlannedGame {
    /// The line in the record where its names and score stand.
    pub line: u32,
    /// The actions, in their order.
    pub actions: Vec<PlannedAction>,
    /// How it must end by the rules; `None` if the record breaks off.
    pub result: Option<GameResult>,
    /// How it ended as the record tells it.
    pub recorded: Option<RecordedEnd>,
}

/// One action of a recorded match.
#[derive(Clone, Debug)]
pub struct PlannedAction {
    /// The line in the record that it comes from.
    pub line: u32,
    /// The column there, in characters.
    pub column: u32,
    /// The request.
    pub request: Action,
}

impl Plan {
    /// Plans the replay of a match file in the [default tenant](DEFAULT_TENANT). `copy` tells equal files of one run apart: 0
    /// for the first.
    ///
    /// What cannot be played is left out and said in [`findings`](Self::findings).
    ///
    /// # Errors
    /// If the file is no match file, or one of a match that cannot be played.
    pub fn new(content: &[u8], run: &RunId, copy: u32) -> Result<Self, Finding> {
        Self::in_tenant(DEFAULT_TENANT, content, run, copy)
    }

    /// The same in any tenant: `tenants/{tenant}`.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn in_tenant(tenant: &str, content: &[u8], run: &RunId, copy: u32) -> Result<Self, Finding> {
        let sheet = mat::read(content).map_err(|error| Finding {
            line: error.line,
            column: error.column,
            fault: Fault::Unreadable { rule: error.problem.code(), message: error.problem.to_string() },
        })?;
        let transcript = Transcript::of(&sheet);
        Ok(Planner::new(tenant, &sheet, Identity::new(run, content, copy)).plan(transcript))
    }

    /// How many requests the match takes, its creation included.
    #[must_use]
    pub fn requests(&self) -> usize {
        1 + self.games.iter().map(|game| game.actions.len()).sum::<usize>()
    }

    /// What is odd about a line of the record.
    pub(super) fn oddities_at(&self, line: u32) -> impl Iterator<Item = OddityKind> {
        self.oddities.iter().filter(move |oddity| oddity.line == line).map(|oddity| oddity.kind)
    }
}

struct Planner<'r> {
    tenant: &'r str,
    identity: Identity,
    name: String,
    /// Moves as the file writes them, by line and column: the server is to read what people wrote.
    written: HashMap<(u32, u32), &'r str>,
    requests: u64,
}

impl<'r> Planner<'r> {
    fn new(tenant: &'r str, sheet: &'r Sheet, identity: Identity) -> Self {
        let entries = sheet.games.iter().flat_map(|game| &game.entries);
        let written = entries.filter_map(|entry| match &entry.cell {
            Cell::Roll { play: Play::Written { text, .. }, .. } => {
                Some(((entry.line, entry.column), text.as_str()))
            }
            _ => None,
        });
        let name = format!("{tenant}/matches/{}", identity.match_id());
        Self { tenant, name, written: written.collect(), identity, requests: 0 }
    }

    fn plan(mut self, transcript: Transcript) -> Plan {
        let mut findings = Vec::new();
        let playable = playable(&transcript, &mut findings);
        let create = self.create(&transcript);
        let games: Vec<_> = transcript.games[..playable].iter().map(|game| self.game(game)).collect();
        let last = games.last().and_then(|game| game.result);
        let whole = playable == transcript.games.len();
        Plan {
            name: self.name,
            create,
            end: (
                last.map_or(Score::default(), |result| result.score),
                transcript.winner().filter(|_| whole),
            ),
            games,
            oddities: transcript.oddities,
            findings,
        }
    }

    fn create(&mut self, transcript: &Transcript) -> CreateMatchRequest {
        let players = Seat::BOTH.map(|seat| player(seat, &transcript.names[seat]));
        CreateMatchRequest {
            parent: self.tenant.to_owned(),
            match_id: self.identity.match_id(),
            request_id: self.next_request_id(),
            r#match: Some(Match {
                players: players.into(),
                rules: Some(wire::rules(&transcript.rules, transcript.games.len())),
                dice_policy: Some(DicePolicy {
                    source: DiceSource::External.into(),
                    ..DicePolicy::default()
                }),
                ..Match::default()
            }),
            ..CreateMatchRequest::default()
        }
    }

    fn game(&mut self, game: &GameTranscript) -> PlannedGame {
        PlannedGame {
            line: game.line,
            actions: game.acts.iter().filter_map(|act| self.action(act)).collect(),
            result: game.result,
            recorded: game.recorded,
        }
    }

    fn action(&mut self, act: &Act) -> Option<PlannedAction> {
        let notation = match (self.written.get(&(act.line, act.column)), act.played) {
            (Some(text), _) => (*text).to_owned(),
            (None, Some(played)) => played.to_string(),
            (None, None) => String::new(),
        };
        let request_id = self.next_request_id();
        let request = wire::action(&act.command, &notation, &self.name, request_id)?;
        Some(PlannedAction { line: act.line, column: act.column, request })
    }

    fn next_request_id(&mut self) -> String {
        let number = self.requests;
        self.requests += 1;
        self.identity.request_id(number)
    }
}

/// How many games lead through one match from 0-0; why not all is added to the findings.
fn playable(transcript: &Transcript, findings: &mut Vec<Finding>) -> usize {
    let broken = transcript.oddities.iter().find(|oddity| breaks_the_match(oddity.kind));
    let reached = |game: &&GameTranscript| broken.is_none_or(|oddity| game.line < oddity.line);
    let mut count = transcript.games.iter().take_while(reached).count();
    if let Some(open) = transcript.games[..count].iter().position(|game| game.result.is_none()) {
        count = open + 1;
        let game = &transcript.games[open];
        match &game.halt {
            Some(halt) => findings.push(Finding::of_halt(halt)),
            None if count < transcript.games.len() => {
                findings.push(Finding::not_one_match(game.line, OddityKind::GameUnfinished));
            }
            // The record just breaks off.
            None => {}
        }
    } else if let Some(oddity) = broken {
        findings.push(Finding::not_one_match(oddity.line, oddity.kind));
    }
    count
}

/// Whether what follows cannot be the same match any more.
fn breaks_the_match(kind: OddityKind) -> bool {
    matches!(kind, OddityKind::StartScore { .. } | OddityKind::ScoreGap { .. } | OddityKind::GameAfterEnd)
}

/// A player of the record. Names there are whatever people typed; subjects are printable ASCII.
fn player(seat: Seat, name: &str) -> Player {
    let subject: String = name.chars().filter(char::is_ascii_graphic).take(128).collect();
    let display_name: String = name.chars().filter(|letter| !letter.is_control()).take(63).collect();
    Player {
        seat: wire::seat(seat).into(),
        subject: if subject.is_empty() { format!("seat-{}", seat.number()) } else { subject },
        display_name: display_name.trim().to_owned(),
    }
}
