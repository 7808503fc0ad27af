"""A server at work: from the last *final* to the resolved phase, small reads meanwhile, and its memory."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from statistics import median
from threading import Event, Thread
from typing import Any

import orjson
from sqlalchemy.engine import URL

from bench.great import Great, great_campaign
from bench.load import Load, Request, run
from bench.measure import Result
from bench.positions import orders_for
from server import rulesets
from server.bots import commander
from server.rules.codec import decode
from server.rules.state import State
from server.scenarios import library
from tests.e2e.clients import Client, Table, close_all, set_up
from tests.e2e.generals import view_of
from tests.e2e.processes import ServerProcess, serving

SMALL_PHASES, GREAT_PHASES = 12, 4
GREAT_SECONDS = 0.15
READERS, READ_SECONDS = 2, 2.0
STREAMS = 500
LOOK_EVERY = 0.01
"""Seconds between two looks whether the phase is over; only then the view is read."""


def resolving(url: URL, kind: str) -> list[Result]:
    """Time phases of a small and a great campaign, and small reads while the great one resolves."""
    great = great_campaign(url)
    with serving(url, ticker_interval=2.0) as server:
        table = set_up(server.base_url, 4, rules={})
        small = [_play_small(table) for _ in range(SMALL_PHASES)]
        read = _small_read(table)
        player = _Great(server, great)
        alone, times, idle, busy = [], [], Load(), Load()
        for _ in range(GREAT_PHASES):
            player.hand_in()
            alone.append(player.advance())
        for _ in range(GREAT_PHASES):
            player.hand_in()
            idle.times += run(server.port, lambda _number: read, clients=READERS, seconds=READ_SECONDS).times
            times.append(_reading_meanwhile(server, read, player.advance, busy))
        idle.times.sort()
        busy.times.sort()
        close_all()
    calm, meanwhile = idle.percentile(0.99), busy.percentile(0.99)
    what = f"from the last final to the new view read, {kind}"
    return [
        Result("serving", f"{what}: 11 x 10, 4 players", f"{median(small) * 1000:.0f} ms"),
        Result("serving", f"{what}: 64 x 64, 8 players, 1,000 detachments",
               f"{median(alone) * 1000:.0f} ms", f"{GREAT_SECONDS * 1000:.0f} ms", median(alone) < GREAT_SECONDS),
        Result("serving", f"the same while {READERS} clients read without a pause", f"{median(times) * 1000:.0f} ms"),
        Result("serving", f"a small read (99th percentile of {len(busy.times)}) while that resolves, of the same idle",
               f"{meanwhile / calm:.1f}x", "3x", meanwhile <= 3 * calm),
        Result("serving", "the same: idle, and meanwhile", f"{calm * 1000:.1f} and {meanwhile * 1000:.1f} ms"),
    ]  # fmt: skip


def memory(url: URL) -> list[Result]:
    """Weigh a server process: just started, and with many people watching."""
    with serving(url, ticker_interval=2.0, streams_per_account=STREAMS) as server:
        idle = server.memory()
        table = set_up(server.base_url, 4)
        before = server.memory()
        with ExitStack() as stack:
            for _ in range(STREAMS):
                stack.enter_context(_Stream(server, table))
            watched = server.memory()
        close_all()
    return [
        Result("memory", "a server process, idle", f"{idle / 2**20:.0f} MB"),
        Result(
            "memory",
            f"with {STREAMS} open streams on a campaign",
            f"{watched / 2**20:.0f} MB ({(watched - before) / STREAMS / 1024:.0f} kB each)",
        ),
    ]


def _play_small(table: Table) -> float:
    """Have everybody order; time from the last *final* on until the new view is there."""
    waiting: list[Client] = []
    while not waiting:
        waiting = [player for player in table.players if _has_to_order(player, table)]
    number = table.gm.do("GET", table.path)["phase_number"]
    for each in waiting:
        body = {"orders": commander.choose(view_of(each, table)), "final": each is not waiting[-1], "lenient": True}
        each.do("PUT", f"{table.path}/orders", body)
    begun = time.perf_counter()
    waiting[-1].do("POST", f"{table.path}/orders/final", {})
    return _until_readable(waiting[-1], table.path, number, begun)


def _has_to_order(client: Client, table: Table) -> bool:
    answer = client.ask("GET", f"{table.path}/orders")
    return answer.status_code == 200 and answer.json()["wanted"]


def _until_readable(client: Client, path: str, number: int, begun: float) -> float:
    while client.do("GET", path)["phase_number"] == number:
        time.sleep(LOOK_EVERY)
    view = client.do("GET", f"{path}/view")
    assert view["number"] == number + 1
    return time.perf_counter() - begun


def _small_read(table: Table) -> Request:
    return Request("GET", f"/api/v1{table.path}/orders", {"Authorization": f"Bearer {table.players[0].secret}"})


def _reading_meanwhile(server: ServerProcess, read: Request, work: Callable[[], float], busy: Load) -> float:
    """Do the work while others read; their times go to *busy*."""
    over = Event()
    loads: list[Load] = []

    def ask() -> None:
        loads.append(run(server.port, lambda _number: read, clients=READERS, seconds=120, until=over.is_set))

    reading = Thread(target=ask)
    reading.start()
    took = work()
    over.set()
    reading.join()
    busy.times += loads[0].times
    return took


class _Great:
    """The people of the great campaign."""

    def __init__(self, server: ServerProcess, great: Great) -> None:
        self.path = great.path
        self.gm = Client(server.base_url, great.gm, "gm")
        self.players = [Client(server.base_url, secret, seat) for seat, secret in great.players.items()]

    def hand_in(self) -> None:
        """Have everybody order something for every force, and all but the last declare it final."""
        state = self._state()
        self.number = self.gm.do("GET", self.path)["phase_number"]
        wanted = orders_for(state, "serving")
        for player in self.players:
            body = {"orders": wanted[player.name], "final": player is not self.players[-1], "lenient": True}
            player.ask("PUT", f"{self.path}/orders", body)

    def advance(self) -> float:
        """Declare the last orders final; returns the seconds until the new view is read."""
        begun = time.perf_counter()
        self.players[-1].ask("POST", f"{self.path}/orders/final", {})
        return _until_readable(self.players[0], self.path, self.number, begun)

    def _state(self) -> State:
        shown: dict[str, Any] = self.gm.do("GET", f"{self.path}/view?as=gm")
        scenario = library.load("twin-gulfs")
        return decode(orjson.dumps(shown["state"]), scenario.board, rulesets.load(scenario.ruleset))


class _Stream:
    """An open event stream that has had its first event."""

    def __init__(self, server: ServerProcess, table: Table) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        head = (
            f"GET /api/v1{table.path}/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {table.gm.secret}\r\n\r\n"
        )
        self.socket.sendall(head.encode())
        seen = b""
        while b"\nevent: " not in seen and b"\ndata: " not in seen:
            seen += self.socket.recv(65536)

    def __enter__(self) -> None:
        """Stay open."""

    def __exit__(self, *_: object) -> None:
        self.socket.close()
