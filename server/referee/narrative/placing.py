"""Where units may be set up in a narrative mission: zones, strips along edges, distances from enemies (N-02, N-10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.game import Game
from server.referee.geometry import Point, inside, rectangle, square, squared
from server.referee.mission import EDGES, Polygon
from server.referee.reading import BOOL, EDGE, INCHES, ZONE, ListOf, given, inches, to_inches
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Rule, rule_kind
from server.referee.units import TABLE, Unit

MOVEMENT = "movement"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """A place where units are set up. Without anything given: the whole table."""

    edge: str = given(EDGE, "")
    """Within ``inches`` of the edges of this name."""
    all_but: str = given(EDGE, "")
    """Within ``inches`` of any edge of the table that does not bear this name."""
    inches: int = given(INCHES, 6000)
    along: str = given(ZONE, "")
    """Only as far along the edge as this zone reaches."""
    zones: tuple[str, ...] = given(ListOf(ZONE), ())
    """In one of these zones instead."""
    wholly: bool = given(BOOL, False)
    """The whole unit, not only its first model."""
    away: int = given(INCHES, 0)
    """More than this from the nearest enemy; 0: as near as one likes."""
    around: Point | None = None
    """Within ``inches`` of this point; never read, a rule knows it."""


ANYWHERE = Landing()


def areas(game: Game, landing: Landing) -> tuple[Polygon, ...]:
    """Return the polygons in which the first model may stand; none: anywhere on the table."""
    mission = game.mission
    if landing.around:
        return (square(landing.around, landing.inches * 7 // 10),)
    if landing.zones:
        return tuple(polygon for zone in landing.zones for polygon in mission.zones[zone])
    if landing.all_but:
        barred = mission.edges[landing.all_but]
        return tuple(_strip(game, edge, landing) for edge in EDGES if edge not in barred)
    return tuple(_strip(game, edge, landing) for edge in mission.edges.get(landing.edge, ()))


def _strip(game: Game, edge: str, landing: Landing) -> Polygon:
    width, height, depth = game.mission.width, game.mission.height, landing.inches
    corners = [corner for polygon in game.mission.zones.get(landing.along, ()) for corner in polygon]
    left = min((x for x, _ in corners), default=0)
    right = max((x for x, _ in corners), default=width)
    low = min((y for _, y in corners), default=0)
    high = max((y for _, y in corners), default=height)
    strips = {
        "south": (left, 0, right, depth),
        "north": (left, height - depth, right, height),
        "west": (0, low, depth, high),
        "east": (width - depth, low, width, high),
    }
    return rectangle(*strips[edge])


def on_table(game: Game, at: Point) -> Iterator[Problem]:
    """Yield why no model can stand at a point at all: it is off the table, or nothing can stand there (2.7)."""
    if not game.mission.on_table(at):
        yield refuse("off_table", "This point is not on the table.", "at", to_inches(at), "N-02")
        return
    impassable = game.find(Impassable)
    if impassable and game.in_zone(impassable.zone, at):
        yield refuse("not_allowed", "Nothing can stand on the wrecks or move over them.", "at", to_inches(at), "2.7")


def fits(
    game: Game, landing: Landing, at: Point, player: str, wholly: bool = True, near: int | None = None
) -> Iterator[Problem]:
    """Yield what speaks against a place of *player*'s unit.

    *near* is the distance of the nearest enemy as it was reported, None where nobody says; known points are measured.
    """
    if problem := next(on_table(game, at), None):
        yield problem
        return
    if not _there(game, landing, at):
        yield refuse("outside_zone", "This is not where the unit may be set up.", "at", to_inches(at), "N-02")
    elif landing.wholly and not wholly:
        yield refuse("outside_zone", "The whole unit must be set up there.", "wholly", wholly, "N-02")
    elif landing.away and near is not None and near <= landing.away:
        yield _too_near(landing, "near", inches(near))
    elif landing.away and game.version > 1 and _enemy_within(game, player, at, landing.away):
        yield _too_near(landing, "at", to_inches(at))


def _too_near(landing: Landing, field: str, value: object) -> Problem:
    message = say('The unit must be more than {least}" from every enemy.', least=inches(landing.away))
    return refuse("too_near_enemy", message, field, value, "N-10")


def _enemy_within(game: Game, player: str, at: Point, reach: int) -> bool:
    """Say whether an enemy whose point is known is that near (N-90)."""
    enemies = game.units_of(game.other(player), TABLE)
    return any(enemy.at is not None and squared(enemy.at, at) <= reach**2 for enemy in enemies)


def _there(game: Game, landing: Landing, at: Point) -> bool:
    if landing.around:
        return squared(at, landing.around) <= landing.inches**2
    allowed = areas(game, landing)
    return not allowed or any(inside(at, polygon) for polygon in allowed)


def own_movement(game: Game, player: str) -> Problem | None:
    """Return why it is not the end of this player's Movement phase (N-05)."""
    if game.turn != player:
        return not_yours()
    if game.phase != MOVEMENT:
        return refuse("wrong_phase", "Units arrive at the end of the Movement phase.", rule="N-05")
    if game.clock.cut and player == game.attacker:
        return refuse("wrong_phase", "The alarm has ended this turn.", rule="N-34")
    return None


def not_end_of_turn(game: Game) -> Problem | None:
    """Return why it is not the end of a turn: its last phase, or the one that an alarm made the last (N-34)."""
    if game.phase != game.mission.phases[-1] and not game.clock.cut:
        return refuse("wrong_phase", "This is for the end of a turn.", rule="N-05")
    return None


class LandingRule(Rule):
    """A rule by which units come to the table in the middle of the battle."""

    def landing(self, game: Game, unit: Unit) -> Landing | Problem | None:
        """Return where the unit may be set up now, why it may not, or None: it is not this rule's."""
        raise NotImplementedError

    def unfit_place(self, game: Game, unit: Unit, at: Point) -> Problem | None:
        """Return why a unit of this rule may not stand just there."""
        return None

    def landed(self, game: Game, unit: Unit) -> None:
        """Follow a unit of this rule that was set up."""


@rule_kind("impassable")
class Impassable(Rule):
    """Ground on which no model may stand, and over which none may move (2.7)."""

    zone: str = given(ZONE)
