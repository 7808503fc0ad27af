"""A campaign with a game master and players, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

from server.play.context import AppContext
from tests.api.people import Person, sign_up
from tests.stages import staged

FACTIONS = ("orks", "eldar", "space_marines", "chaos", "necrons", "tyranids")
SCENARIOS = {2: "the-pass", 3: "green-heart", 4: "four-corners"}


class Club:
    """A campaign and its people."""

    def __init__(self, gm: Person, players: list[Person], campaign: dict[str, Any]) -> None:
        self.gm = gm
        self.players = players
        self.campaign = campaign
        self.id: str = campaign["id"]
        self.path = f"/campaigns/{self.id}"

    def open(self) -> dict[str, Any]:
        """Return the campaign as the GM sees it now."""
        found: dict[str, Any] = self.gm.get(self.path)
        return found

    def start(self) -> None:
        """Begin."""
        self.gm.post(f"{self.path}/start", status=204)

    def pass_phase(self) -> None:
        """Have everybody declare final what is there."""
        number = self.open()["phase_number"]
        for player in self.players:
            if player.get(f"{self.path}/orders")["wanted"]:
                player.post(f"{self.path}/orders/final", {"number": number}, status=200)


def play_of(client: TestClient) -> AppContext:
    """Return the use cases as a client's server carries them out."""
    ctx: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    return ctx


def found(
    client: TestClient,
    players: int = 2,
    *,
    start: bool = True,
    then: Callable[[Club], None] | None = None,
    suffix: str = "",
    **more: Any,
) -> Club:
    """Make a campaign with so many players, and *then* play on. *suffix* tells their names from those of others."""
    names = [f"{name}{suffix}" for name in ("Gus", "Ann", "Ben", "Cat", "Dan")[: players + 1]]
    wanted = {"name": "The Thirteen Towers", "scenario": SCENARIOS[players], "rules": {"turn_limit": 3}} | more

    def prepare() -> tuple[list[str], dict[str, Any]]:
        gm, *people = [sign_up(client, name) for name in names]
        club = Club(gm, people, gm.post("/campaigns", wanted))
        code = gm.post(f"{club.path}/invitation-code")["code"]
        for each, faction in zip(people, FACTIONS, strict=False):
            each.post(f"{club.path}/seats", {"faction": faction, "code": code})
        if start:
            club.start()
        if then is not None:
            then(club)
        return [each.secret for each in (gm, *people)], club.campaign

    secrets, campaign = staged(play_of(client), (*names, repr(wanted), start, then), prepare)
    gm, *people = [Person(client, name, secret) for name, secret in zip(names, secrets, strict=True)]
    return Club(gm, people, dict(campaign))
