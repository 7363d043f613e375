//! The players above and below the board: name, last move, pip count, score; and the words under everything.

use chaquete_rules::Seat;

use super::layout::{self, Half, STRIP, Spot};
use super::lettering::{self, Anchor, Style, Weight};
use super::svg::{Attributes, Svg};
use super::{Picture, checkers, palette, seat_number, words};

/// Where the parts of a strip begin: token, name, last move; and where pip count and score end.
const TOKEN: f64 = 54.0;
const NAME: f64 = 80.0;
const MOVE: f64 = 306.0;
const PIPS: f64 = 628.0;
const SCORE: f64 = 728.0;
/// How wide a pip count is with its word, and how much is empty between two parts.
const PIP_COUNT: f64 = 78.0;
const GAP: f64 = 14.0;

const TITLE: Style = Style { capital: 13.5, weight: Weight::Bold, ink: palette::INK };
const PLAIN: Style = Style { capital: 11.0, weight: Weight::Regular, ink: palette::INK };
const FADED: Style = Style { ink: palette::FADED, ..PLAIN };

impl Picture<'_> {
    pub(super) fn draw_players(&self, svg: &mut Svg) {
        for half in Half::BOTH {
            let seat = self.view.seat(half);
            let player: Attributes<'_> = &[("data-player", &seat_number(seat))];
            svg.group(player, |svg| {
                self.draw_player(svg, seat, half.strip());
            });
        }
        self.draw_foot(svg);
    }

    fn draw_player(&self, svg: &mut Svg, seat: Seat, y: f64) {
        let is_to_act = self.position.seat_to_act() == Some(seat);
        strip(svg, y, if is_to_act { palette::STRIP_TO_ACT } else { palette::STRIP });
        if is_to_act {
            turn_mark(svg, (layout::MARGIN + 9.0, y));
        }
        checkers::token(svg, seat, (TOKEN, y), 13.0);
        lettering::name(svg, self.name(seat), (NAME, y), MOVE - NAME - GAP, TITLE);
        if let Some(last) = self.last_move.filter(|last| last.seat == seat) {
            let played = words::last_move(&last);
            let style = PLAIN.within(&played, PIPS - PIP_COUNT - GAP - MOVE);
            lettering::line(svg, &played, (MOVE, y), Anchor::Start, style);
        }
        let pips = self.position.board.side(seat).pip_count().to_string();
        lettering::line(svg, &pips, (PIPS, y), Anchor::End, TITLE);
        let before = PIPS - lettering::width(&pips, TITLE) - 8.0;
        lettering::line(svg, "pips", (before, y), Anchor::End, FADED);
        let score = self.score(seat);
        let style = TITLE.within(&score, SCORE - PIPS - GAP);
        lettering::line(svg, &score, (SCORE, y), Anchor::End, style);
    }

    /// Points won, of those to win.
    fn score(&self, seat: Seat) -> String {
        let won = self.position.score[seat];
        match self.position.play.length() {
            0 => won.to_string(),
            length => format!("{won} / {length}"),
        }
    }

    /// What is played, and what is to be done by whom.
    fn draw_foot(&self, svg: &mut Svg) {
        let y = layout::FOOT;
        lettering::line(svg, &words::play(self.position.play), (TOKEN - 13.0, y), Anchor::Start, FADED);
        let to_do = words::to_do(&self.position);
        lettering::line(svg, &to_do, (SCORE, y), Anchor::End, PLAIN);
        if let Some(seat) = self.position.seat_to_act() {
            let x = SCORE - lettering::width(&to_do, PLAIN) - 16.0;
            checkers::token(svg, seat, (x, y), 8.0);
        }
    }
}

fn strip(svg: &mut Svg, y: f64, colour: &str) {
    let attributes: Attributes<'_> = &[
        ("x", &layout::MARGIN),
        ("y", &(y - STRIP / 2.0)),
        ("width", &(layout::WIDTH - 2.0 * layout::MARGIN)),
        ("height", &STRIP),
        ("rx", &9.0),
        ("fill", &colour),
    ];
    svg.leaf("rect", attributes);
}

/// A triangle before the player whose turn it is.
fn turn_mark(svg: &mut Svg, (x, y): Spot) {
    let path = format!("M{x} {}l10 8l-10 8z", y - 8.0);
    svg.leaf("path", &[("fill", &palette::MARK), ("d", &path)]);
}
