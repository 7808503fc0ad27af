"""Markers that players choose in their Command phase, to recover data (1.1) or to raze (1.4); drawn markers (1.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.core.errors import Problem
from server.referee.act import Act, Found, act_kind
from server.referee.choices import FALSE, Offer
from server.referee.combat_patrol.control import Control
from server.referee.command_points import gain
from server.referee.game import Game
from server.referee.mission import NO_MANS_LAND, ROLES, Mission
from server.referee.reading import BOOL, ID, MARKER, PHASE, Integer, ListOf, Record, TableOf, given, state
from server.referee.refusals import refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import EMBARKED, TABLE


def _refusal_of_choice(game: Game, player: str, rule: RecoverData | RazeMarkers, id_: str) -> Problem | None:
    """Return what both choices have in common: the phase, the round, one a turn, a marker that is controlled."""
    marker = game.markers[id_]
    if game.phase != rule.phase:
        return refuse("wrong_phase", "This is done in the phase {phase}.", rule=rule.number, phase=rule.phase)
    if game.round < rule.from_round:
        return refuse("not_allowed", "This is done from round {round} on.", rule=rule.number, round=rule.from_round)
    if rule.turn_of_choice == (game.round, player):
        return refuse("limit_reached", "One marker a turn.", "marker", id_, rule.number)
    if marker.used:
        return refuse("limit_reached", "This marker has been used.", "marker", id_, rule.number)
    if marker.removed:
        return refuse("not_allowed", "This marker is not on the table any more.", "marker", id_, rule.number)
    if marker.control != player:
        return refuse("not_controlled", "You do not control this marker.", "marker", id_, rule.number)
    return None


@act_kind("recover", stages=("battle",), turn=True)
class Recover(Act):
    """Recover data from a marker that one controls (T-20)."""

    marker: str = given(MARKER)

    def check(self, game: Game) -> Found:
        """One marker a turn, each marker once."""
        if problem := _refusal_of_choice(game, self.by, game.rule(RecoverData), self.marker):
            yield problem

    def play(self, game: Game) -> None:
        """Use the marker for good; a Warlord on the table brings CP."""
        rule, marker = game.rule(RecoverData), game.markers[self.marker]
        marker.used = True
        rule.turn_of_choice = (game.round, self.by)
        game.emit("recovered", player=self.by, marker=marker.id)
        if warlord_on_table(game, self.by):
            gain(game, self.by, rule.cp, "data recovered")

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what may be recovered."""
        yield from cls.offers(game, player, "marker", game.markers)


@rule_kind("recover_data", acts=(Recover,))
class RecoverData(Rule):
    """In each player's own phase, from a round on, one marker may be used; with the Warlord there it brings CP."""

    phase: str = given(PHASE, "command")
    from_round: int = given(Integer(1, 50), 2)
    cp: int = given(Integer(0, 10), 1)
    number: str = given(ID, "T-20")
    turn_of_choice: tuple[int, str] = state(lambda: (0, ""))


def warlord_on_table(game: Game, player: str) -> bool:
    """Say whether a player's Warlord is on the table, or in a Transport that is."""
    warlord = next((unit for unit in game.units_of(player, TABLE, EMBARKED) if "warlord" in unit.flags), None)
    return warlord is not None and game.state_with_transport(warlord) == TABLE


@act_kind("raze", stages=("battle",), turn=True, report=2)
class Raze(Act):
    """Raze a marker that one controls: it is removed (T-23)."""

    marker: str = given(MARKER)
    enemy_near: bool = given(BOOL)
    """An enemy unit is within 3" of it."""

    def check(self, game: Game) -> Found:
        """The mission forbids some markers to each side, the last one, and one with an enemy near."""
        rule = game.rule(RazeMarkers)
        reported = game.find(Control)
        problem = _refusal_of_choice(game, self.by, rule, self.marker)
        left = sum(not marker.removed for marker in game.markers.values())
        if problem is not None and problem.code != "not_controlled":
            yield problem
        elif reported is not None and reported.reported:
            yield refuse("wrong_moment", "Markers are razed before the levels are reported.", rule=rule.number)
        elif left < rule.leaves + 1:
            yield refuse("not_allowed", "The last marker cannot be razed.", "marker", self.marker, rule.number)
        elif self.marker in rule.forbidden.get(game.role_of(self.by), ()):
            yield refuse("not_allowed", "You can never raze this marker.", "marker", self.marker, "1.4")
        elif problem is not None:
            yield problem
        elif self.enemy_near:
            yield refuse("not_allowed", 'An enemy is within 3" of it.', "enemy_near", True, rule.number)

    def play(self, game: Game) -> None:
        """Remove it."""
        rule = game.rule(RazeMarkers)
        rule.turn_of_choice = (game.round, self.by)
        remove(game, self.marker, self.by)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer what may be razed."""
        more = {"enemy_near": FALSE}
        yield from cls.offers(game, player, "marker", game.markers, more, enemy_near=False)


def remove(game: Game, id_: str, by: str) -> None:
    """Take a marker off the table; it loses everything (T-09)."""
    marker = game.markers[id_]
    marker.removed = True
    marker.control = marker.secured = ""
    marker.levels.clear()
    marker.claims.clear()
    game.emit("marker_removed", marker=id_, by=by)


@rule_kind("raze_markers", acts=(Raze,))
class RazeMarkers(Rule):
    """At the start of each player's own phase, from a round on, one marker may be razed; so many always stay."""

    phase: str = given(PHASE, "command")
    from_round: int = given(Integer(1, 50), 2)
    leaves: int = given(Integer(0, 20), 1)
    forbidden: Mapping[str, tuple[str, ...]] = given(TableOf(ListOf(ID)), {})
    """By role: markers it can never raze."""
    number: str = given(ID, "T-23")
    turn_of_choice: tuple[int, str] = state(lambda: (0, ""))

    def unfit(self, mission: Mission) -> Iterable[str]:
        """Ask for roles and markers that there are."""
        known = [marker.id for marker in mission.markers]
        for role, markers in self.forbidden.items():
            if role not in ROLES:
                yield f"{role} is neither attacker nor defender"
            for marker in markers:
                if marker not in known:
                    yield f"this mission has no marker {marker}"

    def scoring_count(self, game: Game, player: str, what: str) -> int | None:
        """Count the razing of this turn."""
        return int(self.turn_of_choice == (game.round, player)) if what == "razed" else None

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Say whether the active player has razed."""
        return {"razed_this_turn": self.turn_of_choice == (game.round, game.turn)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One draw: its name, the round at whose start it happens, the round at whose start its marker is removed."""

    name: str = given(ID)
    round: int = given(Integer(1, 50))
    removed: int = given(Integer(1, 50))


@rule_kind("drawn_markers")
class DrawnMarkers(Rule):
    """At the start of some rounds a marker in No Man's Land is drawn; it counts until it is removed."""

    draws: tuple[Draw, ...] = given(ListOf(Record(Draw), min=1, max=10))
    drawn: dict[str, str] = state(dict)
    """Marker by draw."""

    def round_started(self, game: Game) -> None:
        """Remove what is due, then draw."""
        for draw in self.draws:
            if draw.removed == game.round and draw.name in self.drawn:
                remove(game, self.drawn[draw.name], draw.name)
        for draw in self.draws:
            if draw.round == game.round:
                self._draw(game, draw)

    def resumed(self, game: Game, start: object) -> None:
        """Draw what a game that begins in the middle must have drawn and does not name."""
        for draw in self.draws:
            if draw.round <= game.round < draw.removed and draw.name not in self.drawn:
                self._draw(game, draw)

    def _draw(self, game: Game, draw: Draw) -> None:
        left = sorted(
            marker.id
            for marker in game.markers.values()
            if marker.zone == NO_MANS_LAND and not marker.removed and marker.id not in self.drawn.values()
        )
        if left:
            face = game.roll(draw.name)
            self.drawn[draw.name] = left[(face - 1) * len(left) // 6]
            game.emit("drawn", what=draw.name, marker=self.drawn[draw.name])

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take what has been drawn."""
        if name in [draw.name for draw in self.draws]:
            if value:
                self.drawn[name] = value
            return True
        return False

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Name the markers drawn; empty: none yet."""
        return {draw.name: self.drawn.get(draw.name, "") for draw in self.draws}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows them."""
        return self.tracked(game)
