"""Plays one seat of a match to one point: play.py SERVER MATCH SEAT"""

import os
import sys
import time
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated"))
from backgammon.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc, play_service_pb2
from backgammon.v1 import play_service_pb2_grpc, types_pb2

# How long a call may take that is answered with one message, in seconds.
DEADLINE = 10


def reason(error):
    """Why the server refused a call, by the names of `ErrorReason`; empty if it did not say."""
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info.reason
    return ""


class Player:
    """Somebody at one seat of a match."""

    def __init__(self, server, match, seat):
        # Authority and path of calls, and TLS where the address says so.
        scheme, _, target = server.rpartition("://")
        channel = grpc.insecure_channel(target)
        if scheme == "https":
            channel = grpc.secure_channel(target, grpc.ssl_channel_credentials())
        self.matches = match_service_pb2_grpc.MatchServiceStub(channel)
        self.moves = play_service_pb2_grpc.PlayServiceStub(channel)
        self.tenant = "tenants/" + os.environ.get("CHAQUETE_TENANT", "default")
        self.match, self.name, self.seat = match, f"{self.tenant}/matches/{match}", seat
        token = os.environ.get("CHAQUETE_TOKEN")
        self.metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def call(self, method, request):
        """Makes a call again while nobody answers it: its `request_id` makes that safe."""
        while True:
            try:
                return method(request, timeout=DEADLINE, metadata=self.metadata)
            except grpc.RpcError as error:
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
                    raise
                time.sleep(0.2)

    def create(self):
        players = [
            types_pb2.Player(seat=types_pb2.SEAT_ONE, subject="alice"),
            types_pb2.Player(seat=types_pb2.SEAT_TWO, subject="bob"),
        ]
        match = match_pb2.Match(players=players, rules=types_pb2.MatchRules(points=1))
        self.call(
            self.matches.CreateMatch,
            match_service_pb2.CreateMatchRequest(
                parent=self.tenant, match_id=self.match, match=match, request_id=str(uuid.uuid4())
            ),
        )

    def get(self):
        return self.call(self.matches.GetMatch, match_service_pb2.GetMatchRequest(name=self.name)).match

    def wait_until_it_is_there(self):
        while True:
            try:
                return self.get()
            except grpc.RpcError as error:
                if reason(error) != "NOT_FOUND":
                    raise
                time.sleep(0.1)

    def changes(self):
        """Comes back whenever the match has changed; where it was if the connection is lost meanwhile."""
        seen = 0
        while True:
            request = match_service_pb2.WatchMatchRequest(name=self.name, after_revision=seen, snapshot=seen == 0)
            try:
                for message in self.matches.WatchMatch(request, metadata=self.metadata):
                    kind = message.WhichOneof("message")
                    if kind == "snapshot":
                        seen = message.snapshot.revision
                        yield
                    elif kind == "update":
                        seen = message.update.event.revision
                        yield
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
                time.sleep(0.2)

    def act(self, match):
        """Does the first thing that can be done, if it is this seat's turn. Acts on what it has seen and nothing else."""
        actions = [action for of in match.current_game.actions if of.seat == self.seat for action in of.actions]
        seen = {"name": self.name, "seat": self.seat, "expected_revision": match.revision, "request_id": str(uuid.uuid4())}
        if types_pb2.ACTION_SUBMIT_MOVE in actions:
            view = types_pb2.LEGAL_MOVES_VIEW_LIST
            legal = self.call(self.moves.GetLegalMoves, play_service_pb2.GetLegalMovesRequest(name=self.name, view=view))
            move = legal.legal_moves.moves[0].move
            self.call(self.moves.SubmitMove, play_service_pb2.SubmitMoveRequest(move=move, **seen))
        elif types_pb2.ACTION_ROLL_DICE in actions:
            self.call(self.moves.RollDice, play_service_pb2.RollDiceRequest(**seen))

    def play(self):
        for _ in self.changes():
            match = self.get()
            if match.HasField("result"):
                winner = types_pb2.Seat.Name(match.result.winner)
                print(f"{self.name}: {winner} has won, after {match.revision} events")
                return print(match.log_hash.hex())
            self.act(match)


def main():
    server, match, seat = sys.argv[1:]
    player = Player(server, match, int(seat))
    if player.seat == types_pb2.SEAT_ONE:
        player.create()
    else:
        player.wait_until_it_is_there()
    player.play()


if __name__ == "__main__":
    main()
