"""Victory points: the primary objective by its schedule, what is counted at the end, who has won (T-11, T-22, T-27).

Turns of players without models are skipped; the survivor plays on or ends the battle (T-29).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.core.errors import Problem
from server.referee.game import Game
from server.referee.mission import BATTLE, NO_MANS_LAND, ROLES
from server.referee.reading import MARKER_ID, PHASE, Integer, ListOf, OneOf, Record, given, state
from server.referee.refusals import refuse
from server.referee.rule import ALONE, Result, Rule, rule_kind
from server.referee.units import EMBARKED, RESERVE, TABLE

ANY, OWN, ENEMY = "any", "own", "enemy"
EACH_MARKER, MARKERS, MORE_MARKERS = "each_marker", "markers", "more_markers"
COUNTED = (EACH_MARKER, MARKERS, MORE_MARKERS, "razed", "claimed", "claimed_twice")
"""What a line may be about; what is not counted here another rule counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a primary objective."""

    what: str = given(OneOf(COUNTED), name="for")
    """``each_marker``: for each that is controlled; ``markers``: once for *count* of them or more; ``more_markers``:
    once for more than the other player; else what another rule of the mission counts."""
    vp: int = given(Integer(1, 100))
    zone: str = given(OneOf((ANY, OWN, ENEMY, NO_MANS_LAND)), ANY)
    """Only markers in this zone, seen by the side that scores."""
    count: int = given(Integer(1, 20), 1)


@rule_kind("primary_objective")
class PrimaryObjective(Rule):
    """The player whose turn it is scores, in some rounds, at the end of a phase or of the turn."""

    rounds: tuple[int, ...] = given(ListOf(Integer(1, 50), min=1))
    phase: str = given(PHASE, "command")
    late_in: int = given(Integer(0, 50), 0)
    """In this round the second player scores at the end of their turn instead; 0: never."""
    max: int = given(Integer(0, 1000), 0)
    """The most VP in one turn; 0: no limit."""
    lines: tuple[Line, ...] = given(ListOf(Record(Line), min=1, max=20))

    def phase_ending(self, game: Game, phase: str) -> None:
        """Score, unless it is for the end of the turn."""
        if phase == self.phase and game.round in self.rounds and not self._late(game):
            self._score(game)

    def turn_ending(self, game: Game) -> None:
        """Score what waits for the end of the turn."""
        if game.round in self.rounds and self._late(game):
            self._score(game)

    def scores_now(self, game: Game) -> int | None:
        """Return what the end of this phase scores, with the control that is foreseen for it."""
        if game.stage != BATTLE or game.clock.ending or game.round not in self.rounds:
            return None
        last = game.phase == game.mission.phases[-1] or game.clock.cut
        if not (last if self._late(game) else game.phase == self.phase):
            return None
        before = {marker.id: marker.control for marker in game.markers.values()}
        foreseen = {
            marker.id: next((who for who in game.ask("foreseen_control", marker) if who is not None), marker.control)
            for marker in game.markers.values()
        }
        try:
            for id_, player in foreseen.items():
                game.markers[id_].control = player
            return self._worth(game)
        finally:
            for id_, player in before.items():
                game.markers[id_].control = player

    def _late(self, game: Game) -> bool:
        return game.clock.second and game.round == self.late_in

    def _score(self, game: Game) -> None:
        game.score(game.turn, self._worth(game), "primary objective")

    def _worth(self, game: Game) -> int:
        vp = sum(line.vp * times(game, game.turn, line) for line in self.lines)
        return min(vp, self.max) if self.max else vp


def times(game: Game, player: str, line: Line) -> int:
    """Return how often a line counts for *player* now."""
    if line.what in (EACH_MARKER, MARKERS):
        held = sum(line.zone == ANY or _zone(game, player, marker.zone) == line.zone for marker in game.held(player))
        return held if line.what == EACH_MARKER else int(held >= line.count)
    if line.what == MORE_MARKERS:
        return int(len(game.held(player)) > len(game.held(game.other(player))))
    return next((count for count in game.ask("scoring_count", player, line.what) if count is not None), 0)


def _zone(game: Game, player: str, zone: str) -> str:
    if zone == NO_MANS_LAND:
        return zone
    return OWN if zone == game.role_of(player) else ENEMY


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLine:
    """One marker that counts at the end of the battle."""

    role: str = given(OneOf(ROLES))
    marker: str = given(MARKER_ID)
    vp: int = given(Integer(1, 100))


@rule_kind("end_objective")
class EndObjective(Rule):
    """The score at the end of the battle, from the control at that time (T-27)."""

    lines: tuple[LastLine, ...] = given(ListOf(Record(LastLine), max=20), ())
    last_marker: int = given(Integer(0, 100), 0)
    """VP for the last marker in No Man's Land, if a single one is left; 0: none."""

    def battle_ending(self, game: Game) -> None:
        """Score."""
        for line in self.lines:
            marker = game.markers[line.marker]
            player = game.player_of(line.role)
            if not marker.removed and player and marker.control == player:
                game.score(player, line.vp, f"marker {marker.id}")
        left = [marker for marker in game.markers.values() if marker.zone == NO_MANS_LAND and not marker.removed]
        if self.last_marker and len(left) == 1 and left[0].control:
            game.score(left[0].control, self.last_marker, f"marker {left[0].id}")


@rule_kind("battle_ready")
class BattleReady(Rule):
    """A painted army scores at the end; the other player confirms it (T-27)."""

    vp: int = given(Integer(1, 100), 10)
    seen: dict[str, None] = state(dict)
    """Players whose painting the other has confirmed."""

    def painted(self, game: Game, player: str) -> bool:
        """Say whether a player's whole army is painted, as they say."""
        return game.armies[player].painted

    def ending_wants(self, game: Game) -> tuple[str, ...]:
        """Ask the other player to confirm the painting."""
        return tuple(player for player in game.players if self.may_confirm(game, player))

    def may_confirm(self, game: Game, player: str) -> bool:
        """Let a player confirm the other's painting at the end."""
        other = game.other(player)
        asked = game.clock.ending and not game.beginning.taken_as_confirmed
        return asked and self.painted(game, other) and other not in self.seen

    def confirms(self, game: Game, player: str) -> Mapping[str, Any]:
        """The other player's army is painted, which scores."""
        return {"what": "painted", "score": self.vp}

    def confirmed(self, game: Game, player: str) -> None:
        """Note it."""
        self.seen[game.other(player)] = None

    def waits_for(self, game: Game) -> str:
        """Let the game master decide about the painting."""
        return next(iter(self.ending_wants(game)), "")

    def battle_ending(self, game: Game) -> None:
        """Score the painting."""
        for player in game.players:
            if self.painted(game, player):
                game.score(player, self.vp, "battle ready")


@rule_kind("most_vp_wins")
class MostPoints(Rule):
    """Most VP wins; equal is a draw (T-27)."""

    word: str = given(OneOf(("victory", "major_victory")), "victory")

    def result(self, game: Game) -> Result:
        """Compare."""
        return game.result_by_points(self.word)


@rule_kind("wiped_out")
class WipedOut(Rule):
    """A player who has no models at the start of their turn is wiped out."""

    players: dict[str, None] = state(dict)

    def skips_turn(self, game: Game, player: str) -> bool:
        """Look at the player's army as their turn would begin; both wiped out: the battle ends."""
        if player not in self.players and not game.units_of(player, TABLE, EMBARKED, RESERVE):
            self.players[player] = None
            game.emit("wiped_out", player=player)
        if len(self.players) == len(game.players):
            game.end_battle()
        return player in self.players

    def may_end(self, game: Game, player: str) -> Problem | str | None:
        """Let the survivor end the battle."""
        if not self.players:
            return refuse("not_allowed", "Nobody is wiped out: the battle goes on.", rule="T-29")
        if player in self.players:
            return refuse("not_yours", "Only the survivor may end the battle.", rule="T-29")
        return ALONE

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who is wiped out."""
        if name == "wiped_out" and isinstance(value, list):
            self.players = dict.fromkeys(value)
        return name == "wiped_out"

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Say who is."""
        return {"wiped_out": [player for player in game.players if player in self.players]}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everyone knows it."""
        return self.tracked(game)
