//! Re-exports the test vectors of identifiers and records as compact lines into `tests/data/formats`, and
//! copies the sample of the corpus into `tests/data/corpus`.
//!
//! `cargo run -p chaquete-record --example export_vectors` where the full test data lies in `../shared`.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The matches of the corpus that are checked in: both sources, all oddities.
const SAMPLE: [&str; 14] = [
    "06ea713902f8",
    "07960bae4122",
    "1917f01c53d4",
    "25a1816ca8b6",
    "2d898f0cf2c6",
    "390c65366379",
    "5d6be8a7329b",
    "61ac3ea19a20",
    "6dfdf9c033d0",
    "69ac829f8dee",
    "81d4f942abcb",
    "8cbff884b659",
    "c5facb7417f4",
    "cb8fde95c2ef",
];

type Outcome<T> = Result<T, Box<dyn Error>>;

struct Folders {
    shared: PathBuf,
    data: PathBuf,
}

fn main() -> Outcome<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = Folders { shared: root.join("../shared"), data: root.join("tests/data") };
    folders.export("gnubg_position_id", "position_ids", |case| {
        json!({"name": case["name"], "mover": case["on_roll"], "opponent": case["opponent"],
               "id": case["position_id"]})
    })?;
    folders.export("gnubg_match_id", "match_ids", |case| {
        let mut fields = case["decoded"].clone();
        fields["id"] = case["match_id"].clone();
        fields
    })?;
    folders.export(
        "gnubg_bad_ids",
        "bad_ids",
        |case| json!({"what": case["what"], "command": case["command"], "output": case["output"]}),
    )?;
    folders.export("gnubg_xgid", "xgids", |case| {
        json!({"xgid": case["xgid"], "accepted": case["accepted"], "position_id": case["position_id"],
               "match_id": case["match_id"], "fibs_board": case["fibs_rawboard"]})
    })?;
    folders.export(
        "ogid",
        "ogids",
        |case| json!({"ogid": case["ogid"], "mover_view": case["parsed"]["board"]}),
    )?;
    folders.export(
        "cross_xgid_gnuid",
        "cross_ids",
        |case| json!({"xgid": case["xgid"], "gnubg": case["gnubg"], "engine_kit": case["engine_kit"]}),
    )?;
    folders.export("bgblitz_xgid_pairs", "bgblitz_ids", Value::clone)?;
    folders.export("gnubg_mat_import", "mat_imports", mat_import)?;
    folders.export("gnubg_sgf", "sgfs", sgf)?;
    folders.export("gnubg_oldmoves", "oldmoves", |case| load("text", case, case))?;
    folders.export_plies()?;
    folders.copy_sample()
}

impl Folders {
    fn cases(&self, file: &str) -> Outcome<Vec<Value>> {
        let text = fs::read_to_string(self.shared.join(format!("cases/formats/{file}.json")))?;
        let all: Value = serde_json::from_str(&text)?;
        Ok(all["cases"].as_array().ok_or("no cases")?.clone())
    }

    fn export(&self, from: &str, to: &str, compact: impl Fn(&Value) -> Value) -> Outcome<()> {
        self.write(to, self.cases(from)?.iter().map(compact))
    }

    fn write(&self, to: &str, rows: impl Iterator<Item = Value>) -> Outcome<()> {
        let text: String = rows.map(|row| format!("{row}\n")).collect();
        Ok(fs::write(self.data.join(format!("formats/{to}.jsonl")), text)?)
    }

    /// One line a game: the position before each ply, and the one after the last.
    fn export_plies(&self) -> Outcome<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.shared.join("corpus"))? {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            names.push((name, fs::read_to_string(&path)?));
        }
        let mut rows = Vec::new();
        for case in self.cases("replay_plies")? {
            let name = names.iter().find(|(_, text)| *text == case["mat"]).map(|(name, _)| name);
            for (number, game) in (1..).zip(case["games"].as_array().ok_or("no games")?) {
                let plies: Vec<&Value> = game["plies"].as_array().ok_or("no plies")?.iter().collect();
                let rolls = plies.iter().filter(|ply| !ply["before"].is_null());
                let end = rolls.clone().next_back().map(|ply| ply["after_opponent_on_roll"].clone());
                let rolls = rolls.map(|ply| {
                    json!([
                        ply["line"],
                        ply["side"],
                        ply["dice"][0],
                        ply["dice"][1],
                        ply["before"],
                        ply["legal_results"]
                    ])
                });
                rows.push(
                    json!({"match": name, "game": number, "plies": rolls.collect::<Vec<_>>(), "end": end}),
                );
            }
        }
        self.write("plies", rows.into_iter())
    }

    fn copy_sample(&self) -> Outcome<()> {
        for name in SAMPLE {
            let file = format!("{name}.mat");
            // Not a copy of the file: its permissions stay behind.
            let text = fs::read(self.shared.join("corpus").join(&file))?;
            fs::write(self.data.join("corpus").join(&file), text)?;
        }
        Ok(())
    }
}

/// A small match file and the actions that GNU Backgammon kept of it, one word each.
fn mat_import(case: &Value) -> Value {
    let mut row = load("mat", case, case);
    row["crashed"] = json!(!case["crash"].is_null());
    row
}

/// A small file, under the key that it has in its case, and what GNU Backgammon loaded from it.
fn load(key: &str, case: &Value, loaded: &Value) -> Value {
    let words =
        |game: &Value| game["actions"].as_array().map(|all| all.iter().map(action).collect::<Vec<_>>());
    let games = loaded["games"].as_array().map(|games| games.iter().map(words).collect::<Vec<_>>());
    json!({"id": case["id"], key: case[key], "length": loaded["match_length"], "names": loaded["names"],
           "games": games})
}

/// What GNU Backgammon refuses leaves the game that it was in; its own interface fails to show some.
fn sgf(case: &Value) -> Value {
    let loaded = &case["loaded"];
    let said = case["messages"].to_string();
    let refused = said.contains("no backgammon games") || said.contains("syntax error");
    let mut row = load("sgf", case, if refused { &Value::Null } else { loaded });
    row["outcome"] = match (refused, loaded["error"].is_null()) {
        (true, _) => json!("refused"),
        (false, true) => json!("loaded"),
        (false, false) => json!("loaded, not shown"),
    };
    row
}

/// `L31 8/5 6/5`: the player (left or right), then what the player did.
fn action(action: &Value) -> String {
    let side = match action["player"].as_u64() {
        Some(0) => "L",
        Some(_) => "R",
        None => "-",
    };
    let dice: String = action["dice"].as_array().into_iter().flatten().map(Value::to_string).collect();
    let steps = action["move"].as_array().into_iter().flatten();
    let steps: String = steps.map(|step| format!(" {}/{}", step[0], step[1])).collect();
    match action["action"].as_str() {
        Some("move") => format!("{side}{dice}{steps}"),
        Some("set") if !dice.is_empty() => format!("{side}{dice} unplayed"),
        word => format!("{side} {}", word.unwrap_or("nothing")),
    }
}
