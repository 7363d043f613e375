//! From the words of the rules to those of the API.

use chaquete_proto::v1::act_request::Action;
use chaquete_proto::v1::{
    self as proto, AcceptDoubleRequest, AcceptResignationRequest, BeaverDoubleRequest, DeclineDoubleRequest,
    DeclineResignationRequest, OfferDoubleRequest, OfferResignationRequest, RollDiceRequest,
    SubmitMoveRequest, match_rules,
};
use chaquete_rules::{Command, Dice, Length, MatchRules, Score, Seat, Variant, WinKind};

pub(super) fn seat(seat: Seat) -> proto::Seat {
    match seat {
        Seat::One => proto::Seat::One,
        Seat::Two => proto::Seat::Two,
    }
}

pub(super) fn win_kind(kind: WinKind) -> proto::WinKind {
    match kind {
        WinKind::Single => proto::WinKind::Single,
        WinKind::Gammon => proto::WinKind::Gammon,
        WinKind::Backgammon => proto::WinKind::Backgammon,
    }
}

/// A number of points: never near the limit of what the API can say.
pub(super) fn number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(super) fn score(score: Score) -> proto::Score {
    proto::Score { one: number(score.one), two: number(score.two) }
}

fn dice(dice: Dice) -> proto::Dice {
    proto::Dice { first: dice.first.pips().into(), second: dice.second.pips().into() }
}

fn variant(variant: Variant) -> proto::Variant {
    match variant {
        Variant::Standard => proto::Variant::Standard,
        Variant::Nackgammon => proto::Variant::Nackgammon,
        Variant::Hypergammon => proto::Variant::Hypergammon,
        Variant::LongGammon => proto::Variant::Longgammon,
    }
}

/// The rules; a money session ends by itself after the games of the record.
pub(super) fn rules(rules: &MatchRules, games: usize) -> proto::MatchRules {
    let common = proto::MatchRules {
        variant: variant(rules.variant).into(),
        max_cube_value: number(rules.max_cube.get()),
        ..proto::MatchRules::default()
    };
    match rules.length {
        Length::Points { points, crawford } => proto::MatchRules {
            length: Some(match_rules::Length::Points(number(points.get()))),
            crawford: Some(crawford),
            ..common
        },
        Length::Money(money) => proto::MatchRules {
            length: Some(match_rules::Length::MoneySession(proto::MoneySession {
                max_games: i32::try_from(games).unwrap_or(i32::MAX),
            })),
            jacoby: Some(money.jacoby),
            max_beavers: number(money.max_beavers),
            max_automatic_doubles: number(money.max_automatic_doubles),
            ..common
        },
    }
}

/// The request for a command. `notation` is the move, if the command is one.
pub(super) fn action(command: &Command, notation: &str, name: &str, request_id: String) -> Option<Action> {
    let name = name.to_owned();
    Some(match *command {
        Command::Roll { seat: by, dice: rolled } => Action::RollDice(RollDiceRequest {
            name,
            seat: seat(by).into(),
            request_id,
            dice: rolled.map(dice),
            ..Default::default()
        }),
        Command::Move { seat: by, .. } => Action::SubmitMove(SubmitMoveRequest {
            name,
            seat: seat(by).into(),
            request_id,
            r#move: Some(proto::Move { notation: notation.to_owned(), steps: Vec::new() }),
            ..Default::default()
        }),
        Command::OfferResignation { seat: by, kind } => Action::OfferResignation(OfferResignationRequest {
            name,
            seat: seat(by).into(),
            request_id,
            kind: win_kind(kind).into(),
            ..Default::default()
        }),
        _ => return answer(command, name, request_id),
    })
}

/// The request for a command that says nothing but whose it is.
fn answer(command: &Command, name: String, request_id: String) -> Option<Action> {
    macro_rules! plain {
        ($action:ident, $request:ident, $seat:expr) => {
            Action::$action($request { name, seat: seat($seat).into(), request_id, ..Default::default() })
        };
    }
    Some(match *command {
        Command::Double { seat } => plain!(OfferDouble, OfferDoubleRequest, seat),
        Command::AcceptDouble { seat } => plain!(AcceptDouble, AcceptDoubleRequest, seat),
        Command::DeclineDouble { seat } => plain!(DeclineDouble, DeclineDoubleRequest, seat),
        Command::Beaver { seat } => plain!(BeaverDouble, BeaverDoubleRequest, seat),
        Command::AcceptResignation { seat } => plain!(AcceptResignation, AcceptResignationRequest, seat),
        Command::DeclineResignation { seat } => plain!(DeclineResignation, DeclineResignationRequest, seat),
        // The others say more, or are nothing that a record has.
        _ => return None,
    })
}
