"""Reads a case: TOML in, :class:`~server.cases.model.Case` out, or everything that is wrong with it.

Only form is checked here: keys, kinds of values, references between the case's own parts. Words of
the ruleset and labels of the map are checked when the position is set up.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from server.cases.dice import read_dice
from server.cases.expectations import read_expect
from server.cases.model import (
    END_OF_TURN,
    PHASES,
    BattlePart,
    CampaignPart,
    Case,
    CaseError,
    ConvoyPart,
    DetachmentPart,
    GarrisonPart,
    HexPart,
    MapPart,
    OrderPart,
    PlayerPart,
    Works,
    default_units,
)
from server.cases.table import Table, key_path, shown, told
from server.core.errors import Problem
from server.core.fields import MISSING
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import Settings, Unit

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


DEFAULT_RULESET = "wh40k-2001"
BATTLE_KINDS = ("attack", "planned_attack", "raid", "planned_raid")
SIDES = ("front", "flank", "rear", "defender")


def parse(path: Path) -> dict[str, Any]:
    """Return what a file holds; raises :class:`CaseError` when it cannot be read or is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CaseError([error.strerror or str(error)], str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CaseError([f"not TOML: {error}"], str(path)) from error


def read(data: Mapping[str, Any]) -> Case:
    """Return the case of a parsed file; raises :class:`CaseError` with all that is wrong with it."""
    top = Table(data)
    phases = _phases(top)
    case = Case(
        rule=", ".join(top.texts("rule")) if isinstance(data.get("rule"), list) else top.text("rule"),
        title=top.text("title"),
        phases=phases,
        income=top.boolean("income"),
        map=_map(top),
        campaign=_campaign(top.table("campaign")),
        players={id_: _player(table) for id_, table in top.table("players").each()},
        detachments={id_: read_detachment(id_, table) for id_, table in top.table("detachments").each()},
        garrisons={id_: read_garrison(id_, table) for id_, table in top.table("garrisons").each()},
        convoys={id_: read_convoy(table) for id_, table in top.table("convoys").each()},
        battles=tuple(_battle(table) for table in top.tables("battles")),
        orders=tuple(_order(table, phases) for table in top.tables("orders")),
        dice=read_dice(top.table("dice")),
        expect=read_expect(top.table("expect")),
    )
    top.finish()
    if case.income and "build" not in phases:
        top.note("income", "there is no build phase in this case")
    if top.problems:
        raise CaseError(told(top.problems))
    return case


# --- top level ---


def _phases(top: Table) -> tuple[str, ...]:
    if not isinstance(top.given.get("phase"), list):
        return (top.one_of("phase", PHASES, "phase"),)
    phases = top.texts("phase")
    for phase in phases:
        if phase not in PHASES:
            top.note("phase", f"no such phase {phase!r} ({', '.join(PHASES)})")
    if not phases:
        top.note("phase", "this must name at least one phase")
    if "setup" in phases[1:]:
        top.note("phase", "setup can only be the first phase")
    return phases


def _map(top: Table) -> MapPart:
    if not top.has("map"):
        top.note("map", "missing")
        return MapPart(1, 1, "", (), {})
    table = top.table("map")
    part = MapPart(
        columns=table.integer("columns", 1),
        rows=table.integer("rows", 1),
        terrain=table.text("terrain", default="plains"),
        roads=_roads(table),
        hexes={label: _hex(entry) for label, entry in table.table("hexes").each()},
    )
    table.finish()
    return part


def _roads(table: Table) -> tuple[tuple[str, ...], ...]:
    edges = table.given.get("roads", [])
    table.has("roads")
    if isinstance(edges, list) and all(_is_edge(edge) for edge in edges):
        return tuple(tuple(edge) for edge in edges)
    table.note("roads", f"this must be a list of pairs of hexes, not {shown(edges)}")
    return ()


def _is_edge(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(item, str) for item in value)


def _hex(table: Table) -> HexPart:
    part = HexPart(
        terrain=table.text("terrain", default=""),
        owner=table.text("owner", default=""),
        undiscovered=table.boolean("undiscovered") if table.has("undiscovered") else None,
        urban=table.text("urban", default=""),
        capital=table.boolean("capital"),
        race=table.text("race", default=""),
        buildings=table.texts("buildings"),
        stronghold=table.text("stronghold", default=""),
        defences=read_counts(table.table("defences")),
        resource=table.text("resource", default=""),
        bp=table.integer("bp", default=0),
        corrupted=table.boolean("corrupted"),
        infested=table.text("infested", default=""),
        works=_works(table),
    )
    table.finish()
    return part


def read_counts(table: Table) -> dict[str, int]:
    """Read a table of numbers of at least 1."""
    return {key: table.integer(key, 1) for key in table.given}


def _works(table: Table) -> Works | None:
    if not table.has("under_construction"):
        return None
    inner = table.table("under_construction")
    works = Works(inner.text("name"), inner.integer("turns", 1))
    inner.finish()
    return works


def _campaign(table: Table) -> CampaignPart:
    control = table.text("system_control", default="")
    victory = table.table("victory")
    settings = Settings(
        alliances=table.boolean("alliances", True),
        shared_sight=table.boolean("shared_sight"),
        capital_eliminates=table.one_of("capital_capture", ("end", "eliminate"), "outcome", "end") == "eliminate",
        victory_points=victory.integer("points", default=0),
        territory=victory.integer("territory", default=0),
        turn_limit=victory.integer("turns", default=0),
        last_standing=victory.boolean("last_standing"),
        fleet=bool(control),
        truce=table.integer("truce", default=0),
        least_prices=table.boolean("least_prices"),
        named_ids=True,
    )
    victory.finish()
    part = CampaignPart(table.text("ruleset", default=DEFAULT_RULESET), settings, control)
    table.finish()
    return part


def _player(table: Table) -> PlayerPart:
    part = PlayerPart(
        faction=table.text("faction", default="none"),
        strategy=table.integer("strategy") if table.has("strategy") else None,
        vp=table.integer("vp", default=0),
        allies=table.texts("allies"),
    )
    table.finish()
    return part


def _battle(table: Table) -> BattlePart:
    part = BattlePart(
        hex=table.text("hex"),
        attacker=table.text("attacker"),
        defender=table.text("defender"),
        kind=table.one_of("kind", BATTLE_KINDS, "kind of battle", "attack"),
        defending=table.boolean("defending") if table.has("defending") else None,
        supporters=_supporters(table),
    )
    table.finish()
    return part


def _supporters(table: Table) -> dict[str, str]:
    if isinstance(table.given.get("supporters"), list):
        return dict.fromkeys(table.texts("supporters"), "")
    sides = table.table("supporters")
    return {id_: sides.one_of(id_, SIDES, "side") for id_ in sides.given}


# --- orders and dice ---


def _order(table: Table, phases: Sequence[str]) -> OrderPart:
    player = table.text("player")
    step = _step(table, phases)
    content = {key: value for key, value in table.given.items() if key not in ("player", "phase", "turn")}
    for path, value in _not_json(table.path, content):
        table.problems.append(Problem("bad_value", f"an order cannot hold {shown(value)}", path))
    return OrderPart(player, step, content)


def _step(table: Table, phases: Sequence[str]) -> int:
    """Return which of the phases an order is for.

    The turn counts the times its phase was played; where a phase is left out in some turn, the turns
    of the campaign. It may be left out for the first.
    """
    taking = [phase for phase in phases if phase != END_OF_TURN]
    if not taking:
        table.problems.append(Problem("bad_value", "no phase of this case takes orders", table.path))
        return 0
    only = taking[0] if len(set(taking)) == 1 else MISSING
    phase = table.text("phase", default=only)
    turn = table.integer("turn", 1, default=1)
    places = [place for place, name in enumerate(phases) if name == phase]
    if not places:
        if table.has("phase"):
            table.note("phase", f"this case does not play {phase!r}")
        return 0
    if turn <= len(places):
        return places[turn - 1]
    in_turn = [place for place in places if _turn(phases, place) == turn]
    if not in_turn:
        table.note("turn", f"{phase} is played {len(places)} times in this case, not {turn}")
        return places[0]
    return in_turn[0]


def _turn(phases: Sequence[str], place: int) -> int:
    return 1 + phases[:place].count(END_OF_TURN)


def _not_json(where: str, value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in _not_json(key_path(where, key), item)]
    if isinstance(value, list):
        return [found for place, item in enumerate(value) for found in _not_json(f"{where}[{place}]", item)]
    return [] if isinstance(value, str | int | float | bool) else [(where, value)]
