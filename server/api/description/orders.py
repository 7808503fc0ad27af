"""Every type of order as a schema, from the fields of its class: a discriminated union."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from server.api.description.plain import (
    Schema,
    boolean,
    camel,
    enum,
    hex_,
    id_,
    integer,
    listed,
    player,
    record,
    ref,
    table,
    text,
    union,
)
from server.rules.orders.base import Order
from server.rules.orders.battles import MAX_WORKS
from server.rules.orders.fields import (
    HALF,
    MAX_BP,
    MAX_HEXES,
    MAX_MODELS,
    MAX_POINTS,
    MAX_TEXT_LENGTH,
    MAX_UNITS,
    FormField,
)
from server.rules.orders.registry import BY_TYPE
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS

UNION = "Order"
WANTED = "NewUnit"
LOSS = "UnitLoss"
SETTLED = "SettledFields"
RESULT = "BattleResult"

_UNITS = {"maxItems": 2 * MAX_UNITS}
_NUMBERS = {"models": MAX_MODELS, "bp": MAX_BP}
"""The most that a field of the kind ``number`` may hold, by its name."""

_KINDS: Mapping[str, Callable[[FormField], Schema]] = {
    "detachment": lambda _: id_("One of your detachments; its id, or the `as` of an earlier order."),
    "convoy": lambda _: id_("One of your convoys; its id, or the `as` of an earlier order."),
    "unit": lambda _: text("5f2c1a90b7de/1", "One of your units."),
    "own_units": lambda _: listed(text("5f2c1a90b7de/1"), "Some of your units.", **_UNITS),
    "new_units": lambda _: listed(ref(WANTED), "What is raised.", minItems=1, maxItems=MAX_UNITS),
    "casualties": lambda _: listed(text("5f2c1a90b7de/1"), f"Who falls first; `{HALF}` at the end: half of it.",
                                   **_UNITS),
    "picks": lambda _: listed(text("5f2c1a90b7de/1"), "Whom of the other side you pick; half of a unit with "
                              f"`{HALF}`.", **_UNITS),
    "losses": lambda _: table(ref(LOSS), "What each unit lost."),
    "battle_units": lambda _: listed(text("5f2c1a90b7de/1"), "Units of the battle.", **_UNITS),
    "works": lambda _: table(integer(1, minimum=0, maximum=MAX_WORKS), "How many of each defence were lost."),
    "place": lambda _: hex_(),
    "path": lambda _: listed(hex_(), "The hexes to enter, one after the other.", maxItems=MAX_HEXES),
    "hexes": lambda _: listed(hex_(), "Hexes, the one you like best first.", maxItems=MAX_HEXES),
    "enemy": lambda _: text("0405", "A hex, or the id of an enemy force that you see."),
    "friend": lambda _: text("0405", "A hex, or the id of a force of yours or an ally's."),
    "seen_detachment": lambda _: id_("A detachment that you see."),
    "battle": lambda _: hex_("The hex of the battle."),
    "player": lambda _: player("A player."),
    "buildings": lambda _: text("market", "A building of the ruleset."),
    "defences": lambda _: text("watchtower", "A defence of the ruleset."),
    "weapons": lambda _: text("cannon", "A weapon of the ruleset."),
    "detachment_types": lambda _: text("standard", "A type of detachment of the ruleset."),
    "size": lambda _: text("town", "A size of the ruleset."),
    "choice": lambda field: enum(field.choices),
    "text": lambda _: text("Iron Guard", minLength=1, maxLength=MAX_TEXT_LENGTH),
    "number": lambda field: integer(1, minimum=1, maximum=_NUMBERS[field.name]),
    "flag": lambda _: boolean(),
}  # fmt: skip
"""The schema of each kind of value (:data:`server.rules.orders.fields.ValueKind`)."""


def schemas() -> dict[str, Schema]:
    """Return the union, each type, and what they hold."""
    types = {kind: f"{camel(kind)}Order" for kind in BY_TYPE}
    found = {types[kind]: _order(kind, same) for kind, same in BY_TYPE.items()}
    told = "An order. Its `type` says which fields it has; `docs/orders.md` has all of them as text."
    return found | {
        UNION: union(types, told),
        RESULT: result(),
        SETTLED: _settled(),
        WANTED: _new_unit(),
        LOSS: record(
            {"lost": integer(3, "Models.", minimum=0, maximum=MAX_MODELS)}
            | {name: boolean() for name in ("destroyed", "damaged", "immobilised", "broken", "returned")},
            "What a unit lost in a battle on the table.",
            ("lost", "destroyed", "damaged", "immobilised", "broken", "returned"),
        ),
    }


def _order(kind: str, same: Sequence[type[Order]]) -> Schema:
    """Return the schema of a type; a word that is an order of several phases has the fields of all of them."""
    fields: dict[str, Schema] = {"type": {"type": "string", "const": kind}}
    optional = ["as"]
    for order in same:
        for field in order.FIELDS:
            fields[field.name] = _KINDS[field.kind](field)
    for name in list(fields)[1:]:
        if not all(any(field.name == name and field.needed for field in order.FIELDS) for order in same):
            optional.append(name)
    if "as" not in fields:
        fields["as"] = text("x1", "A name for what it creates, for later orders of the set.", maxLength=MAX_TEXT_LENGTH)
    phases = list(dict.fromkeys(phase for order in same for phase in order.PHASE))
    told = " ".join((same[0].__doc__ or "").split("\n")[0].split())
    return record(fields, f"{told} Phases: {', '.join(f'`{phase}`' for phase in phases)}.", optional)


def settled(kind: str) -> Schema:
    """Return the schema of an order of one type of which only some fields are settled."""
    fields = {"type": {"type": "string", "const": kind}} | _fields_of(kind)
    return record(fields, "The fields that are settled.", [name for name in fields if name != "type"])


def choices(kind: str) -> Schema:
    """Return the schema of the values that each further field of a type may take."""
    fields = {name: listed(schema) for name, schema in _fields_of(kind).items()}
    return record(fields, "The values each further field may take.", fields)


def _fields_of(kind: str) -> dict[str, Schema]:
    return {field.name: _KINDS[field.kind](field) for order in BY_TYPE[kind] for field in order.FIELDS}


def field_schemas() -> dict[str, Schema]:
    """Return every field that some order has, by name; one that orders use in several ways has all of them."""
    found: dict[str, list[Schema]] = {}
    for order in (order for kinds in BY_TYPE.values() for order in kinds):
        for field in order.FIELDS:
            schema, known = _KINDS[field.kind](field), found.setdefault(field.name, [])
            if _bare(schema) not in [_bare(other) for other in known]:
                known.append(schema)
    return {
        name: variants[0] if len(variants) == 1 else {"anyOf": variants} for name, variants in sorted(found.items())
    }


def _bare(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name not in ("description", "examples")}


def _settled() -> Schema:
    """Return the schema of an order of which only some fields are settled."""
    fields = {"type": enum(BY_TYPE)} | field_schemas()
    return record(fields, "The fields of an order that are settled.", [name for name in fields if name != "type"])


def result() -> Schema:
    """Return the schema of a battle's result: the order ``report`` without what its address says."""
    whole_order = _order("report", BY_TYPE["report"])
    fields = {
        name: schema for name, schema in whole_order["properties"].items() if name not in ("type", "battle", "as")
    }
    return record(fields, "The result of a battle on the table.", [name for name in fields if name != "winner"])


def _new_unit() -> Schema:
    return record(
        {
            "id": text("a", "Your own name for it, for later orders.", maxLength=MAX_TEXT_LENGTH),
            "name": text("Squad", "Left out: the slot's.", maxLength=MAX_TEXT_LENGTH),
            "slot": enum(SLOTS),
            "models": integer(10, minimum=1, maximum=MAX_MODELS),
            "points": integer(100, "Of the whole unit.", minimum=1, maximum=MAX_POINTS),
            "mobility": enum(MOBILITIES, "Left out: infantry."),
            "flags": listed(enum(FLAGS)),
            "bombardment": integer(1, "Range in hexes, with `artillery`.", minimum=0, maximum=2),
        },
        "A unit to be raised (D-30).",
        ("id", "name", "mobility", "flags", "bombardment"),
    )
