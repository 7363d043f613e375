//! OGXM v2 (`.ogxm`): the compact match format of OpenGammon. It is written, not read.
//!
//! White is seat one. The layout is that of the published format, without analysis; the files are read by its
//! reference codec.
//!
//! ```
//! use chaquete_record::{Transcript, mat, ogxm};
//!
//! let file = b" 3 point match\n\n Game 1\n Alice : 0    Bob : 0\n  1) 31: 8/5 6/5    64: 24/14\n";
//! let (bytes, remarks) = ogxm::write(&Transcript::of(&mat::read(file)?).chronicle()?)?;
//! assert!(bytes.starts_with(b"OGXM") && bytes.ends_with(b"END!"));
//! assert_eq!(remarks.len(), 1, "the match has not ended");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod game;

use chaquete_rules::{Length, MatchRules, MoneyRules, Variant};

use crate::played::PlayedMatch;
use crate::remark::{Remark, RemarkKind, Term};
use crate::sheet::Facts;
use crate::{Chronicle, NoWord};
use bytes::{Record, string, varint};

/// The most games of one file.
const MAX_GAMES: usize = 1000;
/// The longest name, in bytes.
const MAX_NAME: usize = 4096;
/// The longest name of an event, in bytes.
const MAX_EVENT: usize = 120;

/// Writes a match, and says what the file could not hold.
///
/// # Errors
/// What the format has no word for, so that others would read another match.
pub fn write(chronicle: &Chronicle) -> Result<(Vec<u8>, Vec<Remark>), NoWord> {
    let terms = chronicle.terms();
    if terms.rules.initial.is_some_and(|board| board != terms.rules.variant.start()) {
        return no_word("games that begin from a board of their own");
    }
    let played = PlayedMatch::of(chronicle);
    if played.games.len() > MAX_GAMES {
        return no_word("more than 1000 games");
    }
    let mut kinds = remarks_on_terms(chronicle);
    let (head, minor) = head(chronicle, &mut kinds)?;
    let mut remarks: Vec<_> = kinds.into_iter().map(|kind| Remark { game: None, kind }).collect();
    remarks.extend(played.remarks);
    let mut sections = vec![(*b"MTCH", head)];
    for game in played.games.iter().filter(|game| !game.is_untouched() || game.result.is_some()) {
        let (bytes, leaves_out) = game::bytes(game)?;
        let left_out = [
            (game.automatic_doubles > 0, RemarkKind::AutomaticDoubleDice),
            (leaves_out, RemarkKind::RollLeftOut),
        ];
        let left_out = left_out.into_iter().filter(|(is, _)| *is);
        remarks.extend(left_out.map(|(_, kind)| Remark { game: Some(game.number), kind }));
        sections.push((*b"GAME", bytes));
    }
    Ok((bytes::file(minor, &sections), remarks))
}

fn no_word<T>(what: &'static str) -> Result<T, NoWord> {
    Err(NoWord { form: "an OGXM file", what })
}

fn remarks_on_terms(chronicle: &Chronicle) -> Vec<RemarkKind> {
    let terms = chronicle.terms();
    // It knows all variants, and matches of any length.
    let mut kinds = RemarkKind::of_terms(terms);
    kinds.retain(|kind| matches!(kind, RemarkKind::Term(_)));
    if matches!(terms.rules.length, Length::Money(MoneyRules { max_beavers: 3.., .. })) {
        kinds.push(RemarkKind::Term(Term::Beavers));
    }
    kinds
}

/// The head of the match, and the smallest version of the format that has all its fields.
fn head(chronicle: &Chronicle, kinds: &mut Vec<RemarkKind>) -> Result<(Vec<u8>, u16), NoWord> {
    let rules = &chronicle.terms().rules;
    let length = match rules.length {
        Length::Points { points, .. } => points.get(),
        Length::Money(_) => 0,
    };
    let mut record = Record::new([varint(length.into()), varint(variant(rules.variant))].concat());
    let names = chronicle.names();
    for (bit, name) in [(0, &names.one), (1, &names.two)] {
        if name.len() > MAX_NAME {
            return no_word("a name of more than 4096 bytes");
        }
        if !name.is_empty() {
            record.put(bit, &string(name));
        }
    }
    record.put(2, &varint(rule_bits(rules)));
    record.put(3, &varint(rules.max_cube.get().into()));
    let Facts { event, round, site, date, transcriber } = chronicle.facts();
    let mut minor = 0;
    // At midnight, which says no more than the day.
    let day = date.and_then(|date| u64::try_from(date.days_since_1970()).ok());
    if let Some(day) = day {
        record.put(8, &varint(day * 86_400_000));
    }
    if let Some(event) = event.as_ref().filter(|event| event.len() <= MAX_EVENT) {
        record.put(12, &string(event));
        minor = 1;
    }
    if day.is_some() {
        record.put(14, &varint(0));
        minor = 1;
    }
    let left_out = [
        ("event", event.as_ref().is_some_and(|event| event.len() > MAX_EVENT)),
        ("round", round.is_some()),
        ("site", site.is_some()),
        ("date", date.is_some() && day.is_none()),
        ("transcriber", transcriber.is_some()),
    ];
    let left_out = left_out.into_iter().filter(|(_, is)| *is);
    kinds.extend(left_out.map(|(fact, _)| RemarkKind::FactLeftOut { fact }));
    Ok((record.bytes(), minor))
}

const fn variant(variant: Variant) -> u64 {
    match variant {
        Variant::Standard => 0,
        Variant::Nackgammon => 1,
        Variant::Hypergammon => 2,
        Variant::LongGammon => 3,
    }
}

fn rule_bits(rules: &MatchRules) -> u64 {
    let bits = match rules.length {
        // A match to one point has no Crawford game.
        Length::Points { points, crawford } => [crawford && points.get() > 1, false, false, false, false],
        Length::Money(money) => [
            false,
            money.jacoby,
            money.max_beavers > 0,
            money.max_beavers > 1,
            money.max_automatic_doubles > 0,
        ],
    };
    (0..).zip(bits).map(|(bit, is_set)| u64::from(is_set) << bit).sum()
}
