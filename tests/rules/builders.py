"""Small positions for tests: a board, two players, and what a test puts on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core.events import Event
from server.rules.board import Board, Hex
from server.rules.orders.sets import collect
from server.rules.ruleset import Ruleset
from server.rules.scene import Scene
from server.rules.setup import carry_out_immediate, play_setup
from server.rules.state import (
    BUILD,
    SETUP,
    Convoy,
    Detachment,
    Garrison,
    Player,
    Settings,
    State,
    Stronghold,
    Unit,
    Urban,
)
from server.rulesets import load

RULES = load("wh40k-2001")
Order = dict[str, Any]


@dataclass
class FixedDice:
    """Dice that show what a test says, label by label; any other roll is a failure."""

    faces: Mapping[str, Sequence[int]] = field(default_factory=dict)
    default: int | None = None
    rolled: dict[str, int] = field(default_factory=dict)

    def roll(self, label: str, sides: int = 6) -> int:
        """Return the next face of the label."""
        number = self.rolled.get(label, 0)
        self.rolled[label] = number + 1
        listed = self.faces.get(label, ())
        if number < len(listed):
            return listed[number]
        assert self.default is not None, f"nobody expected the roll {label}"
        return self.default


def campaign(
    factions: Mapping[str, str] | None = None,
    *,
    terrain: Mapping[str, str] | None = None,
    phase: str = BUILD,
    turn: int = 5,
    ruleset: Ruleset = RULES,
    size: tuple[int, int] = (11, 10),
    **settings: Any,
) -> State:
    """Return an empty board of plains with the players red and blue, or those given with their factions."""
    board = Board(*size, ("plains",) * (size[0] * size[1]))
    if terrain:
        names = list(board.terrain)
        for label, name in terrain.items():
            names[hex_at(board, label)] = name
        board = Board(*size, tuple(names))
    settings.setdefault("least_prices", False)
    seats = factions or {"red": "none", "blue": "none"}
    players = {id_: Player(id_, faction, ruleset.factions[faction].strategy) for id_, faction in seats.items()}
    return State(board, ruleset, Settings(**settings), players, turn=turn, phase=phase, id_key=b"tests")


def hex_at(board: Board, label: str) -> Hex:
    """Return the hex of a label."""
    found = board.find(label)
    assert found is not None, label
    return found


def own(state: State, player: str, *labels: str) -> None:
    """Give hexes to a player."""
    for label in labels:
        state.owner[hex_at(state.board, label)] = player
        state.discovered[hex_at(state.board, label)] = 1


def own_around(state: State, player: str, centre: str, radius: int) -> None:
    """Give a player all hexes at most so far away."""
    own(state, player, *(state.board.label(at) for at in state.board.within(hex_at(state.board, centre), radius)))


def town(state: State, player: str, at: str, size: str = "city", bp: int = 0, **more: Any) -> Urban:
    """Put an urban hex of a player on the map; ``capital=True`` makes it his capital."""
    own(state, player, at)
    hex_ = hex_at(state.board, at)
    buildings = tuple(sorted(more.pop("buildings", ())))
    capital = player if more.pop("capital", False) else ""
    state.urban[hex_] = Urban(size, buildings, capital=capital, **more)
    state.pay(hex_, bp)
    return state.urban[hex_]


def fort(state: State, player: str, at: str, type_: str = "camp", bp: int = 0, **defences: int) -> Stronghold:
    """Put a stronghold of a player on the map."""
    own(state, player, at)
    hex_ = hex_at(state.board, at)
    state.stronghold[hex_] = Stronghold(type_, defences)
    state.pay(hex_, bp)
    return state.stronghold[hex_]


def unit(id_: str = "", **fields: Any) -> Unit:
    """Return a unit: ten foot troops of 100 points where nothing else is said."""
    values: dict[str, Any] = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    values |= fields
    return Unit(id_, **({"ready": values["models"]} | values))


def detachment(state: State, player: str, id_: str, at: str, *units: Unit, **more: Any) -> Detachment:
    """Put a detachment on the map."""
    where = -1 if at == "orbit" else hex_at(state.board, at)
    body = Detachment(id_, player, id_, more.pop("type", "standard"), where, units or (unit(f"{id_}1"),), **more)
    state.add_detachment(body)
    return body


def garrison(state: State, player: str, id_: str, at: str, *units: Unit) -> Garrison:
    """Put a garrison on the map."""
    body = Garrison(id_, player, hex_at(state.board, at), units or (unit(f"{id_}1"),))
    state.add_garrison(body)
    return body


def convoy(state: State, player: str, id_: str, at: str, bp: int) -> Convoy:
    """Put a convoy on the map."""
    body = Convoy(id_, player, hex_at(state.board, at), bp)
    state.add_convoy(body)
    return body


def squad(**fields: Any) -> dict[str, Any]:
    """Return a unit as an order writes it: ten foot troops of 100 points where nothing else is said."""
    return {"slot": "troops", "models": 10, "points": 100, "mobility": "infantry"} | fields


def company(*more: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the units of the smallest standard detachment (400 points), and more."""
    return [squad(slot="hq", models=1, points=200), squad(), squad(), *more]


@dataclass
class Played:
    """What came of a phase."""

    state: State
    events: list[Event]
    codes: dict[str, list[tuple[int, str]]]
    """Per player: the place of each refused order, and why."""
    dice: FixedDice

    def told(self, type_: str) -> list[Event]:
        """Return the events of a type."""
        return [event for event in self.events if event.type == type_]

    def bp(self, label: str) -> int:
        """Return the BP in the store of a hex."""
        return self.state.store.get(hex_at(self.state.board, label), 0)


def play(state: State, orders: Mapping[str, Sequence[Order]], **faces: Any) -> Played:
    """Resolve the Setup or Build phase with these orders on a copy; ``faces`` as in :class:`FixedDice`."""
    dice = FixedDice(faces.get("faces", {}), faces.get("default"))
    scene = Scene(state.copy(), dice)
    book = collect(scene.state, orders, state.phase)
    (play_setup if state.phase == SETUP else carry_out_immediate)(scene, book)
    codes = {player: [(each.order, each.code) for each in found] for player, found in book.problems.items()}
    return Played(scene.state, scene.events, codes, dice)


def refused(state: State, order: Order, player: str = "red") -> list[str]:
    """Return the codes for which one order of a player is refused."""
    played = play(state, {player: [order]}, default=6)
    return [code for _, code in played.codes.get(player, [])]
