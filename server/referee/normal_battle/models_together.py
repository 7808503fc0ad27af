"""Models of one type are moved together before a battle, so that as many units as possible are full (6.2.1.3.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.referee.battle import is_supporter
from server.referee.game import Game
from server.referee.units import EMBARKED, RESERVE, UNPLACED, Unit

BIKE = "bike"
"""Keyword of units that merge like infantry and do not count as vehicles (6.2.1.3.1)."""
Kind = tuple[str, str, tuple[str, ...], int]


def takes_part(unit: Unit) -> bool:
    """True for a unit of at least half its models, a vehicle undamaged (6.2.1.3.1)."""
    if "vehicle" in unit.keywords and unit.models == 1 and unit.wounds:
        return unit.wounds_now == unit.wounds
    return 2 * unit.models_now >= unit.models


def kind_of(unit: Unit) -> Kind:
    """Return what must be alike in units that share their models: type, role, keywords, full strength."""
    return unit.type, unit.role, unit.keywords, unit.models


def move_together(game: Game, player: str) -> dict[str, tuple[int, int]]:
    """Fill units from others of their kind, and return the models that each brought, and those it fields.

    The units with most models are filled first; what is left stands in one. A unit of one model gives and takes none.
    """
    moved: dict[str, tuple[int, int]] = {}
    kinds: dict[Kind, list[Unit]] = {}
    for unit in game.units_of(player, UNPLACED, EMBARKED, RESERVE):
        if _shares(game, unit):
            kinds.setdefault(kind_of(unit), []).append(unit)
    for units in kinds.values():
        if filled := packed({unit.id: (unit.models_now, unit.models) for unit in units}):
            moved |= filled
            for unit in units:
                unit.models_now = filled[unit.id][1]
            game.emit("models_moved", player=player, models={unit.id: unit.models_now for unit in units})
    return moved


def packed(strengths: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the models that each unit of one kind brought and fields; empty where none is moved.

    *strengths* are the models a unit has and those it has at full strength.
    """
    models = sum(now for now, _ in strengths.values())
    moved: dict[str, tuple[int, int]] = {}
    for id_, (now, full) in sorted(strengths.items(), key=lambda item: -item[1][0]):
        moved[id_] = now, min(full, models)
        models -= moved[id_][1]
    if all(brought == fielded for brought, fielded in moved.values()):
        return {}
    return {id_: moved[id_] for id_ in strengths}


def _shares(game: Game, unit: Unit) -> bool:
    bikes = game.version > 1 and BIKE in unit.keywords
    return unit.models > 1 and ("vehicle" not in unit.keywords or bikes) and not is_supporter(game, unit)


def as_brought(
    moved: Mapping[str, tuple[int, int]], lost: Mapping[str, int], alike: Callable[[str, str], bool]
) -> dict[str, int]:
    """Return the models that each unit has lost of those it brought: the campaign knows nothing of the moving.

    What a unit has lost beyond its own models comes from the units *alike* that gave them.
    """
    own = {id_: min(models, moved[id_][0]) if id_ in moved else models for id_, models in lost.items()}
    for id_, models in lost.items():
        beyond = models - own[id_]
        for giver, (had, _) in moved.items():
            if alike(giver, id_):
                given = max(0, min(beyond, had - own.get(giver, 0)))
                own[giver] = own.get(giver, 0) + given
                beyond -= given
    return {id_: models for id_, models in own.items() if models or id_ in lost}


def are_alike(unit: Unit, other: Unit) -> bool:
    """True for units that share their models."""
    return unit.side == other.side and kind_of(unit) == kind_of(other)
