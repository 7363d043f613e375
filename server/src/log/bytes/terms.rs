//! What was agreed, as keys of `match_created`.

use std::num::NonZeroU32;

use chaquete_rules::{BySeat, Length, MatchPoints, MatchRules, MoneyRules, Terms};

use super::{BadEntry, Object, Reader};

pub(super) fn write(terms: &Terms, object: &mut Object) {
    object.text("one", &terms.players.one);
    object.text("two", &terms.players.two);
    write_length(terms.rules.length, object);
    object.word("variant", terms.rules.variant);
    object.cube("max_cube", terms.rules.max_cube);
    object.word("opening", terms.rules.opening);
    object.word("dice_source", terms.dice);
    if let Some(board) = &terms.rules.initial {
        object.board(board);
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

pub(super) fn read(reader: &mut Reader<'_>) -> Result<Terms, BadEntry> {
    let players = BySeat::new(reader.text("one")?, reader.text("two")?);
    let length = read_length(reader)?;
    let variant = reader.word("variant")?;
    let max_cube = reader.cube("max_cube")?;
    let opening = reader.word("opening")?;
    let dice = reader.word("dice_source")?;
    let initial = if reader.has("board") { Some(reader.board()?) } else { None };
    Ok(Terms { players, rules: MatchRules { length, variant, max_cube, opening, initial }, dice })
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
