//! Plays one seat of a match to one point: `play SERVER MATCH SEAT`

use std::{env, error::Error, process::ExitCode, time::Duration};

use chaquete_client::{
    Client, Watched,
    proto::{
        Action, CreateMatchRequest, ErrorReason, GetLegalMovesRequest, GetMatchRequest, LegalMovesView,
        Match, MatchRules, Player, RollDiceRequest, Seat, SubmitMoveRequest, WatchMatchRequest,
        match_rules::Length,
    },
};
use tokio::time::sleep;

/// Somebody at one seat of a match. Calls are made again while no server answers, with the same `request_id`.
struct Playing {
    client: Client,
    tenant: String,
    name: String,
    seat: Seat,
}

impl Playing {
    async fn create(&self) -> Result<(), chaquete_client::Error> {
        let player = |seat: Seat, subject: &str| Player {
            seat: seat.into(),
            subject: subject.to_owned(),
            ..Player::default()
        };
        let new = Match {
            players: vec![player(Seat::One, "alice"), player(Seat::Two, "bob")],
            rules: Some(MatchRules { length: Some(Length::Points(1)), ..MatchRules::default() }),
            ..Match::default()
        };
        let request = CreateMatchRequest {
            parent: self.tenant.clone(),
            match_id: chaquete_client::match_id(&self.name).to_owned(),
            r#match: Some(new),
            ..CreateMatchRequest::default()
        };
        self.client.create_match(request).await.map(drop)
    }

    async fn get(&self) -> Result<Match, chaquete_client::Error> {
        let request = GetMatchRequest { name: self.name.clone(), ..GetMatchRequest::default() };
        Ok(self.client.get_match(request).await?.r#match.unwrap_or_default())
    }

    async fn wait_until_it_is_there(&self) -> Result<(), chaquete_client::Error> {
        loop {
            match self.get().await {
                Err(error) if error.reason() == Some(ErrorReason::NotFound) => {
                    sleep(Duration::from_millis(100)).await;
                }
                there => return there.map(drop),
            }
        }
    }

    /// Does the first thing that can be done, if it is this seat's turn. Acts on what it has seen and nothing else.
    async fn act(&self, seen: &Match) -> Result<(), chaquete_client::Error> {
        let game = seen.current_game.clone().unwrap_or_default();
        let of_this_seat = game.actions.iter().filter(|actions| actions.seat() == self.seat);
        let actions: Vec<Action> = of_this_seat.flat_map(|actions| actions.actions()).collect();
        let (name, seat) = (self.name.clone(), self.seat.into());
        let expected_revision = seen.revision;
        if actions.contains(&Action::SubmitMove) {
            let view = LegalMovesView::List.into();
            let legal =
                self.client.get_legal_moves(GetLegalMovesRequest { name: name.clone(), view }).await?;
            let first = legal.legal_moves.and_then(|legal| legal.moves.into_iter().next());
            let r#move = first.and_then(|first| first.r#move);
            let request =
                SubmitMoveRequest { name, seat, expected_revision, r#move, ..SubmitMoveRequest::default() };
            self.client.submit_move(request).await?;
        } else if actions.contains(&Action::RollDice) {
            let request = RollDiceRequest { name, seat, expected_revision, ..RollDiceRequest::default() };
            self.client.roll_dice(request).await?;
        }
        Ok(())
    }

    /// Plays to the end, and gives the match as it is then.
    async fn play(&self) -> Result<Match, chaquete_client::Error> {
        let mut changes = self.client.watch_match(WatchMatchRequest {
            name: self.name.clone(),
            snapshot: true,
            ..WatchMatchRequest::default()
        });
        while let Some(change) = changes.next().await? {
            if let Watched::Snapshot(_) | Watched::Update(_) = change {
                let seen = self.get().await?;
                if seen.result.is_some() {
                    return Ok(seen);
                }
                self.act(&seen).await?;
            }
        }
        self.get().await
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let [server, id, seat] = &env::args().skip(1).collect::<Vec<_>>()[..] else {
        eprintln!("usage: play SERVER MATCH SEAT");
        return Ok(ExitCode::from(2));
    };
    let mut client = Client::builder(server);
    if let Ok(token) = env::var("CHAQUETE_TOKEN") {
        client = client.token(token);
    }
    let tenant = format!("tenants/{}", env::var("CHAQUETE_TENANT").unwrap_or_else(|_| "default".to_owned()));
    let seat = Seat::try_from(seat.parse::<i32>()?)?;
    let player =
        Playing { client: client.connect().await?, name: format!("{tenant}/matches/{id}"), tenant, seat };
    match seat {
        Seat::One => player.create().await?,
        _ => player.wait_until_it_is_there().await?,
    }
    let ended = player.play().await?;
    let winner = ended.result.unwrap_or_default().winner().as_str_name();
    println!("{}: {winner} has won, after {} events", ended.name, ended.revision);
    let hash: String = ended.log_hash.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{hash}");
    Ok(ExitCode::SUCCESS)
}
