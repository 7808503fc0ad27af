"""Jump-off points: each is placed opposite the enemies of another own patrol marker (3.3, T-47 to T-54)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.choices import Choice, Offer, offer, one_of
from server.referee.game import Game
from server.referee.geometry import INCH, Exact, Point, rounded, squared
from server.referee.mission import PLAYERS, Mission
from server.referee.patrol.ground import Choice as Pairs
from server.referee.patrol.ground import Cover, closest_two, swept, wedge
from server.referee.patrol.jump_off_zones import NOT_IN_COVER, NOT_IN_ZONE, TOO_CLOSE, Zone
from server.referee.patrol.patrol_phase import MAX_MARKERS, PATROL, PatrolMarker, PatrolPhase
from server.referee.reading import (
    AT,
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

JUMP_OFFS = "jump_offs"
"""The stage in which jump-off points are placed."""
DEFAULT_COUNT = 3
TOLD_GROUND = 4
"""The first version of the referee whose view says where in a wedge a point may stand: views are part of the record."""


@dataclass(slots=True)
class JumpOff:
    """A jump-off point; not yet placed: ``at`` is None."""

    id: str
    side: str
    at: Point | None = None
    marker: str = ""
    """The patrol marker it was placed from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpOffStart:
    """A jump-off point of a game that begins in the middle."""

    side: str = given(OneOf(PLAYERS))
    at: Point | None = given(AT, None)
    marker: str = given(ID, "")


@act_kind("jump_off", stages=(JUMP_OFFS,), turn=True, holds=False)
class PlaceJumpOff(Act):
    """Place a jump-off point from a patrol marker that has given none."""

    id: str = given(ID)
    marker: str = given(ID)
    at: Point = given(AT)
    pair: tuple[str, ...] | None = given(ListOf(ID, min=1, max=MAX_MARKERS), None)
    floor: int = given(Integer(-10, 200), 0)

    def check(self, game: Game) -> Found:
        """An own point not yet placed, an own marker not yet used, the pair where it must be named, the place."""
        if problem := self._wrong_point(game) or self._wrong_marker(game) or self._wrong_pair(game):
            yield problem
            return
        if code := game.rule(JumpOffPoints).zone(game, self.marker, self.pair).refusal(self.at):
            yield _wrong_place(code, self.at)
        elif self.floor:
            yield refuse("upper_floor", "In a building only the ground floor will do.", "floor", self.floor, "T-53")

    def _wrong_point(self, game: Game) -> Problem | None:
        if (point := game.rule(JumpOffPoints).points.get(self.id)) is None:
            return unknown("jump-off point", "id", self.id)
        if point.side != self.by:
            return not_yours("This jump-off point is not yours.", "3.3")
        if point.at is not None:
            return refuse("already_used", "{id} stands already.", "id", self.id, "3.3", id=self.id)
        return None

    def _wrong_marker(self, game: Game) -> Problem | None:
        if (marker := game.rule(PatrolPhase).markers.get(self.marker)) is None:
            return unknown("patrol marker", "marker", self.marker)
        if marker.side != self.by:
            return not_yours("This patrol marker is not yours.", "3.3")
        if marker.id in game.rule(JumpOffPoints).used:
            message = say("{marker} has given a jump-off point already.", marker=marker.id)
            return refuse("already_used", message, "marker", marker.id, "3.3")
        return None

    def _wrong_pair(self, game: Game) -> Problem | None:
        choice = game.rule(JumpOffPoints).pairs(game, self.marker)
        if self.pair is None:
            if not choice.free:
                return None
            message = say("Several enemy markers are equally close: name two of {may}.", may=", ".join(choice.may))
            return refuse("choice_missing", message, "pair", rule="T-47")
        enemies = game.rule(PatrolPhase).markers
        for enemy in self.pair:
            if enemy not in enemies:
                return unknown("patrol marker", "pair", enemy)
        if not choice.allows(self.pair):
            return refuse("bad_value", "These are not two of the closest enemy markers.", "pair", self.pair, "T-47")
        return None

    def play(self, game: Game) -> None:
        """Place it; the other player is next."""
        rule = game.rule(JumpOffPoints)
        placed = rule.points[self.id]
        placed.at, placed.marker = self.at, self.marker
        rule.used[self.marker] = self.id
        game.emit("jump_off_placed", id=self.id, by=self.by, marker=self.marker, at=to_inches(self.at))
        rule.next_player(game, self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer places from every own marker that has given none."""
        rule = game.rule(JumpOffPoints)
        waiting = [point.id for point in rule.points.values() if point.side == player and point.at is None]
        if not waiting:
            return
        for marker in game.rule(PatrolPhase).of(player):
            if marker.id in rule.used:
                continue
            choice = rule.pairs(game, marker.id)
            for pair in rule.named_pairs(choice):
                places = rule.zone(game, marker.id, pair).some_places
                fields: dict[str, Choice] = {"id": one_of(waiting), "marker": one_of([marker.id])}
                if pair is not None:
                    fields["pair"] = one_of([list(pair)])
                yield offer(**fields, at=one_of([to_inches(place) for place in places]))


@rule_kind("jump_off_points", acts=(PlaceJumpOff,))
class JumpOffPoints(Rule):
    """Jump-off points, and the stage in which they are placed."""

    each: Mapping[str, int] = given(TableOf(Integer(0, MAX_MARKERS), keys="role"), {}, name="points")
    """How many a role has; left out: 3 (T-41). A game that begins with fewer patrol markers has one from each."""
    distance: int = given(INCHES, 6 * INCH)
    behind: int = given(INCHES, INCH)
    """How far "immediately behind" cover reaches (T-50)."""
    points: dict[str, JumpOff] = state(dict)
    used: dict[str, str] = state(dict)
    """The point that each patrol marker gave."""
    _zones: dict[tuple[str, tuple[str, ...] | None], Zone] = state(dict)

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit the mission: a stage is missing, or there are more points than markers."""
        if not all(stage in mission.stages for stage in (PATROL, JUMP_OFFS)):
            yield f"there must be stages {PATROL} and {JUMP_OFFS}"
        if (patrol := next((data for data in mission.rules if data.kind is PatrolPhase), None)) is None:
            yield f"it needs the rule {PatrolPhase.NAME}"
            return
        rule = PatrolPhase(**patrol.values)
        for role in ("attacker", "defender"):
            markers = len(rule.places.get(role, ())) or rule.markers_each.get(role, 4)
            if self.each.get(role, DEFAULT_COUNT) > markers:
                yield "there are more jump-off points than patrol markers"

    # --- the stage ---

    def begin_part(self, game: Game, part: str, id_: str, values: Mapping[str, Any]) -> bool:
        """Take ``[start.jump_offs.<id>]``."""
        if part != "jump_offs":
            return False
        found: list[Problem] = []
        data = read(JumpOffStart, values, f"start.jump_offs.{id_}", found)
        game.unfit += [f"{problem.field}: {problem.message}" for problem in found]
        if data is not None:
            self.points[id_] = JumpOff(id_, data.side, data.at, data.marker)
            if data.marker:
                self.used[data.marker] = id_
        return True

    def stage_entered(self, game: Game, stage: str) -> None:
        """The player who began the phase places first."""
        if stage != JUMP_OFFS:
            return
        patrol = game.rule(PatrolPhase)
        patrol.set_up(game)
        self._set_up(game)
        for player in game.players:
            if len(self._of(player)) > len(patrol.of(player)):
                game.unfit.append("start.jump_offs: there are more jump-off points than patrol markers")
        start = game.beginning.start
        turn = start.turn if start is not None and start.stage == JUMP_OFFS else ""
        self.next_player(game, game.other(turn or patrol.began))

    def _set_up(self, game: Game) -> None:
        if self.points:
            return
        for player, letter in zip(game.players, "jk", strict=True):
            maximum = len(game.rule(PatrolPhase).of(player))
            count = min(maximum, self.each.get(game.role_of(player), DEFAULT_COUNT))
            for number in range(1, count + 1):
                self.points[f"{letter}{number}"] = JumpOff(f"{letter}{number}", player)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """Players place points until all are on the table."""
        if stage != JUMP_OFFS or not any(point.at is None for point in self.points.values()):
            return ()
        return (game.clock.turn,)

    def next_player(self, game: Game, last: str) -> None:
        """Let the other player place, unless they are done."""
        other = game.other(last)
        game.clock.turn = other if any(point.at is None for point in self._of(other)) else last

    def _of(self, player: str) -> list[JumpOff]:
        return [point for point in self.points.values() if point.side == player]

    # --- places ---

    def pairs(self, game: Game, marker: str) -> Pairs:
        """Return the enemies that count for a patrol marker, or its player's choice of enemies (T-47)."""
        patrol = game.rule(PatrolPhase)
        own = patrol.markers[marker]
        return closest_two(own.at, patrol.enemies_of(own.side))

    def named_pairs(self, choice: Pairs) -> list[tuple[str, ...] | None]:
        """Return all pairs that may be named; only None where nothing is left to name."""
        if not choice.free:
            return [None]
        return [choice.must + named for named in combinations(choice.may, choice.free)]

    def zone(self, game: Game, marker: str, pair: tuple[str, ...] | None) -> Zone:
        """Return the ground for a jump-off point from *marker*."""
        key = marker, pair
        if key not in self._zones:
            self._zones[key] = self._make_zone(game, game.rule(PatrolPhase).markers[marker], pair)
        return self._zones[key]

    def _make_zone(self, game: Game, marker: PatrolMarker, pair: tuple[str, ...] | None) -> Zone:
        enemies = game.rule(PatrolPhase).enemies_of(marker.side)
        near = {enemy: squared(marker.at, place) for enemy, place in enemies.items()}
        counted = sorted(pair or self.pairs(game, marker.id).pair(), key=near.__getitem__)
        others = sorted((enemy for enemy in enemies if enemy not in counted), key=near.__getitem__)
        opposite = wedge(marker.at, [enemies[enemy] for enemy in counted], [enemies[enemy] for enemy in others])
        return Zone(
            opposite,
            game.mission.width,
            game.mission.height,
            self.distance,
            game.beginning.settings.jop_distance != "marker",
            tuple(swept(cover, opposite.facing, self.behind) for cover in covers(game)),
        )

    # --- what is known ---

    def expected(self, game: Game, part: str, id_: str) -> Mapping[str, Any] | None:
        """Return a jump-off point's facts."""
        point = self.points.get(id_)
        if part != "jump_offs" or point is None:
            return None
        return {"at": point.at, "side": point.side, "marker": point.marker}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone sees all of it; whose step it is also sees the ground opposite their markers (T-48)."""
        seen: dict[str, Any] = {
            "distance": inches(self.distance),
            "measured_from": "marker" if game.beginning.settings.jop_distance == "marker" else "enemies",
            "points": {
                point.id: {
                    "side": point.side,
                    "at": None if point.at is None else to_inches(point.at),
                    "marker": point.marker,
                }
                for point in self.points.values()
            },
        }
        if game.stage == JUMP_OFFS:
            seen["zones"] = [
                {
                    "marker": marker.id,
                    "pair": None if pair is None else list(pair),
                    "polygon": [_rounded(corner) for corner in self.zone(game, marker.id, pair).polygon],
                    **(_ground(self.zone(game, marker.id, pair)) if game.version >= TOLD_GROUND else {}),
                }
                for marker in game.rule(PatrolPhase).of(game.clock.turn)
                if marker.id not in self.used
                for pair in self.named_pairs(self.pairs(game, marker.id))
            ]
        return seen


def _wrong_place(code: str, at: Point) -> Problem:
    """Return the problem of a place, by its code."""
    where = to_inches(at)
    if code == NOT_IN_ZONE:
        return refuse(code, "This is not directly opposite the two closest enemy patrol markers.", "at", where, "3.3")
    if code == TOO_CLOSE:
        return refuse(code, "This is not far enough from the closest enemy patrol markers.", "at", where, "3.3")
    if code == NOT_IN_COVER:
        message = "This is neither in cover nor immediately behind it, nor on the table's edge."
        return refuse(code, message, "at", where, "3.3")
    message = "Cover is available: the edge of the table is only for those who have none."
    return refuse(code, message, "at", where, "T-51")


def covers(game: Game) -> list[Cover]:
    """Return the terrain that gives cover."""
    return [
        Cover(piece.polygon or piece.line, closed=bool(piece.polygon))
        for piece in game.pieces.values()
        if piece.cover and (piece.polygon or piece.line)
    ]


def _rounded(corner: Exact) -> list[int | float]:
    return [inches(rounded(part.numerator, part.denominator)) for part in corner]


def _ground(zone: Zone) -> dict[str, Any]:
    """Return the allowed places in a wedge: in cover, or without cover along the table's edge (3.3)."""
    covered = zone.cover if zone.cover_point is not None else ()
    return {
        "cover": [[to_inches(corner) for corner in line] for piece in covered for line in piece.outline()],
        "edge": [[to_inches(end) for end in part] for part in zone.edge_parts],
    }
