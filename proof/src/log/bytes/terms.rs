//! What was agreed, as keys of `match_created`.

use std::num::NonZeroU32;

use chaquete_rules::{
    Automation, BySeat, Contributing, DiceSource, Length, MatchPoints, MatchRules, MoneyRules, Terms,
    TimeControl, TimeLimit,
};

use super::{BadEntry, Object, Reader};

pub(crate) fn write(terms: &Terms, object: &mut Object) {
    object.text("one", &terms.players.one);
    object.text("two", &terms.players.two);
    write_length(terms.rules.length, object);
    object.word("variant", terms.rules.variant);
    object.cube("max_cube", terms.rules.max_cube);
    object.word("opening", terms.rules.opening);
    write_dice(terms.dice, object);
    if let Some(board) = &terms.rules.initial {
        object.board(board);
    }
    if let Some(time) = terms.time {
        write_time(time, object);
    }
    let Automation { roll_when_cube_unavailable, play_forced_moves, bear_off_greedily } = terms.automation;
    object.mark("auto_roll", roll_when_cube_unavailable);
    object.mark("auto_move", play_forced_moves);
    object.mark("auto_bear_off", bear_off_greedily);
    object.mark("ready_check", terms.ready_check);
}

/// Who contributes shows in the keys after the word.
fn write_dice(dice: DiceSource, object: &mut Object) {
    object.text("dice_source", source_word(dice));
    if let Some(contributing) = dice.contributing() {
        object.mark("players_contribute", contributing.players());
        if let Some(commitment) = contributing.creator() {
            object.bytes("creator_commitment", &commitment);
        }
        object.integer("contribution_ms", contributing.timeout());
    }
}

const fn source_word(dice: DiceSource) -> &'static str {
    match dice {
        DiceSource::Committed(_) => "committed",
        DiceSource::External => "external",
        DiceSource::Seeded => "seeded",
    }
}

/// The kind of play shows in the first key: `points`, or `max_games` with 0 for no limit.
fn write_length(length: Length, object: &mut Object) {
    match length {
        Length::Points { points, crawford } => {
            object.integer("points", points.get());
            object.flag("crawford", crawford);
        }
        Length::Money(money) => {
            object.integer("max_games", money.max_games.map_or(0, NonZeroU32::get));
            object.flag("jacoby", money.jacoby);
            object.integer("max_beavers", money.max_beavers);
            object.integer("max_auto_doubles", money.max_automatic_doubles);
        }
    }
}

/// The kind of limit shows in the first key: `reserve_ms` or `action_ms`. Without limits there is none.
fn write_time(time: TimeControl, object: &mut Object) {
    match time.limit {
        TimeLimit::Clock { reserve, mode, per_turn } => {
            object.integer("reserve_ms", reserve);
            object.word("clock_mode", mode);
            object.integer("per_turn_ms", per_turn);
        }
        TimeLimit::Action { limit } => object.integer("action_ms", limit),
    }
    object.word("timeout", time.policy);
}

pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Terms, BadEntry> {
    let players = BySeat::new(reader.text("one")?, reader.text("two")?);
    let length = read_length(reader)?;
    let variant = reader.word("variant")?;
    let max_cube = reader.cube("max_cube")?;
    let opening = reader.word("opening")?;
    let dice = read_dice(reader)?;
    let initial = if reader.has("board") { Some(reader.board()?) } else { None };
    let time = read_time(reader)?;
    let automation = Automation {
        roll_when_cube_unavailable: reader.mark("auto_roll")?,
        play_forced_moves: reader.mark("auto_move")?,
        bear_off_greedily: reader.mark("auto_bear_off")?,
    };
    let ready_check = reader.mark("ready_check")?;
    let rules = MatchRules { length, variant, max_cube, opening, initial };
    Ok(Terms { players, rules, dice, time, automation, ready_check })
}

fn read_dice(reader: &mut Reader<'_>) -> Result<DiceSource, BadEntry> {
    let source = reader.parsed("dice_source", "a word of the format", |word| {
        let sources = [DiceSource::COMMITTED, DiceSource::External, DiceSource::Seeded];
        sources.into_iter().find(|&source| source_word(source) == word)
    })?;
    let players = reader.mark("players_contribute")?;
    let creator = reader.optional("creator_commitment", Reader::bytes)?;
    let timeout = reader.optional("contribution_ms", Reader::duration)?;
    let contributing = timeout.and_then(|timeout| Contributing::new(players, creator, timeout));
    let says_nothing = !players && creator.is_none() && timeout.is_none();
    match source {
        DiceSource::Committed(_) if contributing.is_some() => Ok(DiceSource::Committed(contributing)),
        _ if says_nothing => Ok(source),
        _ => Err(BadEntry::Value { key: "dice_source", expected: "a source to which others contribute so" }),
    }
}

fn read_time(reader: &mut Reader<'_>) -> Result<Option<TimeControl>, BadEntry> {
    let limit = if reader.has("reserve_ms") {
        TimeLimit::Clock {
            reserve: reader.duration("reserve_ms")?,
            mode: reader.word("clock_mode")?,
            per_turn: reader.duration("per_turn_ms")?,
        }
    } else if reader.has("action_ms") {
        TimeLimit::Action { limit: reader.duration("action_ms")? }
    } else {
        return Ok(None);
    };
    Ok(Some(TimeControl { limit, policy: reader.word("timeout")? }))
}

fn read_length(reader: &mut Reader<'_>) -> Result<Length, BadEntry> {
    if reader.has("points") {
        let points =
            reader.number("points", "1 to 255", |points| MatchPoints::new(points.try_into().ok()?))?;
        return Ok(Length::Points { points, crawford: reader.flag("crawford")? });
    }
    Ok(Length::Money(MoneyRules {
        max_games: NonZeroU32::new(reader.integer("max_games")?),
        jacoby: reader.flag("jacoby")?,
        max_beavers: reader.integer("max_beavers")?,
        max_automatic_doubles: reader.integer("max_auto_doubles")?,
    }))
}
