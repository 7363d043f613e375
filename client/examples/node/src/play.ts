// Plays one seat of a match to one point: play.js SERVER MATCH SEAT

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { type Match } from "./generated/backgammon/v1/match_pb.js";
import { MatchService } from "./generated/backgammon/v1/match_service_pb.js";
import { PlayService } from "./generated/backgammon/v1/play_service_pb.js";
import { Action, LegalMovesView, Seat } from "./generated/backgammon/v1/types_pb.js";

/** How long a call may take that is answered with one message, in milliseconds. */
const DEADLINE = 10_000;

/** Shows with every call who it is that calls. */
const credentials: Interceptor = (next) => (request) => {
  const token = process.env.CHAQUETE_TOKEN;
  if (token) request.header.set("authorization", `Bearer ${token}`);
  return next(request);
};

const isCode = (error: unknown, ...codes: Code[]) => codes.includes(ConnectError.from(error).code);

/** Makes a call again while nobody answers it: its `requestId` makes that safe. */
async function call<A>(make: (options: { timeoutMs: number }) => Promise<A>): Promise<A> {
  for (;;) {
    try {
      return await make({ timeoutMs: DEADLINE });
    } catch (error) {
      if (!isCode(error, Code.Unavailable, Code.DeadlineExceeded)) throw error;
      await sleep(200);
    }
  }
}

/** Somebody at one seat of a match. */
class Player {
  readonly #tenant = `tenants/${process.env.CHAQUETE_TENANT ?? "default"}`;
  readonly #name: string;
  readonly #matches;
  readonly #moves;

  constructor(server: string, readonly match: string, readonly seat: Seat) {
    const transport = createGrpcTransport({ baseUrl: server, interceptors: [credentials] });
    this.#matches = createClient(MatchService, transport);
    this.#moves = createClient(PlayService, transport);
    this.#name = `${this.#tenant}/matches/${match}`;
  }

  async create(): Promise<void> {
    const request = {
      parent: this.#tenant,
      matchId: this.match,
      match: {
        players: [
          { seat: Seat.ONE, subject: "alice" },
          { seat: Seat.TWO, subject: "bob" },
        ],
        rules: { length: { case: "points", value: 1 } as const },
      },
      requestId: randomUUID(),
    };
    await call((options) => this.#matches.createMatch(request, options));
  }

  async #get(): Promise<Match> {
    const { match } = await call((options) => this.#matches.getMatch({ name: this.#name }, options));
    return match!;
  }

  async waitUntilItIsThere(): Promise<void> {
    for (;;) {
      try {
        await this.#get();
        return;
      } catch (error) {
        if (!isCode(error, Code.NotFound)) throw error;
        await sleep(100);
      }
    }
  }

  /** Comes back whenever the match has changed; where it was if the connection is lost meanwhile. */
  async *#changes(): AsyncGenerator<void> {
    let seen = 0;
    for (;;) {
      try {
        const request = { name: this.#name, afterRevision: seen, snapshot: seen === 0 };
        for await (const { message } of this.#matches.watchMatch(request)) {
          if (message.case === "snapshot") seen = message.value.revision;
          else if (message.case === "update") seen = message.value.event!.revision;
          else continue;
          yield;
        }
      } catch (error) {
        if (!isCode(error, Code.Unavailable)) throw error;
        await sleep(200);
      }
    }
  }

  /** Does the first thing that can be done, if it is this seat's turn. Acts on what it has seen and nothing else. */
  async #act(match: Match): Promise<void> {
    const actions = match.currentGame?.actions.find(({ seat }) => seat === this.seat)?.actions ?? [];
    const name = this.#name;
    const seen = { name, seat: this.seat, expectedRevision: match.revision, requestId: randomUUID() };
    if (actions.includes(Action.SUBMIT_MOVE)) {
      const request = { name, view: LegalMovesView.LIST };
      const { legalMoves } = await call((options) => this.#moves.getLegalMoves(request, options));
      const { move } = legalMoves!.moves[0]!;
      await call((options) => this.#moves.submitMove({ move, ...seen }, options));
    } else if (actions.includes(Action.ROLL_DICE)) {
      await call((options) => this.#moves.rollDice(seen, options));
    }
  }

  async play(): Promise<void> {
    for await (const _ of this.#changes()) {
      const match = await this.#get();
      if (match.result) {
        console.log(`${this.#name}: SEAT_${Seat[match.result.winner]} has won, after ${match.revision} events`);
        console.log(Buffer.from(match.logHash).toString("hex"));
        return;
      }
      await this.#act(match);
    }
  }
}

const [server = "", match = "", seat = ""] = process.argv.slice(2);
const player = new Player(server, match, Number(seat));
if (player.seat === Seat.ONE) await player.create();
else await player.waitUntilItIsThere();
await player.play();
