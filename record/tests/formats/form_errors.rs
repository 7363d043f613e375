//! What is wrong with a text that is nearly a position, with its column.

use chaquete_record::GamePosition;

#[test]
fn what_is_wrong_is_said_with_its_column() {
    let fibs = "board:a:b:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:\
                0:0:2:0:0:0";
    let snowie = "5;0;0;0;0;A;B;0;0;0;2;-1;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;";
    assert!(fibs.parse::<GamePosition>().is_ok() && snowie.parse::<GamePosition>().is_ok());
    for (text, expected) in [
        (
            "11ccccchhhjjjjjz:66666888dddddoo:N0N:31:B".to_owned(),
            "NO_OGID: OGID: column 1: the checkers of White must be at most 15 characters, not \"11ccccchhhjjjjjz\"",
        ),
        (
            "1pccccchhhjjjjj:66666888dddddoo:N0N:31:B".to_owned(),
            "NO_OGID: OGID: column 1: the checkers of White must be one of 0-9 and a-p for each checker, none on the \
             bar of the other side, not \"1pccccchhhjjjjj\"",
        ),
        (
            "11ccccchhhjjjjj:66666888dddddoo:N0N:79:B".to_owned(),
            "NO_OGID: OGID: column 37: the dice must be two digits 1 to 6, or nothing, not \"79\"",
        ),
        (
            "11ccccchhhjjjjj:66666888dddddoo:N0O:31:B:D".to_owned(),
            "NO_OGID: OGID: column 42: the state must be one that agrees with the dice and with what is done with \
             the cube, not \"D\"",
        ),
        (
            "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B:R:0:0:7X".to_owned(),
            "NO_OGID: OGID: column 48: the length must be a number, 0 for money play; behind it C in the Crawford \
             game, not \"7X\"",
        ),
        (
            "11ccccchhhjjjjj:cccccc888dddddoo:N0N:31:B".to_owned(),
            "NO_OGID: OGID: column 17: the checkers of Black must be at most 15 characters, not \"cccccc888dddddoo\"",
        ),
        (
            "ccccc:ccccc:N0N:31:B".to_owned(),
            "NO_POSITION: OGID: both sides have checkers on the 13-point of the side on roll",
        ),
        (
            fibs.replace(":1:6:2:0:0:", ":1:6:2:6:3:"),
            "NO_FIBS_BOARD: FIBS board: column 79: the first die of the opponent must be 0, or the same as for the \
             side whose turn it is, not \"6\"",
        ),
        (
            fibs.replace(":0:25:0:0:0:0:", ":25:0:0:0:0:0:"),
            "NO_FIBS_BOARD: FIBS board: column 96: the home must be 0 or 25, home in the direction of the moves and \
             the bar behind, not \"25\"",
        ),
        (
            fibs.replace(":0:25:0:0:0:0:", ":0:25:1:0:0:0:"),
            "NO_POSITION: FIBS board: the side on roll has 16 checkers, more than 15",
        ),
        (
            fibs.replace(":0:0:2:0:0:0", ":1:0:2:0:0:0"),
            "NO_FIBS_BOARD: FIBS board: column 105: the own checkers on the bar must be 0, or as many as on the bar \
             of the board, not \"1\"",
        ),
        (
            fibs.replace(":1:6:2:", ":0:0:0:").replace(":-5:5:0:", ":-5:4:1:"),
            "NO_FIBS_BOARD: FIBS board: column 73: the turn must be 1 or -1 while the game is on, not \"0\"",
        ),
        (
            format!("{fibs}:0"),
            "NO_FIBS_BOARD: FIBS board: there must be 53 fields with colons between, the first of them `board`, not \
             54",
        ),
        (
            snowie.replacen("0;-2;", "1;-2;", 1),
            "NO_SNOWIE_POSITION: Snowie position: column 26: the place of the board must be of the side whose bar it \
             is: first the other side, negative, not \"1\"",
        ),
        (
            snowie.replace(";3;1;", ";3;0;"),
            "NO_SNOWIE_POSITION: Snowie position: column 84: the second die must be 1 to 6, or 0 like the other one, \
             not \"0\"",
        ),
        (
            snowie.replace(";2;-1;", ";3;-1;"),
            "NO_SNOWIE_POSITION: Snowie position: column 21: the cube must be a power of two from 1 to 4096, not \
             \"3\"",
        ),
        (
            snowie.replace("5;0;0;0;0;A;B;0;", "0;0;0;0;0;A;B;1;"),
            "NO_SNOWIE_POSITION: Snowie position: column 15: the Crawford game must be 0 in money play, not \"1\"",
        ),
    ] {
        let error = text.parse::<GamePosition>().expect_err(&text);
        assert_eq!(format!("{}: {error}", error.code()), expected);
    }
}
