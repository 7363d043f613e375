//! Colours. Every pair that must be told apart has enough contrast, which a test measures.

/// Behind everything.
pub(super) const PAPER: &str = "#faf6ee";
/// Words on paper.
pub(super) const INK: &str = "#2b2622";
/// Words on paper that matter less.
pub(super) const FADED: &str = "#6a5f56";
/// Behind a player.
pub(super) const STRIP: &str = "#efe8da";
/// Behind the player whose turn it is.
pub(super) const STRIP_TO_ACT: &str = "#dfeaf6";
/// The frame of the board, and the bar.
pub(super) const FRAME: &str = "#3f2d24";
/// Numbers on the frame.
pub(super) const FRAME_INK: &str = "#f4e9d6";
/// Numbers on the frame that matter less.
pub(super) const FRAME_FADED: &str = "#bda688";
/// The sunken part of the frame for cube and checkers borne off.
pub(super) const TRAY: &str = "#2c1f18";
/// The board between the points.
pub(super) const FIELD: &str = "#ebdfc8";
/// Every other point.
pub(super) const LIGHT_POINT: &str = "#cdb088";
/// The points between those.
pub(super) const DARK_POINT: &str = "#8d5a3f";
/// What is light: checkers and dice of seat one, the cube.
pub(super) const LIGHT: &str = "#fffaf0";
/// What is dark: checkers and dice of seat two.
pub(super) const DARK: &str = "#24272d";
/// Where the last move went, and whose turn it is.
pub(super) const MARK: &str = "#0f62c4";
/// Round what the last move hit.
pub(super) const HIT: &str = "#d32f1e";

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as the Web Content Accessibility Guidelines define it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn black_on_white_is_the_measure() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
    }

    #[test]
    fn words_and_numbers_can_be_read() {
        for (ink, ground) in [
            (INK, PAPER),
            (INK, STRIP),
            (INK, STRIP_TO_ACT),
            (FADED, PAPER),
            (FADED, STRIP),
            (FADED, STRIP_TO_ACT),
            (FRAME_INK, FRAME),
            (FRAME_FADED, FRAME),
            (FRAME_INK, TRAY),
            (LIGHT, DARK),
        ] {
            assert!(contrast(ink, ground) >= 4.5, "{ink} on {ground}: {}", contrast(ink, ground));
        }
    }

    #[test]
    fn checkers_stand_out_by_face_or_rim() {
        for ground in [FIELD, LIGHT_POINT, DARK_POINT, FRAME, TRAY] {
            let most = contrast(LIGHT, ground).max(contrast(DARK, ground));
            assert!(most >= 3.0, "{ground}: {most}");
        }
    }

    #[test]
    fn marks_stand_out_from_the_rim_they_have() {
        for mark in [MARK, HIT] {
            assert!(contrast(mark, LIGHT) >= 4.5, "{mark}: {}", contrast(mark, LIGHT));
        }
    }
}
