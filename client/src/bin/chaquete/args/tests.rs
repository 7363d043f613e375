//! Which arguments are accepted.

use clap::CommandFactory as _;
use clap::error::ErrorKind;

use super::*;

fn parse(arguments: &[&str]) -> Result<Args, ErrorKind> {
    let all = ["chaquete"].iter().chain(arguments);
    Args::try_parse_from(all).map_err(|error| error.kind())
}

/// The arguments of `new` beside the players, in one text.
fn new(options: &str) -> Result<Args, ErrorKind> {
    let options: Vec<&str> = options.split_whitespace().collect();
    parse(&[&["new", "ann", "ben"], &options[..]].concat())
}

#[test]
fn the_arguments_are_sound() {
    Args::command().debug_assert();
}

#[test]
fn a_match_has_one_length() {
    for right in ["--points 7", "--money", "--money --games 3"] {
        assert!(new(right).is_ok(), "{right}");
    }
    assert!(new(&format!("--points 7 --dice seeded --seed {}", "0f".repeat(32))).is_ok());
    for (wrong, why) in [
        ("", ErrorKind::MissingRequiredArgument),
        ("--points 7 --money", ErrorKind::ArgumentConflict),
        ("--points 0", ErrorKind::ValueValidation),
        ("--points 7 --dice seeded", ErrorKind::MissingRequiredArgument),
    ] {
        assert_eq!(new(wrong).expect_err(wrong), why, "{wrong}");
    }
}

#[test]
fn options_of_one_length_are_refused_with_the_other() {
    let of_money = ["--games 3", "--games 0", "--no-jacoby", "--beavers 1", "--automatic-doubles 1"];
    for option in of_money {
        assert!(new(&format!("--money {option}")).is_ok(), "{option}");
        let mixed = new(&format!("--points 5 {option}"));
        assert_eq!(mixed.expect_err(option), ErrorKind::ArgumentConflict, "{option}");
        assert!(new(option).is_err(), "{option}");
    }
    assert!(new("--points 5 --no-crawford").is_ok());
    assert_eq!(new("--money --no-crawford").expect_err("no"), ErrorKind::ArgumentConflict);
}

#[test]
fn options_of_time_go_with_the_limit_they_belong_to() {
    for right in [
        "--clock 10m",
        "--clock 10m --timeout claim",
        "--clock 10m --per-turn 12s --mode bronstein --timeout game",
        "--action-deadline 2d --timeout match",
    ] {
        assert!(new(&format!("--points 5 {right}")).is_ok(), "{right}");
    }
    for wrong in [
        "--clock 10m --action-deadline 2d",
        "--clock 10m --mode fischer",
        "--per-turn 12s",
        "--mode delay",
        "--per-turn 12s --mode delay",
        "--timeout game",
        "--action-deadline 2d --per-turn 12s",
        "--action-deadline 2d --mode delay",
        "--action-deadline 2d --per-turn 12s --mode delay",
        "--clock 10",
    ] {
        assert!(new(&format!("--points 5 {wrong}")).is_err(), "{wrong}");
    }
}

#[test]
fn options_of_dice_go_with_the_dice_they_belong_to() {
    let seed = format!("--seed {}", "0f".repeat(32));
    let contradiction = |options: &str| match new(&format!("--points 5 {options}")).expect(options).command {
        Command::New(new) => new.contradiction(),
        other => panic!("another command: {other:?}"),
    };
    for right in ["", "--auto-roll", "--dice external --auto-move", &format!("--dice seeded {seed}")] {
        assert_eq!(contradiction(right), None, "{right}");
    }
    for wrong in [&seed, &format!("--dice external {seed}"), "--dice external --auto-roll"] {
        assert!(contradiction(wrong).is_some(), "{wrong}");
    }
    assert!(new(&format!("--points 5 --dice seeded --seed {}", "+f".repeat(32))).is_err());
}

#[test]
fn a_dry_run_has_nothing_to_do_with_a_server() {
    assert!(parse(&["replay", "a.mat", "--dry-run", "--jobs", "2", "--oddities"]).is_ok());
    for option in ["--ack-log=acks", "--patience=5", "--run=a"] {
        let mixed = parse(&["replay", "a.mat", "--dry-run", option]);
        assert_eq!(mixed.expect_err(option), ErrorKind::ArgumentConflict, "{option}");
    }
}

#[test]
fn something_is_shown_and_in_one_way() {
    const ID: &str = "4HPwATDgc/ABMA";
    for right in [
        &["show", "m1"][..],
        &["show", "m1", "--log"],
        &["show", "--id", ID],
        &["show", "m1", "--svg", "a.svg", "--png", "-", "--size", "800", "--seat", "2", "--home", "left"],
        &["show", "--id", ID, "--svg", "-", "--seat", "1"],
    ] {
        assert!(parse(right).is_ok(), "{right:?}");
    }
    for (wrong, why) in [
        (&["show"][..], ErrorKind::MissingRequiredArgument),
        (&["show", "m1", "--id", ID], ErrorKind::ArgumentConflict),
        (&["show", "--id", ID, "--log"], ErrorKind::ArgumentConflict),
        (&["show", "m1", "--log", "--svg", "-"], ErrorKind::ArgumentConflict),
        (&["show", "m1", "--log", "--png", "-"], ErrorKind::ArgumentConflict),
        (&["show", "m1", "--svg", "-", "--size", "800"], ErrorKind::MissingRequiredArgument),
        (&["show", "m1", "--seat", "2"], ErrorKind::MissingRequiredArgument),
        (&["show", "m1", "--home", "left"], ErrorKind::MissingRequiredArgument),
        (&["show", "m1", "--svg", "-", "--seat", "3"], ErrorKind::ValueValidation),
        (&["show", "m1", "--png", "-", "--size", "99"], ErrorKind::ValueValidation),
        (&["show", "--id", "4HPwATDgc/ABM"], ErrorKind::ValueValidation),
    ] {
        assert_eq!(parse(wrong).expect_err("refused"), why, "{wrong:?}");
    }
}

#[test]
fn one_picture_goes_to_standard_output() {
    let contradiction = |svg: &str, png: &str| match parse(&["show", "m1", "--svg", svg, "--png", png])
        .expect("arguments")
        .command
    {
        Command::Show(show) => show.picture.contradiction(),
        other => panic!("another command: {other:?}"),
    };
    assert!(contradiction("-", "-").is_some());
    assert_eq!([contradiction("-", "a"), contradiction("a", "-"), contradiction("./-", "-")], [None; 3]);
}
