"""What a garrison may be made of, and what it costs (1.3, D-37)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil
from typing import Any

from server.core.errors import Problem
from server.core.sentences import say, small, word
from server.rules.board import Hex
from server.rules.least_prices import cheapest_model, told_of_prices, too_few_points
from server.rules.orders.context import OrderContext
from server.rules.orders.sites import (
    cannot_pay,
    found,
    payer,
    stronghold_type,
)
from server.rules.ruleset import SLOTS
from server.rules.state import Unit
from server.rules.structure import character_problems, lost_characters, points_of


def garrison_cost(context: OrderContext, points: int) -> int:
    """1.3, D-37: garrisons cost half their points, rounded up."""
    return -(-points // context.state.ruleset.garrison_divisor)


def field_share(context: OrderContext, units: Iterable[Unit]) -> int:
    """D-35d: what units cost that leave a garrison for the field: the share that was saved of their living models."""
    if not context.state.readings.garrison_units_cost:
        return 0
    living = sum((Fraction(unit.points * (unit.ready + unit.wounded), unit.models) for unit in units), Fraction(0))
    divisor = context.state.ruleset.garrison_divisor
    return ceil(living * Fraction(divisor - 1, divisor))


def garrison_needs(context: OrderContext, maximum: int) -> dict[str, Any]:
    """Return an option's terms for new units of a garrison: foot units of any slot (D-37), up to a number of points."""
    units = {"most_points": maximum, "kinds": list(SLOTS), "mobilities": ["infantry"]}
    return {"units": units | lost_characters(context.state, context.player) | told_of_prices(context.state)}


def garrison_room(context: OrderContext, at: Hex) -> int:
    """Return how many more points a stronghold's garrison may have and be paid for; 0 where no model is so cheap."""
    type_, here = stronghold_type(context, at), context.state.garrison_at.get(at)
    if type_ is None:
        return 0
    before = 0 if here is None else here.points
    bp = context.state.store.get(payer(context, at), 0) + garrison_cost(context, before)
    room = min(type_.garrison, bp * context.state.ruleset.garrison_divisor) - before
    return room if room >= cheapest_model(context.state, ["infantry"]) else 0


def garrison_problems(
    context: OrderContext, at: Hex, units: tuple[Unit, ...], before: int, *, paid: bool = False
) -> Iterator[Problem]:
    """D-37: foot units only, limited points, at half cost of the total; *before* are the existing points.

    Units that are *paid* already exist: only their kind and points are checked.
    """
    for unit in units:
        if unit.vehicle or unit.mobility != "infantry":
            message = say(
                "{unit} is {mobility}: garrisons have neither vehicles nor mounted units.",
                unit=unit.name,
                mobility=word("mobility", unit.mobility),
            )
            yield Problem("not_allowed", message, "units", unit.name, "D-37")
    if not paid:
        yield from too_few_points(context.state, units)
    type_ = stronghold_type(context, at)
    total = before + points_of(units)
    if type_ is not None and total > type_.garrison:
        message = say(
            "A garrison in a {type} has at most {most} points, not {have}.",
            type=small(type_.name),
            most=type_.garrison,
            have=total,
        )
        yield Problem("too_many_points", message, "units", total, "1.3")
    if paid:
        return
    yield from character_problems(context.state, context.player, units)
    cost = garrison_cost(context, total) - garrison_cost(context, before)
    yield from found(cannot_pay(context, payer(context, at), cost, rule="1.3"))
