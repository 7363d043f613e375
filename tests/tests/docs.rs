//! What the documents promise is there.
#![expect(clippy::unwrap_used, reason = "a test may stop at what must not be")]

use std::{fs, path::Path};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

/// All statements that `docs/rules.md` must have a row for.
fn statements() -> Vec<String> {
    let article = (1..=24).map(|n| format!("A{n}"));
    let scoring = (1..=10).map(|n| format!("S{n}"));
    let protocol = [1, 2, 3, 4, 5, 7, 8, 9, 11].map(|n| format!("P{n}"));
    article.chain(scoring).chain(protocol).collect()
}

#[test]
fn every_statement_of_the_rules_has_a_test_that_exists() {
    let table = read("docs/rules.md");
    for id in statements() {
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| {id} |")))
            .unwrap_or_else(|| panic!("{id}"));
        let tests = row.rsplit('|').nth(1).unwrap();
        let named: Vec<_> = tests.split('`').skip(1).step_by(2).filter(|name| !name.contains('/')).collect();
        assert!(!named.is_empty(), "{id} names no test");
        let files = match tests.split_once("(`") {
            Some((_, path)) => vec![path.split('`').next().unwrap().to_owned()],
            None => ["article", "scoring", "protocol"].map(|f| format!("rules/tests/law/{f}.rs")).to_vec(),
        };
        let sources: String = files.iter().map(|file| read(file)).collect();
        for name in named {
            assert!(sources.contains(&format!("fn {name}(")), "{id}: there is no test {name} in {files:?}");
        }
    }
}

#[test]
fn every_sentence_of_the_rules_has_a_test_that_exists() {
    let page = read("docs/rules.md");
    let (_, section) = page.split_once("## Sentence by sentence").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows: Vec<_> =
        section.lines().filter(|line| line.starts_with("| ") && line.contains("` (`")).collect();
    assert!(rows.len() >= 30, "only {} sentences", rows.len());
    for row in rows {
        let quoted: Vec<_> = row.split('`').skip(1).step_by(2).collect();
        let [test, file] = quoted[..] else { panic!("{row}") };
        // Tests of a table are named in a macro.
        let source = read(file);
        let is_there =
            [format!("fn {test}("), format!("{test}: \"")].iter().any(|name| source.contains(name));
        assert!(is_there, "there is no test {test} in {file}");
    }
}
