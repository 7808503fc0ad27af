"""Mistakes that are easy to make at the table and hard to make by chance: each is tried where a game leads to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from server.referee.game import Game
from server.referee.geometry import Point
from server.referee.patrol.jump_off_points import JumpOffPoints
from server.referee.patrol.patrol_phase import PatrolPhase
from server.referee.units import EMBARKED, RESERVE, TABLE, UNPLACED, Unit

Tempted = Iterator[tuple[str, dict[str, Any]]]
"""Who would do it, and what."""

MAX_TEMPTATIONS = 30
"""Mistakes of one kind that are made in a row."""


def tempted(game: Game, chance: Random) -> list[list[tuple[str, dict[str, Any]]]]:
    """Return mistakes that could be made now, some of each kind."""
    kinds = [mistakes for temptation in TEMPTATIONS if (mistakes := list(temptation(game, chance)))]
    return [mistakes if len(mistakes) <= MAX_TEMPTATIONS else _some(mistakes, chance) for mistakes in kinds]


def _some(mistakes: list[tuple[str, dict[str, Any]]], chance: Random) -> list[tuple[str, dict[str, Any]]]:
    return [mistakes[place] for place in sorted(chance.sample(range(len(mistakes)), MAX_TEMPTATIONS))]


def inches(at: Point) -> list[float]:
    """Return a point as an act gives it."""
    return [at[0] / 1000, at[1] / 1000]


def going_on(game: Game, chance: Random) -> Tempted:
    """Go on although somebody objects, or without what is asked for."""
    yield game.turn or "red", {"do": "end_phase"}


def moving_the_wrong_marker(game: Game, chance: Random) -> Tempted:
    """Move a patrol marker that an enemy has locked, or one away from its friends."""
    patrol = game.find(PatrolPhase)
    if game.stage == "patrol" and patrol is not None:
        for marker in patrol.of(game.turn):
            x, y = inches(marker.at)
            to = [x, y] if marker.locked else [x, y + 12 if game.turn == "red" else y - 12]
            yield game.turn, {"do": "move", "marker": marker.id, "to": to}


def placing_badly(game: Game, chance: Random) -> Tempted:
    """Place a jump-off point where its patrol marker stands, or straight behind it."""
    rule, patrol = game.find(JumpOffPoints), game.find(PatrolPhase)
    if game.stage != "jump_offs" or rule is None or patrol is None:
        return
    left = [point.id for point in rule.points.values() if point.at is None and point.side == game.turn]
    for marker in patrol.of(game.turn):
        for pair in rule.named_pairs(rule.pairs(game, marker.id)) if left and marker.id not in rule.used else ():
            zone = rule.zone(game, marker.id, pair)
            corners = [[float(part) / 1000 for part in corner] for corner in zone.polygon]
            middle = [round(sum(parts) / len(corners), 3) for parts in zip(*corners, strict=True)]
            ends = [inches((round(x), round(y))) for part in zone.edge_parts for x, y in part]
            for at in (inches(marker.at), middle, *ends, *([round(part, 3) for part in corner] for corner in corners)):
                act: dict[str, Any] = {"do": "jump_off", "id": left[0], "marker": marker.id, "at": at}
                act |= {} if pair is None else {"pair": list(pair)}
                yield game.turn, act | {"floor": 1}
                yield game.turn, act


def taking_what_one_does_not_control(game: Game, chance: Random) -> Tempted:
    """Recover or raze a marker of the other player's, or nobody's."""
    for marker in game.markers.values():
        yield game.turn, {"do": "recover", "marker": marker.id}
        yield game.turn, {"do": "raze", "marker": marker.id, "enemy_near": chance.random() < 0.3}


def crowding(game: Game, chance: Random) -> Tempted:
    """Embark the whole army in one transport."""
    for player in game.players:
        units = game.units_of(player)
        for transport in units:
            if transport.capacity:
                everybody = {unit.id: transport.id for unit in units if not unit.capacity}
                yield player, {"do": "formations", "embarked": everybody}


def arriving_early(game: Game, chance: Random) -> Tempted:
    """Bring up what is in reserve before its time."""
    for unit in _units(game, RESERVE):
        for do in ("arrive", "reinforce", "deep_strike"):
            yield unit.side, {"do": do, "unit": unit.id, "at": [10, 0]}
        yield unit.side, {"do": "roll", "for": unit.id}


def leaving_by_halves(game: Game, chance: Random) -> Tempted:
    """Let a part of a unit escape."""
    for unit in _units(game, TABLE):
        yield unit.side, {"do": "escaped", "unit": unit.id, "whole": False}


def crossing_a_line(game: Game, chance: Random) -> Tempted:
    """Enter a zone, try the Objective, remove a unit, give it orders though it hides."""
    for unit in _units(game, TABLE):
        yield unit.side, {"do": "strength", "unit": unit.id, "models": 1}
        yield unit.side, {"do": "within", "unit": unit.id, "thing": "objective", "inches": chance.choice((2, 5))}
        for do in ("attempt", "remove", "go_to_ground"):
            yield unit.side, {"do": do, "unit": unit.id}
        for zone in game.mission.zones:
            yield unit.side, {"do": "enters", "unit": unit.id, "zone": zone}


def coming_too_near(game: Game, chance: Random) -> Tempted:
    """Set a unit up under the enemies' noses, and wherever else."""
    for unit in game.units.values():
        if unit.state not in (TABLE, EMBARKED):
            at = inches((chance.randint(0, game.mission.width), chance.randint(0, game.mission.height)))
            yield unit.side, {"do": "set_up", "unit": unit.id, "at": at, "near": chance.choice((1, 5, 9))}
            enemies = [enemy.at for enemy in _units(game, TABLE) if enemy.side != unit.side and enemy.at]
            for enemy in enemies[:1]:
                yield unit.side, {"do": "set_up", "unit": unit.id, "at": inches(enemy)}


def standing_elsewhere(game: Game, chance: Random) -> Tempted:
    """Set up what was revealed beside its marker, move what has just arrived, withhold what must be fielded."""
    for unit in game.units.values():
        if unit.on_table and unit.at is not None:
            x, y = inches(unit.at)
            yield unit.side, {"do": "set_up", "unit": unit.id, "at": [x + chance.choice((-1, 1)), y]}
        if unit.on_table:
            yield unit.side, {"do": "moved", "unit": unit.id}
    for player in ("red", "blue"):
        for unit in game.units_of(player, UNPLACED):
            yield player, {"do": "withhold", "units": [unit.id]}
            yield player, {"do": "use", "stratagem": "extra_sentries", "unit": unit.id}


def massing_in_one_line(game: Game, chance: Random) -> Tempted:
    """Put all hidden markers into the same line."""
    for polygons in game.mission.zones.values():
        middle = [sum(parts) / len(polygons[0]) / 1000 + 1 for parts in zip(*polygons[0], strict=True)]
        for player in game.players:
            markers = {unit.id: middle for unit in game.units_of(player) if unit.state != EMBARKED}
            yield player, {"do": "place_markers", "markers": markers}


def using_whom_it_is_not_for(game: Game, chance: Random) -> Tempted:
    """Use a stratagem for a unit that is too strong, of another role, or not even there."""
    for stratagem in game.mission.stratagems:
        player = game.player_of(stratagem.side)
        for unit in game.units_of(player):
            yield player, {"do": "use", "stratagem": stratagem.id, "unit": unit.id, "cp": stratagem.cost}


TEMPTATIONS: tuple[Callable[[Game, Random], Tempted], ...] = (
    standing_elsewhere,
    massing_in_one_line,
    using_whom_it_is_not_for,
    moving_the_wrong_marker,
    placing_badly,
    taking_what_one_does_not_control,
    crowding,
    arriving_early,
    leaving_by_halves,
    crossing_a_line,
    coming_too_near,
    going_on,
)


def _units(game: Game, state: str) -> list[Unit]:
    return [unit for unit in game.units.values() if unit.state == state]
