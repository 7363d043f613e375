//! The legal moves as a graph to tap through.

use std::collections::BTreeMap;

use super::LegalMoves;
use super::frame::{Frame, Way, descending};
use super::key::Key;
use crate::{Die, Source, Step};

/// All ways to play a roll, step by step. Node 0 is the position before the move.
///
/// Positions that are equal and have the same dice left are one node. Only steps from which a legal move
/// can still be completed are here, so whoever follows edges cannot get stuck.
///
/// When there is no legal move, the graph is node 0 alone, and that is complete: nothing is left to play,
/// and whoever goes on until a node is complete stops at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGraph {
    /// The nodes; edges lead to higher indices only.
    pub nodes: Vec<MoveNode>,
}

/// A position while a move is being made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNode {
    /// The steps that may follow, ordered by source, then die, both descending.
    pub edges: Vec<MoveEdge>,
    /// Whether the move is complete here. Such a node has no edges.
    pub complete: bool,
}

/// A step that may follow, and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEdge {
    /// The step.
    pub step: Step,
    /// The index of the node that it leads to.
    pub node: usize,
}

/// How often the larger and the smaller die have been used.
type Used = [u8; 2];

struct Builder {
    /// The dice that may be used, each with what it can do and how often.
    dice: [(Die, Way, u8); 2],
    nodes: Vec<MoveNode>,
    states: Vec<(Frame<true>, Used)>,
    index: BTreeMap<(Used, Key), usize>,
}

pub(super) fn build(moves: &LegalMoves) -> MoveGraph {
    let (frame, blocked) = Frame::new(&moves.position);
    let mut builder = Builder {
        dice: dice(moves, &frame, blocked),
        nodes: vec![MoveNode::default()],
        states: vec![(frame, [0, 0])],
        index: BTreeMap::new(),
    };
    let mut next = 0;
    while let Some(&(frame, used)) = builder.states.get(next) {
        if used.iter().sum::<u8>() == moves.dice_used {
            // Whatever uses as many dice as can be used is legal.
            builder.nodes[next].complete = true;
        } else {
            builder.nodes[next].edges = builder.edges(&frame, used);
        }
        next += 1;
    }
    MoveGraph { nodes: without_dead_ends(builder.nodes) }
}

/// The dice of a legal move: of two different ones of which only one can be played, only that (A10).
fn dice(moves: &LegalMoves, frame: &Frame<true>, blocked: u32) -> [(Die, Way, u8); 2] {
    let dice = [moves.dice.larger(), moves.dice.smaller()];
    let [larger, smaller] = dice.map(|die| Way::new(die.pips().into(), blocked));
    let counts = match moves.dice_used {
        _ if moves.dice.is_double() => [4, 0],
        1 if frame.sources(&larger) != 0 => [1, 0],
        1 => [0, 1],
        _ => [1, 1],
    };
    [(dice[0], larger, counts[0]), (dice[1], smaller, counts[1])]
}

impl Builder {
    fn edges(&mut self, frame: &Frame<true>, used: Used) -> Vec<MoveEdge> {
        let sources = [0, 1].map(|which| {
            let (_, way, count) = &self.dice[which];
            if used[which] < *count { frame.sources(way) } else { 0 }
        });
        let mut edges = Vec::new();
        for place in descending(sources[0] | sources[1]) {
            let Some(source) = Source::from_number(place as u8) else { continue };
            for which in [0, 1] {
                if sources[which] & (1 << place) != 0 {
                    edges.push(self.edge(frame, used, source, which));
                }
            }
        }
        edges
    }

    fn edge(&mut self, frame: &Frame<true>, mut used: Used, source: Source, which: usize) -> MoveEdge {
        let (die, way, _) = self.dice[which];
        let place: u32 = source.number().into();
        let hit = frame.hitting(&way) & (1 << place) != 0;
        let after = frame.after(place, &way);
        used[which] += 1;
        let node = *self.index.entry((used, after.key)).or_insert_with(|| {
            self.nodes.push(MoveNode::default());
            self.states.push((after, used));
            self.nodes.len() - 1
        });
        MoveEdge { step: Step { source, die, hit }, node }
    }
}

/// Leaves out nodes from which no complete node can be reached, and the edges that lead to them.
fn without_dead_ends(mut nodes: Vec<MoveNode>) -> Vec<MoveNode> {
    let mut live = vec![false; nodes.len()];
    for index in (0..nodes.len()).rev() {
        nodes[index].edges.retain(|edge| live[edge.node]);
        live[index] = nodes[index].complete || !nodes[index].edges.is_empty();
    }
    let mut kept = 0;
    let renumbered: Vec<_> = live
        .iter()
        .map(|&live| {
            kept += usize::from(live);
            kept.saturating_sub(1)
        })
        .collect();
    for edge in nodes.iter_mut().flat_map(|node| &mut node.edges) {
        edge.node = renumbered[edge.node];
    }
    let mut live = live.into_iter();
    nodes.retain(|_| live.next().unwrap_or(false));
    nodes
}
