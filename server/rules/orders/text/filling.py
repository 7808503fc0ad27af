"""An order written in the pattern of its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.rules.orders.form import ALIAS, HALF, FormField
from server.rules.orders.text.names import TABLES, Names
from server.rules.orders.text.patterns import FLAGS_PLACE, Mark, Maybe, Part, Word, parse, places, with_alias
from server.rules.orders.text.units import NotUnits, write_units
from server.rules.orders.text.values import OWNERS

SEPARATORS = (":", ";")


class NotText(Exception):
    """A value that only JSON can say."""


@dataclass(frozen=True, slots=True)
class Style:
    """How names are written: as they are called or by id, with quotation marks or without."""

    by_name: bool
    quoted: bool


def filled(
    patterns: Sequence[str], form: Sequence[FormField], order: Mapping[str, Any], names: Names, style: Style
) -> str:
    """Return an order in the first pattern that has a place for each of its fields; empty where none has."""
    flags = {field.name: field for field in form if field.kind == "flag"}
    given = {name: value for name, value in order.items() if name != "type"}
    writer = _Writer({field.name: field for field in (*form, ALIAS)}, tuple(flags), given, names, style)
    for pattern in patterns:
        parts = with_alias(parse(pattern))
        known = {**dict.fromkeys(places(parts)), **(flags if FLAGS_PLACE in places(parts) else {})}
        if given.keys() <= known.keys():
            try:
                return " ".join(writer.words(parts)).replace(" :", ":").replace(" ;", ";").rstrip(":; ")
            except NotText:
                continue
    return ""


@dataclass(frozen=True, slots=True)
class _Writer:
    fields: Mapping[str, FormField]
    flags: tuple[str, ...]
    given: Mapping[str, Any]
    names: Names
    style: Style

    def words(self, parts: tuple[Part, ...]) -> list[str]:
        words: list[str] = []
        for part in parts:
            if isinstance(part, Mark) and words and words[-1] in SEPARATORS:
                continue  # what stood between two marks was left out
            if isinstance(part, Word | Mark):
                words.append(part.text)
            elif isinstance(part, Maybe):
                inner = places(part.parts)
                if inner and all(name in self.given for name in inner):
                    words += self.words(part.parts)
            elif part.name == FLAGS_PLACE:
                words += [self._flag(name) for name in self.flags if name in self.given]
            elif part.name in self.given:
                words.append(self._value(self.fields[part.name], self.given[part.name]))
            else:
                raise NotText
        return words

    def _flag(self, name: str) -> str:
        if not isinstance(self.given[name], bool):
            raise NotText
        return name if self.given[name] else f"not {name}"

    def _value(self, field: FormField, value: Any) -> str:
        match field.kind:
            case "place" | "battle" | "size" | "choice":
                return _string(value)
            case "path" | "hexes":
                return " ".join(_strings(value))
            case "number":
                return _number(value)
            case "text":
                return f'"{_string(value)}"'
            case "new_units":
                return _units(value)
            case "own_units" | "casualties" | "picks" | "battle_units":
                return ", ".join(self._unit(field, id_) for id_ in _strings(value))
            case "losses":
                return ", ".join(self._loss(field, id_, loss) for id_, loss in _table(value).items())
            case "works":
                return ", ".join(f"{_number(count)} {_string(id_)}" for id_, count in _table(value).items())
            case _:
                return self._name(field, _string(value))

    def _name(self, field: FormField, id_: str) -> str:
        kinds, _ = OWNERS[field.kind]
        if field.kind in TABLES and not self.style.quoted:
            return id_.replace("_", " ")
        text = self.names.called(id_, *kinds) if self.style.by_name else id_
        return f'"{text}"' if self.style.quoted else text

    def _unit(self, field: FormField, id_: str) -> str:
        return self._name(field, id_.removesuffix(HALF)) + (" half" if id_.endswith(HALF) else "")

    def _loss(self, field: FormField, id_: str, loss: Any) -> str:
        words = [
            _number(value) if name == "lost" else "all" if name == "destroyed" else name
            for name, value in _table(loss).items()
        ]
        return " ".join((self._name(field, _string(id_)), *words))


def _string(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value.strip():
        raise NotText
    return value


def _strings(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise NotText
    return [_string(item) for item in value]


def _number(value: Any) -> str:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotText
    return str(value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise NotText
    return value


def _units(value: Any) -> str:
    try:
        return write_units(value)
    except NotUnits:
        raise NotText from None
