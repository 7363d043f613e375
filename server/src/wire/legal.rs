//! Legal moves as messages have them.

use chaquete_proto::v1;
use chaquete_record::PositionId;
use chaquete_rules::{LegalMove, LegalMoves, MoveEdge, MoveGraph, Seat};

use super::{
    scalar, turn,
    violations::{Path, Violations},
    words,
};

/// How much of the legal moves to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegalMovesView {
    list: bool,
    graph: bool,
}

impl LegalMovesView {
    /// The view that a caller asks for; the graph if it does not say.
    pub fn read(violations: &mut Violations, path: Path<'_>, view: i32) -> Option<Self> {
        scalar::known::<v1::LegalMovesView>(violations, path, view).map(Self::from)
    }
}

impl From<v1::LegalMovesView> for LegalMovesView {
    fn from(view: v1::LegalMovesView) -> Self {
        let (list, graph) = match view {
            v1::LegalMovesView::Count => (false, false),
            v1::LegalMovesView::List => (true, false),
            v1::LegalMovesView::Unspecified | v1::LegalMovesView::Graph => (false, true),
            v1::LegalMovesView::All => (true, true),
        };
        Self { list, graph }
    }
}

/// The legal moves of a seat.
#[must_use]
pub fn legal_moves(seat: Seat, legal: &LegalMoves, view: LegalMovesView) -> v1::LegalMoves {
    v1::LegalMoves {
        seat: words::seat(seat).into(),
        dice: Some(turn::dice(legal.dice())),
        position_count: scalar::number(legal.len()),
        dice_used: legal.dice_used().into(),
        moves: if view.list { legal.sorted().iter().map(legal_move).collect() } else { Vec::new() },
        graph: view.graph.then(|| graph(&legal.graph())),
    }
}

fn legal_move(legal: &LegalMove) -> v1::LegalMove {
    v1::LegalMove {
        r#move: Some(turn::mv(&legal.mv)),
        gnu_position_id: PositionId::of(&legal.after.turned()).to_string(),
    }
}

fn graph(graph: &MoveGraph) -> v1::MoveGraph {
    let node = |node: &chaquete_rules::MoveNode| v1::MoveGraphNode {
        edges: node.edges.iter().map(edge).collect(),
        complete: node.complete,
    };
    v1::MoveGraph { nodes: graph.nodes.iter().map(node).collect() }
}

fn edge(edge: &MoveEdge) -> v1::MoveGraphEdge {
    v1::MoveGraphEdge {
        from: Some(edge.step.source.number().into()),
        to: Some(edge.step.target().number().into()),
        die: edge.step.die.pips().into(),
        hit: edge.step.hit,
        node: scalar::number(edge.node),
    }
}

#[cfg(test)]
mod tests {
    use chaquete_rules::{Dice, Variant};

    use super::*;

    #[test]
    fn each_view_fills_what_it_says() {
        let position = Variant::Standard.start().position(Seat::One);
        let legal = LegalMoves::new(position, Dice::new(3, 1).unwrap());
        for (view, list, graph) in [
            (v1::LegalMovesView::Unspecified, false, true),
            (v1::LegalMovesView::Count, false, false),
            (v1::LegalMovesView::List, true, false),
            (v1::LegalMovesView::Graph, false, true),
            (v1::LegalMovesView::All, true, true),
        ] {
            let told = legal_moves(Seat::Two, &legal, view.into());
            assert_eq!((told.position_count, told.dice_used, told.seat()), (16, 2, v1::Seat::Two));
            assert_eq!(told.moves.len(), if list { 16 } else { 0 });
            assert_eq!(told.graph.is_some(), graph);
        }
    }

    #[test]
    fn moves_are_ordered_by_notation_and_name_the_position_after() {
        let position = Variant::Standard.start().position(Seat::One);
        let legal = LegalMoves::new(position, Dice::new(3, 1).unwrap());
        let told = legal_moves(Seat::One, &legal, v1::LegalMovesView::List.into());
        let notations: Vec<_> =
            told.moves.iter().map(|legal| &legal.r#move.as_ref().unwrap().notation).collect();
        assert!(notations.is_sorted());
        let best =
            told.moves.iter().find(|legal| legal.r#move.as_ref().unwrap().notation == "8/5 6/5").unwrap();
        // By hand: 0000 110 11110 0 110 …, the lowest bit first, in base64.
        assert_eq!(best.gnu_position_id, "sGfwATDgc/ABMA");
    }
}
