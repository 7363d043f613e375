//! The law against an independent brute force: every order of every step, written from the text of the
//! rules alone. On 100,000 positions, half of them from random games and half made to be hard, the legal
//! set, the list of moves, all ways through the graph and the brute force agree. With `CHAQUETE_SLOW=1` they
//! are two million.
#![expect(clippy::unwrap_used, reason = "a test stops where its data is not as expected")]

mod common {
    pub(crate) mod as_numbers;
    pub(crate) mod hard;
    pub(crate) mod numbers;
    pub(crate) mod random;
}

use std::collections::BTreeSet;
use std::thread;

use chaquete_rules::{Dice, LegalMoves, MoveGraph, Position, Results, Step};
use common::as_numbers::as_numbers;
use common::hard::hard_position;
use common::numbers::{Numbers, position};
use common::random::Random;

const START: Numbers = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];

/// One checker from a place by a die, as the brute force plays it: the place, the die, whether it hits.
type Way = Vec<(u8, u8, bool)>;

/// Moves one checker by one die if the rules allow that.
fn brute_step(p: &Numbers, from: usize, die: usize) -> Option<(Numbers, bool)> {
    // There must be a checker (A7), and those on the bar come first (A14).
    if p[from] <= 0 || (p[25] > 0 && from != 25) {
        return None;
    }
    let mut next = *p;
    next[from] -= 1;
    if from > die {
        let to = from - die;
        // Two opposing checkers block a point (A12), one is hit (A13).
        let hit = p[to] == -1;
        match p[to] {
            ..=-2 => return None,
            -1 => {
                next[to] = 1;
                next[0] -= 1;
            }
            _ => next[to] += 1,
        }
        return Some((next, hit));
    }
    // All must be home to bear off (A16). A die that is larger than needed bears off only the highest (A17).
    let outside = (7..=25).any(|place| p[place] > 0);
    let higher = (from + 1..=6).any(|place| p[place] > 0);
    (!outside && (from == die || !higher)).then_some((next, false))
}

/// Every way to play the dice in any order until none can be played, with the position it leads to.
fn brute_ways(p: &Numbers, left: &[u8], way: &mut Way, found: &mut Vec<(Way, Numbers)>) {
    let mut any = false;
    for (index, &die) in left.iter().enumerate() {
        if left[..index].contains(&die) {
            continue;
        }
        for from in 1..=25 {
            let Some((next, hit)) = brute_step(p, from, die.into()) else { continue };
            any = true;
            let rest = [&left[..index], &left[index + 1..]].concat();
            way.push((from as u8, die, hit));
            brute_ways(&next, &rest, way, found);
            way.pop();
        }
    }
    if !any {
        found.push((way.clone(), *p));
    }
}

/// The ways that the law allows: as many dice as possible (A9), the larger if only one (A10).
fn brute_legal(p: &Numbers, dice: Dice) -> Vec<(Way, Numbers)> {
    let (first, second) = (dice.first.pips(), dice.second.pips());
    let dice = if first == second { vec![first; 4] } else { vec![first, second] };
    let mut found = Vec::new();
    brute_ways(p, &dice, &mut Way::new(), &mut found);
    let most = found.iter().map(|(way, _)| way.len()).max().unwrap();
    found.retain(|(way, _)| way.len() == most);
    if most == 1 {
        let larger = found.iter().map(|(way, _)| way[0].1).max().unwrap();
        found.retain(|(way, _)| way[0].1 == larger);
    }
    found
}

fn way(steps: &[Step]) -> Way {
    steps.iter().map(|step| (step.source.number(), step.die.pips(), step.hit)).collect()
}

/// All ways through a graph, each with the position it leads to. Checks its promises on the way.
fn graph_ways(graph: &MoveGraph, start: Position) -> Vec<(Way, Numbers)> {
    let mut ways = Vec::new();
    let mut seen = vec![None; graph.nodes.len()];
    walk(graph, 0, &mut Way::new(), start, &mut seen, &mut ways);
    let states: BTreeSet<_> = seen.iter().map(|state| state.as_ref().unwrap()).collect();
    assert_eq!(states.len(), graph.nodes.len(), "equal states are one node");
    ways
}

fn walk(
    graph: &MoveGraph,
    node: usize,
    way: &mut Way,
    position: Position,
    seen: &mut [Option<(Numbers, Vec<u8>)>],
    ways: &mut Vec<(Way, Numbers)>,
) {
    let here = &graph.nodes[node];
    let mut dice_used: Vec<u8> = way.iter().map(|&(_, die, _)| die).collect();
    dice_used.sort_unstable();
    let state = (as_numbers(&position), dice_used);
    assert_eq!(seen[node].get_or_insert_with(|| state.clone()), &state, "one node is one state");
    assert_eq!(here.complete, here.edges.is_empty(), "only a complete move goes no further");
    assert!(
        here.edges.is_sorted_by_key(|edge| std::cmp::Reverse((edge.step.source, edge.step.die))),
        "edges are ordered by source, then die, both descending"
    );
    if here.complete {
        ways.push((way.clone(), state.0));
    }
    for edge in &here.edges {
        let (step, next) = position.step(edge.step.source, edge.step.die).unwrap();
        assert_eq!(step, edge.step);
        way.push((step.source.number(), step.die.pips(), step.hit));
        walk(graph, edge.node, way, next, seen, ways);
        way.pop();
    }
}

/// Checks everything about one roll and returns the legal results.
fn check(p: &Numbers, dice: Dice, buffer: &mut Results) -> Vec<Numbers> {
    let start = position(p).unwrap();
    let legal = LegalMoves::new(start, dice);
    let mut brute = brute_legal(p, dice);
    brute.sort_unstable();
    let set: BTreeSet<Numbers> = brute.iter().map(|&(_, after)| after).collect();

    assert_eq!(usize::from(legal.dice_used()), brute[0].0.len());
    let mut from_graph = graph_ways(&legal.graph(), start);
    from_graph.sort_unstable();
    assert_eq!(from_graph, brute, "the ways through the graph are the legal ones");

    let list: Vec<_> = legal.iter().map(|legal| as_numbers(&legal.after)).collect();
    if legal.is_empty() {
        assert_eq!(brute, [(Way::new(), *p)]);
        return vec![*p];
    }
    assert_eq!(list.len(), set.len(), "no result comes twice");
    assert_eq!(list.iter().copied().collect::<BTreeSet<_>>(), set);
    for legal in legal.iter() {
        let played = (way(legal.mv.steps()), as_numbers(&legal.after));
        assert!(
            brute.binary_search(&played).is_ok(),
            "the steps of a move are legal and lead to it: {played:?}"
        );
    }
    assert_eq!(buffer.fill(&start, dice), legal.dice_used());
    assert!(buffer.iter().map(|after| as_numbers(&after)).eq(list.iter().copied()));
    list
}

fn checked(p: &Numbers, dice: Dice, buffer: &mut Results) -> Vec<Numbers> {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(p, dice, buffer)));
    result.unwrap_or_else(|_| panic!("in {p:?} with {dice}"))
}

fn roll(random: &mut Random) -> Dice {
    let mut die = || random.below(6) as u8 + 1;
    Dice::new(die(), die()).unwrap()
}

fn turned(p: &Numbers) -> Numbers {
    std::array::from_fn(|place| -p[25 - place])
}

/// Random games from the start, each roll checked, a random legal move played.
fn check_games(seed: u64, count: usize) {
    let mut random = Random(seed);
    let mut buffer = Results::new();
    let mut p = START;
    for _ in 0..count {
        let results = checked(&p, roll(&mut random), &mut buffer);
        p = turned(&results[random.below(results.len())]);
        let over = p[..25].iter().all(|&checkers| checkers >= 0);
        if over || position(&p).is_none() {
            p = START;
        }
    }
}

fn check_hard_positions(seed: u64, count: usize) {
    let mut random = Random(seed);
    let mut buffer = Results::new();
    for _ in 0..count {
        let p = hard_position(&mut random);
        checked(&p, roll(&mut random), &mut buffer);
    }
}

#[test]
fn the_law_agrees_with_brute_force_on_100_000_positions() {
    let count = if std::env::var_os("CHAQUETE_SLOW").is_some() { 250_000 } else { 12_500 };
    thread::scope(|scope| {
        for part in 0..4 {
            scope.spawn(move || check_games(1000 + part, count));
            scope.spawn(move || check_hard_positions(2000 + part, count));
        }
    });
}

#[test]
fn fifteen_blots_and_a_double() {
    // The largest set of results known.
    let mut p = [0; 26];
    for place in (0..15).map(|index| 24 - index - index / 2) {
        p[place] = 1;
    }
    p[1] = -15;
    let results = checked(&p, Dice::new(1, 1).unwrap(), &mut Results::new());
    assert!(results.len() > 1000, "{}", results.len());
}
