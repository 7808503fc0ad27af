"""Maps and starting positions on which campaigns soon come to blows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server.core.dice import SeededDice
from server.rules.board import Board, Hex
from server.rules.phases import begin
from server.rules.ruleset import Ruleset
from server.rules.state import Player, PlayerId, Settings, State
from server.rulesets import load

RULESETS = ("wh40k-2001", "frontier")
SEATS: tuple[PlayerId, ...] = ("red", "blue", "green", "yellow", "black", "white")


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a random campaign follows from."""

    seed: int
    map: str = "open"
    """One of :data:`MAPS`."""
    players: int = 4
    ruleset: str = RULESETS[0]
    turns: int = 8
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.seed}-{self.map}-{self.players}-{self.ruleset}"


MAPS: Mapping[str, tuple[int, int]] = {
    "open": (11, 10),
    "sea": (14, 11),
    "pass": (12, 9),
    "odd": (23, 7),
    "tiny": (6, 5),
    "wide": (17, 15),
}
"""Columns and rows of each kind of map."""


def terrain_of(kind: str, ruleset: Ruleset, random: Random) -> tuple[str, ...]:
    """Return the terrain of a kind of map: mostly open ground, with all there is strewn in."""
    columns, rows = MAPS[kind]
    land = [id_ for id_, each in ruleset.terrain.items() if each.land]
    sea = next(id_ for id_, each in ruleset.terrain.items() if not each.land)
    rough = next(id_ for id_, each in ruleset.terrain.items() if each.land and "tracked" not in each.enter)
    open_ground = min(land, key=lambda id_: ruleset.terrain[id_].cost)
    strewn = [*land, *[open_ground] * 8]
    ground = [random.choice(strewn) for _ in range(columns * rows)]
    for at in range(columns * rows):
        column = at % columns
        if kind == "sea" and column in (columns // 2, columns // 2 + 1) and random.random() < 0.7:
            ground[at] = sea
        elif kind == "pass" and column == columns // 2 and at // columns not in (2, rows - 3):
            ground[at] = rough
        elif kind not in ("tiny", "pass") and random.random() < 0.03:
            ground[at] = sea
    return tuple(ground)


def seats_on(board: Board, ruleset: Ruleset, count: int, random: Random) -> list[Hex]:
    """Return places for the capitals: inner land hexes as far from each other as can be."""
    land = [at for at in range(board.size) if ruleset.terrain[board.terrain[at]].land and board.interior(at)]
    chosen = [random.choice(land)]
    while len(chosen) < count:
        chosen.append(max(land, key=lambda at: min(board.distance(at, other) for other in chosen)))
    random.shuffle(chosen)
    return chosen


def settings_of(plan: Plan, random: Random) -> Settings:
    """Return settings of every kind, those of the plan kept."""
    drawn = {
        "alliances": random.random() < 0.6,
        "shared_sight": random.random() < 0.3,
        "capital_eliminates": random.random() < 0.7,
        "last_standing": random.random() < 0.5,
        "fleet": random.random() < 0.3,
        "battles": random.choice(("choice", "choice", "quick", "tabletop")),
        "start_bp": random.choice((None, 3000, 6000, 9000)),
    }
    return Settings(**(drawn | dict(plan.settings)))


def territory(state: State, capitals: Mapping[PlayerId, Hex], radius: int) -> None:
    """Give each player the land that is nearer to his seat than to any other; the sea is nobody's."""
    board, terrain = state.board, state.ruleset.terrain
    for at in (each for each in range(board.size) if terrain[board.terrain[each]].land):
        far = sorted((board.distance(at, seat), player) for player, seat in capitals.items())
        if far[0][0] <= radius and (len(far) == 1 or far[0][0] < far[1][0] or far[0][0] <= 1):
            state.owner[at] = far[0][1]
            state.discovered[at] = 1


def new_campaign(plan: Plan) -> State:
    """Return a campaign that stands at Setup; the same for the same plan."""
    random = Random(f"world/{plan}")
    ruleset = load(plan.ruleset)
    board = Board(*MAPS[plan.map], terrain_of(plan.map, ruleset, random))
    names = SEATS[: plan.players]
    factions = [random.choice(list(ruleset.factions)) for _ in names]
    players = {
        id_: Player(id_, faction, ruleset.factions[faction].strategy)
        for id_, faction in zip(names, factions, strict=True)
    }
    settings = settings_of(plan, random)
    state = State(board, ruleset, settings, players, id_key=str(plan).encode())
    seats = seats_on(board, ruleset, plan.players, random)
    territory(state, dict(zip(names, seats, strict=True)), 2 if plan.map == "tiny" else 3)
    if settings.fleet:
        state.system_control = random.choice(("", *names))
    for table in (state.corrupted, state.infested):  # marks of an older war
        land = [at for at, owner in enumerate(state.owner) if owner]
        table.update((at, random.choice(names)) for at in random.sample(land, random.choice((0, 4))))
    return begin(state, dice_of(plan, state)).state


def dice_of(plan: Plan, state: State) -> SeededDice:
    """Return the dice of the phase a campaign stands at: fixed by label."""
    return SeededDice(f"{plan}/{state.turn}/{state.phase}".encode())
