"""Clients of real server processes: they put up with servers that die and come again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx2

PASSWORD = "correct horse"


_opened: list[httpx2.Client] = []


def _connections() -> httpx2.Client:
    _opened.append(httpx2.Client(timeout=60, verify=False))  # no certificates: to read them takes longer than to ask
    return _opened[-1]


def close_all() -> None:
    """Close the connections of all clients."""
    while _opened:
        _opened.pop().close()


@dataclass
class Client:
    """One account at one server."""

    base_url: str
    secret: str = ""
    name: str = ""
    patience: float = 0.0
    """Seconds for which a request is sent again when the server is not there."""
    http: httpx2.Client = field(default_factory=_connections)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        """Send a request; a write carries a key, so that sending it again does nothing twice."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.secret:
            sent["Authorization"] = f"Bearer {self.secret}"
        if method != "GET":
            sent.setdefault("Idempotency-Key", uuid4().hex)
        end = time.monotonic() + self.patience
        while True:
            try:
                response = self.http.request(method, f"{self.base_url}/api/v1{path}", headers=sent, json=body)
            except httpx2.TransportError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
                continue
            if _is_busy(response) and time.monotonic() < end:
                time.sleep(0.05)
                continue
            return response

    def do(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send a request that must succeed, and return its JSON."""
        response = self.ask(method, path, body, **headers)
        assert response.status_code < 300, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None

    @contextmanager
    def follow(self, path: str, **headers: str) -> Iterator[Iterator[dict[str, Any]]]:
        """Open an event stream; yields its events as ``id``, ``event`` and ``data``."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        sent["Authorization"] = f"Bearer {self.secret}"
        with self.http.stream("GET", f"{self.base_url}/api/v1{path}", headers=sent, timeout=20) as response:
            assert response.status_code == 200, response.read()
            yield _events(response.iter_lines())


def _is_busy(response: httpx2.Response) -> bool:
    """Say whether to ask again: the server is busy, or still with this request, whose answer was not waited for."""
    if response.status_code == 409:
        return bool(response.json()["code"] == "idempotency_in_progress")
    return response.status_code == 503


def _events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    event: dict[str, Any] = {}
    for line in lines:
        if not line:
            if event:
                yield event
            event = {}
            continue
        name, _, value = line.partition(": ")
        if name:
            event[name] = json.loads(value) if name == "data" else value


def sign_up(base_url: str, name: str, *, patience: float = 0.0) -> Client:
    """Make an account."""
    client = Client(base_url, name=name, patience=patience)
    client.secret = client.do("POST", "/accounts", {"name": name, "password": PASSWORD})["token"]
    client.http.cookies.clear()
    return client


@dataclass
class Table:
    """A campaign and the clients of its people."""

    id: str
    gm: Client
    players: list[Client]

    @property
    def path(self) -> str:
        """Where the campaign is."""
        return f"/campaigns/{self.id}"

    def moved_to(self, base_url: str) -> Table:
        """Return the same people as clients of another server on the same database."""
        people = [Client(base_url, each.secret, each.name, each.patience) for each in (self.gm, *self.players)]
        return Table(self.id, people[0], people[1:])


SCENARIOS = {2: "the-pass", 3: "green-heart", 4: "four-corners"}
FACTIONS = ("orks", "eldar", "space_marines", "chaos")


def set_up(base_url: str, players: int, *, patience: float = 0.0, suffix: str = "", **more: Any) -> Table:
    """Make a campaign with so many players and start it. *suffix* tells their names from those of others."""
    gm = sign_up(base_url, f"Gus{suffix}", patience=patience)
    names = [f"{name}{suffix}" for name in ("Ann", "Ben", "Cat", "Dan")[:players]]
    people = [sign_up(base_url, name, patience=patience) for name in names]
    wanted = {"name": "The Thirteen Towers", "scenario": SCENARIOS[players], "rules": {"turn_limit": 3}} | more
    table = Table(gm.do("POST", "/campaigns", wanted)["id"], gm, people)
    for each, faction in zip(people, FACTIONS, strict=False):
        each.do("POST", f"{table.path}/seats", {"faction": faction})
    gm.do("POST", f"{table.path}/start")
    return table
