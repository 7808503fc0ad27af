"""Guided forms for the edits of a position: which fields each has, and what was typed as an edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from server.play.edits.edits import Change
from server.play.errors import invalid
from server.render.naming import force_name
from server.render.translations import things_of
from server.rules.ruleset import Ruleset
from server.rules.state import Force, State
from server.web.forms import Form
from server.web.translations import Translations

Choice = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a guided form."""

    name: str
    kind: str
    """``hex``, ``integer``, ``text``, ``boolean``, ``choice``, ``many``, ``unit`` or ``units``."""
    choices: tuple[Choice, ...] = ()
    needed: bool = True


_HEX = "hex"
SPECS: Mapping[str, Sequence[tuple[str, str, bool]]] = {
    "set owner": (("hex", _HEX, True), ("owner", "player_or_nobody", True)),
    "set store": (("hex", _HEX, True), ("bp", "integer", True)),
    "add road": (("from", _HEX, True), ("to", _HEX, True)),
    "remove road": (("from", _HEX, True), ("to", _HEX, True)),
    "set resource": (("hex", _HEX, True), ("size", "resource", True)),
    "remove resource": (("hex", _HEX, True),),
    "set urban": (("hex", _HEX, True), ("size", "urban", True), ("buildings", "buildings", False)),
    "remove urban": (("hex", _HEX, True),),
    "add building": (("hex", _HEX, True), ("building", "building", True)),
    "remove building": (("hex", _HEX, True), ("building", "building", True)),
    "set stronghold": (("hex", _HEX, True), ("type", "stronghold", True)),
    "remove stronghold": (("hex", _HEX, True),),
    "set defence": (("hex", _HEX, True), ("defence", "defence", True), ("count", "integer", True)),
    "add detachment": (("owner", "player", True), ("hex", _HEX, True), ("name", "text", False),
                       ("type", "detachment_type", False), ("units", "units", True)),
    "add garrison": (("owner", "player", True), ("hex", _HEX, True), ("units", "units", True)),
    "add unit": (("force", "force", True), ("unit", "unit_fields", True)),
    "set detachment": (("id", "detachment", True), ("hex", _HEX, False), ("name", "text", False),
                       ("dxp", "integer", False), ("battle_order", "battle_order", False)),
    "remove detachment": (("id", "detachment", True),),
    "remove garrison": (("id", "garrison", True),),
    "set unit": (("id", "unit", True), ("ready", "integer", False), ("wounded", "integer", False),
                 ("models", "integer", False), ("damaged", "boolean", False)),
    "remove unit": (("id", "unit", True),),
    "add convoy": (("owner", "player", True), ("hex", _HEX, True), ("bp", "integer", True)),
    "set convoy": (("id", "convoy", True), ("hex", _HEX, False), ("bp", "integer", False)),
    "remove convoy": (("id", "convoy", True),),
    "set vp": (("player", "player", True), ("vp", "integer", True)),
    "set player": (("player", "player", True), ("eliminated", "boolean", True)),
    "set alliance": (("player", "player", True), ("with", "player", True), ("allied", "boolean", True)),
    "set system_control": (("player", "player_or_nobody", True),),
    "remove battle": (("hex", "battle", True),),
}  # fmt: skip
"""By ``do what``: name, kind and whether it is needed. Everything else can be written as JSON."""
GROUPS: Mapping[str, Sequence[str]] = {
    "land": ("set owner", "set store", "add road", "remove road", "set resource", "remove resource"),
    "towns": ("set urban", "remove urban", "add building", "remove building", "set stronghold", "remove stronghold",
              "set defence"),
    "forces": ("add detachment", "add garrison", "add unit",
               "set detachment", "remove detachment", "remove garrison", "set unit", "remove unit", "add convoy",
               "set convoy", "remove convoy", "remove battle"),
    "players": ("set vp", "set player", "set alliance", "set system_control"),
}  # fmt: skip
_PLAIN = {"hex", "integer", "text", "boolean", "units"}
UNIT_ROWS = 6
"""Units of a new force that one form takes; more are added to it one by one."""
_HIDDEN = {"serial", "met"}
"""What the engine counts for itself."""
_BY_ID = ("detachments", "garrisons", "convoys")
"""Things whose id is unknown before they exist."""
_NOTHING: tuple[Any, ...] = ("", None, -1, [])
"""What something new does not have yet: no name, no turn in which it was changed."""


def fields_of(t: Translations, kind: str, state: State, names: Mapping[str, str]) -> list[Field]:
    """Return the fields of a form, with everything there is to choose from."""
    found = []
    for name, what, needed in SPECS[kind]:
        if what in _PLAIN:
            found.append(Field(name, what, (), needed))
        elif what == "unit_fields":
            found.append(Field(name, "unit", (), needed))
        else:
            shape = "many" if what == "buildings" else "choice"
            found.append(Field(name, shape, tuple(_choices(t, what, state, names)), needed))
    return found


def _choices(t: Translations, what: str, state: State, names: Mapping[str, str]) -> list[Choice]:
    rules, label = state.ruleset, state.board.label
    if what in ("player", "player_or_nobody"):
        nobody = [("", t("edit.nobody"))] if what == "player_or_nobody" else []
        return nobody + [(player, names[player]) for player in state.players]
    tables: dict[str, list[Choice]] = {
        "resource": [(size.id, t.called(size.name)) for size in rules.resources],
        "urban": [(size.id, t.called(size.name)) for size in rules.urban],
        "stronghold": [(type_.id, t.called(type_.name)) for type_ in rules.strongholds],
        "building": [(building.id, t.called(building.name)) for building in rules.buildings.values()],
        "buildings": [(building.id, t.called(building.name)) for building in rules.buildings.values()],
        "defence": [(defence.id, t.called(defence.name)) for defence in rules.defences.values()],
        "detachment_type": [(id_, t.called(type_.name)) for id_, type_ in rules.detachment_types.items()],
        "battle_order": [
            (battle_order, t(f"edit.battle_order.{battle_order}")) for battle_order in ("inactive", "defend")
        ],
        "battle": [(label(hex_), label(hex_)) for hex_ in state.battles],
    }
    if what in tables:
        return tables[what]
    if what == "convoy":
        return [
            (convoy.id, f"{label(convoy.at)}: {convoy.bp} BP ({names[convoy.owner]})")
            for convoy in state.convoys.values()
        ]
    forces: list[Force] = list(state.garrisons.values() if what == "garrison" else state.detachments.values())
    if what == "force":
        forces += state.garrisons.values()
    if what != "unit":
        return [(force.id, force_in_words(t, state, force, names)) for force in forces]
    forces += list(state.garrisons.values())
    return [
        (unit.id, f"{force_in_words(t, state, force, names)}: {unit.name} {unit.ready}/{unit.models}")
        for force in forces
        for unit in force.units
    ]


def force_in_words(t: Translations, state: State, force: Force, names: Mapping[str, str]) -> str:
    """Return whose force it is, what it is called and where it stands."""
    at = state.board.label(force.at) if force.at >= 0 else t("table.orbit")
    return f"{names[force.owner]}: {force_name(force, t.language)} {at}"


def read_edit(kind: str, form: Form) -> dict[str, Any]:
    """Return what was typed into a guided form as an edit; fields that were left empty are left out."""
    do, _, what = kind.partition(" ")
    edit: dict[str, Any] = {"do": do, "what": what}
    for name, shape, needed in SPECS[kind]:
        key = f"field.{name}"
        if shape == "integer":
            if (number := form.integer(key)) is not None:
                edit[name] = number
        elif shape == "boolean":
            if form.text(key):
                edit[name] = form.text(key) == "yes"
        elif shape == "buildings":
            if form.many(key):
                edit[name] = form.many(key)
        elif shape in ("units", "unit_fields"):
            units = [
                _read_unit(form, f"{key}.{place}") for place in range(UNIT_ROWS) if form.text(f"{key}.{place}.name")
            ]
            edit[name] = units if shape == "units" else next(iter(units), {})
        elif needed or form.text(key):
            edit[name] = form.text(key)
    return edit


def _read_unit(form: Form, key: str) -> dict[str, Any]:
    """Return a unit as it was typed into one row."""
    unit: dict[str, Any] = {name: form.text(f"{key}.{name}") for name in ("name", "slot", "mobility")}
    unit |= {name: form.integer(f"{key}.{name}", 0) for name in ("models", "points")}
    return unit | {"flags": form.many(f"{key}.flags")}


def read_list(text: str) -> list[Any]:
    """Return the list of edits written as JSON; an empty text is an empty list."""
    if not text.strip():
        return []
    try:
        found = orjson.loads(text)
    except ValueError:
        raise invalid("edits", "This is no JSON.") from None
    if not isinstance(found, list):
        raise invalid("edits", "A list of edits.")
    return found


@dataclass(frozen=True, slots=True)
class EditSummary:
    """An edit, for people."""

    title: str
    fields: tuple[tuple[str, str], ...]
    """What each field is called, and what it says."""


def summarize(t: Translations, edit: Any, state: State, names: Mapping[str, str]) -> EditSummary:
    """Return what an edit asks for; what no guided form makes, as it was written."""
    given = edit if isinstance(edit, dict) else {}
    kind = f"{given.get('do')} {given.get('what')}"
    if kind not in SPECS:
        return EditSummary(orjson.dumps(edit).decode()[:500], ())
    words = {field.name: dict(field.choices) for field in fields_of(t, kind, state, names)}
    found = []
    for name, value in given.items():
        if name not in ("do", "what"):
            label = t.name("edit.field", name)
            found.append((label, _worded(t, value, words.get(name, {}))))
    return EditSummary(t(f"edit.kind.{kind.replace(' ', '_')}"), tuple(found))


def _worded(t: Translations, value: Any, words: Mapping[str, str]) -> str:
    if isinstance(value, dict) and "name" in value:
        return f"{value.get('models', '')} {value['name']}".strip()
    if isinstance(value, bool):
        return t("edit.yes" if value else "edit.no")
    if isinstance(value, list):
        return ", ".join(_worded(t, item, words) for item in value)
    return words.get(value, value) or "–" if isinstance(value, str) else orjson.dumps(value).decode()


def placed(t: Translations, problems: Sequence[Mapping[str, Any]], edits: Sequence[Any]) -> list[dict[str, Any]]:
    """Return what is wrong with edits, each told by its place in the list and what its field is called."""
    found = []
    for problem in problems:
        top, _, path = str(problem["field"]).partition(".")
        number, _, name = path.partition(".")
        where = ""
        if top == "edits" and number.isdecimal() and int(number) < len(edits):
            edit = edits[int(number)] if isinstance(edits[int(number)], dict) else {}
            key = f"edit.kind.{edit.get('do')}_{edit.get('what')}"
            title = f" {t(key)}" if t.has(key) else ""
            field = f" · {t.name('edit.field', name.partition('.')[0])}" if name else ""
            where = f"{int(number) + 1}.{title}{field}:"
        found.append({**problem, "where": where})
    return found


def write_list(edits: Sequence[Any]) -> str:
    """Return a list of edits as people read JSON: one a line."""
    return "[\n" + ",\n".join(f"  {orjson.dumps(edit).decode()}" for edit in edits) + "\n]" if edits else ""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that edits change, for people."""

    what: str
    key: str
    before: str
    after: str


def ruled(t: Translations, rules: Ruleset) -> dict[str, str]:
    """Return what the things that stand in a position's tables are called."""
    found = {thing.id: t.called(thing.name) for thing in things_of(rules)}
    return found | {battle_order: t(f"edit.battle_order.{battle_order}") for battle_order in ("inactive", "defend")}


def lines(t: Translations, changes: Sequence[Change], names: Mapping[str, str]) -> list[Line]:
    """Return what edits change, row by row and field by field."""
    found: list[Line] = []
    for change in changes:
        what = t.name("change", change.what)
        key = t("edit.new") if change.before is None and change.what in _BY_ID else names.get(change.key, change.key)
        if isinstance(change.before, dict) and isinstance(change.after, dict):
            for name in change.after:
                if name not in _HIDDEN and change.before.get(name) != change.after[name]:
                    before, after = change.before.get(name), change.after[name]
                    found.append(
                        Line(
                            f"{what}: {t.name('edit.field', name)}",
                            key,
                            _formatted(t, before, names),
                            _formatted(t, after, names),
                        )
                    )
        else:
            found.append(Line(what, key, _formatted(t, change.before, names), _formatted(t, change.after, names)))
    return found


def _formatted(t: Translations, value: Any, names: Mapping[str, str]) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return t("edit.yes" if value else "edit.no")
    if isinstance(value, str):
        return names.get(value, value) or "–"
    if isinstance(value, dict) and "name" in value:
        return str(value["name"])
    if isinstance(value, dict):
        told = {
            t.name("edit.field", name): field_value
            for name, field_value in value.items()
            if name not in _HIDDEN and field_value not in _NOTHING
        }
        return ", ".join(f"{name}: {_formatted(t, field_value, names)}" for name, field_value in told.items())
    if isinstance(value, list):
        return ", ".join(_formatted(t, item, names) for item in value) or "–"
    return str(value)
