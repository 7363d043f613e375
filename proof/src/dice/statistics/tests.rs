use chaquete_rules::{Contributions, ROLLS_PER_EPOCH};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::*;
use crate::dice::{Beacon, Binding, Chain, STRIDE, roll};

/// How many rolls show the faults that are looked for.
const MANY: u32 = 600_000;

/// Rolls by `bgdice/1`, of as many matches as it takes.
fn proved() -> RollCounts {
    let mut counts = RollCounts::default();
    for number in 0..MANY / ROLLS_PER_EPOCH {
        let uid = Uuid::from_u128(number.into());
        let chain = Chain::new(&[0x11; 32], &uid, 0);
        let binding = Binding::new(&uid, chain.anchor(), &Contributions::NONE, &Beacon::default());
        let links =
            (0..ROLLS_PER_EPOCH as usize).step_by(STRIDE).map(|at| chain.segment(at / STRIDE).unwrap());
        let numbered = (1..=ROLLS_PER_EPOCH).zip(links.flatten());
        counts.count(numbered.map(|(index, link)| roll(&link, &binding, index)));
    }
    counts
}

/// Rolls from even bytes, by their remainder: the faces 1 to 4 come up a little more often.
fn without_rejection() -> RollCounts {
    let bytes = (0_u32..).flat_map(|block| Sha256::digest(block.to_be_bytes()).to_vec());
    let mut dice = bytes.filter_map(|byte| Die::new(1 + byte % 6));
    let rolls = std::iter::from_fn(|| Some(Dice { first: dice.next()?, second: dice.next()? }));
    let mut counts = RollCounts::default();
    counts.count(rolls.take(MANY as usize));
    counts
}

#[test]
fn dice_that_are_proved_look_fair() {
    let counts = proved();
    assert_eq!(counts.rolls(), u64::from(MANY));
    let tests = counts.tests();
    assert_eq!(tests.len(), 5);
    assert!(tests.iter().all(|test| test.p_value > 1e-4), "{tests:?}");
}

#[test]
fn bytes_that_are_not_passed_over_show() {
    let counts = without_rejection();
    assert_eq!(counts.rolls(), u64::from(MANY));
    let failed: Vec<_> = counts.tests().into_iter().filter(|test| test.p_value < 1e-4).collect();
    assert!(failed.iter().any(|test| test.id == "chi_square_faces"), "{failed:?}");
    assert!(failed.iter().any(|test| test.id == "chi_square_combinations"), "{failed:?}");
}

/// Rolls from a linear generator; loaded, every tenth is a double and every fifteenth begins as the one before.
fn rolls(is_loaded: bool) -> Vec<Dice> {
    let mut state = 17_u64;
    let mut die = move || {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        Die::new(((state >> 16) % 6) as u8 + 1).unwrap()
    };
    let mut rolls: Vec<Dice> = Vec::new();
    for number in 0..2_000 {
        let (mut first, mut second) = (die(), die());
        if is_loaded && number % 10 == 0 {
            second = first;
        }
        if is_loaded && number % 15 == 7 {
            first = rolls[number - 1].first;
        }
        rolls.push(Dice { first, second });
    }
    rolls
}

/// Statistics and p-values by SciPy 1.17.1: `chisquare`, `chi2_contingency` without correction, `chi2.sf`, `norm.sf`.
#[test]
fn statistics_are_those_of_another_program() {
    let even = [
        ("chi_square_faces", 8.141, 5, 0.14863413294314204),
        ("chi_square_combinations", 33.46000000000001, 35, 0.5425077289831248),
        ("chi_square_doubles", 1.0815999999999963, 1, 0.2983399006619607),
        ("chi_square_successive", 51.42257074249126, 50, 0.4178083118247273),
        ("serial_correlation", 0.4984483483674513, 0, 0.6181680664212565),
    ];
    let loaded = [
        ("chi_square_faces", 8.513, 5, 0.1301379775433271),
        ("chi_square_combinations", 133.864, 35, 1.7472816020563052e-13),
        ("chi_square_doubles", 94.09000000000005, 1, 3.014986337620322e-22),
        ("chi_square_successive", 104.70914418006896, 50, 9.545335610000793e-06),
        ("serial_correlation", 2.2928624024902757, 0, 0.021855927990966428),
    ];
    for (is_loaded, doubles, expected) in [(false, 316, even), (true, 495, loaded)] {
        let mut counts = RollCounts::default();
        counts.count(rolls(is_loaded));
        assert_eq!(counts.doubles(), doubles);
        let tests = counts.tests();
        assert_eq!(tests.len(), expected.len());
        for (test, (id, statistic, degrees_of_freedom, p_value)) in tests.into_iter().zip(expected) {
            assert_eq!((test.id, test.degrees_of_freedom), (id, degrees_of_freedom));
            assert!(is_near(test.statistic, statistic), "{id}: {test:?}");
            assert!(is_near(test.p_value, p_value), "{id}: {test:?}");
        }
    }
}

/// To nine digits.
fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other.abs()
}

/// Quantiles, from the end of the table to far beyond it: SciPy 1.17.1, `chi2.sf`.
#[test]
fn p_values_are_right_far_out() {
    for (degrees_of_freedom, statistic, p_value) in [
        (1, 3.841458820694124, 0.05),
        (5, 11.070497693516351, 0.05),
        (35, 57.342073, 0.010000000999564171),
        (50, 86.66081519, 0.001000000000094746),
        (35, 150.0, 3.464776032288511e-16),
        (50, 10.0, 0.9999999998400414),
        (5, 900.0, 2.6614147330185637e-192),
    ] {
        let test = chi_square("any", statistic, degrees_of_freedom).unwrap();
        assert!(is_near(test.p_value, p_value), "{statistic} of {degrees_of_freedom}: {}", test.p_value);
    }
}

#[test]
fn what_was_counted_apart_is_added() {
    let (one, other) = (rolls(false), rolls(true));
    let mut apart = RollCounts::default();
    apart.count(one.iter().copied());
    let mut second = RollCounts::default();
    second.count(other.iter().copied());
    apart.add(&second);
    let mut together = RollCounts::default();
    together.count(one.iter().copied());
    together.count(other);
    assert_eq!(apart, together);
    assert_eq!(apart.rolls(), 4_000);
    // The first roll of the second follows nothing.
    assert_eq!(apart.successions[0].iter().sum::<u64>(), 3_998);
}

#[test]
fn few_rolls_are_counted_but_not_tested() {
    let ids = |rolls: &[Dice]| {
        let mut counts = RollCounts::default();
        counts.count(rolls.iter().copied());
        assert_eq!(counts.rolls(), rolls.len() as u64);
        counts.tests().into_iter().map(|test| test.id).collect::<Vec<_>>()
    };
    let rolls = rolls(false);
    assert_eq!(ids(&[]), [""; 0]);
    assert_eq!(ids(&rolls[..14]), [""; 0]);
    assert_eq!(ids(&rolls[..15]), ["chi_square_faces"]);
    assert_eq!(ids(&rolls[..30]), ["chi_square_faces", "chi_square_doubles"]);
    assert_eq!(ids(&rolls[..101]), ["chi_square_faces", "chi_square_doubles", "serial_correlation"]);
    assert_eq!(ids(&rolls[..181]).len(), 5);
}

/// Dice that always fall the same way fail all tests that look at how often, and make no nonsense of the others.
#[test]
fn dice_that_never_move_are_not_fair() {
    let mut counts = RollCounts::default();
    counts.count(std::iter::repeat_n(Dice::new(6, 6).unwrap(), 1_000));
    for test in counts.tests() {
        assert!(test.p_value < 1e-100, "{test:?}");
    }
    assert_eq!(counts.tests().len(), 4, "what never changes cannot depend on anything");
}
