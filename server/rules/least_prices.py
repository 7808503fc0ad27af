"""The least that models and detachments cost, and what special types ask of their units (D-35f).

The figures are a ruleset's; a campaign may switch all of it off. Everything here yields problems and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from server.core.errors import Problem
from server.core.sentences import Term, called, say
from server.rules.ruleset import BIKE, DetachmentType, Ruleset
from server.rules.state import State, Unit


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


def _on_foot(units: Sequence[Unit], mounted: bool) -> list[Unit]:
    return [] if _carried(units, mounted) else [unit for unit in units if unit.mobility == "infantry"]


def _little_artillery(units: Sequence[Unit], _mounted: bool) -> list[Unit]:
    others = [unit for unit in units if "artillery" not in unit.flags]
    return others if len(others) * 2 > len(units) else []


def _no_skimmers(units: Sequence[Unit], _mounted: bool) -> list[Unit]:
    return [unit for unit in units if unit.mobility != "skimmer"]


def _not_fast(units: Sequence[Unit], _mounted: bool) -> list[Unit]:
    return [unit for unit in units if "fast" not in unit.flags]


_UNMET: Mapping[str, Callable[[Sequence[Unit], bool], list[Unit]]] = {
    "vehicles": _no_vehicles,
    "mounted": _on_foot,
    "artillery": _little_artillery,
    "skimmers": _no_skimmers,
    "fast": _not_fast,
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
