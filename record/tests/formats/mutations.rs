//! Records with one character changed: refused in the right line, or a legal game that is not the same.

use std::collections::BTreeMap;
use std::env;

use chaquete_record::{Chronicle, Oddity, OddityKind, Transcript, mat};

use crate::data::{files, sample};
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
fn mutate(random: &mut Random, text: &str) -> (String, u32) {
    let usual: Vec<char> = "0123456789/*:)( \nDTWx?".chars().collect();
    let mut characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len());
    let line = 1 + characters[..at].iter().filter(|&&c| c == '\n').count() as u32;
    match random.below(4) {
        0 => drop(characters.remove(at)),
        1 => characters.insert(at, random.pick(&usual)),
        _ => characters[at] = random.pick(&usual),
    }
    (characters.into_iter().collect(), line)
}

/// What became of it, or the line in which it was refused before the change.
fn outcome(original: &Original, text: &str, line: u32) -> Result<Outcome, String> {
    let refused = |found: u32, error: &dyn ToString| match found.cmp(&line) {
        std::cmp::Ordering::Less => Err(error.to_string()),
        std::cmp::Ordering::Equal => Ok(Outcome::RefusedThere),
        std::cmp::Ordering::Greater => Ok(Outcome::RefusedLater),
    };
    let sheet = match mat::read(text.as_bytes()) {
        Ok(sheet) => sheet,
        Err(error) => return refused(error.line, &error),
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

#[test]
fn a_changed_character_is_refused_in_its_line_or_makes_another_legal_game() {
    let originals: Vec<_> = files(&sample())
        .into_iter()
        .map(|(name, bytes)| {
            let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
            let transcript = Transcript::of(&mat::read(text.as_bytes()).unwrap());
            let chronicle = transcript.chronicle().unwrap_or_else(|error| panic!("{name}: {error}"));
            Original { name, text, chronicle, oddities: kinds(&transcript.oddities) }
        })
        .collect();
    let mut random = Random::new(5);
    let mut outcomes: BTreeMap<Outcome, usize> = BTreeMap::new();
    let is_slow = env::var_os("CHAQUETE_SLOW").is_some();
    for _ in 0..if is_slow { 30_000 } else { 1_000 } {
        let original = &originals[random.below(originals.len())];
        let Original { name, text, .. } = original;
        let (changed, line) = mutate(&mut random, text);
        let outcome = outcome(original, &changed, line)
            .unwrap_or_else(|error| panic!("{name}, changed in line {line}: {error}\n{changed}"));
        *outcomes.entry(outcome).or_default() += 1;
        if outcome == Outcome::Same {
            assert_eq!(meaning(&changed), meaning(text), "{name}, changed in line {line}");
        }
    }
    let expected = [
        (Outcome::RefusedThere, 684),
        (Outcome::RefusedLater, 19),
        (Outcome::Different, 28),
        (Outcome::SameAndTold, 34),
        (Outcome::Same, 235),
    ];
    assert!(is_slow || outcomes == BTreeMap::from(expected), "{outcomes:?}");
}
