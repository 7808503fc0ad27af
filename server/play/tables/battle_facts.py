"""What a campaign's battle brings to its table game: the facts of the battle, and both armies (6.2.1.3.1).

Each army is read from its owner's view, and both sides get only the content of both views. Facts known to one side, or
only to the engine, are separate: the referee needs them, and shows them to nobody else.

Before the battle models of one type are moved together until as many units as possible are full (6.2.1.3.1). Which
units are of one type only their owner knows; units of the same name, form and strength are taken to be. An owner may
leave all models where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.play.tables.armies import of_the_campaign
from server.referee.battle import GROUNDS, ORBIT, STRONGHOLDS, WORKS
from server.referee.mission import ATTACKER, DEFENDER
from server.referee.normal_battle.models_together import as_brought, packed
from server.referee.units import MAX_MODELS, MAX_POINTS
from server.rules.board import ORBIT as IN_ORBIT
from server.rules.board import Hex
from server.rules.ruleset.nouns import Defence
from server.rules.sides import side_of
from server.rules.sight import view_for
from server.rules.state import Battle, Detachment, Force, PlayerId, State, Unit
from server.store.tables import SIDES

MAX_NAME = 60
MAX_STRATEGY = 20
_BY_LIMIT = {"turrets": "turret", "bunkers": "bunker", "walls": "wall_section"}
"""What a ruleset's own defences are on the table, by the limit they count against; others are trenches."""


@dataclass(frozen=True, slots=True)
class BattleFacts:
    """What a table game of a campaign's battle is made from."""

    shared: dict[str, Any]
    """As a beginning's ``battle`` has it: what both sides know."""
    secret: dict[str, Any]
    """``ordered`` by unit, ``withdrawing``, ``works``: what not both know."""
    armies: dict[str, dict[str, Any]]
    """By side, as a beginning has them."""
    units: dict[str, str]
    """The campaign's id of each unit, by its id on the table."""


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


def players_of(battle: Battle) -> dict[str, PlayerId]:
    """Return whose sides they are: the attacker is red."""
    return dict(zip(SIDES, (battle.attacking, battle.defended_by), strict=True))


def facts_of(state: State, battle: Battle, withdrawing: bool) -> BattleFacts:
    """Return what a battle brings to the table; *withdrawing*: the primary defender was ordered to withdraw (T-65)."""
    armies: dict[str, dict[str, Any]] = {}
    supporters: dict[str, dict[str, Any]] = {}
    ordered: dict[str, str] = {}
    ids: dict[str, str] = {}
    for side, player in players_of(battle).items():
        known = view_for(state, (), player).state
        units: list[dict[str, Any]] = []
        for number, (force, supports) in enumerate(_forces(known, battle, attacking=side == SIDES[0]), 1):
            for unit in force.units:
                if not may_come(unit):
                    continue
                id_ = f"{side[0]}{len(units) + 1}"
                units.append(_unit(unit, id_))
                ids[id_] = unit.id
                if supports:
                    supporters[id_] = {
                        "side": side,
                        "from": _label(state, force.at),
                        "detachment": f"{side[0]}d{number}",
                    }
                    ordered[id_] = _ordered(state, force)
        _name_leaders([unit for unit in units if unit["id"] not in supporters] or units)
        strategy = min(state.players[player].strategy, MAX_STRATEGY)
        armies[side] = {"role": ATTACKER if side == SIDES[0] else DEFENDER, "strategy": strategy, "units": units}
    seen = _works(view_for(state, (), battle.attacking).state, battle)
    there = _works(view_for(state, (), battle.defended_by).state, battle)
    shared = _facts(state, battle) | {"supporters": supporters, "works": seen}
    return BattleFacts(shared, {"ordered": ordered, "withdrawing": withdrawing, "works": there}, armies, ids)


def may_come(unit: Unit) -> bool:
    """Return whether a unit can take part: it has ready models and, as a vehicle, no damage (6.2.1.3.1)."""
    return unit.ready > 0 and not unit.damaged


def defence_of(work: str) -> str:
    """Return the ruleset's defence that a work of a table game is."""
    return work.rpartition("_")[0]


# --- inside ---


def _forces(state: State, battle: Battle, *, attacking: bool) -> Iterator[tuple[Force, bool]]:
    """Yield the forces of a side, and whether they only support it: the primary first."""
    for force in side_of(state, battle, attacking=attacking):
        yield force, False
    for id_, facing in battle.supporters.items():
        supporter = state.force(id_)
        if supporter is not None and (facing != "defender") == attacking:
            yield supporter, True


def _facts(state: State, battle: Battle) -> dict[str, Any]:
    at = battle.hex
    terrain = state.board.terrain[at]
    stronghold = state.stronghold.get(at)
    theirs = stronghold is not None and state.owner[at] == battle.defended_by
    facts: dict[str, Any] = {
        "hex": state.board.label(at),
        "from": _label(state, battle.origin),
        "kind": battle.kind,
        "terrain": terrain if terrain in GROUNDS else GROUNDS[0],
        "road": any(state.road(at, near) for near in state.board.adjacent[at]),
        "defending": battle.defending,
        "secret": True,
    }
    if theirs and stronghold is not None and stronghold.type in STRONGHOLDS:
        facts["stronghold"] = stronghold.type
    return facts


def _label(state: State, at: Hex) -> str:
    return ORBIT if at == IN_ORBIT else state.board.label(at)


def _unit(unit: Unit, id_: str) -> dict[str, Any]:
    models = min(unit.models, MAX_MODELS)
    made = of_the_campaign(
        {
            "id": id_,
            "name": unit.name[:MAX_NAME],
            "models": models,
            "points": min(unit.points, MAX_POINTS),
            "slot": unit.slot,
            "mobility": unit.mobility,
            "flags": [*unit.flags, *(["artillery"] if unit.bombardment else [])],
            "bombardment": unit.bombardment,
        }
    )
    made["type"] = unit.name[:MAX_NAME]
    if unit.ready < models:
        made["models_now"] = unit.ready
    if unit.slot == "troops":
        made.setdefault("flags", []).append("battleline")
    return made


def _name_leaders(units: Sequence[dict[str, Any]]) -> None:
    """Make the first HQ choice the Warlord, a character before others: every mission wants one of them to be."""
    leaders = [unit for unit in units if unit["role"] == "hq"] or list(units)
    leaders.sort(key=lambda unit: "character" not in unit.get("flags", ()))
    for leader in leaders[:1]:
        flags = leader.setdefault("flags", [])
        flags += [flag for flag in ("character", "warlord") if flag not in flags]


def _ordered(state: State, force: Force) -> str:
    """Return why a force supports: ordered to, on guard, or because its attack became support (T-85, 4.6)."""
    truly = state.force(force.id)
    order = truly.battle_order if isinstance(truly, Detachment) else ""
    return order if order in ("support", "attack") else "guard"


def _works(state: State, battle: Battle) -> dict[str, str]:
    """Return the defences that a view shows, each with an id of its own, and what it is on the table."""
    stronghold = state.stronghold.get(battle.hex)
    if stronghold is None or state.owner[battle.hex] != battle.defended_by:
        return {}
    kinds = {id_: _kind(state.ruleset.defences[id_]) for id_ in stronghold.defences}
    return {
        f"{id_}_{number}": kinds[id_]
        for id_, count in sorted(stronghold.defences.items())
        for number in range(1, count + 1)
    }


def _kind(defence: Defence) -> str:
    if defence.id in WORKS:
        return defence.id
    if "towers" not in defence.counts_as:
        return next((_BY_LIMIT[limit] for limit in defence.counts_as if limit in _BY_LIMIT), "trench")
    if defence.armed:
        return "turret_tower"
    return "radar_tower" if defence.sight else "anti_air_tower" if defence.converts else "weapon_tower"


def merged(shared: Mapping[str, Any], secret: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts as the referee has them, with what only it knows."""
    supporters = {
        id_: {**supporter, "ordered": secret["ordered"][id_]} for id_, supporter in shared["supporters"].items()
    }
    return {**shared, "supporters": supporters, "works": secret["works"], "withdrawing": secret["withdrawing"]}


def moved_in(units: Sequence[JsonUnit], supporters: Mapping[str, Any]) -> Moved:
    """Return the models that units bring and field once models of one type are together; supporters keep theirs."""
    kinds: dict[tuple[Any, ...], list[JsonUnit]] = {}
    for unit in units:
        if unit["id"] not in supporters and unit["models"] > 1 and "vehicle" not in unit["keywords"]:
            kinds.setdefault(_alike(unit), []).append(unit)
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
            if models > 0 and _alike(known[taker]) == _alike(known[giver]):
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
    return as_brought(pairs, lost, lambda one, other: _alike(known[one]) == _alike(known[other]))


def _keep_a_warlord(units: list[dict[str, Any]]) -> None:
    """Give the Warlord's part to another unit where the one that had it cannot fight."""
    if not units or any("warlord" in unit.get("flags", ()) for unit in units):
        return
    leader = next((unit for unit in units if unit["role"] == "hq"), units[0])
    flags = list(leader.get("flags", ()))
    leader["flags"] = flags + [flag for flag in ("character", "warlord") if flag not in flags]


def _now(unit: JsonUnit) -> int:
    return int(unit.get("models_now", unit["models"]))


def _alike(unit: JsonUnit) -> tuple[Any, ...]:
    """Return what units must have in common to share models; the two sides never have a unit in common."""
    return unit["id"][0], unit["type"], unit["role"], tuple(unit["keywords"]), unit["models"]
