"""The solo opponent's side of a table game (mission ``posture``): a bot that draws what each of its units does."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

from sealed_orders.client import Table

Answers = Callable[[str], Mapping[str, bool]]
"""Asked of a unit's id: what it sees and reaches, as the player at the table says (``in_range``, ``visible``,
``off_board``); left out: they do not say."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a unit of the opponent does."""

    unit: str
    name: str
    action: str
    """``advance``, ``fire``, ``to_cover`` ...: see the mission."""


def turn(table: Table, answers: Answers = lambda _unit: {}) -> Generator[Drawn, None, None]:
    """Play the opponent's turn: draw for each of its units in the order of its army, and hand out what they do.

    The client must play the human's side: it is the one who may ask the dice. Ends when each unit has been drawn for
    once; marks and the end of the turn stay the player's.
    """
    position = table.view()
    names = {unit["id"]: unit["name"] for unit in position.view["units"]}
    units = [
        unit for option in position.open if option["do"] == "activate" for unit in option["fields"]["unit"]["one_of"]
    ]
    number = position.acts
    for unit in units:
        done = table.act(number, "activate", unit=unit, **answers(unit))
        number = done.position.acts
        action = next(event["action"] for event in done.events if event["type"] == "activated")
        yield Drawn(unit, names[unit], action)
