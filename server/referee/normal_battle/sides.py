"""Sides of a battle, fire lanes and the works of a stronghold (4.4, T-86)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.battle import battle_of, bonus, contest
from server.referee.choices import Offer, offer, one_of, point, some_of
from server.referee.game import Game
from server.referee.geometry import Point, rectangle
from server.referee.normal_battle.terrain import BattleTerrain
from server.referee.normal_battle.which_battle import plays_scenario
from server.referee.reading import AT, ID, INCHES, Integer, ListOf, OneOf, TableOf, given, state, to_inches
from server.referee.refusals import refuse, unknown
from server.referee.rule import Rule, rule_kind
from server.referee.units import TABLE

SIDES, SET_UP, FIRST_TURN = "sides", "set_up", "first_turn"
NEAR_EDGE, FAR_EDGE = EDGES = ("long_a", "long_b")
"""The long edges while the terrain was laid: y = 0 and y = H."""


@act_kind("choose_edge", stages=(SIDES,), holds=False)
class ChooseEdge(Act):
    """Take a long edge; the other player gets the opposite one."""

    edge: str = given(OneOf(EDGES))

    def check(self, game: Game) -> Found:
        """The winner of the dice chooses, once."""
        rule = game.rule(Sides)
        if rule.edge:
            yield refuse("limit_reached", "The sides are chosen.", rule="4.4")
        elif rule.chooser != self.by:
            yield refuse("not_yours", "The other player chooses.", rule="4.4")

    def play(self, game: Game) -> None:
        """Give the sides out; y = 0 is the attacker's from now on (T-86)."""
        rule = game.rule(Sides)
        rule.edge = self.edge
        turned = (self.edge == FAR_EDGE) == (self.by == game.attacker)
        if turned and (terrain := game.find(BattleTerrain)) is not None:
            terrain.turn_table(game)
        game.emit("sides", player=self.by, edge=self.edge, table_turned=turned)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer both edges to the player who chooses."""
        if not plays_scenario(game) and cls.fits(game, player, edge=NEAR_EDGE):
            yield offer(edge=one_of(EDGES))


@act_kind("clear", stages=(SIDES, SET_UP))
class Clear(Act):
    """Burn or cut pieces on your own half: the fire lanes of a stronghold."""

    pieces: tuple[str, ...] = given(ListOf(ID, max=20))

    def check(self, game: Game) -> Found:
        """A defender with a stronghold, before set-up; pieces on the own half that burn."""
        rule = game.rule(Sides)
        if problem := rule.not_defending(game, self.by) or rule.too_late(game):
            yield problem
        elif len(rule.cleared) + len(dict.fromkeys(self.pieces)) > rule.lanes.get(battle_of(game).stronghold, 0):
            yield refuse("limit_reached", "No more pieces may be removed.", "pieces", list(self.pieces), "4.4")
        else:
            yield from (wrong for id_ in self.pieces if (wrong := rule.not_clearable(game, id_)) is not None)

    def play(self, game: Game) -> None:
        """Remove them."""
        for id_ in dict.fromkeys(self.pieces):
            game.rule(Sides).cleared.append(id_)
            del game.pieces[id_]
        game.emit("cleared", player=self.by, pieces=list(self.pieces))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the pieces that may go."""
        rule = game.rule(Sides)
        left = rule.lanes.get(battle_of(game).stronghold, 0) - len(rule.cleared)
        if rule.not_defending(game, player) or rule.too_late(game) or left <= 0:
            return
        if pieces := [id_ for id_ in game.pieces if rule.not_clearable(game, id_) is None]:
            yield offer(pieces=some_of(pieces, 1, min(left, len(pieces))))


@act_kind("work", stages=(SIDES, SET_UP))
class PlaceWork(Act):
    """Place one of the stronghold's works."""

    what: str = given(ID)
    at: Point = given(AT)

    def check(self, game: Game) -> Found:
        """One of the stronghold's defences, not yet placed, in an allowed place."""
        rule = game.rule(Sides)
        if problem := rule.not_defending(game, self.by) or rule.too_late(game):
            yield problem
        elif self.what not in battle_of(game).works:
            yield unknown("work", "what", self.what)
        elif self.what in rule.works:
            yield refuse("already_used", "{what} is placed.", "what", self.what, "4.4", what=self.what)
        elif not game.mission.on_table(self.at):
            yield refuse("off_table", "This is off the table.", "at", to_inches(self.at), "4.4")
        elif not rule.may_stand(game, self.what, self.at):
            yield refuse("not_in_zone", "This work may not stand there.", "at", to_inches(self.at), "4.4")

    def play(self, game: Game) -> None:
        """Place it."""
        game.rule(Sides).works[self.what] = self.at
        to = (self.by,) if battle_of(game).from_orbit else None
        game.emit("work_placed", to, player=self.by, what=self.what, at=to_inches(self.at))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the works that are not placed."""
        rule = game.rule(Sides)
        if rule.not_defending(game, player) or rule.too_late(game):
            return
        for what in battle_of(game).works:
            if what not in rule.works:
                yield offer(what=one_of([what]), at=point((rule.ground_for(game, what),)))


@rule_kind("sides", acts=(ChooseEdge, Clear, PlaceWork))
class Sides(Rule):
    """The players' long edges, cleared pieces, and the stronghold's defences with their places."""

    lanes: Mapping[str, int] = given(TableOf(Integer(0, 20)), {})
    """Pieces that each kind of stronghold may clear."""
    buildings: tuple[str, ...] = given(ListOf(ID), ())
    """Works that keep away from edges."""
    from_short: int = given(INCHES, 6_000)
    from_long: int = given(INCHES, 3_000)
    from_orbit: int = given(INCHES, 12_000)
    """From every edge, where the attack comes from orbit."""
    chooser: str = state(str)
    edge: str = state(str)
    cleared: list[str] = state(list)
    works: dict[str, Point] = state(dict)

    def stage_entered(self, game: Game, stage: str) -> None:
        """Roll for the choice."""
        if stage == SIDES and not plays_scenario(game):
            self.chooser = contest(game, "side", {player: bonus(game, player) for player in game.players})
            game.emit("chooses_edge", player=self.chooser)

    def stage_wants(self, game: Game, stage: str) -> tuple[str, ...]:
        """The edge must be chosen."""
        return (self.chooser,) if stage == SIDES and self.chooser and not self.edge else ()

    def not_defending(self, game: Game, player: str) -> Problem | None:
        """Return why *player* has no stronghold to prepare."""
        if player != game.defender:
            return refuse("not_yours", "The defender prepares the stronghold.", rule="4.4")
        if not battle_of(game).stronghold or plays_scenario(game):
            return refuse("not_allowed", "There is no stronghold to prepare.", rule="4.4")
        return None

    def too_late(self, game: Game) -> Problem | None:
        """Return why the stronghold cannot be prepared now: the sides come first, set-up later."""
        if game.stage == SIDES and not self.edge:
            return refuse("wrong_moment", "The sides come first.", rule="T-60")
        placed = any(unit.state == TABLE for unit in game.units.values())
        if game.stage == SET_UP and placed:
            return refuse("wrong_moment", "Units are being set up already.", rule="T-60")
        return None

    def not_clearable(self, game: Game, id_: str) -> Problem | None:
        """Return why a piece cannot be cleared."""
        piece, terrain = game.pieces.get(id_), game.find(BattleTerrain)
        if piece is None or terrain is None:
            return unknown("piece", "pieces", id_)
        middle = (game.mission.height + 1) // 2
        if not terrain.can_be_cut(piece) or not terrain.lies_beyond(piece, middle, above=True):
            message = say("{piece} is not on the own half, or cannot be burned or cut.", piece=id_)
            return refuse("wrong_target", message, "pieces", id_, "4.4")
        return None

    def ground_for(self, game: Game, what: str) -> tuple[Point, ...]:
        """Return where a work may stand."""
        width, height = game.mission.width, game.mission.height
        building = battle_of(game).works[what] in self.buildings
        if battle_of(game).from_orbit:
            off = self.from_orbit if building else 0
            left, right, low, high = off, width - off, off, height - off
        else:
            side, back = (self.from_short, self.from_long) if building else (0, 0)
            left, right, low, high = side, width - side, (height + 1) // 2, height - back
        return rectangle(left, low, right, high)

    def may_stand(self, game: Game, what: str, at: Point) -> bool:
        """True where a work may stand."""
        (left, low), _, (right, high), _ = self.ground_for(game, what)
        return left <= at[0] <= right and low <= at[1] <= high

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Return who chooses the edge."""
        return {"chooses_edge": self.chooser}

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take who chooses, in a game that begins there."""
        if name == "chooses_edge" and value in game.players:
            self.chooser = value
            return True
        return False

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Works of a defender who sets up hidden are their own until the battle (hidden set-up)."""
        hidden = battle_of(game).from_orbit and player != game.defender and game.stage in (SIDES, SET_UP, FIRST_TURN)
        works = {} if hidden else self.works
        return {
            "chooses_edge": self.chooser,
            "edge": self.edge,
            "cleared": list(self.cleared),
            "works": {what: to_inches(at) for what, at in works.items()},
        }
