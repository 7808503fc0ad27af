"""The Patrol phase: patrol markers move in turn until one side's are all locked (3.1, 3.2, T-40 to T-46)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isqrt
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import Start
from server.referee.choices import Offer, offer, one_of, point
from server.referee.game import Game
from server.referee.geometry import Point, away, common, dot, minus, rectangle, rounded, within
from server.referee.mission import ATTACKER, DEFENDER, PLAYERS, ROLES, Mission
from server.referee.reading import (
    AT,
    BOOL,
    ID,
    INCHES,
    Integer,
    ListOf,
    OneOf,
    TableOf,
    given,
    inches,
    read,
    state,
    to_inches,
)
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule, rule_kind

PATROL = "patrol"
"""The stage in which patrol markers move."""
MAX_MARKERS = 12
PRECISION = 1 << 64
"""Roots are taken of numbers this much finer (squared) than a thousandth, so that only the end point is rounded."""


@dataclass(frozen=True, slots=True)
class PatrolMarker:
    """A patrol marker: a point on the table, and whether it is locked for good."""

    id: str
    side: str
    at: Point
    locked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerStart:
    """A patrol marker of a game that begins in the middle."""

    side: str = given(OneOf(PLAYERS))
    at: Point = given(AT)
    locked: bool = given(BOOL, False)


@act_kind("move", stages=(PATROL,), turn=True, holds=False)
class Move(Act):
    """Move a patrol marker up to 12" in a straight line; it halts on coming within 12" of an enemy marker (3.2)."""

    marker: str = given(ID)
    to: Point = given(AT)

    def check(self, game: Game) -> Found:
        """An own marker that is free, a place in reach on the table, and a chain that holds."""
        rule = game.rule(PatrolPhase)
        if (marker := rule.markers.get(self.marker)) is None:
            yield unknown("patrol marker", "marker", self.marker)
        elif marker.side != self.by:
            yield not_yours("This patrol marker is not yours.", "3.2")
        elif marker.locked:
            message = say("The patrol marker {marker} is locked.", marker=marker.id)
            yield refuse("locked", message, "marker", marker.id, "3.2")
        elif not game.mission.on_table(self.to):
            yield refuse("off_table", "This place is off the table.", "to", to_inches(self.to), "3.2")
        elif not within(marker.at, self.to, rule.reach):
            message = say("A patrol marker moves at most {far} inches.", far=inches(rule.reach))
            yield refuse("too_far", message, "to", to_inches(self.to), "3.2")
        elif not rule.holds(marker, rule.end_of(marker, self.to)):
            message = say("{marker} would leave the chain of patrol markers.", marker=marker.id)
            yield refuse("chain_broken", message, "to", to_inches(self.to), "T-45")

    def play(self, game: Game) -> None:
        """Move it, lock markers that meet, and pass to the other player."""
        rule = game.rule(PatrolPhase)
        marker = rule.markers[self.marker]
        rule.move(game, marker, rule.end_of(marker, self.to))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each free marker the ground where its chain is sure to hold."""
        rule = game.rule(PatrolPhase)
        table = rectangle(0, 0, game.mission.width, game.mission.height)
        for marker in rule.of(player):
            if not marker.locked:
                others = [other.at for other in rule.of(player) if other.id != marker.id]
                areas = safe_areas(marker.at, others, rule.reach, table, rule.chain)
                yield offer(marker=one_of([marker.id]), to=point(tuple(areas)))


@rule_kind("patrol_phase", acts=(Move,))
class PatrolPhase(Rule):
    """Patrol markers, and the stage in which they move."""

    markers_each: Mapping[str, int] = given(TableOf(Integer(1, MAX_MARKERS), keys="role"), {}, name="markers")
    """How many a role has; left out: 4 (T-41)."""
    places: Mapping[str, tuple[Point, ...]] = given(TableOf(ListOf(AT, min=1, max=MAX_MARKERS), keys="role"), {})
    """Where a role's markers start; left out: on its own edge (T-41)."""
    free_moves: Mapping[str, int] = given(TableOf(Integer(0, 20), keys="role"), {})
    """Moves before the first one (T-43)."""
    chain: bool = given(BOOL, True)
    """All markers of a side form one chain (T-45)."""
    reach: int = given(INCHES, 12_000)
    gap: int = given(INCHES, 9_000)
    """Between the places on the own edge, at most (T-41)."""
    stalled_after: int = given(Integer(1, 1000), 24)
    """Moves in a row without a new lock that end the phase (T-46)."""
    markers: dict[str, PatrolMarker] = state(dict)
    began: str = state(str)
    """The player who begins the phase (T-42)."""
    free: dict[str, int] = state(dict)
    """Free moves left."""
    stood_still: str = state(str)
    """The player who has just moved a marker by 0"; empty: nobody."""
    without_lock: int = state(int)
    """Moves since the last lock."""
    done: bool = state(bool)

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit the mission: roles, places off the table, places without a chain."""
        for name, table in (("markers", self.markers_each), ("places", self.places), ("free_moves", self.free_moves)):
            if not all(role in ROLES for role in table):
                yield f"{name} are given by role: attacker, defender"
        if PATROL not in mission.stages:
            yield f"there is no stage {PATROL}"
        for places in self.places.values():
            if not all(mission.on_table(place) for place in places):
                yield "a place is off the table"
            elif self.chain and not is_chain(places, self.reach):
                yield "chain_broken: the places are no chain"

    # --- what there is ---

    def of(self, player: str) -> list[PatrolMarker]:
        """Return the markers of a player."""
        return [marker for marker in self.markers.values() if marker.side == player]

    def enemies_of(self, player: str) -> dict[str, Point]:
        """Return the places of the other side's markers, by id."""
        return {marker.id: marker.at for marker in self.markers.values() if marker.side != player}

    def end_of(self, marker: PatrolMarker, to: Point) -> Point:
        """Return where a move of *marker* towards *to* ends."""
        return halt(marker.at, to, self.enemies_of(marker.side).values(), self.reach)

    def holds(self, marker: PatrolMarker, end: Point) -> bool:
        """True when the chain of *marker* 's side holds with it at *end* (T-45)."""
        places = [end if other.id == marker.id else other.at for other in self.of(marker.side)]
        return not self.chain or is_chain(places, self.reach)

    # --- the stage ---

    def begin_part(self, game: Game, part: str, id_: str, values: Mapping[str, Any]) -> bool:
        """Take ``[start.patrol.<id>]``."""
        if part != "patrol":
            return False
        found: list[Problem] = []
        data = read(MarkerStart, values, f"start.patrol.{id_}", found)
        game.unfit += [f"{problem.field}: {problem.message}" for problem in found]
        if data is not None:
            self.markers[id_] = PatrolMarker(id_, data.side, data.at, data.locked)
        return True

    def resumed(self, game: Game, start: Start) -> None:
        """Know who began, also in a game that begins at the jump-off points."""
        self.began = start.first or start.turn

    def stage_entered(self, game: Game, stage: str) -> None:
        """Set the markers up, lock those that meet already, and say who begins (T-42 to T-44)."""
        if not self.began:
            self.began = self._beginner(game)
        if stage == PATROL:
            self.set_up(game)
            self._check_start(game)
            self.free = {player: self.free_moves.get(game.role_of(player), 0) for player in game.players}
            for marker in list(self.markers.values()):
                self._lock_at(game, self.markers[marker.id])
            start = game.beginning.start
            turn = start.turn if start is not None and start.stage == PATROL else ""
            game.clock.turn = turn or self._mover(game)
            self._close_if_locked(game)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Players move until the phase is over."""
        return (game.clock.turn,) if stage == PATROL and not self.done else ()

    def _beginner(self, game: Game) -> str:
        attacker = game.attacker or game.players[0]
        morale = {player: game.armies[player].force_morale or 0 for player in game.players}
        other = game.other(attacker)
        return other if morale[other] > morale[attacker] else attacker

    def set_up(self, game: Game) -> None:
        """Put the markers on their places, unless there are some already (T-41)."""
        if self.markers:
            return
        for player in game.players:
            role = game.role_of(player) or (ATTACKER if player == game.players[0] else DEFENDER)
            places = self.places.get(role) or self._own_edge(game, role)
            letter = "a" if player == game.players[0] else "b"
            for number, place in enumerate(places, 1):
                self.markers[f"{letter}{number}"] = PatrolMarker(f"{letter}{number}", player, place)

    def _own_edge(self, game: Game, role: str) -> list[Point]:
        width, height = game.mission.width, game.mission.height
        edge = game.mission.edges.get(role, ("south" if role == ATTACKER else "north",))[0]
        along = start_places(self.markers_each.get(role, 4), width if edge in ("south", "north") else height, self.gap)
        spots: dict[str, list[Point]] = {
            "south": [(place, 0) for place in along],
            "north": [(place, height) for place in along],
            "west": [(0, place) for place in along],
            "east": [(width, place) for place in along],
        }
        return spots[edge]

    def _check_start(self, game: Game) -> None:
        """Note a start that cannot be played: off the table, without a chain, or two enemies at one place."""
        for player in game.players:
            if not (places := [marker.at for marker in self.of(player)]):
                game.unfit.append(f"start.patrol: {player} has no patrol marker")
            if not all(map(game.mission.on_table, places)):
                game.unfit.append("start.patrol: off_table")
            if self.chain and not is_chain(places, self.reach):
                game.unfit.append(f"start.patrol: chain_broken: the markers of {player} are no chain")
            if any(place in places for place in self.enemies_of(player).values()):
                game.unfit.append("start.patrol: two enemies stand at one place")

    # --- moving ---

    def move(self, game: Game, marker: PatrolMarker, end: Point) -> None:
        """Put *marker* at *end*, lock markers that meet there, and find the next player (3.2, 4 and 5)."""
        free, still = self.free[marker.side] > 0, end == marker.at
        moved = replace(marker, at=end)
        self.markers[marker.id] = moved
        game.emit("patrol_moved", marker=marker.id, by=marker.side, at=to_inches(end))
        if self._lock_at(game, moved):
            self.without_lock = 0
            self.stood_still = ""
        elif not free:
            self.without_lock += 1
        if free:
            self.free[marker.side] -= 1
        elif still and self.stood_still == game.other(marker.side):
            self.done = True
        else:
            self.stood_still = marker.side if still else ""
        self._close_if_locked(game)
        if not self.done and self.without_lock >= self.stalled_after:
            self.done = True
            game.emit("stalled", moves=self.without_lock)
        game.clock.turn = self._mover(game, "" if free else marker.side)

    def _mover(self, game: Game, ordinary: str = "") -> str:
        """Return the next player to move; *ordinary*: the player of the last move, unless it was free (T-42, T-43)."""
        for player in (self.began, game.other(self.began)):
            if self.free.get(player):
                return player
        return game.other(ordinary) if ordinary else self.began

    def _lock_at(self, game: Game, marker: PatrolMarker) -> bool:
        """Lock *marker* and every enemy marker within reach of it; true when someone was free (3.2, 4)."""
        met = [
            other
            for other in self.markers.values()
            if other.side != marker.side and within(marker.at, other.at, self.reach)
        ]
        fresh = [other for other in (marker, *met) if met and not other.locked]
        for other in fresh:
            self.markers[other.id] = replace(other, locked=True)
            game.emit("patrol_locked", marker=other.id, by=other.side)
        return bool(fresh)

    def _close_if_locked(self, game: Game) -> None:
        if any(all(marker.locked for marker in self.of(player)) for player in game.players):
            self.done = True

    # --- what is known ---

    def expected(self, game: Game, part: str, id_: str) -> Mapping[str, Any] | None:
        """Return a patrol marker's facts."""
        marker = self.markers.get(id_)
        if part != "patrol" or marker is None:
            return None
        return {"at": marker.at, "locked": marker.locked, "side": marker.side}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone sees all of it."""
        return {
            "began": self.began,
            "reach": inches(self.reach),
            "free_moves": dict(self.free),
            "markers": {
                marker.id: {"side": marker.side, "at": to_inches(marker.at), "locked": marker.locked}
                for marker in self.markers.values()
            },
        }


def halt(start: Point, to: Point, enemies: Iterable[Point], reach: int) -> Point:
    """Return where a marker that moves from *start* towards *to* stops (3.2, 2).

    It stops on reaching the circle of *reach* thousandths around an enemy marker, locked or not; else it gets there.
    *start* lies outside every circle (T-44). The point is rounded to whole thousandths.
    """
    path = minus(to, start)
    if not (whole := dot(path, path)):
        return start
    roots = [root for enemy in enemies if (root := _first_touch(path, minus(start, enemy), reach)) is not None]
    if not roots:
        return to
    gone = min(roots)
    return start[0] + rounded(path[0] * gone, whole * PRECISION), start[1] + rounded(path[1] * gone, whole * PRECISION)


def _first_touch(path: Point, apart: Point, reach: int) -> int | None:
    """Return the smaller root s of |apart + s path| = reach, or None where it is not on the path.

    It comes multiplied by path.path and :data:`PRECISION`.
    """
    whole, slope = dot(path, path), dot(path, apart)
    outside = dot(apart, apart) - reach * reach
    under_root = slope * slope - whole * outside
    if under_root < 0:
        return None
    root = -slope * PRECISION - isqrt(under_root * PRECISION * PRECISION)
    return root if 0 <= root <= whole * PRECISION else None


def is_chain(markers: Sequence[Point], reach: int) -> bool:
    """True when every marker is joined to every other by steps of at most *reach* (T-45)."""
    return len(_parts(markers, reach)) <= 1


def safe_areas(
    start: Point, others: Sequence[Point], reach: int, table: tuple[Point, ...], chained: bool = True
) -> list[tuple[Point, ...]]:
    """Return areas such that a move to any place in them keeps the chain, wherever on the way it is halted.

    The marker may go where it stays near one marker of every part into which the others fall without it: the way
    lies within the same circles, since it begins there. Other places may do as well.
    """
    spot, rim = (start, start, start), _rim(reach)
    area = common(_moved(rim, start), table)
    if not chained or not others:
        return [spot, area]
    near = [[other for other in part if within(start, other, reach)] for part in _parts(others, reach)]
    areas: list[tuple[Point, ...]] = [spot]
    for links in product(*near):
        rest = area
        for link in links:
            rest = common(rest, _moved(rim, link))
        areas.append(rest)
    return [kept for kept in areas if len(kept) >= 3]


def _rim(radius: int) -> tuple[Point, ...]:
    """Return a polygon inside a circle about (0, 0), against the clock; a hundredth of an inch is left for rounding."""
    return tuple(away((0, 0), tens, radius - 10) for tens in range(36, 0, -4))


def _moved(polygon: Sequence[Point], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in polygon)


def _parts(markers: Sequence[Point], reach: int) -> list[list[Point]]:
    """Return the markers by the chains that they form."""
    parts: list[list[Point]] = []
    for marker in markers:
        joined = [part for part in parts if any(within(marker, link, reach) for link in part)]
        parts = [part for part in parts if part not in joined] + [[link for part in joined for link in part] + [marker]]
    return parts


def start_places(count: int, edge: int, gap: int) -> list[int]:
    """Return the default places of *count* markers along an edge *edge* thousandths long (T-41).

    They stand around its middle, *gap* thousandths apart or as far as the edge allows.
    """
    if count == 1:
        return [rounded(edge, 2)]
    step_over, step_under = (gap, 1) if gap * (count - 1) <= edge else (edge, count - 1)
    return [
        rounded(edge * step_under + step_over * (2 * number - count - 1), 2 * step_under)
        for number in range(1, count + 1)
    ]
