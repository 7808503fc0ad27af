"""Reads the forces of a case: detachments, garrisons, convoys and their units, with missing fields filled in."""

from __future__ import annotations

from server.cases.model import ConvoyPart, DetachmentPart, GarrisonPart, default_units
from server.cases.table import Table
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Unit

UNNAMED = "Squad"
"""Units without a name are of one type, so that models can change between them; a special character is their own."""
BATTLE_ORDERS = ("", "attack", "raid", "withdraw", "support", "defend", "guard", "inactive")


def read_detachment(id_: str, table: Table) -> DetachmentPart:
    """Return a detachment, named by its id if it has no name; problems go into *table*, as in the functions below."""
    part = DetachmentPart(
        owner=table.text("owner"),
        at=table.text("at"),
        name=table.text("name", default=id_),
        type=table.text("type", default="standard"),
        units=_units(id_, table),
        dxp=table.integer("dxp", default=0),
        mounted=table.boolean("mounted"),
        battle_order=table.one_of("battle_order", BATTLE_ORDERS, "battle order", ""),
        ready_in=table.integer("ready_in", default=0),
    )
    table.finish()
    return part


def read_garrison(id_: str, table: Table) -> GarrisonPart:
    """Return a garrison."""
    part = GarrisonPart(table.text("owner"), table.text("at"), _units(id_, table))
    table.finish()
    return part


def read_convoy(table: Table) -> ConvoyPart:
    """Return a convoy."""
    part = ConvoyPart(table.text("owner"), table.text("at"), table.integer("bp", 1))
    table.finish()
    return part


def _units(force: str, table: Table) -> tuple[Unit, ...]:
    if not table.has("units"):
        return default_units(force)
    units = tuple(_unit(entry) for entry in table.tables("units"))
    if table.given["units"] == []:
        table.note("units", "a force has at least one unit")
    if len({unit.id for unit in units}) < len(units):
        table.note("units", "two units have the same id")
    return units


def _unit(table: Table) -> Unit:
    id_ = table.text("id")
    models = table.integer("models", 1, default=10)
    wounded = table.integer("wounded", default=0)
    flags = table.texts("flags")
    for flag in flags:
        if flag not in FLAGS:
            table.note("flags", f"no such flag {flag!r} ({', '.join(FLAGS)})")
    unit = Unit(
        id=id_,
        name=table.text("name", default=id_ if "character" in flags else UNNAMED),
        slot=table.one_of("slot", SLOTS, "slot", "troops"),
        models=models,
        points=table.integer("points", default=100),
        mobility=table.one_of("mobility", MOBILITIES, "mobility", "infantry"),
        flags=tuple(sorted(dict.fromkeys(flags))),
        bombardment=table.integer("bombardment", default=1 if "artillery" in flags else 0),
        ready=table.integer("ready", default=max(models - wounded, 0)),
        wounded=wounded,
        damaged=table.boolean("damaged"),
    )
    if unit.ready + wounded > models:
        table.note("ready", f"{unit.ready} ready and {wounded} wounded are more than its {models} models")
    table.finish()
    return unit
