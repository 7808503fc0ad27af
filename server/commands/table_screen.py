"""A table game on the screen: its state as one side may know it, what is open, and a typed line as an act."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from server.referee.awaiting import Awaiting
from server.referee.choices import Choice, Option
from server.render.translations import Translations

NO_NAMES: Mapping[str, str] = MappingProxyType({})
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


YES, NO = ("yes", "y", "true", "ja", "j"), ("no", "n", "false", "nein")
_POINT = re.compile(r"\(?(-?\d+(?:\.\d+)?)[,;](-?\d+(?:\.\d+)?)\)?")


class Unclear(Exception):
    """A line that cannot be understood; says why."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line asks for."""

    option: Option
    fields: dict[str, Any]
    """Those that were typed."""

    @property
    def missing(self) -> list[str]:
        """Fields that are needed and were not typed."""
        return [name for name, choice in self.option.fields.items() if choice.needed and name not in self.fields]


def understand(line: str, options: Sequence[Option], names: Mapping[str, str] = NO_NAMES) -> Typed:
    """Return what a line asks for: a number of the list, or a word and values (``raze 4``, ``move a1 to=30,12``).

    *names*: what units are called, by id; a name may be typed instead of its id. Raise :class:`Unclear`.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        raise Unclear("A quotation mark is left open.") from None
    if not words:
        raise Unclear("Type a number of the list, or the name of an act.")
    side = words[0].lower().rstrip(":")
    by = side if side in ("red", "blue", "gm") and len(words) > 1 else ""
    if by:
        words = words[1:]
    found = _named(words[0].lower(), by, options)
    best: Typed | None = None
    problem: Unclear | None = None
    for option in found:
        try:
            typed = Typed(option, _fields(words[1:], option, names))
        except Unclear as error:
            problem = problem or error
            continue
        if best is None or len(typed.missing) < len(best.missing):
            best = typed
    if best is None:
        raise problem or Unclear(f"Nothing of that name is open now: {words[0]}.")
    return best


def _named(word: str, by: str, options: Sequence[Option]) -> list[Option]:
    if word.isdigit():
        if not 1 <= int(word) <= len(options):
            raise Unclear(f"The list has the numbers 1 to {len(options)}.")
        return [options[int(word) - 1]]
    open_now = [option for option in options if by in ("", option.by)]
    exact = [option for option in open_now if option.do == word]
    begun = exact or [option for option in open_now if option.do.startswith(word)]
    names = list(dict.fromkeys(option.do for option in begun))
    if len(names) > 1:
        raise Unclear(f"{word} may be {' or '.join(names)}.")
    return begun


def _fields(words: Sequence[str], option: Option, names: Mapping[str, str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    left = list(option.fields)
    for word in words:
        name, sign, value = word.partition("=")
        if sign and name in option.fields:
            fields[name] = value_of(value, option.fields[name], name, names)
            left = [field for field in left if field != name]
        elif left:
            name = left.pop(0)
            fields[name] = value_of(word, option.fields[name], name, names)
        else:
            raise Unclear(f"{option.do} takes no further value: {word}.")
    return fields


def act_of(option: Option, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return an option with its fields filled in as an act: a name with dots is a place in nested tables."""
    act: dict[str, Any] = {"do": option.do}
    for name in option.fields:
        *tables, last = name.split(".")
        inner = act
        for table in tables:
            inner = inner.setdefault(table, {})
        if name in fields:
            inner[last] = fields[name]
    return act


def value_of(word: str, choice: Choice, name: str, names: Mapping[str, str] = NO_NAMES) -> Any:
    """Return the value that a word stands for, as the field's choice has it; raises :class:`Unclear`."""
    kind = choice.kind
    if kind == "boolean":
        return _boolean(word, name)
    if kind == "integer":
        return _number(word, choice, name)
    if kind == "one_of":
        return _one(word, choice.values, name, names)
    if kind == "some_of":
        return [_one(part, choice.values, name, names) for part in re.split(r"[,;]", word) if part]
    if kind == "point":
        return _point(word, name)
    if kind == "points":
        return [_point(part, name) for part in word.split("/") if part]
    return word


def _boolean(word: str, name: str) -> bool:
    if word.lower() in YES:
        return True
    if word.lower() in NO:
        return False
    raise Unclear(f"{name}: yes or no, not {word}.")


def _number(word: str, choice: Choice, name: str) -> int:
    try:
        number = int(word)
    except ValueError:
        raise Unclear(f"{name}: a whole number, not {word}.") from None
    if not choice.min <= number <= choice.max:
        raise Unclear(f"{name}: {choice.min} to {choice.max}, not {number}.")
    return number


def _one(word: str, values: Sequence[Any], name: str, names: Mapping[str, str]) -> Any:
    written = {shown(value): value for value in values}
    if word in written:
        return written[word]
    typed = word.lower()
    begun = [value for text, value in written.items() if text.lower().startswith(typed)]
    called = [value for value in written.values() if names.get(str(value), "").lower().startswith(typed)]
    same = [value for value in called if names[str(value)].lower() == typed]
    for found in (begun, same, called):
        if len(found) == 1:
            return found[0]
    raise Unclear(f"{name}: {', '.join(shown(value, names) for value in values)}, not {word}.")


def shown(value: Any, names: Mapping[str, str] = NO_NAMES) -> str:
    """Return a value as people type and read it; a unit with its name behind the id."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return json.dumps(value)
    return f"{value} {names[value]}" if names.get(value, value) != value else value


def _point(word: str, name: str) -> list[float]:
    found = _POINT.fullmatch(word.strip())
    if found is None:
        raise Unclear(f"{name}: a place such as 30,12.5, not {word}.")
    return [float(part) for part in found.groups()]
