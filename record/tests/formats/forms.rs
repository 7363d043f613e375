//! Positions in the forms of other programs, against what these wrote.

use chaquete_record::{FibsBoard, GamePosition, NoWord, Offer, Play, PositionForm, SnowiePosition, Stage};
use chaquete_rules::{Board, BySeat, Cube, CubeValue, Dice, GameEndReason, Seat, WinKind};

use crate::data::{cases, text};

fn names(one: &str, two: &str) -> BySeat<String> {
    BySeat::new(one.to_owned(), two.to_owned())
}

/// The position without what most forms have no place for.
fn plain(position: GamePosition) -> GamePosition {
    let play = match position.play {
        Play::Money { .. } => Play::Money { jacoby: false, beavers: false },
        play => play,
    };
    GamePosition { play, cube_limit: None, ..position }
}

/// The same position with the seats exchanged.
fn exchanged(position: GamePosition) -> GamePosition {
    let on_roll = position.on_roll.opponent();
    GamePosition {
        board: Board::from_position(position.position(), on_roll),
        on_roll,
        cube: Cube { owner: position.cube.owner.map(Seat::opponent), ..position.cube },
        score: BySeat::new(position.score.two, position.score.one),
        ..position
    }
}

/// The same text in an OGID and an XGID, as OpenGammon wrote both during one game; and a position of another.
/// (From the tests of gammonview-analysis by Nicholas Vlamis, MIT.)
const OGIDS: [(&str, &str); 7] = [
    (
        "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12",
        "XGID=-aaa-CBBB--AdB---b-cabA-AA:0:0:1:31:0:0:0:5:8",
    ),
    (
        "233ccehhiijjkkk:44566688ddddmno:N0N:52:W:R:0:0:5:13",
        "XGID=-aaa-CBBB--AdB---b-cabBA--:0:0:-1:52:0:0:0:5:8",
    ),
    (
        "233ccehhiijjkkk:445666888dddmmn:N0N:54:B:R:0:0:5:14",
        "XGID=--ab-CBBB--AcB---c-cabBA--:0:0:1:54:0:0:0:5:8",
    ),
    (
        "377ccehhiijjkkk:445666888dddmmn:N0N:41:W:R:0:0:5:15",
        "XGID=--ab-CBBB--AcB---cBcabA---:0:0:-1:41:0:0:0:5:8",
    ),
    (
        "377ccehhiijjkkk:444556688dddmmn:N0N:51:B:R:0:0:5:16",
        "XGID=--ab-CBBB--AcB---bBbbcA---:0:0:1:51:0:0:0:5:8",
    ),
    (
        "377cchhiijjkkkk:444556688dddmmn:N0N:65:W:R:0:0:5:17",
        "XGID=--ab-DBBB---cB---bBbbcA---:0:0:-1:65:0:0:0:5:8",
    ),
    (
        "djjjjlllnnnnooo:2233445556668mm:B1N:21:W:R:2:0:5:97",
        "XGID=-CDbC-D-----A----a-ccbbb--:1:-1:-1:21:2:0:0:5:8",
    ),
];

#[test]
fn ogids_agree_with_opengammon() {
    for (ogid, xgid) in OGIDS {
        let position: GamePosition = ogid.parse().unwrap_or_else(|error| panic!("{ogid}: {error}"));
        assert_eq!(position, plain(xgid.parse().unwrap()), "{ogid}");
        // The dice come sorted, and the move is not numbered.
        let (first, second) = (position.dice().unwrap().smaller(), position.dice().unwrap().larger());
        let mut fields: Vec<&str> = ogid.split(':').collect();
        let dice = format!("{first}{second}");
        (fields[3], fields[9]) = (&dice, "0");
        assert_eq!(position.ogid(), Ok(fields.join(":")));
    }
}

#[test]
fn ogids_agree_with_gammonview() {
    let mut refused = Vec::new();
    for case in cases("ogids.jsonl") {
        let ogid = text(&case, "ogid");
        match ogid.parse::<GamePosition>() {
            Err(error) => refused.push(format!("{ogid}: {}", error.code())),
            Ok(position) => {
                let side = |sign: i64| -> Vec<i64> {
                    let places = case["mover_view"].as_array().unwrap().iter();
                    places.map(|count| (sign * count.as_i64().unwrap()).max(0)).collect()
                };
                let seen = position.position();
                let counts = seen.mover().points().map(i64::from);
                let mut opposing = seen.opponent().points().map(i64::from);
                opposing.reverse();
                assert_eq!(
                    (side(1)[1..25].to_vec(), side(-1)[1..25].to_vec()),
                    (counts.into(), opposing.into())
                );
                let written = position.ogid().unwrap();
                assert_eq!(written.parse(), Ok(position), "{written}");
            }
        }
    }
    // It writes an offer by the side that does not own the cube.
    assert_eq!(refused, ["11ccccchhhjjjjj:66666888dddddoo:W2O::B::0:0:0:0: OFFER_WITHOUT_CUBE"]);
}

#[test]
fn fibs_boards_agree_with_gnu_backgammon() {
    let (mut agreed, mut refused_xgids) = (0, 0);
    for case in cases("xgids.jsonl").iter().filter(|case| !case["fibs_board"].is_null()) {
        let (line, xgid) = (text(case, "fibs_board"), text(case, "xgid"));
        let board = FibsBoard::parse(line, 15).unwrap_or_else(|error| panic!("{line}: {error}"));
        let again = FibsBoard::parse(&board.encode().unwrap(), 15);
        assert_eq!(again.as_ref(), Ok(&board), "{line}");
        let Ok(position) = xgid.parse::<GamePosition>() else {
            refused_xgids += 1;
            continue;
        };
        // "You" is the player on roll; X if it is his turn. It steps back before a double that waits.
        let position = plain(if position.on_roll == Seat::One { position } else { exchanged(position) });
        let stage = if matches!(position.stage, Stage::Offered(_)) { Stage::Roll } else { position.stage };
        let play = match position.play {
            // It has no Crawford game in a match to one point.
            Play::Match { length: 1, .. } => Play::Match { length: 1, crawford: false },
            play => play,
        };
        // It has the larger die first.
        let stage = match stage {
            Stage::Move(dice) => Stage::Move(Dice { first: dice.larger(), second: dice.smaller() }),
            stage => stage,
        };
        assert_eq!(board.position, GamePosition { stage, play, ..position }, "{line}");
        agreed += 1;
    }
    assert_eq!((agreed, refused_xgids), (22, 3));
}

#[test]
fn a_fibs_board_is_that_of_gnu_backgammon_but_for_the_dice_of_the_other_side() {
    let position: GamePosition = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse().unwrap();
    let line = FibsBoard { names: names("root", "gnubg"), position }.encode().unwrap();
    let theirs = "board:root:gnubg:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0:\
                  1:-1:0:25:0:0:0:0:0:0:0:1";
    assert_eq!(line, theirs.replace(":3:1:3:1:", ":3:1:0:0:"));
}

/// The same board from all sides from which FIBS shows one.
#[test]
fn fibs_boards_are_turned_and_coloured() {
    let lines = [
        "board:a:b:3:0:1:-1:-2:0:0:0:0:4:0:3:0:0:0:-5:5:0:0:0:-3:0:-4:0:0:0:0:2:1:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:1:1:2:0:0:0",
        "board:a:b:3:0:1:1:2:0:0:0:0:-4:0:-3:0:0:0:5:-5:0:0:0:3:0:4:0:0:0:0:-2:-1:-1:6:2:0:0:1:1:1:0:-1:-1:0:25:0:0:1:1:2:0:0:0",
        "board:a:b:3:0:1:1:2:0:0:0:0:-4:0:-3:0:0:0:5:-5:0:0:0:3:0:4:0:0:0:0:-2:-1:1:6:2:0:0:1:1:1:0:1:1:25:0:0:0:1:1:2:0:0:0",
        "board:a:b:3:0:1:-1:-2:0:0:0:0:4:0:3:0:0:0:-5:5:0:0:0:-3:0:-4:0:0:0:0:2:1:-1:6:2:0:0:1:1:1:0:-1:1:25:0:0:0:1:1:2:0:0:0",
    ];
    let [first, second, third, fourth] = lines
        .map(|line| FibsBoard::parse(line, 15).unwrap_or_else(|error| panic!("{line}: {error}")).position);
    assert_eq!(first.xgid().to_string(), "XGID=ab----D-C---eE---c-d----BA:0:0:1:62:0:1:0:3:10");
    assert_eq!((second, third, fourth), (first, first, first));
}

/// What FIBS tells of a double depends on who looks.
#[test]
fn doubles_on_fibs() {
    let read = |turn: i32, may: &str, was_doubled: i32, cube: u32| {
        let line = format!(
            "board:a:b:5:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:{turn}:0:0:0:0:{cube}:{may}:\
             {was_doubled}:1:-1:0:25:0:0:0:0:0:0:0:0"
        );
        FibsBoard::parse(&line, 15).map(|board| (board.position.stage, board.position.cube.owner))
    };
    let double = Stage::Offered(Offer::Double);
    assert_eq!(read(1, "1:1", 0, 1), Ok((Stage::Roll, None)));
    assert_eq!(read(1, "0:0", 0, 1), Ok((double, None)));
    assert_eq!(read(-1, "1:1", 1, 1), Ok((double, None)));
    assert_eq!(read(1, "1:0", 0, 2), Ok((Stage::Roll, Some(Seat::One))));
    assert_eq!(read(1, "0:0", 0, 2), Ok((double, Some(Seat::One))));
    assert_eq!(read(-1, "0:1", 1, 2), Ok((double, Some(Seat::Two))));
    // The one who owns the cube has not been doubled.
    assert_eq!(read(1, "0:1", 1, 2).unwrap_err().code(), "OFFER_WITHOUT_CUBE");
}

#[test]
fn snowie_positions_are_those_of_gnu_backgammon() {
    for (line, xgid) in [
        (
            "7;0;0;0;1;root;gnubg;0;2;3;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;5;2;",
            "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:52:3:2:0:7:10",
        ),
        (
            "7;0;0;0;0;gnubg;root;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        ),
        (
            "7;0;0;0;1;gnubg;root;1;6;3;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;",
            "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:3:6:1:7:10",
        ),
        (
            "0;1;0;1;0;root;gnubg;0;0;0;1;0;-2;1;0;0;0;0;4;0;3;0;0;0;-4;5;0;0;0;-4;0;-5;0;0;0;0;1;1;0;0;",
            "XGID=bA----D-C---dE---d-e----AA:0:0:1:00:0:0:1:0:10",
        ),
        (
            "5;0;0;0;0;root;gnubg;0;0;0;2;-1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;",
            "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:0:0:0:5:10",
        ),
    ] {
        let read = SnowiePosition::parse(line, 15).unwrap_or_else(|error| panic!("{line}: {error}"));
        let expected: GamePosition = xgid.parse().unwrap();
        assert_eq!(read.position, GamePosition { cube_limit: None, ..expected }, "{line}");
        assert_eq!(read.encode().as_deref(), Ok(line));
        assert_eq!(line.parse(), Ok(read.position));
    }
}

const XG_TEXT: &str = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10

X:Spieler 1   O:Spieler 2
Punktzahl ist  X:3 O:6 7 Pkt (e) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 |    X           X |   | X  O  O  O  O  O | +---+
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 111  O: 52 X-O: 3-6/7
Dopplerwürfel: 2, O Dopplerwürfel im Besitz
X zum spielen 21

    1. 4-ply       19/18 14/12                  eq:-0.491
      Spieler: 25.45% (G:0.00% B:0.00%)
";

#[test]
fn the_text_of_extreme_gammon_is_that_of_its_xgid() {
    let xgid: GamePosition = XG_TEXT.lines().next().unwrap().parse().unwrap();
    assert_eq!(XG_TEXT.parse(), Ok(xgid));
    assert_eq!(format!("\nsome words before\r\n{}", XG_TEXT.replace('\n', "\r\n")).parse(), Ok(xgid));
    // Japanese words for everything but the numbers.
    let foreign = XG_TEXT.replace("Pip count", "ピップ").replace("Dopplerwürfel", "キューブ");
    assert_eq!(foreign.parse(), Ok(xgid));
    for (text, expected) in [
        (
            XG_TEXT.replace("X: 111", "X: 112"),
            "text of eXtreme Gammon: line 8: the pip counts 112 and 52 are not those of the XGID, 111 and 52",
        ),
        (
            format!("{XG_TEXT}XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n"),
            "text of eXtreme Gammon: line 14: a second XGID; the text must be that of one position",
        ),
        (
            XG_TEXT.replace(":21:", ":91:"),
            "text of eXtreme Gammon: line 1: XGID: column 40: the dice must be two digits 1 to 6, or 00, D, B or \
             R, not \"91\"",
        ),
        (
            format!("{XG_TEXT}{}", " ".repeat(1 << 16)) + ".",
            "text of eXtreme Gammon: the text has 65996 bytes; no text of one position has more than 65536",
        ),
    ] {
        let error = text.parse::<GamePosition>().unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn every_stage_comes_back_or_has_no_word() {
    let mut position: GamePosition = OGIDS[0].1.parse().map(plain).unwrap();
    position.play = Play::Money { jacoby: false, beavers: false };
    let dice = Dice::new(6, 3).unwrap();
    let turned = |log2, owner| Cube { value: CubeValue::from_log2(log2).unwrap(), owner: Some(owner) };
    let resigned = Stage::ResignationOffered { by: Seat::One, kind: WinKind::Gammon, dice: None };
    let no_word = |what| move |form| Err(NoWord { form, what });
    for on_roll in Seat::BOTH {
        position.on_roll = on_roll;
        for (stage, cube) in [
            (Stage::Roll, turned(3, on_roll)),
            (Stage::Roll, Cube::CENTERED),
            (Stage::Move(dice), turned(1, on_roll.opponent())),
            (Stage::Offered(Offer::Double), Cube::CENTERED),
            (Stage::Offered(Offer::Double), turned(2, on_roll)),
        ] {
            (position.stage, position.cube) = (stage, cube);
            let board = FibsBoard { names: names("a", "b"), position };
            assert_eq!(FibsBoard::parse(&board.encode().unwrap(), 15), Ok(board), "{position:?}");
            // The dice of an OGID are sorted.
            let sorted = match stage {
                Stage::Move(_) => GamePosition { stage: Stage::Move(Dice::new(3, 6).unwrap()), ..position },
                _ => position,
            };
            assert_eq!(position.ogid().unwrap().parse(), Ok(sorted));
            let snowie = SnowiePosition { names: names("a", "b"), position };
            match stage {
                Stage::Offered(_) => assert!(snowie.encode().is_err()),
                _ => assert_eq!(SnowiePosition::parse(&snowie.encode().unwrap(), 15), Ok(snowie)),
            }
        }
    }
    for (stage, no_word) in [
        (resigned, no_word("a resignation that waits for its answer")),
        (Stage::Offered(Offer::Beaver), no_word("beavers")),
    ] {
        (position.stage, position.cube) = (stage, turned(1, Seat::One));
        assert_eq!(position.ogid(), no_word("an OGID"));
        assert_eq!(FibsBoard { names: names("a", "b"), position }.encode(), no_word("a FIBS board"));
    }
    for stage in [GameEndReason::DoubleDeclined, GameEndReason::Resigned].map(Stage::Over) {
        position.stage = stage;
        assert_eq!(position.ogid().unwrap().parse(), Ok(position));
    }
}

#[test]
fn games_that_wait_for_the_opening_roll() {
    let start: GamePosition = "4HPwATDgc/ABMA:MAAAAAAAAAAA".parse().unwrap();
    assert_eq!(start.stage, Stage::OpeningRoll);
    let start = plain(start);
    assert_eq!(start.ogid().as_deref(), Ok("11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:0:0"));
    assert_eq!(start.ogid().unwrap().parse(), Ok(start));
    let board = FibsBoard { names: names("a", "b"), position: start };
    assert_eq!(FibsBoard::parse(&board.encode().unwrap(), 15), Ok(board));
}

#[test]
fn each_form_is_known_by_its_looks() {
    for (text, form) in [
        ("4HPwATDgc/ABMA", Some(PositionForm::GnuId)),
        (" 4HPwATDgc/ABMA:cAkAAAAAAAAA\n", Some(PositionForm::GnuId)),
        ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", Some(PositionForm::Xgid)),
        ("XGID=", Some(PositionForm::Xgid)),
        (XG_TEXT, Some(PositionForm::XgText)),
        ("ogid=11ccccchhhjjjjj:66666888dddddoo:N0N::W", Some(PositionForm::Ogid)),
        ("::N0N::W", Some(PositionForm::Ogid)),
        ("board:a:b", Some(PositionForm::FibsBoard)),
        ("7;0;0;0;1;root;gnubg;0;2;3;2;1;0;-2;0;0;0;0;5;0;3", Some(PositionForm::Snowie)),
        ("a line of words, longer than any ID can be", None),
        ("two lines\nof words", None),
    ] {
        assert_eq!(PositionForm::of(text), form, "{text}");
    }
    let error = "a line of words, longer than any ID can be".parse::<GamePosition>().unwrap_err();
    assert_eq!(
        format!("{}: {error}", error.code()),
        "UNKNOWN_FORM: \"a line of words, longer than any ID can be\" is in no known form of a position; it could be \
         a GNU Backgammon ID (14 characters, or 14 and 12 with a colon between), an XGID (XGID=…, ten fields with \
         colons between), the text of eXtreme Gammon (with a line XGID=…), an OGID (checkers of both sides, then a \
         cube like N0N), a FIBS board (board:…, 53 fields), a Snowie position (40 fields with semicolons behind)"
    );
}
