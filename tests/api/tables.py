"""Battles on the table over HTTP: guests, and games that are set up in one call."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, cast

from fastapi.testclient import TestClient

from server.play.tables.folding import begun
from server.referee.fold import TableGame, open_for, submit
from server.store.database import Database
from server.store.tables import TableBeginningRow
from tests.api.people import Person
from tests.referee.random_play import draw

SALTS = {"red": "salt-of-the-red-side", "blue": "salt-of-the-blue-side"}


def guest(client: TestClient, name: str) -> Person:
    """Make a guest."""
    response = client.post("/api/v1/tables/guests", json={"name": name})
    assert response.status_code == 201, response.text
    client.cookies.clear()
    return Person(client, name, response.json()["token"])


def commitment(salt: str) -> str:
    """Return what commits to a salt."""
    return hashlib.sha256(salt.encode()).hexdigest()


def get_ready(people: dict[str, Person], path: str, armies: dict[str, Any] | None = None) -> None:
    """Bring armies, commit, send the salts."""
    for side, person in people.items():
        person.put(f"{path}/seats/{side}/army", (armies or {}).get(side, {"sample": True}))
        person.put(f"{path}/seats/{side}/commitment", {"commitment": commitment(SALTS[side])})
    for side, person in people.items():
        person.put(f"{path}/seats/{side}/salt", {"salt": SALTS[side]})


def own_table(person: Person, *, start: bool, mission: str = "meat_grinder") -> str:
    """Return the id of a game of which somebody plays both sides, before or after its start."""
    made: str = person.post("/tables", {"mission": mission, "take": "both"})["id"]
    if start:
        get_ready({"red": person, "blue": person}, f"/tables/{made}")
        person.post(f"/tables/{made}/start", status=200)
    return made


class Game:
    """A game that two guests play."""

    def __init__(self, client: TestClient, mission: str = "scorched_earth", **wanted: Any) -> None:
        self.client = client
        self.red, self.blue = guest(client, "Ann"), guest(client, "Bob")
        self.people = {"red": self.red, "blue": self.blue}
        armies = wanted.pop("armies", None)
        self.made = self.red.post("/tables", {"mission": mission, **wanted})
        self.id: str = self.made["id"]
        self.path = f"/tables/{self.id}"
        self.blue.post("/tables/join", {"code": self.made["join_code"]}, status=200)
        get_ready(self.people, self.path, armies)
        self.red.post(f"{self.path}/start", status=200)

    def view(self, side: str) -> Any:
        """Return what a side knows and may do."""
        return self.people[side].get(f"{self.path}/view")

    def act(self, side: str, status: int = 201, **act: Any) -> Any:
        """Do an act as the next one."""
        expected = self.view(side)["acts"]
        return self.people[side].post(f"{self.path}/acts", {"expected": expected, "act": act}, status=status)

    def declare(self) -> None:
        """Let both declare their patrols, so that the battlefield is created."""
        self.act("red", do="declare", units=["r1", "r2", "r3", "r4"])
        self.act("blue", do="declare", units=["b1", "b2", "b3", "b4"])


UNDOING = ("object", "take_back", "end_now", "go_on")
"""Acts that would need a game master or some seconds of waiting, or end a game at once."""
Acts = list[tuple[str, Mapping[str, Any]]]


def acts_to_the_end(database: Database, game_id: str, seed: int = 0) -> Acts:
    """Return acts of both sides that play a game which has just started to its end, drawn by chance."""
    return _drawn(database, game_id, 3000, lambda table, _acts: table.game.over, seed)


def first_acts(database: Database, game_id: str, count: int) -> Acts:
    """Return the first acts of such a game."""
    return _drawn(database, game_id, count, lambda _table, acts: len(acts) == count)


def acts_to_the_stage(database: Database, game_id: str, stage: str) -> Acts:
    """Return acts that bring a game which has just started into a stage."""
    played = acts_to_the_end(database, game_id)
    with database.read() as session:
        row = session.get_one(TableBeginningRow, game_id)
    table = begun(row, game_id).table
    for number, (by, act) in enumerate(played, 1):
        assert submit(table, by, act) == []
        if table.game.stage == stage:
            return played[:number]
    raise AssertionError(f"there is no stage {stage}")


def _drawn(
    database: Database, game_id: str, maximum: int, fits: Callable[[TableGame, Acts], bool], seed: int = 0
) -> Acts:
    with database.read() as session:
        row = session.get(TableBeginningRow, game_id)
    assert row is not None
    for attempt in range(50):
        table, chance, acts = begun(row, game_id).table, Random(f"{seed}/{attempt}"), cast(Acts, [])
        for _ in range(2 * maximum):
            options = [option for side in SALTS for option in open_for(table, side) if option.do not in UNDOING]
            if table.game.over or len(acts) == maximum or not options:
                break
            ends = [option for option in options if option.do == "end_phase"]
            option = chance.choice(ends if ends and chance.random() < 0.4 else options)
            act = draw(option, table, chance)
            if not submit(table, option.by, act):
                acts.append((option.by, act))
        if fits(table, acts):
            return acts
    raise AssertionError("no such game was found")


def play_to_the_end(person: Person, path: str) -> int:
    """Play a game of which one plays both sides; returns how many acts it took."""
    ctx = cast(Any, person.client.app).state.server.ctx
    acts = acts_to_the_end(ctx.database, path.rpartition("/")[2])
    for number, (by, act) in enumerate(acts):
        person.post(f"{path}/acts", {"expected": number, "side": by, "act": act})
    return len(acts)
