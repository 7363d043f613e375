//! `chaquete show --svg` and `--png`, of matches and of positions.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use chaquete_client::proto::{
    Board, Cube, Dice, DiceRolled, Game, GamePhase, GetMatchResponse, ListMatchEventsRequest,
    ListMatchEventsResponse, Match, MatchEvent, MatchRules, Move, MoveMade, Player, Score, Seat, Side, Step,
    match_event::Kind, match_rules::Length,
};

use crate::command_line::{NOBODY, file, text};
use crate::server::{Call, Reply, Server};

const NAME: &str = "tenants/default/matches/m1";
const XGID: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10";

fn chaquete(server: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chaquete"));
    command.env("CHAQUETE_SERVER", server).args(arguments).output().expect("the program")
}

fn side(points: &[(usize, i32)]) -> Option<Side> {
    let mut all = vec![0; 24];
    for &(point, count) in points {
        all[point - 1] = count;
    }
    Some(Side { points: all, ..Side::default() })
}

/// Seat one opened with 3-1 and made its 5-point; seat two has rolled.
fn game() -> Match {
    let player = |name: &str| Player { display_name: name.to_owned(), ..Player::default() };
    let one = side(&[(24, 2), (13, 5), (8, 2), (6, 4), (5, 2)]);
    let two = side(&[(24, 2), (13, 5), (8, 3), (6, 5)]);
    Match {
        name: NAME.to_owned(),
        revision: 60,
        players: vec![player("Alice <1>"), player("王")],
        rules: Some(MatchRules { length: Some(Length::Points(7)), ..MatchRules::default() }),
        score: Some(Score { one: 2, two: 3 }),
        current_game: Some(Game {
            number: 2,
            phase: GamePhase::Move.into(),
            seat_to_act: Seat::Two.into(),
            seat_on_roll: Seat::Two.into(),
            dice: Some(Dice { first: 6, second: 4 }),
            board: Some(Board { one, two }),
            cube: Some(Cube { value: 2, owner: Seat::One.into() }),
            ..Game::default()
        }),
        ..Match::default()
    }
}

fn event(revision: i32, kind: Kind) -> MatchEvent {
    MatchEvent { revision, game_number: 2, kind: Some(kind), ..MatchEvent::default() }
}

/// The last events of the match, and one that came after it was read.
fn log() -> Vec<MatchEvent> {
    let rolled = |first, second| {
        Kind::DiceRolled(DiceRolled { dice: Some(Dice { first, second }), ..DiceRolled::default() })
    };
    let step = |from, die| Step { from: Some(from), to: Some(from - die), die, hit: false };
    let made = |seat: Seat, steps| {
        let r#move = Some(Move { steps, notation: String::new() });
        Kind::MoveMade(MoveMade { seat: seat.into(), r#move, ..MoveMade::default() })
    };
    vec![
        event(57, rolled(3, 1)),
        event(58, made(Seat::One, vec![step(8, 3), step(6, 1)])),
        event(60, rolled(6, 4)),
        event(61, made(Seat::Two, vec![step(24, 6), step(18, 4)])),
    ]
}

fn answer(call: &Call) -> Reply {
    if call.method == "GetMatch" {
        return Reply::message(&GetMatchResponse { r#match: Some(game()) });
    }
    let after = call.decode::<ListMatchEventsRequest>().after_revision;
    let events = log().into_iter().filter(|event| event.revision > after).collect();
    Reply::message(&ListMatchEventsResponse { events, ..ListMatchEventsResponse::default() })
}

/// A path of this test at which there is no file.
fn fresh(name: &str) -> PathBuf {
    let folder = file("pictures", "folder", "").with_file_name("");
    // What an earlier run has left may be no file.
    let _ = fs::remove_file(folder.join(name));
    folder.join(name)
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "no PNG");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn a_match_is_drawn_with_its_last_move() {
    let server = Server::start(|call, _| answer(call));
    let path = fresh("match.svg");
    let said = chaquete(&server.address, &["show", "m1", "--svg", text(&path)]);
    assert_eq!((said.status.code(), said.stdout.as_slice()), (Some(0), &b""[..]), "{said:?}");
    let svg = fs::read_to_string(path).expect("the picture");
    for part in [
        "<title>Backgammon: 王 to play 6-4</title>",
        "Alice &lt;1&gt; has the light checkers, sits at the bottom, has won 2 points",
        "data-dice=\"6-4\" data-seat=\"2\"",
        "data-cube=\"2\" data-owner=\"1\"",
        "data-arrow=\"8/5\" data-seat=\"1\"",
        "data-arrow=\"6/5\" data-seat=\"1\"",
        "data-text=\"31: 8/5 6/5\"",
        "data-text=\"2 / 7\"",
        "data-text=\"7-point match\"",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    assert!(!svg.contains("24/14"), "a move that came after the match was read");
}

#[test]
fn pictures_of_a_match_can_be_turned_and_sized() {
    let server = Server::start(|call, _| answer(call));
    let (svg, png) = (fresh("turned.svg"), fresh("turned.png"));
    let arguments = ["show", "m1", "--svg", text(&svg), "--png", text(&png), "--size", "400"];
    let said = chaquete(&server.address, &[&arguments[..], &["--seat", "2", "--home", "left"]].concat());
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    let svg = fs::read_to_string(svg).expect("the picture");
    assert!(svg.contains("王 has the dark checkers, sits at the bottom"), "{svg}");
    assert!(svg.contains("Home boards are at the left."), "{svg}");
    assert_eq!(size(&fs::read(png).expect("the picture")), (400, 368));
}

#[test]
fn a_position_is_shown_without_a_server() {
    let svg = chaquete(NOBODY, &["show", "--id", XGID, "--svg", "-"]);
    let svg = String::from_utf8(svg.stdout).expect("text");
    assert!(svg.starts_with("<svg ") && svg.contains("<title>Backgammon: X to play 3-1</title>"), "{svg}");
    let png = chaquete(NOBODY, &["show", "--id", "4HPwATDgc/ABMA:cIkFAAAAAAAE", "--png", "-"]);
    assert_eq!(size(&png.stdout), (1140, 1050));
    let text = String::from_utf8(chaquete(NOBODY, &["show", "--id", XGID]).stdout).expect("text");
    assert!(
        text.contains("+---+") && text.contains(XGID) && text.contains("\nGNU 4HPwATDgc/ABMA:"),
        "{text}"
    );
}

#[test]
fn an_id_that_is_none_is_explained() {
    let said = chaquete(NOBODY, &["show", "--id", "4HPwATDgc!ABMA", "--svg", "-"]);
    assert_eq!((said.status.code(), said.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(
        String::from_utf8_lossy(&said.stderr).contains("column 10: '!' is none of the characters"),
        "{said:?}"
    );
}

/// What is said when a picture cannot be made: one line.
fn complaint(server: &str, arguments: &[&str]) -> String {
    let said = chaquete(server, arguments);
    assert_eq!((said.status.code(), said.stdout.as_slice()), (Some(2), &b""[..]), "{said:?}");
    let err = String::from_utf8(said.stderr).expect("text");
    assert_eq!(err.lines().count(), 1, "{err}");
    err
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let waiting = Match { current_game: None, ..game() };
    let server =
        Server::start(move |_, _| Reply::message(&GetMatchResponse { r#match: Some(waiting.clone()) }));
    let no_game = complaint(&server.address, &["show", "m1", "--svg", "-"]);
    assert_eq!(no_game, format!("chaquete: {NAME}: no game has begun yet\n"));
    let both = complaint(NOBODY, &["show", "m1", "--svg", "-", "--png", "-"]);
    assert_eq!(both, "chaquete: only one of --svg and --png can go to standard output\n");
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    let path = file("replaced", "board.svg", "the old one");
    let folder = path.parent().expect("a folder");
    let show = |to: &str| chaquete(NOBODY, &["show", "--id", XGID, "--svg", to]);
    assert_eq!(show(text(&path)).status.code(), Some(0));
    assert!(fs::read_to_string(&path).expect("the picture").starts_with("<svg "));

    // A link stays one, and what it leads to is replaced.
    let link = folder.join("link.svg");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    fs::write(&path, "the old one").expect("a file");
    assert_eq!(show(text(&link)).status.code(), Some(0));
    assert!(link.is_symlink() && fs::read_to_string(&path).expect("the picture").starts_with("<svg "));

    for wrong in [text(folder), text(&folder.join("no-such-folder/board.svg"))] {
        let err = complaint(NOBODY, &["show", "--id", XGID, "--svg", wrong]);
        assert!(err.starts_with(&format!("chaquete: {wrong}: ")), "{err}");
    }
    let left: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn what_is_no_file_takes_the_picture_and_stays() {
    let pipe = fresh("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe)
    });
    let said = chaquete(NOBODY, &["show", "--id", XGID, "--svg", text(&pipe)]);
    assert_eq!(said.status.code(), Some(0), "{said:?}");
    assert!(fs::metadata(&pipe).expect("the pipe").file_type().is_fifo(), "the pipe was replaced");
    assert!(reader.join().expect("a reader").expect("the picture").starts_with("<svg "));
}
