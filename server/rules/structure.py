"""What a force may be made of, what its models cost at least, how long it takes to build (1.2, 1.3, D-35f).

Everything here yields problems or numbers and changes nothing. The least prices are a ruleset's; a campaign may switch
them off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from server.core.errors import Problem
from server.core.sentences import Term, called, say, word, words
from server.rules.board import Hex
from server.rules.ruleset import BIKE, SLOTS, DetachmentType, Ruleset
from server.rules.state import Detachment, Id, PlayerId, State, Unit

NO_TROOPS_POINTS = 250
"""D-34: the points that count as those of the Troops if there are none."""


def points_of(units: Iterable[Unit]) -> int:
    """Return the points of units at full strength (D-30)."""
    return sum(unit.points for unit in units)


def complexity(units: Sequence[Unit]) -> int:
    """1.2.2, D-34: how many turns a detachment takes to build."""
    troops = [unit for unit in units if unit.slot == "troops"]
    others = [unit for unit in units if unit.slot != "troops"]
    choices = len(troops) or 1
    points = points_of(troops) if troops else NO_TROOPS_POINTS
    return 1 + max(0, len(others) - 1) // choices + points_of(others) // points


# --- what a place lets be built ---


def has_headquarters(state: State, at: Hex) -> bool:
    """1.5.1, D-32: a Strategic HQ stands here, or it is its owner's capital."""
    urban = state.urban.get(at)
    if urban is None:
        return False
    if urban.capital and urban.capital == state.owner[at]:
        return True
    return any(state.ruleset.buildings[id_].detachments for id_ in urban.buildings)


def allowed_kinds(state: State, at: Hex, *, orbit: bool = False) -> tuple[str, ...]:
    """Return the kinds of unit the buildings of an urban hex let it build (1.5.1, D-32).

    For a detachment that waits in *orbit* only space ports count (D-72).
    """
    urban = state.urban.get(at)
    if urban is None:
        return ()
    buildings = [state.ruleset.buildings[id_] for id_ in urban.buildings]
    found = [kind for building in buildings if building.space_port or not orbit for kind in building.allows]
    return tuple(sorted(dict.fromkeys(found)))


def kind_problem(units: Iterable[Unit], allowed: Sequence[str], *, orbit: bool = False) -> Problem | None:
    """D-32, D-72: each unit's kind must be allowed by a building of the hex."""
    missing = list(dict.fromkeys(unit.kind for unit in units if unit.kind not in allowed))
    if not missing:
        return None
    kinds = words("slot", missing)
    message = say("No building in this hex builds units of the kind {kinds}.", kinds=kinds)
    if orbit:
        message = say("No space port in this hex builds units of the kind {kinds}.", kinds=kinds)
    return Problem("needs_building", message, "units", missing, "D-72" if orbit else "D-32")


# --- what a detachment may hold ---


def slot_problems(type_: DetachmentType, units: Iterable[Unit], *, minimum: bool = True) -> Iterator[Problem]:
    """D-31: how many units of each slot; without *minimum* only the maximum of each counts."""
    slots = [unit.slot for unit in units]
    for slot in SLOTS:
        fewest, maximum = type_.slots.get(slot, (0, 0))
        have = slots.count(slot)
        if have > maximum or (minimum and have < fewest):
            said: dict[str, Any] = {
                "type": called(type_.name),
                "slot": word("slot", slot),
                "have": have,
                "most": maximum,
            }
            message = say(
                "A detachment of the type {type} has at most {most} units in the slot {slot}, not {have}.", **said
            )
            if minimum:
                said["fewest"] = fewest
                message = say(
                    "A detachment of the type {type} has {fewest} to {most} units in the slot {slot}, not {have}.",
                    **said,
                )
            yield Problem("slots", message, "units", have, "D-31")


def max_points(state: State, dxp: int = 0) -> int:
    """Return how many points a detachment of that experience may have (6.2.3.7)."""
    return state.ruleset.rank(dxp)[2]


def character_problems(state: State, player: PlayerId, units: Iterable[Unit]) -> Iterator[Problem]:
    """6.2.3.6: a special character who is lost may not be used again."""
    for unit in units:
        if "character" in unit.flags and f"{player}/{unit.name}" in state.lost_characters:
            yield Problem("not_allowed", say("{unit} is dead for good.", unit=unit.name), "units", unit.name, "6.2.3.6")


def lost_characters(state: State, player: PlayerId) -> dict[str, list[str]]:
    """Return what options say of special characters who may not be used again; empty where nobody was lost."""
    owner = f"{player}/"
    lost = [character.removeprefix(owner) for character in state.lost_characters if character.startswith(owner)]
    return {"lost": sorted(lost)} if lost else {}


def special_problems(
    state: State, player: PlayerId, type_: DetachmentType, *, instead_of: Id = ""
) -> Iterator[Problem]:
    """1.2.3, D-31: special types are one of each N detachments, and fewer than the standard ones.

    The new detachment counts, and so do those under construction; *instead_of* is the one it takes the place of.
    """
    if not type_.share:
        return
    if type_.id not in state.faction(player).detachment_types:
        message: str = say(
            "Your army list ({faction}) has no detachments of the type {type}.",
            faction=called(state.faction(player).name),
            type=called(type_.name),
        )
        yield Problem("not_allowed", message, "detachment_type", type_.id, "1.2.3")
        return
    mine = [
        detachment
        for detachment in state.detachments.values()
        if detachment.owner == player and detachment.id != instead_of
    ]
    same = 1 + sum(1 for detachment in mine if detachment.type == type_.id)
    specials = 1 + sum(1 for detachment in mine if _special(state, detachment))
    if same * type_.share > len(mine) + 1:
        message = say(
            "Only one of each {share} of your detachments may be of the type {type}.",
            share=type_.share,
            type=called(type_.name),
        )
        yield Problem("limit_reached", message, "detachment_type", type_.id, "D-31")
    elif specials >= len(mine) + 1 - specials:
        message = "Your special detachments must stay fewer than your standard ones."
        yield Problem("limit_reached", message, "detachment_type", type_.id, "1.2.3")


def _special(state: State, detachment: Detachment) -> bool:
    return state.ruleset.detachment_types[detachment.type].share > 0


def cheapest_model(state: State, mobilities: Iterable[str]) -> int:
    """Return the least points that a model of one of these ways to move costs, at least 1 (D-35f)."""
    if not state.settings.least_prices:
        return 1
    return max(1, min((state.ruleset.least_points.get(mobility, 1) for mobility in mobilities), default=1))


def told_of_prices(state: State) -> dict[str, Any]:
    """Return what an option says of the least points of a model, by mobility; ``bike`` is the flag (D-35f)."""
    return {"least_of_model": dict(state.ruleset.least_points)} if state.settings.least_prices else {}


def least_of_model(ruleset: Ruleset, unit: Unit) -> int:
    """Return the least points of one model of a unit; 0 for none. Bikes are bikes whatever they ride on."""
    return ruleset.least_points.get(BIKE if BIKE in unit.flags else unit.mobility, 0)


def too_few_points(state: State, units: Iterable[Unit], field: str = "units") -> Iterator[Problem]:
    """Yield a problem for each unit whose models cost less than they may."""
    if not state.settings.least_prices:
        return
    for unit in units:
        least = least_of_model(state.ruleset, unit) * unit.models
        if unit.points < least:
            message = say(
                "{unit}: {models} such models cost at least {least} points, not {have}.",
                unit=unit.name,
                models=unit.models,
                least=least,
                have=unit.points,
            )
            yield Problem("too_few_points", message, field, unit.points, "D-35f")


def too_small(
    state: State, units: Iterable[Unit], field: str = "units", *, before: int | None = None
) -> Iterator[Problem]:
    """Yield a problem if a detachment of these units has fewer points than the minimum.

    One that had too few *before* may keep that.
    """
    have, least = sum(unit.points for unit in units), state.ruleset.least_detachment
    if state.settings.least_prices and have < least and (before is None or before >= least):
        message = say("A detachment has at least {least} points, not {have}.", least=least, have=have)
        yield Problem("too_few_points", message, field, have, "D-35f")


def wrong_units(
    state: State,
    type_: DetachmentType,
    units: Sequence[Unit],
    *,
    mounted: bool,
    before: tuple[Sequence[Unit], bool] = ((), False),
    field: str = "units",
) -> Iterator[Problem]:
    """Yield a problem for each demand of a type that these units do not meet (:attr:`DetachmentType.asks`).

    *before*: the units there were, and whether they were mounted: what they did not meet then is not asked again.
    """
    if not state.settings.least_prices:
        return
    for demand in type_.asks:
        kept = _UNMET[demand](*before)
        wrong = [unit for unit in _UNMET[demand](units, mounted) if unit not in kept]
        if wrong:
            yield _unmet(demand, called(type_.name), wrong, field)


def _carried(units: Sequence[Unit], mounted: bool) -> bool:
    """D-38: say whether infantry of the detachment rides in its vehicles."""
    return mounted and any(unit.vehicle and unit.mobility != "infantry" for unit in units)


def _no_vehicles(units: Sequence[Unit], mounted: bool) -> list[Unit]:
    rides = _carried(units, mounted)
    return [unit for unit in units if not unit.vehicle and not (rides and unit.mobility == "infantry")]


def _little_artillery(units: Sequence[Unit], _mounted: bool) -> list[Unit]:
    others = [unit for unit in units if "artillery" not in unit.flags]
    return others if len(others) * 2 > len(units) else []


_UNMET: Mapping[str, Callable[[Sequence[Unit], bool], list[Unit]]] = {
    "vehicles": _no_vehicles,
    "mounted": lambda units, mounted: [
        unit for unit in units if unit.mobility == "infantry" and not _carried(units, mounted)
    ],
    "artillery": _little_artillery,
    "skimmers": lambda units, _: [unit for unit in units if unit.mobility != "skimmer"],
    "fast": lambda units, _: [unit for unit in units if "fast" not in unit.flags],
}
"""The units that do not meet a demand; those that are carried need :attr:`Detachment.mounted`."""


def _unmet(demand: str, type_: Term, wrong: Sequence[Unit], field: str) -> Problem:
    """Return the refusal of units that do not meet a demand."""
    units = ", ".join(unit.name for unit in wrong)
    if demand == "vehicles":
        message = say(
            "In a detachment of the type {type} each unit is a vehicle or is carried by one, unlike: {units}.",
            type=type_,
            units=units,
        )
    elif demand == "mounted":
        message = say("No unit of the type {type} moves on foot, unlike: {units}.", type=type_, units=units)
    elif demand == "artillery":
        message = say(
            "At least half of the units of the type {type} are artillery, unlike: {units}.", type=type_, units=units
        )
    elif demand == "skimmers":
        message = say("All units of the type {type} are skimmers, unlike: {units}.", type=type_, units=units)
    else:
        message = say("All units of the type {type} are fast, unlike: {units}.", type=type_, units=units)
    return Problem("wrong_units", message, field, [unit.name for unit in wrong], "D-35f")
