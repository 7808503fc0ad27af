"""Change anything a side cannot know of a table game, and all it gets stays the same byte for byte, headers included.

Everything is asked that the description has about one game; a new operation is asked by itself. The numbers and data
of the stream are compared, too.

It found that Spies offered markers by the units beneath them. Seen to fail: with ``act`` of the log shown to everybody;
with the other's ``army`` in the seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.orm import Session

from server.store.live import since
from server.store.tables import TableActRow, TableBeginningRow, TableSeatRow
from tests.api.asking import Operation, operations
from tests.api.club import play_of
from tests.api.people import Person
from tests.api.tables import Game

PASSING = ("date", "x-request-id")
READS = [
    operation
    for operation in operations()
    if operation.method == "GET" and operation.path.startswith("/tables/{table_id}") and not operation.stream
]
QUERIES = ("", "&as=spectator", "&as=blue", "&at=0", "&at=1", "&after=0&limit=1")
GUESSES = (
    {"do": "declare", "units": ["b1"]},
    {"do": "raze", "marker": "3", "enemy_near": False},
    {"do": "set_up", "unit": "b1", "at": [1, 1]},
    {"do": "strength", "unit": "b2", "models": 3},
    {"do": "nonsense"},
)


def declare(game: Game) -> None:
    """Blue declares a patrol that red may not know yet."""
    game.act("blue", do="declare", units=["b1", "b2", "b3"])


def place(game: Game) -> None:
    """Both place markers instead of models."""
    game.act("red", do="choose_role", role="attacker")
    for stage in ("roles", "terrain"):
        for side in ("red", "blue"):
            if game.view(side)["view"]["stage"] == stage:
                game.act(side, do="end_phase")
    for side in ("blue", "red"):
        option = next((option for option in game.view(side)["open"] if option["do"] == "place_markers"), None)
        if option is not None:
            game.act(side, do="place_markers", markers=_places(option))


def _places(option: dict[str, Any]) -> dict[str, list[float]]:
    """Return a place for each unit that may have a marker, side by side in the zone."""
    points = {name: choice["point"] for name, choice in option["fields"].items() if "point" in choice}
    corners = next(iter(points.values()))[0]
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    return {name.partition(".")[2]: [x + number, y] for number, name in enumerate(points)}


def another_patrol(session: Session, game_id: str) -> None:
    """Have blue bring and declare something else."""
    act = _act(session, game_id, "declare")
    act.content = {**act.content, "units": ["b1", "b4"]}
    begun = session.get_one(TableBeginningRow, game_id)
    army = begun.beginning["players"]["blue"]
    units = [unit if unit["id"] == "b1" else unit | {"name": "Others", "models": 3} for unit in army["units"]]
    begun.beginning = {**begun.beginning, "players": {**begun.beginning["players"], "blue": army | {"units": units}}}
    seat = session.get_one(TableSeatRow, (game_id, "blue"))
    seat.army, seat.army_name = army | {"units": units}, "Others"


def other_units_beneath(session: Session, game_id: str) -> None:
    """Have the first two of blue's units change places beneath their markers."""
    act = _act(session, game_id, "place_markers")
    (one, here), (other, there), *rest = act.content["markers"].items()
    act.content = {**act.content, "markers": {one: there, other: here, **dict(rest)}}


def _act(session: Session, game_id: str, do: str) -> TableActRow:
    rows = session.scalars(select(TableActRow).where(TableActRow.game_id == game_id, TableActRow.by == "blue"))
    return next(row for row in rows if row.content["do"] == do)


SECRETS: dict[str, tuple[str, Callable[[Game], None], Callable[[Session, str], None]]] = {
    "a patrol that is sealed": ("scorched_earth", declare, another_patrol),
    "what is beneath markers": ("meat_grinder", place, other_units_beneath),
}


class Asking:
    """One game, and everything that somebody gets of it."""

    def __init__(self, client: TestClient, game: Game) -> None:
        self.client, self.game = client, game

    def everything(self) -> dict[str, Any]:
        """Return all that red and those who watch get, by what was asked."""
        found: dict[str, Any] = {"stream": self._told()}
        for who, person in (("red", self.game.red), ("watching", None)):
            for operation in READS:
                for query in QUERIES:
                    found[f"{who}: {operation.path}{query}"] = self._answer(operation, query, person)
        for guess in GUESSES:
            body = {"expected": self.game.red.get(self.game.path)["acts"], "act": guess}
            refused = self.game.red.ask("POST", f"{self.game.path}/acts", body)
            assert refused.status_code == 422
            found[f"red: {guess}"] = refused.content
        return found

    def _answer(self, operation: Operation, query: str, person: Person | None) -> Any:
        path = operation.filled({"table_id": self.game.id}) + f"?watch={self.game.made['watch_code']}{query}"
        if person is None:
            self.client.cookies.clear()
            response = self.client.get(f"/api/v1{path}")
        else:
            response = person.ask("GET", path)
        headers = {name: value for name, value in response.headers.items() if name not in PASSING}
        return response.status_code, headers, response.content

    def _told(self) -> list[Any]:
        with play_of(self.client).database.read() as session:
            return [(event.number, event.kind, event.data) for event in since(session, {f"table/{self.game.id}": 0})]


@pytest.mark.parametrize("what", SECRETS)
def test_what_a_side_hides_changes_nothing_for_the_others(client: TestClient, what: str) -> None:
    mission, hide, alter = SECRETS[what]
    game = Game(client, mission)
    hide(game)
    asking, ctx = Asking(client, game), play_of(client)
    before, own = asking.everything(), game.view("blue")
    assert {status for status, *_ in (value for key, value in before.items() if "/view" in key)} >= {200, 404}
    with ctx.database.write() as session:
        alter(session, game.id)
    ctx.caches.tables.clear()
    assert game.view("blue") != own, "nothing was hidden"
    after = asking.everything()
    assert [key for key in before if before[key] != after[key]] == []
