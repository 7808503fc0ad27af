"""What stands on the screen: the state of a game as one side may know it, and what is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.commands.table_game.asking import NO_NAMES, shown
from server.referee.awaiting import Awaiting
from server.referee.choices import Choice, Option
from server.render.translations import Translations

MANY = 12
"""So many values of a field are listed; of more only some."""


def state_lines(view: Mapping[str, Any], t: Translations) -> Iterator[str]:
    """Yield what both may see at a glance: where the game stands, the score, markers and units."""
    stage = t.name("stage", view["stage"])
    if view["stage"] == "battle":
        phase = t.name("table_phase", view["phase"]) if view["phase"] else ""
        turn = t.name("table", view["turn"])
        stage = t("table.round", round=view["round"], player=turn, phase=phase)
    sides = {side: t.name("table", side) for side in ("red", "blue")}
    yield stage
    yield t(
        "table.score",
        red=sides["red"],
        blue=sides["blue"],
        red_vp=view["vp"]["red"],
        blue_vp=view["vp"]["blue"],
        red_cp=view["cp"]["red"],
        blue_cp=view["cp"]["blue"],
    )
    markers = [_marker(id_, marker, t) for id_, marker in view["markers"].items()]
    if markers:
        yield "  ".join(markers)
    for side in ("red", "blue"):
        units = [_unit(unit) for unit in view["units"] if unit["side"] == side]
        if units:
            yield f"{sides[side]}: {', '.join(units)}"


def passed_line(awaiting: Awaiting, t: Translations) -> str:
    """Return who was passed by the last act and can undo that alone; empty: nobody."""
    if not awaiting.passed:
        return ""
    return t("table.passed", player=t.name("table", awaiting.passed), side=awaiting.passed)


def _marker(id_: str, marker: Mapping[str, Any], t: Translations) -> str:
    if marker["removed"]:
        return f"[{id_}: –]"
    holder = t.name("table", marker["control"]) if marker["control"] else "·"
    return f"[{id_}: {holder}{'*' if marker['secured'] else ''}{'/' if marker['used'] else ''}]"


def _unit(unit: Mapping[str, Any]) -> str:
    now, full = (unit["wounds_now"], unit["wounds"]) if unit["wounds"] else (unit["models_now"], unit["models"])
    where = f" {_place(unit['at'])}" if unit["at"] else ""
    name = unit["id"] if unit["name"] == unit["id"] else f"{unit['name']} ({unit['id']})"
    return f"{name} {now}/{full}{'' if unit['state'] == 'table' else ' ' + unit['state']}{where}"


def _place(at: Sequence[float]) -> str:
    return f"({at[0]:g},{at[1]:g})"


def option_lines(options: Sequence[Option], t: Translations, names: Mapping[str, str] = NO_NAMES) -> Iterator[str]:
    """Yield a numbered line for each act that is open; *names*: what units are called, by id."""
    for number, option in enumerate(options, 1):
        fields = " ".join(field_hint(name, choice, names) for name, choice in option.fields.items())
        label = t.name("act", option.do)
        yield f"{number:3}  {t.name('table', option.by)}: {option.do} {fields}".rstrip() + f"  · {label}"


def field_hint(name: str, choice: Choice, names: Mapping[str, str] = NO_NAMES) -> str:
    """Return a field with its possible values, in brackets if it is optional."""
    hint = f"{name}={_values(choice, names)}"
    return hint if choice.needed else f"[{hint}]"


def _values(choice: Choice, names: Mapping[str, str]) -> str:
    if choice.kind == "boolean":
        return "yes|no"
    if choice.kind == "integer":
        return f"{choice.min}..{choice.max}"
    if choice.kind in ("one_of", "some_of"):
        listed = "|".join(shown(value, names) for value in choice.values[:MANY])
        return f"{listed}|..." if len(choice.values) > MANY else listed
    return {"point": "x,y", "points": "x,y/x,y"}.get(choice.kind, choice.kind)


def question(name: str, choice: Choice, t: Translations, names: Mapping[str, str] = NO_NAMES) -> str:
    """Return the question for one field."""
    optional = "" if choice.needed else " (Enter: leave out)"
    return f"{t.name('act_field', name.rpartition('.')[2])} {field_hint(name, choice, names)}{optional}: "
