"""How a kind of order is written: a pattern, a line held against it, an order written in it.

A pattern has words, places for fields, and what may be left out. ``{at}`` is a place for the field of that name,
``{flags}`` for all fields that are set by their name, ``[...]`` may be left out, all else is a word
(:data:`server.rules.orders.text.words.SYNONYMS`). Marks (``:`` ``;``) are for the writer; a reader passes over them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core.errors import RulesError
from server.rules.orders.fields import ALIAS, HALF, FormField
from server.rules.orders.text.names import TABLES, Names
from server.rules.orders.text.units import NotUnits, write_units
from server.rules.orders.text.values import OWNERS, ValueReader, Wrong
from server.rules.orders.text.words import FLAGS, NOT, SYNONYMS, Token, exactly


@dataclass(frozen=True, slots=True)
class Word:
    """A word that must stand there, or one that may stand for it."""

    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that may stand there."""
        return SYNONYMS[self.text]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark the writer sets."""

    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a field."""

    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """A part that may be left out."""

    parts: tuple[Part, ...]


Part = Word | Mark | Place | Maybe
FLAGS_PLACE = "flags"


def parse(pattern: str) -> tuple[Part, ...]:
    """Return the parts of a pattern."""
    for mark in "[]:;":
        pattern = pattern.replace(mark, f" {mark} ")
    parts, rest = _parts(pattern.split(), 0)
    if rest:
        raise RulesError(f"the pattern {pattern!r} closes what it did not open")
    return parts


def _parts(words: list[str], depth: int) -> tuple[tuple[Part, ...], list[str]]:
    parts: list[Part] = []
    while words:
        word, words = words[0], words[1:]
        if word == "[":
            inner, words = _parts(words, depth + 1)
            parts.append(Maybe(inner))
        elif word == "]":
            return tuple(parts), words if depth else [word]
        elif word in (":", ";"):
            parts.append(Mark(word))
        elif word.startswith("{"):
            parts.append(Place(word.strip("{}")))
        else:
            if word not in SYNONYMS:
                raise RulesError(f"{word!r} is not in SYNONYMS (server/rules/orders/text/words.py)")
            parts.append(Word(word))
    return tuple(parts), []


def needed_words(parts: tuple[Part, ...]) -> tuple[Word, ...]:
    """Return the words a line must have."""
    return tuple(part for part in parts if isinstance(part, Word))


def places(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the names of all places, in order."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Place):
            found.append(part.name)
        elif isinstance(part, Maybe):
            found.extend(places(part.parts))
    return tuple(found)


def with_alias(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return a pattern with a place for the name (``as``) of the order's creation, before any units."""
    if "as" in places(parts):
        return parts
    return (*parts, Maybe((Word("as"), Place("as"))))


MAX_STEPS = 20_000
"""Steps after which a line is given up: nobody writes one that needs so many."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which a line fits a pattern."""

    values: dict[str, Any]
    score: int
    """How well its words fit; the higher the better."""
    wrong: tuple[Wrong, ...]


NOTHING = Way({}, 0, ())
"""As a line is before anything of it is read."""


@dataclass(slots=True)
class Matcher:
    """Holds one line against a pattern of a kind of order, whose fields are its *form*."""

    tokens: Sequence[Token]
    fits: Sequence[Mapping[str, int]]
    """For each word of the line, the words of patterns it stands for (:func:`.vocabulary.fits`)."""
    names: Names
    form: Sequence[FormField]
    lenient: bool = False
    steps: int = 0
    reached: int = -1
    """The furthest word at which a pattern whose first words fitted ended."""
    expected: dict[str, None] = field(default_factory=dict)
    """Words that would have fitted there."""

    def ways(self, parts: tuple[Part, ...], at: int = 0, so_far: Way = NOTHING) -> Iterator[Way]:
        """Yield every way in which the whole line fits a pattern; inside, its rest."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            return
        if not parts:
            at = self._skip(at)
            if at == len(self.tokens):
                yield so_far
            else:
                self._note(at, so_far, [word for name in self._flags() for word in FLAGS[name][:1]])
            return
        part, rest = parts[0], parts[1:]
        if isinstance(part, Mark):
            yield from self.ways(rest, at, so_far)
        elif isinstance(part, Maybe):
            yield from self.ways((*part.parts, *rest), at, so_far)
            yield from self.ways(rest, at, so_far)
        elif isinstance(part, Word):
            at = self._skip(at)
            fits = self.fits[at].get(part.text, 0) if at < len(self.tokens) else 0
            if fits:
                more = Way(so_far.values, so_far.score + fits, so_far.wrong)
                yield from self.ways(rest, at + 1, more)
            else:
                self._note(at, so_far, part.words[:1])
        elif part.name == FLAGS_PLACE:
            yield from self._after_flags(rest, at, so_far)
        else:
            yield from self._after_value(part, rest, at, so_far)

    def _flags(self) -> list[str]:
        return [one.name for one in self.form if one.kind == "flag"]

    def _after_value(self, part: Place, rest: tuple[Part, ...], at: int, so_far: Way) -> Iterator[Way]:
        at = self._skip(at)
        fits = False
        place = next((one for one in self.form if one.name == part.name), ALIAS)
        for read in ValueReader(place, self.tokens, at, self.names, self.lenient).read():
            fits = True
            wrong = so_far.wrong if read.wrong is None else (*so_far.wrong, read.wrong)
            more = Way(so_far.values | {part.name: read.value}, so_far.score, wrong)
            yield from self.ways(rest, read.end, more)
        if not fits:
            self._note(at, so_far, ())

    def _after_flags(self, rest: tuple[Part, ...], at: int, so_far: Way) -> Iterator[Way]:
        """Take all that are there, in any order, each perhaps after a ``not``."""
        found: dict[str, bool] = {}
        while True:
            here = self._skip(at)
            negated = here < len(self.tokens) and exactly(self.tokens[here], NOT)
            here += negated
            token = self.tokens[here] if here < len(self.tokens) else None
            name = next((name for name in self._flags() if token and exactly(token, FLAGS[name])), "")
            if not name or name in found:
                break
            found[name], at = not negated, here + 1
        yield from self.ways(rest, at, Way(so_far.values | found, so_far.score, so_far.wrong))

    def _skip(self, at: int) -> int:
        while at < len(self.tokens) and self.tokens[at].separates:
            at += 1
        return at

    def _note(self, at: int, so_far: Way, words: Sequence[str]) -> None:
        if not so_far.score or at < self.reached:
            return
        if at > self.reached:
            self.reached, self.expected = at, {}
        self.expected.update(dict.fromkeys(words))


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
            except (NotText, NotUnits):
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
                return write_units(value)
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
