"""The armies of a campaign's battle as they take the field: models moved together, and who is strong enough.

Before the battle models of one type are moved together until as many units as possible are full (6.2.1.3.1). Which
units are of one type only their owner knows; units of the same name, form and strength are taken to be. An owner may
leave all models where they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.referee.normal_battle.models_together import as_brought, packed

Moved = dict[str, tuple[int, int]]
"""Models that units brought and field, for those of which some were moved."""
JsonUnit = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Transfer:
    """Models that change their unit before the battle."""

    from_unit: str
    """Name of the unit, as the next one."""
    to_unit: str
    models: int


def moved_in(units: Sequence[JsonUnit], supporters: Mapping[str, Any]) -> Moved:
    """Return the models that units bring and field once models of one type are together; supporters keep theirs."""
    kinds: dict[tuple[Any, ...], list[JsonUnit]] = {}
    for unit in units:
        if unit["id"] not in supporters and unit["models"] > 1 and "vehicle" not in unit["keywords"]:
            kinds.setdefault(_kind(unit), []).append(unit)
    moved: Moved = {}
    for alike in kinds.values():
        moved |= packed({unit["id"]: (_now(unit), unit["models"]) for unit in alike})
    return moved


def transfers(units: Sequence[JsonUnit], moved: Moved) -> list[Transfer]:
    """Return which models go where."""
    known = {unit["id"]: unit for unit in units}
    left = {id_: brought - fielded for id_, (brought, fielded) in moved.items()}
    found = []
    for taker, wants in left.items():
        for giver, has in left.items():
            models = min(-wants, has)
            if models > 0 and _kind(known[taker]) == _kind(known[giver]):
                found.append(Transfer(known[giver]["name"], known[taker]["name"], models))
                left[giver] -= models
                wants += models
    return found


def fielded(
    army: Mapping[str, Any], moved: Moved, supporters: Mapping[str, Any], *, keeps: bool, support: bool
) -> dict[str, Any]:
    """Return an army as it takes the field: units of at least half strength; supporters where the mission has them.

    *keeps*: the owner leaves their models where they are, so no unit is of another's type.
    """
    units = []
    for unit in army["units"]:
        now = moved[unit["id"]][1] if unit["id"] in moved else _now(unit)
        if 2 * now < unit["models"] or (unit["id"] in supporters and not support):
            continue
        made = {name: value for name, value in unit.items() if name != "models_now"}
        if now < unit["models"]:
            made["models_now"] = now
        if keeps:
            made["type"] = f"{unit['id']}"
        units.append(made)
    _keep_a_warlord(units)
    return {**army, "units": units}


def lost_as_brought(units: Sequence[JsonUnit], moved: Mapping[str, Sequence[int]], lost: Mapping[str, int]) -> Any:
    """Return the models each unit lost of those it had in the campaign."""
    known = {unit["id"]: unit for unit in units}
    pairs = {id_: (brought, fields) for id_, (brought, fields) in moved.items()}
    return as_brought(pairs, lost, lambda one, other: _kind(known[one]) == _kind(known[other]))


def _keep_a_warlord(units: list[dict[str, Any]]) -> None:
    """Give the Warlord's part to another unit where the one that had it cannot fight."""
    if not units or any("warlord" in unit.get("flags", ()) for unit in units):
        return
    leader = next((unit for unit in units if unit["role"] == "hq"), units[0])
    flags = list(leader.get("flags", ()))
    leader["flags"] = flags + [flag for flag in ("character", "warlord") if flag not in flags]


def _now(unit: JsonUnit) -> int:
    return int(unit.get("models_now", unit["models"]))


def _kind(unit: JsonUnit) -> tuple[Any, ...]:
    """Return what units must have in common to share models; the two sides never have a unit in common."""
    return unit["id"][0], unit["type"], unit["role"], tuple(unit["keywords"]), unit["models"]
