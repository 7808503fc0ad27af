"""A scenario: a board, who starts where, and with what. Immutable, typed data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset

FORMAT = 1
"""Version of the file format that this server writes; it reads every version up to it."""

MAX_PLAYERS = 24
MAX_RADIUS = 30
"""Of a start area that is written as a disc; larger ones list their hexes."""
DEFAULT_RULESET = "wh40k-2001"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a player begins."""

    name: str
    centre: Hex
    area: tuple[Hex, ...]
    """The hexes of the start area, in hex order. Those that are not land are nobody's."""
    briefing: str = ""
    """What only concerns this seat, for people."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Starting conditions; None: as the ruleset says."""

    bp: int | None = None
    """BP in each capital."""
    urban: int | None = None
    """Settlements to be placed in addition to the capital."""
    resources: int | None = None
    """Resource hexes to be placed."""


@dataclass(frozen=True, slots=True)
class Background:
    """A picture under the map, a scanned board for example, with the grid laid over it."""

    file: str
    """Name of a picture beside ``scenario.json``."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Where the centre of the first hex lies in the picture, in pixels from its top left corner."""
    scale: tuple[float, float] = (64.0, 55.4256)
    """Pixels from the centre of a hex to the next column's, and to the next row's."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Scenario:
    """A map with everything a campaign on it begins with."""

    id: str
    """Name of the folder; how people call the scenario on the command line."""
    title: str
    board: Board
    starts: tuple[Start, ...]
    """In seat order; as many as there can be players."""
    summary: str = ""
    """One line for lists of scenarios."""
    author: str = ""
    ruleset: str = DEFAULT_RULESET
    """Id of the ruleset the scenario is meant for."""
    roads: tuple[tuple[Hex, Hex], ...] = ()
    """Road edges, the lower hex number first, sorted."""
    conditions: Conditions = Conditions()
    seats: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The starts for each number of players, counted from 0; the most players use all of them."""
    briefing: tuple[str, ...] = ()
    """Paragraphs, for people."""
    background: Background | None = None
    folder: Path | None = field(default=None, compare=False)
    """Where it was read from."""

    @property
    def max_players(self) -> int:
        """The most players the scenario is made for."""
        return len(self.starts)

    @property
    def player_counts(self) -> tuple[int, ...]:
        """How many players it is made for, rising."""
        return tuple(sorted({*self.seats, len(self.starts)}))

    def starts_for(self, players: int) -> tuple[Start, ...]:
        """Return the starts that a number of players uses, in seat order."""
        if players == len(self.starts):
            return self.starts
        return tuple(self.starts[seat] for seat in self.seats[players])


def land(board: Board, ruleset: Ruleset, area: Sequence[Hex]) -> tuple[Hex, ...]:
    """Return the hexes of an area that can be controlled."""
    return tuple(hex_ for hex_ in area if is_land(board, ruleset, hex_))


def is_land(board: Board, ruleset: Ruleset, hex_: Hex) -> bool:
    """Say whether a hex can be controlled."""
    terrain = ruleset.terrain.get(board.terrain[hex_])
    return terrain is not None and terrain.land


def find_hex(columns: int, rows: int, label: object) -> Hex | None:
    """Return the hex of that label on a board of that size, or None (D-01); needs no board."""
    digits = 3 if max(columns, rows) > 99 else 2
    if not (isinstance(label, str) and len(label) == 2 * digits and label.isascii() and label.isdigit()):
        return None
    column, row = int(label[:digits]) - 1, int(label[digits:]) - 1
    return row * columns + column if 0 <= column < columns and 0 <= row < rows else None


def disc(board: Board, centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return the hexes at most *radius* steps away, in hex order."""
    return tuple(sorted(board.within(centre, radius)))


def middle(board: Board, area: Sequence[Hex]) -> Hex:
    """Return the hex of an area whose farthest other hex is nearest, the lowest of equals."""
    if len(area) > _SMALL_AREA:
        columns = [hex_ % board.columns for hex_ in area]
        rows = [hex_ // board.columns for hex_ in area]
        column, row = sum(columns) // len(area), sum(rows) // len(area)
        return min(area, key=lambda hex_: (board.distance(hex_, row * board.columns + column), hex_))
    return min(area, key=lambda here: (_farthest(board, here, area), here))


_SMALL_AREA = 64


def _farthest(board: Board, here: Hex, area: Sequence[Hex]) -> tuple[int, int]:
    steps = [board.distance(here, hex_) for hex_ in area]
    return max(steps), sum(steps)
