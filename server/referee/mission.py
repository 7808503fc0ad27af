"""A mission: table, zones, edges, markers, stages, phases, rules, stratagems. Data only, read by :mod:`reader`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from server.referee.geometry import Point, inside, squared
from server.referee.reading import (
    AT,
    BOOL,
    ID,
    LOCALIZED_TEXT,
    POLYGON,
    Inches,
    Integer,
    ListOf,
    LocalizedText,
    OneOf,
    Record,
    TableOf,
    given,
)

if TYPE_CHECKING:
    from server.referee.rule import Rule

PLAYERS = ("red", "blue")
GAME_MASTER = "gm"
ATTACKER, DEFENDER = ROLES = ("attacker", "defender")
NO_MANS_LAND = "no_mans_land"
FAMILIES = ("combat_patrol", "crucible_of_war", "patrol", "battle", "posture", "club")
EDGES = ("south", "north", "west", "east")
"""y = 0, y = H, x = 0, x = W (N-02)."""
BATTLE, OVER = "battle", "over"
"""The two stages that every mission ends with."""

Polygon = tuple[Point, ...]
Zone = tuple[Polygon, ...]


def higher(values: Mapping[str, Any]) -> str:
    """Return the player whose value is greater; empty: they are equal."""
    red, blue = (values[player] for player in PLAYERS)
    return "" if red == blue else PLAYERS[0] if red > blue else PLAYERS[1]


@dataclass(frozen=True, slots=True)
class MarkerPlace:
    """An objective marker on the map."""

    id: str = given(ID)
    at: Point | None = given(AT, None)
    """None: players place it."""


@dataclass(frozen=True, slots=True)
class RuleData:
    """One rule of a mission, and what the mission gives it, as read."""

    kind: type[Rule]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PaidStratagem:
    """A stratagem of another book, which players pay for with ``spend``; what it does stands there."""

    id: str = given(ID)
    name: LocalizedText = given(LOCALIZED_TEXT)
    cp: int = given(Integer(0, 20), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """What a table game is played by."""

    id: str = given(ID)
    name: LocalizedText = given(LOCALIZED_TEXT)
    briefing: LocalizedText = given(LOCALIZED_TEXT)
    summary: Mapping[str, tuple[str, ...]]
    """What players must know, in lines, by language."""
    hints: tuple[LocalizedText, ...] = given(ListOf(LOCALIZED_TEXT, max=20), ())
    """Shown to the players, enforced by nobody."""
    family: str = given(OneOf(FAMILIES), "club")
    """Missions of one family are drawn from one table of D6."""
    number: int = given(Integer(0, 6), 0)
    """The face that draws it; 0: none does."""
    width: int = given(Inches(1_000))
    height: int = given(Inches(1_000))
    """Thousandths of an inch."""
    scales: bool = given(BOOL, False)
    """Another size of table stretches zones and markers (N-03)."""
    stages: tuple[str, ...] = given(ListOf(ID, min=2, max=30))
    left_by_both: tuple[str, ...] = given(ListOf(ID, max=30), ())
    """Stages that are left only by ``end_phase`` of both."""
    placed_by: str = given(ID, "")
    """The stage that puts units on the table: up to its end they are unplaced; empty: they always stand there."""
    phases: tuple[str, ...] = given(ListOf(ID, max=12), ())
    rounds: int = given(Integer(1, 50))
    """The most rounds there are."""
    edges: Mapping[str, tuple[str, ...]]
    zones: Mapping[str, Zone] = given(TableOf(ListOf(POLYGON, min=1, max=20)), {})
    markers: tuple[MarkerPlace, ...] = given(ListOf(Record(MarkerPlace), max=50), ())
    rules: tuple[RuleData, ...]
    stratagems: tuple[Any, ...] = ()
    paid: tuple[PaidStratagem, ...] = given(ListOf(Record(PaidStratagem), max=100), (), name="paid_stratagems")
    """Stratagems of other books that a club plays with."""

    def in_zone(self, name: str, point: Point) -> bool:
        """True when *point* lies in the zone, its line included (T-04)."""
        return any(inside(point, polygon) for polygon in self.zones.get(name, ()))

    def zone_of(self, point: Point) -> str:
        """Return whose zone *point* lies in: ``attacker``, ``defender`` or ``no_mans_land`` (T-04)."""
        return next((role for role in ROLES if self.in_zone(role, point)), NO_MANS_LAND)

    def on_table(self, point: Point) -> bool:
        """True when *point* lies on the table, its edge included."""
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def is_central(self, point: Point, distance: int) -> bool:
        """True when *point* is at most *distance* from the middle of the table."""
        return squared((2 * point[0], 2 * point[1]), (self.width, self.height)) <= (2 * distance) ** 2

    def sized(self, width: int, height: int) -> Mission:
        """Return the mission for another size of table (N-03)."""
        if (width, height) == (self.width, self.height):
            return self
        if not self.scales:
            return replace(self, width=width, height=height)

        def moved(point: Point) -> Point:
            return _scaled(point[0], width, self.width), _scaled(point[1], height, self.height)

        return replace(
            self,
            width=width,
            height=height,
            zones={
                name: tuple(tuple(map(moved, polygon)) for polygon in polygons) for name, polygons in self.zones.items()
            },
            markers=tuple(MarkerPlace(marker.id, moved(marker.at) if marker.at else None) for marker in self.markers),
        )


def _scaled(value: int, to: int, of: int) -> int:
    return (2 * value * to + of) // (2 * of)
