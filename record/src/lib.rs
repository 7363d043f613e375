//! Text and ids of other backgammon programs, read and written. No files, no network: bytes and text in,
//! values out. No input makes a reader panic, every error says what is wrong and where.
//!
//! # Positions
//!
//! [`GamePosition`] is a position with everything around it: board by seat, turn, dice, cube, score, what is
//! played. All forms in which programs write positions are read into it and written from it, and
//! [`GamePosition::from_any`] takes a text in whatever form it is.
//!
//! | form | read with | says | written with |
//! |---|---|---|---|
//! | GNU Backgammon position ID | [`PositionId`] | checkers, seen by the player on roll | [`position_id`](GamePosition::position_id) |
//! | GNU Backgammon match ID | [`MatchId`] | all but the checkers, beavers and the cube limit | [`gnu_id`](GamePosition::gnu_id) |
//! | XGID | [`Xgid`] | all but resignations and ended games | [`xgid`](GamePosition::xgid) |
//! | text of eXtreme Gammon | [`from_any`](GamePosition::from_any) | what the XGID in it says | |
//! | OGID | [`from_ogid`](GamePosition::from_ogid) | all but resignations, beavers, Jacoby rule and the cube limit | [`ogid`](GamePosition::ogid) |
//! | FIBS board | [`FibsBoard`] | the same, and the names | [`FibsBoard::encode`] |
//! | Snowie position | [`SnowiePosition`] | all but offers, beavers and the cube limit; the names | [`SnowiePosition::encode`] |
//!
//! Seat one is player 0 of GNU Backgammon and of Snowie, player X, the upper case, of an XGID, White of an OGID,
//! and "you" of a FIBS board. (GNU Backgammon itself calls the X of an XGID player 1:
//! [`MatchId::with_players_exchanged`] turns its view into ours.)
//!
//! ```
//! use chaquete_record::GamePosition;
//!
//! let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:3:0:7:10";
//! let gnu_id = "4HPwATDgc/ABMA:cInlACAAGAAE";
//! let ogid = "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:R:2:3:7:0";
//! let fibs = "board:A:B:7:2:3:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:0:0:3:1:1:1:1:0:1:-1:0:25:\
//!             0:0:0:0:0:0:0:1";
//! let snowie = "7;0;0;0;1;B;A;0;3;2;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;";
//! for text in [xgid, gnu_id, ogid, fibs, snowie] {
//!     assert_eq!(GamePosition::from_any(text, 15)?.xgid().to_string(), xgid);
//! }
//! # Ok::<(), chaquete_record::GamePositionError>(())
//! ```
//!
//! ```
//! use chaquete_record::{GamePosition, Stage};
//! use chaquete_rules::{Dice, LegalMoves, Seat};
//!
//! let position: GamePosition = "4HPwATDgc/ABMA:cIkFAAAAAAAE".parse()?;
//! assert_eq!(position.on_roll, Seat::Two);
//! assert_eq!(position.stage, Stage::Move(Dice::new(3, 1).unwrap()));
//! assert_eq!(position.xgid().to_string(), "XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:10");
//!
//! // Nobody trusts an id: it says what is wrong with it.
//! let error = "4HPwATDgc!ABMA".parse::<GamePosition>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "position ID: column 10: '!' is none of the characters A-Z a-z 0-9 + / of an id"
//! );
//! # Ok::<(), chaquete_record::GamePositionError>(())
//! ```
//!
//! # Recorded matches
//!
//! A reader takes a record of any dialect as it stands and gives what it says as a [`Sheet`]. A [`Transcript`]
//! follows any sheet under the full rules and gives, for every game, the commands that lead through it, how it
//! ended, and everything odd. If it is one match, its [`Chronicle`] is the match with everything that happened:
//! what writers write. They say in [`Remark`]s what the format could not hold.
//!
//! | format | read | written |
//! |---|---|---|
//! | match file, `.mat` | [`mat::read`] | [`mat::write`] |
//! | SGF as GNU Backgammon writes it, `.sgf` | [`sgf::read`] | [`sgf::write`] |
//! | listing of moves from FIBS | [`oldmoves::read`] | |
//! | OGXM v2, `.ogxm` | | [`ogxm::write`] |
//!
//! ```
//! use chaquete_record::{Transcript, mat, sgf};
//!
//! let file = b" 1 point match\n\n Game 1\n Alice : 0                  Bob : 0
//!   1)                             52: 13/8 24/22
//!   2) 64: 24/14                   31: Concedes
//!       Wins 1 point and the match
//! ";
//! let sheet = mat::read(file)?;
//! let transcript = Transcript::of(&sheet);
//! assert!(transcript.is_playable());
//! assert_eq!(transcript.winner(), Some(chaquete_rules::Seat::One));
//! let commands = transcript.games[0].acts.iter().map(|act| (act.line, &act.command));
//! for (line, command) in commands {
//!     println!("line {line}: {command:?}");
//! }
//!
//! // The same match as another program reads it.
//! let (text, remarks) = sgf::write(&transcript.chronicle()?)?;
//! assert!(remarks.is_empty());
//! assert!(text.ends_with("RE[W+1R]\n;B[52lqac]\n;W[64xrrn]\n;PL[B]DI[31])\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod base64;
mod chronicle;
mod encoding;
mod excerpt;
mod fibs_board;
mod fields;
mod form;
mod game_position;
mod game_position_error;
pub mod mat;
mod match_id;
mod oddity;
mod ogid;
pub mod ogxm;
pub mod oldmoves;
pub mod picture;
mod played;
mod position_id;
mod remark;
pub mod sgf;
pub mod sheet;
mod snowie;
mod transcript;
mod xg_text;
mod xgid;

pub use base64::IdTextError;
pub use chronicle::{Chronicle, ChronicleError};
pub use fibs_board::FibsBoard;
pub use fields::{FieldError, FieldsError, NoWord};
pub use form::PositionForm;
pub use game_position::{GamePosition, Offer, Play, Stage};
pub use game_position_error::GamePositionError;
pub use match_id::{GameState, MatchId, MatchIdError};
pub use oddity::{Oddity, OddityKind, Repair};
pub use position_id::{PositionId, PositionIdError};
pub use remark::{Remark, RemarkKind, Term};
pub use sheet::{Date, Facts, Sheet};
pub use snowie::SnowiePosition;
pub use transcript::{Act, Fault, GameTranscript, Halt, RecordedEnd, Transcript, Unplayable};
pub use xg_text::XgTextError;
pub use xgid::{Xgid, XgidError, XgidStage};
