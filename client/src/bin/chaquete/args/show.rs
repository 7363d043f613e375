//! Arguments of `chaquete show`.

use chaquete_client::picture::PngWidth;
use chaquete_record::GamePosition;
use chaquete_record::picture::{HomeSide, View};
use chaquete_rules::Seat;
use clap::{ArgGroup, ValueEnum};

use super::{Destination, destination};

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("picture").args(["svg", "png"]).multiple(true))]
pub(crate) struct Show {
    /// The match: its id or full name.
    #[arg(value_name = "MATCH", required_unless_present = "id", conflicts_with = "id")]
    pub(crate) name: Option<String>,
    /// Show this position instead of a match: an XGID, or a position ID of GNU Backgammon, alone or with the match
    /// ID after a colon. No server is needed.
    #[arg(long, value_name = "ID", conflicts_with = "log")]
    pub(crate) id: Option<GamePosition>,
    /// Print the list of events instead of the board.
    #[arg(long)]
    pub(crate) log: bool,
    #[command(flatten)]
    pub(crate) picture: PictureArgs,
}

/// Pictures instead of text: any of them goes to a file, one may go to standard output.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Write a picture as SVG, with arrows of the last move; `-` is standard output.
    #[arg(long, value_name = "FILE", value_parser = destination(), conflicts_with = "log")]
    pub(crate) svg: Option<Destination>,
    /// Write the picture as PNG; `-` is standard output.
    #[arg(long, value_name = "FILE", value_parser = destination(), conflicts_with = "log")]
    pub(crate) png: Option<Destination>,
    /// How many pixels wide the PNG is, from 100 to 4096. Default: 1140.
    #[arg(long, value_name = "PIXELS", requires = "png")]
    pub(crate) size: Option<PngWidth>,
    /// The seat at the bottom of the picture. Default: 1.
    #[arg(long, value_name = "1|2", requires = "picture", value_parser = seat)]
    pub(crate) seat: Option<Seat>,
    /// Where the home boards are in the picture. Default: right.
    #[arg(long, value_name = "SIDE", requires = "picture")]
    pub(crate) home: Option<Home>,
}

impl PictureArgs {
    /// From where the board is seen.
    pub(crate) fn view(&self) -> View {
        let home = match self.home {
            Some(Home::Left) => HomeSide::Left,
            Some(Home::Right) | None => HomeSide::Right,
        };
        View { bottom: self.seat.unwrap_or(Seat::One), home }
    }

    /// Whether any picture is asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// What is wrong with options that are right one by one.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        let are_both = [&self.svg, &self.png].iter().all(|to| **to == Some(Destination::StandardOutput));
        are_both.then_some("only one of --svg and --png can go to standard output")
    }
}

/// A side of the picture.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Home {
    Left,
    Right,
}

fn seat(text: &str) -> Result<Seat, &'static str> {
    text.parse().ok().and_then(Seat::from_number).ok_or("seats are 1 and 2")
}
