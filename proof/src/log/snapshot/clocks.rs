//! The clocks. Whose time runs follows from the match.

use chaquete_rules::{BySeat, ClockParts, CubeValue, Duty, PhaseKind, RunningParts, Seat};

use super::results::parts;
use crate::log::{
    Word,
    bytes::{BadEntry, read::Reader, write::Object},
};

pub(super) fn write(clocks: &ClockParts, object: &mut Object) {
    object.integer("reserve_one", clocks.reserve.one);
    object.integer("reserve_two", clocks.reserve.two);
    if let Some(duty) = &clocks.wound {
        object.text("wound", &duty_text(duty));
    }
    object.integer("allowance_ms", clocks.allowance);
    if let Some(running) = clocks.running {
        object.integer("since_ms", running.since);
        object.integer("left_ms", running.allowance);
    }
    object.optional("paused_ms", clocks.paused);
}

pub(super) fn read(reader: &mut Reader<'_>) -> Result<ClockParts, BadEntry> {
    let duty = "a turn as `1/2/31/roll/1`";
    Ok(ClockParts {
        reserve: BySeat::new(reader.duration("reserve_one")?, reader.duration("reserve_two")?),
        wound: reader.optional("wound", |reader, key| reader.parsed(key, duty, parse_duty))?,
        allowance: reader.duration("allowance_ms")?,
        running: reader.optional("since_ms", |reader, key| {
            Ok(RunningParts { since: reader.integer(key)?, allowance: reader.duration("left_ms")? })
        })?,
        paused: reader.optional("paused_ms", Reader::integer)?,
    })
}

/// `1/2/31/roll/1`: seat, game, turn, phase, stake.
fn duty_text(duty: &Duty) -> String {
    let Duty { seat, game, turn, phase, stake } = duty;
    format!("{}/{game}/{turn}/{}/{stake}", seat.number(), phase.word())
}

fn parse_duty(text: &str) -> Option<Duty> {
    let [seat, game, turn, phase, stake] = parts(text)?;
    Some(Duty {
        seat: Seat::from_number(seat.parse().ok()?)?,
        game: game.parse().ok()?,
        turn: turn.parse().ok()?,
        phase: PhaseKind::from_word(phase)?,
        stake: CubeValue::new(stake.parse().ok()?)?,
    })
}
