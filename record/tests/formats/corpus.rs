//! Real matches: everything is read, followed and played again under the full rules.

use std::collections::BTreeMap;
use std::path::Path;

use chaquete_record::{GameTranscript, PositionId, Sheet, Transcript, mat};
use chaquete_rules::{
    BySeat, Command, DiceSource, Event, GameResult, LegalMoves, Match, Phase, Terms, Turn, create, decide,
    evolve,
};

use crate::data::{cases, files, root, shared_corpus, text};

/// What was found in a folder of match files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    matches: usize,
    games: usize,
    rolls: usize,
    moves: usize,
    doubles: usize,
    resignations: usize,
    oddities: BTreeMap<&'static str, usize>,
}

impl Figures {
    fn count(&mut self, transcript: &Transcript) {
        self.matches += 1;
        for game in &transcript.games {
            self.games += 1;
            for act in &game.acts {
                match act.command {
                    Command::Roll { .. } => self.rolls += 1,
                    Command::Move { .. } => self.moves += 1,
                    Command::Double { .. } => self.doubles += 1,
                    Command::OfferResignation { .. } => self.resignations += 1,
                    _ => {}
                }
            }
        }
        for oddity in &transcript.oddities {
            *self.oddities.entry(oddity.kind.code()).or_default() += 1;
        }
    }
}

fn transcript(name: &str, bytes: &[u8]) -> (Sheet, Transcript) {
    let record = mat::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let transcript = Transcript::of(&record);
    (record, transcript)
}

/// One match under the rules, from its creation on; it keeps the results of its games.
struct Table {
    state: Match,
    results: Vec<GameResult>,
}

impl Table {
    fn new(transcript: &Transcript) -> Self {
        let terms = Terms::new(
            BySeat::new("left".to_owned(), "right".to_owned()),
            transcript.rules.clone(),
            DiceSource::External,
        );
        let mut table = Self { state: Match::new(terms.clone()), results: Vec::new() };
        table.fold(&create(terms, None, 0).events[1..]);
        table
    }

    fn fold(&mut self, events: &[Event]) {
        for event in events {
            evolve(&mut self.state, event, 0).unwrap();
            if let Event::GameEnded(result) = event {
                self.results.push(*result);
            }
        }
    }

    fn play(&mut self, name: &str, game: &GameTranscript) {
        for act in &game.acts {
            let events = decide(&self.state, &act.command, None, 0)
                .unwrap_or_else(|refusal| panic!("{name}, line {}: {refusal}", act.line));
            self.fold(&events.events);
        }
    }
}

/// Plays the whole match again, with nothing but the commands, and holds every game against the file.
fn play_again(name: &str, record: &Sheet, transcript: &Transcript) {
    assert!(transcript.is_playable(), "{name}");
    let mut table = Table::new(transcript);
    for (game, recorded) in transcript.games.iter().zip(&record.games) {
        assert_eq!(game.halt, None, "{name}");
        assert_eq!(game.start, recorded.start, "{name}");
        assert_eq!(table.state.game().map(|game| game.crawford), Some(game.crawford), "{name}");
        table.play(name, game);
        let result = *table.results.last().unwrap();
        let followed = game.result.unwrap();
        assert_eq!((result.win, result.points), (followed.win, followed.points));
        assert_eq!((result.reason, result.score), (followed.reason, followed.score));
        assert_eq!(result.win.map(|win| win.seat), game.recorded.map(|recorded| recorded.winner), "{name}");
        let is_told = transcript.oddities.iter().any(|oddity| {
            oddity.kind.code().starts_with("POINTS_")
                && Some(oddity.line) == game.recorded.map(|end| end.line)
        });
        assert!(
            Some(result.points) == game.recorded.unwrap().points || is_told,
            "{name}, line {}",
            game.line
        );
    }
    assert_eq!(table.results.len(), transcript.games.len(), "{name}");
    assert_eq!(table.state.result().and_then(|result| result.winner), transcript.winner(), "{name}");
}

fn replay(folder: &Path) -> Figures {
    let mut figures = Figures::default();
    for (name, bytes) in files(folder) {
        let (record, transcript) = transcript(&name, &bytes);
        play_again(&name, &record, &transcript);
        figures.count(&transcript);
    }
    figures
}

#[test]
fn the_sample_replays_as_recorded() {
    let figures = replay(&root().join("tests/data/corpus"));
    let expected = Figures {
        matches: 14,
        games: 41,
        rolls: 1_551,
        moves: 1_431,
        doubles: 40,
        resignations: 7,
        oddities: BTreeMap::from([
            ("LINES_GLUED", 1),
            ("LOSSES", 4),
            ("MONEY_AS_MATCH", 3),
            ("POINTS_BY_JACOBY", 1),
            ("POINTS_CAPPED", 2),
            ("POINTS_IMPOSSIBLE", 2),
            ("ROLL_UNPLAYED", 3),
        ]),
    };
    assert_eq!(figures, expected);
}

#[test]
fn the_whole_corpus_replays_as_recorded() {
    let Some(folder) = shared_corpus() else { return };
    let expected = Figures {
        matches: 135,
        games: 455,
        rolls: 19_343,
        moves: 17_391,
        doubles: 475,
        resignations: 53,
        oddities: BTreeMap::from([
            ("LINES_GLUED", 2),
            ("LOSSES", 44),
            ("MONEY_AS_MATCH", 26),
            ("POINTS_BY_JACOBY", 4),
            ("POINTS_CAPPED", 45),
            ("POINTS_IMPOSSIBLE", 2),
            ("ROLL_UNPLAYED", 9),
        ]),
    };
    assert_eq!(replay(&folder), expected);
}

/// The position, the dice and the number of legal results at every roll, against an independent program.
#[test]
fn every_position_on_the_way_is_as_known() {
    let mut plies = 0;
    let sample = files(&root().join("tests/data/corpus"));
    for case in cases("plies.jsonl") {
        let name = text(&case, "match");
        let Some((_, bytes)) = sample.iter().find(|(known, _)| known == name) else { continue };
        let (_, transcript) = transcript(name, bytes);
        let number = case["game"].as_u64().unwrap() as usize;
        let mut table = Table::new(&transcript);
        transcript.games[..number - 1].iter().for_each(|game| table.play(name, game));
        let mut known = case["plies"].as_array().unwrap().iter();
        for act in &transcript.games[number - 1].acts {
            let Command::Roll { dice: Some(dice), .. } = act.command else {
                table.fold(&decide(&table.state, &act.command, None, 0).unwrap().events);
                continue;
            };
            let events = decide(&table.state, &act.command, None, 0).unwrap().events;
            let Event::DiceRolled { seat: Some(seat), .. } = events[0] else { panic!("{events:?}") };
            let position = table.state.game().unwrap().board.position(seat);
            let ply = known.next().unwrap();
            assert_eq!(PositionId::of(&position).to_string(), ply[4].as_str().unwrap(), "{name} {ply}");
            assert_eq!(u64::from(act.line), ply[0].as_u64().unwrap());
            assert_eq!(u64::from(seat.number()) - 1, ply[1].as_u64().unwrap());
            // A lost turn counts as one result there.
            assert_eq!(
                LegalMoves::new(position, dice).len().max(1) as u64,
                ply[5].as_u64().unwrap(),
                "{name} {ply}"
            );
            table.fold(&events);
            plies += 1;
        }
        assert!(known.next().is_none(), "{name}, game {number}");
    }
    assert_eq!(plies, 814);
}

/// Nobody's turn is lost in a transcript: after the last command either the game is over or it waits.
#[test]
fn a_cut_file_is_followed_as_far_as_it_goes() {
    let (name, bytes) = files(&root().join("tests/data/corpus")).swap_remove(0);
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for end in 15..lines.len() {
        let Ok(record) = mat::read(lines[..end].join("\n").as_bytes()) else { continue };
        let transcript = Transcript::of(&record);
        let mut table = Table::new(&transcript);
        transcript.games.iter().for_each(|game| table.play(&name, game));
        assert!(transcript.games.iter().all(|game| game.halt.is_none()), "{name} to line {end}");
        let waits = matches!(
            table.state.game().unwrap().phase,
            Phase::Turn(Turn::Roll { .. } | Turn::OpeningRoll) | Phase::Over(_) | Phase::DoubleOffered(_)
        );
        assert!(waits, "{name} to line {end}");
    }
}
