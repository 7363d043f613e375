//! Records with one character changed: refused in the right line, or a legal game that is not the same.

use std::collections::BTreeMap;
use std::env;

use chaquete_record::{Chronicle, Oddity, OddityKind, Sheet, Transcript, mat, sgf};

use crate::data::{files, sample};
use crate::exports::{Format, MAT, SGF, import};
use crate::random::Random;

/// What became of a record with one character changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Refused in the line that was changed.
    RefusedThere,
    /// The changed line is legal by itself; a later one does not follow from it.
    RefusedLater,
    /// A legal match, but another one.
    Different,
    /// The same match, and the report tells what is odd now.
    SameAndTold,
    /// The same match: a blank, a line end, a star, something in a tag that says nothing of the play.
    Same,
}

/// A record before the change.
struct Original {
    name: String,
    text: String,
    chronicle: Chronicle,
    oddities: Vec<OddityKind>,
}

fn kinds(oddities: &[Oddity]) -> Vec<OddityKind> {
    oddities.iter().map(|oddity| oddity.kind).collect()
}

/// One character of a text replaced, left out or put in; gives the line as well.
fn mutate(random: &mut Random, usual: &[char], text: &str) -> (String, u32) {
    let mut characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len());
    let line = 1 + characters[..at].iter().filter(|&&c| c == '\n').count() as u32;
    match random.below(4) {
        0 => drop(characters.remove(at)),
        1 => characters.insert(at, random.pick(usual)),
        _ => characters[at] = random.pick(usual),
    }
    (characters.into_iter().collect(), line)
}

/// A format, and how its files are changed.
struct Kind {
    format: Format,
    read: fn(&str) -> Result<Sheet, (u32, String)>,
    /// The characters that come in.
    usual: &'static str,
    /// What is left of a file without what means nothing to the play.
    meaning: fn(&str) -> String,
}

/// What became of it, or the line in which it was refused before the change.
fn outcome(kind: &Kind, original: &Original, text: &str, line: u32) -> Result<Outcome, String> {
    // The result of a game stands before its moves in some formats.
    let is_result =
        |found: u32| text.lines().nth(found as usize - 1).is_some_and(|line| line.contains("RE["));
    let refused = |found: u32, error: &dyn ToString| match found.cmp(&line) {
        std::cmp::Ordering::Less if !is_result(found) => Err(error.to_string()),
        std::cmp::Ordering::Equal => Ok(Outcome::RefusedThere),
        _ => Ok(Outcome::RefusedLater),
    };
    let sheet = match (kind.read)(text) {
        Ok(sheet) => sheet,
        Err((line, error)) => return refused(line, &error),
    };
    let transcript = Transcript::of(&sheet);
    match transcript.chronicle() {
        Err(error) => refused(error.place().0, &error),
        Ok(found) if found != original.chronicle => Ok(Outcome::Different),
        Ok(_) if kinds(&transcript.oddities) != original.oddities => Ok(Outcome::SameAndTold),
        Ok(_) => Ok(Outcome::Same),
    }
}

/// What is left of a record without what means nothing to the play: 07 is 7, ??? is ????.
fn meaning(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with([';', '\u{feff}']));
    let words = lines.flat_map(|line| line.split_inclusive(|c: char| !c.is_ascii_digit()));
    let numbers = words
        .map(|word| word.strip_prefix('0').filter(|rest| rest.starts_with(char::is_numeric)).unwrap_or(word));
    let letters = numbers.flat_map(str::chars).map(|c| c.to_ascii_lowercase());
    letters.filter(|c| !c.is_whitespace() && !['*', '?'].contains(c)).collect()
}

/// What is left of an SGF file: its moves, in whatever nodes they stand.
fn meaning_of_sgf(text: &str) -> String {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_name = |c: char| c.is_ascii_alphabetic();
    let properties = dense.split(']').filter_map(|property| property.rsplit_once('['));
    let moves = properties.filter(|(before, _)| {
        let name = &before[before.trim_end_matches(is_name).len()..];
        ["W", "B", "PL", "DI"].contains(&name)
    });
    // The case of words means nothing.
    moves.map(|(before, value)| format!("{}{} ", &before[before.len() - 1..], value.to_lowercase())).collect()
}

/// Changes one character of the sample over and over.
fn measure(kind: &Kind) -> BTreeMap<Outcome, usize> {
    let originals: Vec<_> = files(&sample())
        .into_iter()
        .map(|(name, bytes)| {
            let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
            let text = match kind.format.gnubg {
                "import mat" => text,
                _ => kind.format.export(&import(&name, text.as_bytes())).0,
            };
            let transcript = Transcript::of(&(kind.read)(&text).unwrap());
            let chronicle = transcript.chronicle().unwrap_or_else(|error| panic!("{name}: {error}"));
            Original { name, text, chronicle, oddities: kinds(&transcript.oddities) }
        })
        .collect();
    let usual: Vec<char> = kind.usual.chars().collect();
    let mut random = Random::new(5);
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    for _ in 0..if is_slow() { 30_000 } else { 1_000 } {
        let original = &originals[random.below(originals.len())];
        let Original { name, text, .. } = original;
        let (changed, line) = mutate(&mut random, &usual, text);
        let outcome = outcome(kind, original, &changed, line)
            .unwrap_or_else(|error| panic!("{name}, changed in line {line}: {error}\n{changed}"));
        *outcomes.entry(outcome).or_default() += 1;
        if outcome == Outcome::Same {
            assert_eq!((kind.meaning)(&changed), (kind.meaning)(text), "{name}, changed in line {line}");
        }
    }
    outcomes
}

fn is_slow() -> bool {
    env::var_os("CHAQUETE_SLOW").is_some()
}

#[test]
fn a_changed_character_is_refused_in_its_line_or_makes_another_legal_game() {
    let outcomes = measure(&Kind {
        format: MAT,
        read: |text| mat::read(text.as_bytes()).map_err(|error| (error.line, error.to_string())),
        usual: "0123456789/*:)( \nDTWx?",
        meaning,
    });
    let expected = [
        (Outcome::RefusedThere, 684),
        (Outcome::RefusedLater, 19),
        (Outcome::Different, 28),
        (Outcome::SameAndTold, 34),
        (Outcome::Same, 235),
    ];
    assert!(is_slow() || outcomes == BTreeMap::from(expected), "{outcomes:?}");
}

#[test]
fn a_changed_character_of_an_sgf_file_is_refused_in_its_line_or_makes_another_legal_game() {
    let outcomes = measure(&Kind {
        format: SGF,
        read: |text| sgf::read(text.as_bytes()).map_err(|error| (error.line, error.to_string())),
        usual: "0123456789()[];: \nWBadtxyz\\",
        meaning: meaning_of_sgf,
    });
    let expected = [
        (Outcome::RefusedThere, 779),
        (Outcome::RefusedLater, 46),
        (Outcome::Different, 53),
        (Outcome::SameAndTold, 16),
        (Outcome::Same, 106),
    ];
    assert!(is_slow() || outcomes == BTreeMap::from(expected), "{outcomes:?}");
}
