//! The game being played, or the last one.

use chaquete_rules::{
    BySeat, Cube, Game, GameResult, PendingDouble, PendingResignation, Phase, PhaseKind, Turn, WinKind,
};

use crate::log::bytes::{BadEntry, read::Reader, values::parse_dice, write::Object};

/// What each seat has offered to resign and was declined in this turn.
const DECLINED: BySeat<&str> = BySeat::new("declined_one", "declined_two");

/// Its number follows from the games that have ended; so does how it ended, if it has.
pub(super) fn write(game: &Game, object: &mut Object) {
    object.integer("turn", game.turn_number);
    object.board(&game.board);
    object.cube("cube", game.cube.value);
    object.seat("owner", game.cube.owner);
    object.mark("crawford", game.crawford);
    object.mark("cube_turned", game.cube_turned);
    object.optional("auto_doubles", Some(game.automatic_doubles).filter(|&doubles| doubles > 0));
    write_declined(DECLINED.one, game.declined.one, object);
    write_declined(DECLINED.two, game.declined.two, object);
    object.word("phase", game.phase_kind());
    write_phase(&game.phase, object);
}

fn write_declined(key: &str, declined: Option<WinKind>, object: &mut Object) {
    if let Some(kind) = declined {
        object.word(key, kind);
    }
}

fn write_phase(phase: &Phase, object: &mut Object) {
    match phase {
        Phase::Waiting { ready } => {
            object.mark("ready_one", ready.one);
            object.mark("ready_two", ready.two);
        }
        Phase::Turn(turn) => write_turn(*turn, object),
        Phase::DoubleOffered(double) => {
            object.seat("seat", Some(double.on_roll));
            object.cube("offered", double.value);
            object.integer("beavers", double.beavers);
        }
        Phase::ResignationOffered(resignation) => {
            object.seat("by", Some(resignation.offered_by));
            object.word("kind", resignation.kind);
            object.word("goes_on", kind_of(resignation.turn));
            write_turn(resignation.turn, object);
        }
        Phase::Over(_) => {}
    }
}

const fn kind_of(turn: Turn) -> PhaseKind {
    match turn {
        Turn::OpeningRoll => PhaseKind::OpeningRoll,
        Turn::Roll { .. } => PhaseKind::Roll,
        Turn::Move { .. } => PhaseKind::Move,
    }
}

fn write_turn(turn: Turn, object: &mut Object) {
    match turn {
        Turn::OpeningRoll => {}
        Turn::Roll { seat } => object.seat("seat", Some(seat)),
        Turn::Move { seat, dice, opening } => {
            object.seat("seat", Some(seat));
            object.text("dice", &dice.to_string());
            object.mark("opening", opening);
        }
    }
}

/// A game after these have ended; or the last of them, if it has ended itself.
pub(super) fn read(games: &[GameResult], reader: &mut Reader<'_>) -> Result<Game, BadEntry> {
    let turn_number = reader.integer("turn")?;
    let board = reader.board()?;
    let cube = Cube { value: reader.cube("cube")?, owner: reader.any_seat("owner")? };
    let crawford = reader.mark("crawford")?;
    let cube_turned = reader.mark("cube_turned")?;
    let automatic_doubles = reader.optional("auto_doubles", Reader::integer)?.unwrap_or(0);
    let declined = BySeat::new(
        reader.optional(DECLINED.one, Reader::word)?,
        reader.optional(DECLINED.two, Reader::word)?,
    );
    let phase = read_phase(games.last(), reader)?;
    let ended = games.len() as u32;
    let number = if matches!(phase, Phase::Over(_)) { ended } else { ended + 1 };
    Ok(Game { number, phase, turn_number, board, cube, crawford, cube_turned, automatic_doubles, declined })
}

fn read_phase(last: Option<&GameResult>, reader: &mut Reader<'_>) -> Result<Phase, BadEntry> {
    Ok(match reader.word("phase")? {
        PhaseKind::Waiting => {
            Phase::Waiting { ready: BySeat::new(reader.mark("ready_one")?, reader.mark("ready_two")?) }
        }
        PhaseKind::DoubleOffered => Phase::DoubleOffered(PendingDouble {
            on_roll: reader.seat()?,
            value: reader.cube("offered")?,
            beavers: reader.integer("beavers")?,
        }),
        PhaseKind::ResignationOffered => {
            let offered_by = reader.one_seat("by")?;
            let kind = reader.word("kind")?;
            let goes_on = reader.word("goes_on")?;
            let turn = read_turn("goes_on", goes_on, reader)?;
            Phase::ResignationOffered(PendingResignation { offered_by, kind, turn })
        }
        PhaseKind::Over => {
            let ended =
                last.ok_or(BadEntry::Value { key: "phase", expected: "that of a game that has not ended" })?;
            Phase::Over(*ended)
        }
        kind => Phase::Turn(read_turn("phase", kind, reader)?),
    })
}

fn read_turn(key: &'static str, kind: PhaseKind, reader: &mut Reader<'_>) -> Result<Turn, BadEntry> {
    match kind {
        PhaseKind::OpeningRoll => Ok(Turn::OpeningRoll),
        PhaseKind::Roll => Ok(Turn::Roll { seat: reader.seat()? }),
        PhaseKind::Move => Ok(Turn::Move {
            seat: reader.seat()?,
            dice: reader.parsed("dice", "two dice as `3-1`", parse_dice)?,
            opening: reader.mark("opening")?,
        }),
        _ => Err(BadEntry::Value { key, expected: "a turn that goes on" }),
    }
}
