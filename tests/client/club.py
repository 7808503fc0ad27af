"""A campaign and its people, each with a client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from sealed_orders import Campaign, Client

PASSWORD = "correct horse"
FACTIONS = ("orks", "eldar", "space_marines", "chaos")
SCENARIOS = {2: "the-pass", 3: "green-heart", 4: "four-corners"}
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Club:
    """One campaign."""

    url: str
    id: str
    gm: Client
    players: list[Client]

    def of(self, client: Client) -> Campaign:
        """Return the campaign as somebody sees it."""
        return client.campaign(self.id)

    def pass_phase(self) -> None:
        """Have everybody declare final what is there, and wait for the next phase."""
        before = self.of(self.gm).info()
        for player in self.players:
            orders = self.of(player).orders()
            if orders.wanted:
                self.of(player).declare_final(number=orders.number)
        self.of(self.gm).wait(before, timeout=30)


def new_name(name: str) -> str:
    """Return a name nobody has on this server."""
    return f"{name} {next(_numbers)}"


@contextmanager
def found(
    url: str, players: int = 2, *, start: bool = True, rules: Mapping[str, Any] | None = None, **more: Any
) -> Iterator[Club]:
    """Make a campaign with so many players."""
    with ExitStack() as stack:
        people = [stack.enter_context(Client(url, patience=20)) for _ in range(players + 1)]
        for each, name in zip(people, ("Gus", "Ann", "Ben", "Cat", "Dan"), strict=False):
            each.sign_up(new_name(name), PASSWORD)
        gm = people[0]
        made = gm.create_campaign(
            new_name("Thirteen Towers"), SCENARIOS[players], rules={"turn_limit": 2} | dict(rules or {}), **more
        )
        for each, faction in zip(people[1:], FACTIONS, strict=False):
            each.campaign(made.id).join(faction)
        if start:
            gm.campaign(made.id).start()
        yield Club(url, made.id, gm, people[1:])
