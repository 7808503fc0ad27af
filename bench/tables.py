"""Games on the table at once: how long an act takes, beside a bare insert, and when the other phone hears of it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.engine import URL

from bench.measure import Result
from bench.writing import bare
from server.store.database import Database
from tests.api.tables import SALTS, commitment, first_acts
from tests.e2e.clients import Client, close_all
from tests.e2e.processes import serving

GAMES, PACE, ROUNDS, ACTS = 50, 2.0, 3, 5
"""Games at once, seconds between two acts of one, rounds, acts of each game in a round."""
MISSIONS = ("scorched_earth", "meat_grinder", "blitz", "patrol_phase", "sweeping_raid")
IDLE = 4.0
"""Seconds after which a server closes a connection on which nothing was asked."""
MAX_SHARE, MAX_SECONDS = 5.0, 0.2


@dataclass(slots=True)
class Game:
    """A game with its two players, and when each act was sent, answered, and heard of."""

    id: str
    players: dict[str, Client]
    acts: list[tuple[str, Mapping[str, Any]]]
    sent: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    heard: dict[int, float] = field(default_factory=dict)
    following: threading.Event = field(default_factory=threading.Event)


def tables(url: URL, kind: str) -> list[Result]:
    """Play games beside each other, then do as many bare inserts at the same pace."""
    database = Database(url)
    with serving(url, ticker_interval=2.0, table_games_per_address=2 * GAMES) as server, bare(url) as port:
        games = [_set_up(server.base_url, database, number) for number in range(GAMES)]
        for game in games:
            threading.Thread(target=_follow, args=(server.port, game), daemon=True).start()
        for game in games:
            assert game.following.wait(30)
        inserting = [_Bare(port, game) for game in games]
        acting = [_Acting(server.port, game) for game in games]
        inserts: list[float] = []
        acts: list[float] = []
        for turn in range(ROUNDS):
            inserts += _paced(inserting, turn * ACTS)
            acts += _paced(acting, turn * ACTS)
        time.sleep(1.0)
        memory = server.memory()
        close_all()
    database.close()
    told = sorted(game.heard[number + 1] - sent for game in games for number, sent in enumerate(game.sent))
    act, insert = _p95(acts), _p95(inserts)
    what = f"{GAMES} table games, an act each every {PACE:g} s, {kind}"
    return [
        Result("tables", f"{what}: an act (95th percentile of {len(acts)}), of a bare insert", f"{act / insert:.1f}x",
               f"{MAX_SHARE:g}x", act <= MAX_SHARE * insert),
        Result("tables", "the same: act, and bare insert", f"{act * 1000:.1f} and {insert * 1000:.1f} ms"),
        Result("tables", f"the same: from sending until the other phone hears of it (95th percentile of {len(told)})",
               f"{_p95(told) * 1000:.0f} ms", f"{MAX_SECONDS * 1000:.0f} ms", _p95(told) <= MAX_SECONDS),
        Result("tables", "the same: slowest, and the server's memory",
               f"{told[-1] * 1000:.0f} ms, {memory / 2**20:.0f} MB"),
    ]  # fmt: skip


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def _set_up(base_url: str, database: Database, number: int) -> Game:
    players = {side: Client(base_url) for side in ("red", "blue")}
    for side, player in players.items():
        player.secret = player.do("POST", "/tables/guests", {"name": f"{side} {number}"})["token"]
        player.http.cookies.clear()
    made = players["red"].do("POST", "/tables", {"mission": MISSIONS[number % len(MISSIONS)]})
    path = f"/tables/{made['id']}"
    players["blue"].do("POST", "/tables/join", {"code": made["join_code"]})
    for side, player in players.items():
        player.do("PUT", f"{path}/seats/{side}/army", {"sample": True})
        player.do("PUT", f"{path}/seats/{side}/commitment", {"commitment": commitment(SALTS[side])})
    for side, player in players.items():
        player.do("PUT", f"{path}/seats/{side}/salt", {"salt": SALTS[side]})
    players["red"].do("POST", f"{path}/start")
    return Game(made["id"], players, first_acts(database, made["id"], ROUNDS * ACTS))


def _follow(port: int, game: Game) -> None:
    """Follow a game as the other phone does, and note when each act was told."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {game.players['blue'].secret}"}
    connection.request("GET", f"/api/v1/tables/{game.id}/stream", headers=headers)
    answer = connection.getresponse()
    while line := answer.readline():
        if line.startswith(b"event: state"):
            game.following.set()
        if line.startswith(b"data: ") and b'"acts"' in line and game.following.is_set():
            told = json.loads(line[6:])
            if told.get("kind") == "act":
                game.heard[told["data"]["acts"]] = time.perf_counter()


class _Asking:
    """One connection that asks again and again."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.last = 0.0

    def ask(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> float:
        """Send a request; returns how long it took."""
        sent = {"Content-Type": "application/json", **headers}
        if time.perf_counter() - self.last > IDLE:
            self.connection.close()  # the server did so, or is about to
            self.connection.connect()
        begun = self.last = time.perf_counter()
        self.connection.request(method, path, json.dumps(body), sent)
        answer = self.connection.getresponse()
        content = answer.read()
        took = time.perf_counter() - begun
        assert answer.status < 300, content[:500]
        return took


class _Bare(_Asking):
    def __init__(self, port: int, game: Game) -> None:
        super().__init__(port)
        self.game = game

    def __call__(self, number: int) -> float:
        return self.ask("PUT", "/insert", dict(self.game.acts[number][1]), {})


class _Acting(_Asking):
    def __init__(self, port: int, game: Game) -> None:
        super().__init__(port)
        self.game = game

    def __call__(self, number: int) -> float:
        by, act = self.game.acts[number]
        headers = {"Authorization": f"Bearer {self.game.players[by].secret}", "Idempotency-Key": f"act-{number}"}
        self.game.sent.append(time.perf_counter())
        return self.ask("POST", f"/api/v1/tables/{self.game.id}/acts", {"expected": number, "act": act}, headers)


def _paced(asking: Sequence[Callable[[int], float]], first: int) -> list[float]:
    """Let all ask at the pace, one after the other within each pause; returns how long each took."""
    times: list[float] = []
    failures: list[BaseException] = []
    begun = time.perf_counter() + 0.5

    def play(number: int) -> None:
        try:
            for turn in range(ACTS):
                due = begun + turn * PACE + number * PACE / GAMES
                time.sleep(max(0.0, due - time.perf_counter()))
                times.append(asking[number](first + turn))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(GAMES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return times
