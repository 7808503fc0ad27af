"""What a phase brought a player in BP and cost them, event by event."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.core.events import Event
from server.rules.state import State

EARNED = {"income": "total", "building_disbanded": "bp", "spoils": "bp", "convoy_formed": "bp"}
SPENT = {"maintenance": "bp", "building_built": "bp", "detachment_ordered": "bp", "garrison_built": "bp",
         "units_added": "bp", "models_bought": "bp", "repaired": "bp", "defence_built": "bp",
         "convoys_lost": "bp"}  # fmt: skip
"""Events that say how many BP were earned or spent, and where they say it."""


def ledger_amount(event: Event, player: str, state: State) -> int:
    """Return the BP an event that a player knows of brought them, negative for what it cost; 0 where BP changed places.

    *state* is any position of the campaign: prices do not change.
    """
    fields = event.fields
    if event.type in EARNED:
        return int(fields[EARNED[event.type]])
    if event.type == "detachment_ready":
        return -int(fields.get("bp", 0))
    if event.type == "convoy_captured":
        return int(fields["bp"]) if fields["by"] == player else -int(fields["bp"])
    if event.type == "raided":
        return -int(fields["bp"]) if fields["by"] != player else 0
    if event.type in _WORKS:
        return -_WORKS[event.type](event, state) if fields.get("by", player) == player else 0
    return -int(fields[SPENT[event.type]]) if event.type in SPENT else 0


def _urban(event: Event, state: State) -> int:
    return next(size.cost for size in state.ruleset.urban if size.id == event.fields["size"])


def _stronghold(event: Event, state: State) -> int:
    """1.4, D-71: some factions pay a part of the price, rounded up."""
    cost = next(type_.cost for type_ in state.ruleset.strongholds if type_.id == event.fields["stronghold"])
    return -(-cost * state.faction(event.fields["by"]).stronghold_percent // 100)


def _road(_event: Event, state: State) -> int:
    """D-39: paid whether it succeeds or not."""
    return state.ruleset.road_cost


_WORKS: Mapping[str, Callable[[Event, State], int]] = {
    "urban_built": _urban, "urban_upgraded": _urban, "stronghold_built": _stronghold,
    "stronghold_upgraded": _stronghold, "road_built": _road, "road_failed": _road,
}  # fmt: skip
"""Public events, or events without a sum: their prices stand in the ruleset."""
