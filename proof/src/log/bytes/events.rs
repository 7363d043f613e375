//! Each kind of event: its type and its own keys.

use chaquete_rules::{Contributor, Cube, DiceCommitment, Event, GameResult, MatchResult, Roll, Win};

use super::{
    BadEntry, Object, Reader, terms,
    values::{move_text, parse_dice, parse_move},
};

/// The value of `type`.
pub(super) const fn type_of(event: &Event) -> &'static str {
    match event {
        Event::MatchCreated(_) => "match_created",
        Event::DiceCommitted(_) => "dice_committed",
        Event::EntropyCommitted { .. } => "entropy_committed",
        Event::EntropyOpened { .. } => "entropy_opened",
        Event::PlayerReady { .. } => "player_ready",
        Event::GameStarted { .. } => "game_started",
        Event::DiceRolled { .. } => "dice_rolled",
        Event::MoveMade { .. } => "move_made",
        Event::TurnForfeited { .. } => "turn_forfeited",
        Event::DoubleOffered { .. } => "double_offered",
        Event::DoubleAccepted { .. } => "double_accepted",
        Event::DoubleDeclined { .. } => "double_declined",
        Event::DoubleBeavered { .. } => "double_beavered",
        Event::ResignationOffered { .. } => "resignation_offered",
        Event::ResignationAccepted { .. } => "resignation_accepted",
        Event::ResignationDeclined { .. } => "resignation_declined",
        Event::TimeExpired { .. } => "time_expired",
        Event::TimeCredited { .. } => "time_credited",
        Event::MatchPaused { .. } => "match_paused",
        Event::MatchResumed => "match_resumed",
        Event::SessionClosed => "session_closed",
        Event::Adjudicated { .. } => "adjudicated",
        Event::MatchUpdated => "match_updated",
        Event::GameEnded(_) => "game_ended",
        Event::MatchEnded { .. } => "match_ended",
    }
}

pub(super) fn write(event: &Event, object: &mut Object) {
    match event {
        Event::MatchCreated(terms) => terms::write(terms, object),
        Event::DiceCommitted(commitment) => write_commitment(commitment, object),
        Event::EntropyCommitted { by, commitment } => {
            object.integer("by", by.number());
            object.bytes("commitment", commitment);
        }
        Event::EntropyOpened { by, opening } => {
            object.integer("by", by.number());
            object.bytes("opening", opening);
        }
        Event::GameStarted { board, crawford, cube } => {
            object.board(board);
            object.flag("crawford", *crawford);
            object.cube("cube", cube.value);
            object.seat("owner", cube.owner);
        }
        Event::DiceRolled { seat, roll, index, opening, automatic_double } => {
            object.seat("seat", *seat);
            object.text("dice", &roll.dice.to_string());
            object.integer("index", *index);
            object.flag("opening", *opening);
            object.flag("auto_double", *automatic_double);
            if let Some(link) = &roll.link {
                object.bytes("link", link);
            }
        }
        Event::MoveMade { seat, mv, after } => {
            object.seat("seat", Some(*seat));
            object.text("move", &move_text(mv));
            object.position("after", after);
        }
        Event::DoubleOffered { seat, value }
        | Event::DoubleAccepted { seat, value }
        | Event::DoubleBeavered { seat, value } => {
            object.seat("seat", Some(*seat));
            object.cube("cube", *value);
        }
        Event::ResignationOffered { seat, kind } => {
            object.seat("seat", Some(*seat));
            object.word("kind", *kind);
        }
        Event::PlayerReady { seat }
        | Event::TurnForfeited { seat }
        | Event::DoubleDeclined { seat }
        | Event::ResignationAccepted { seat }
        | Event::ResignationDeclined { seat }
        | Event::TimeExpired { seat } => object.seat("seat", Some(*seat)),
        Event::TimeCredited { duration, reason } => {
            object.integer("duration_ms", *duration);
            object.text("text", reason);
        }
        Event::MatchPaused { reason } => object.text("text", reason),
        Event::MatchResumed | Event::SessionClosed | Event::MatchUpdated => {}
        Event::Adjudicated { reason, whole_match } => {
            object.flag("whole_match", *whole_match);
            object.text("text", reason);
        }
        Event::GameEnded(result) => write_game_result(result, object),
        Event::MatchEnded { result, reason } => {
            write_match_result(result, object);
            object.text("text", reason);
        }
    }
}

pub(crate) fn write_match_result(result: &MatchResult, object: &mut Object) {
    object.seat("winner", result.winner);
    object.score(result.score);
    object.word("reason", result.reason);
}

fn write_commitment(commitment: &DiceCommitment, object: &mut Object) {
    object.text("key", &commitment.key_id);
    object.integer("epoch", commitment.epoch);
    object.bytes("anchor", &commitment.anchor);
    for (key, commitment) in COMMITMENTS.into_iter().zip(&commitment.commitments) {
        object.bytes(key, commitment);
    }
}

/// Seat one, seat two, the creator of the match.
pub(crate) const COMMITMENTS: [&str; 3] = ["commit_one", "commit_two", "commit_creator"];

fn write_game_result(result: &GameResult, object: &mut Object) {
    object.integer("number", result.number);
    object.seat("winner", result.win.map(|win| win.seat));
    if let Some(win) = result.win {
        object.word("kind", win.kind);
    }
    object.word("reason", result.reason);
    object.cube("cube", result.cube);
    object.integer("points", result.points);
    object.flag("jacoby_applied", result.jacoby_applied);
    object.score(result.score);
}

/// How much is shown of a type that there is not.
const SHOWN: usize = 60;

pub(super) fn read(kind: &str, reader: &mut Reader<'_>) -> Result<Event, BadEntry> {
    Ok(match kind {
        "match_created" => Event::MatchCreated(Box::new(terms::read(reader)?)),
        "dice_committed" => Event::DiceCommitted(Box::new(read_commitment(reader)?)),
        "entropy_committed" => {
            Event::EntropyCommitted { by: read_contributor(reader)?, commitment: reader.bytes("commitment")? }
        }
        "entropy_opened" => {
            Event::EntropyOpened { by: read_contributor(reader)?, opening: reader.bytes("opening")? }
        }
        "player_ready" => Event::PlayerReady { seat: reader.seat()? },
        "game_started" => Event::GameStarted {
            board: reader.board()?,
            crawford: reader.flag("crawford")?,
            cube: Cube { value: reader.cube("cube")?, owner: reader.any_seat("owner")? },
        },
        "dice_rolled" => read_roll(reader)?,
        "move_made" => Event::MoveMade {
            seat: reader.seat()?,
            mv: reader.parsed("move", "steps as `24/18:6 13/8*:5`", parse_move)?,
            after: reader.position("after")?,
        },
        "turn_forfeited" => Event::TurnForfeited { seat: reader.seat()? },
        "double_offered" => Event::DoubleOffered { seat: reader.seat()?, value: reader.cube("cube")? },
        "double_accepted" => Event::DoubleAccepted { seat: reader.seat()?, value: reader.cube("cube")? },
        "double_declined" => Event::DoubleDeclined { seat: reader.seat()? },
        "double_beavered" => Event::DoubleBeavered { seat: reader.seat()?, value: reader.cube("cube")? },
        "resignation_offered" => {
            Event::ResignationOffered { seat: reader.seat()?, kind: reader.word("kind")? }
        }
        "resignation_accepted" => Event::ResignationAccepted { seat: reader.seat()? },
        "resignation_declined" => Event::ResignationDeclined { seat: reader.seat()? },
        "time_expired" => Event::TimeExpired { seat: reader.seat()? },
        "time_credited" => {
            Event::TimeCredited { duration: reader.duration("duration_ms")?, reason: reader.text("text")? }
        }
        "match_paused" => Event::MatchPaused { reason: reader.text("text")? },
        "match_resumed" => Event::MatchResumed,
        "session_closed" => Event::SessionClosed,
        "adjudicated" => {
            let whole_match = reader.flag("whole_match")?;
            Event::Adjudicated { reason: reader.text("text")?, whole_match }
        }
        "match_updated" => Event::MatchUpdated,
        "game_ended" => Event::GameEnded(read_game_result(reader)?),
        "match_ended" => {
            Event::MatchEnded { result: read_match_result(reader)?, reason: reader.text("text")? }
        }
        _ => return Err(BadEntry::Type(kind.chars().take(SHOWN).collect())),
    })
}

pub(crate) fn read_match_result(reader: &mut Reader<'_>) -> Result<MatchResult, BadEntry> {
    Ok(MatchResult {
        winner: reader.any_seat("winner")?,
        score: reader.score()?,
        reason: reader.word("reason")?,
    })
}

fn read_contributor(reader: &mut Reader<'_>) -> Result<Contributor, BadEntry> {
    reader.number("by", "1, 2 or 3", |number| {
        Contributor::ALL.into_iter().find(|by| u32::from(by.number()) == number)
    })
}

fn read_commitment(reader: &mut Reader<'_>) -> Result<DiceCommitment, BadEntry> {
    let key_id = reader.text("key")?;
    let epoch = reader.integer("epoch")?;
    let anchor = reader.bytes("anchor")?;
    let [one, two, creator] = COMMITMENTS;
    let commitments = [reader.bytes(one)?, reader.bytes(two)?, reader.bytes(creator)?];
    Ok(DiceCommitment { key_id, epoch, anchor, commitments })
}

fn read_roll(reader: &mut Reader<'_>) -> Result<Event, BadEntry> {
    let seat = reader.any_seat("seat")?;
    let dice = reader.parsed("dice", "two dice as `3-1`", parse_dice)?;
    let index = reader.integer("index")?;
    let opening = reader.flag("opening")?;
    let automatic_double = reader.flag("auto_double")?;
    let link = reader.optional("link", Reader::bytes)?;
    Ok(Event::DiceRolled { seat, roll: Roll { dice, link }, index, opening, automatic_double })
}

fn read_game_result(reader: &mut Reader<'_>) -> Result<GameResult, BadEntry> {
    Ok(GameResult {
        number: reader.integer("number")?,
        win: match reader.any_seat("winner")? {
            Some(seat) => Some(Win { seat, kind: reader.word("kind")? }),
            None => None,
        },
        reason: reader.word("reason")?,
        cube: reader.cube("cube")?,
        points: reader.integer("points")?,
        jacoby_applied: reader.flag("jacoby_applied")?,
        score: reader.score()?,
    })
}
