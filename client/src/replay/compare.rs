//! Whether the server made of a game what it should.

use std::fmt;

use chaquete_proto::v1::{GameResult, MatchResult, Seat};
use chaquete_record::{OddityKind, RecordedEnd};
use chaquete_rules::GameResult as Expected;

use super::finding::Finding;
use super::plan::{Plan, PlannedGame};
use super::wire;
use crate::draw;

/// What differs between a game on the server, by the rules, and in the record.
pub(super) fn game(plan: &Plan, game: &PlannedGame, ended: Option<&GameResult>) -> Vec<Finding> {
    let mut differences = Differences { line: game.line, findings: Vec::new() };
    match (game.result, ended) {
        (Some(expected), Some(ended)) => differences.by_rules(&expected, ended),
        (Some(_), None) => differences.note("end of the game", "ended", "still on"),
        (None, Some(_)) => differences.note("end of the game", "still on", "ended"),
        (None, None) => {}
    }
    if let (Some(recorded), Some(ended)) = (game.recorded, ended) {
        differences.line = recorded.line;
        differences.by_record(plan, recorded, ended);
    }
    differences.findings
}

/// What differs between the result of a match on the server and the one it should have.
pub(super) fn end(plan: &Plan, line: u32, result: &MatchResult) -> Vec<Finding> {
    let mut differences = Differences { line, findings: Vec::new() };
    let (score, winner) = plan.end;
    let ended = plan.games.iter().filter(|game| game.result.is_some()).count();
    differences.compare("games that ended", ended, result.games.len());
    differences.compare(
        "score of the match",
        draw::score(Some(wire::score(score))),
        draw::score(result.score),
    );
    if let Some(winner) = winner {
        differences.compare("match is over", true, result.r#final);
        differences.compare(
            "winner of the match",
            wire::seat(winner).as_str_name(),
            result.winner().as_str_name(),
        );
    }
    differences.findings
}

struct Differences {
    line: u32,
    findings: Vec<Finding>,
}

impl Differences {
    fn note(&mut self, what: &'static str, expected: impl fmt::Display, found: impl fmt::Display) {
        self.findings.push(Finding::mismatch(self.line, what, expected, found));
    }

    fn compare<T: PartialEq + fmt::Display>(&mut self, what: &'static str, expected: T, found: T) {
        if expected != found {
            self.note(what, expected, found);
        }
    }

    fn by_rules(&mut self, expected: &Expected, ended: &GameResult) {
        let (winner, kind) =
            expected.win.map(|win| (wire::seat(win.seat), wire::win_kind(win.kind))).unwrap_or_default();
        self.compare("winner", name(winner), name(ended.winner()));
        self.compare("kind of win", kind.as_str_name(), ended.kind().as_str_name());
        self.compare("points", wire::number(expected.points), ended.points);
        self.compare("cube", wire::number(expected.cube.get()), ended.cube_value);
        self.compare("score", draw::score(Some(wire::score(expected.score))), draw::score(ended.score_after));
    }

    /// The record counts too, unless it is known how it came to say something else.
    fn by_record(&mut self, plan: &Plan, recorded: RecordedEnd, ended: &GameResult) {
        self.compare("recorded winner", name(wire::seat(recorded.winner)), name(ended.winner()));
        let Some(points) = recorded.points.map(wire::number) else { return };
        if !plan.oddities_at(recorded.line).any(explains_points) {
            self.compare("recorded points", points, ended.points);
        }
    }
}

/// Oddities of servers and programs that write other points than were won, and are counted as such.
fn explains_points(kind: OddityKind) -> bool {
    matches!(
        kind,
        OddityKind::PointsCapped { .. }
            | OddityKind::PointsByJacoby { .. }
            | OddityKind::PointsImpossible { .. }
    )
}

fn name(seat: Seat) -> &'static str {
    seat.as_str_name()
}
