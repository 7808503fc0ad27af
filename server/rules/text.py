"""Orders as text, one a line: written for people, read as people write (``docs/orders.md``).

A text becomes orders, and problems that name line, word and the nearest valid word; orders become a text that reads
back to the same orders. How each kind of order is written is said by its class (``TEXT``,
:mod:`server.rules.orders.text`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from server.core.sentences import Sentence, say
from server.rules.orders.base import Order
from server.rules.orders.registry import BY_TYPE, KINDS
from server.rules.orders.text.names import Names
from server.rules.orders.text.patterns import Matcher, Part, Style, Way, Word, filled, needed_words, parse, with_alias
from server.rules.orders.text.values import Wrong
from server.rules.orders.text.words import (
    FINAL,
    NOT,
    REPEAT,
    Token,
    cut,
    exactly,
    fits,
    without_bullet,
    without_full_stop,
)
from server.rules.sight import View

MAX_LINES = 5000
JSON = "json "
"""Begins a line of JSON that is not an object, so that even such lines stay."""


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A line's unrecognised part."""

    code: str
    """``unknown_order`` (it begins with no order), ``unknown_name``, ``ambiguous``, ``missing``, ``not_understood``."""
    line: int
    """Counted from 1."""
    text: str
    """The line."""
    word: str
    """The word, or words, that are not understood; empty where some are missing."""
    nearest: str
    """The nearest word that would be; empty where none is near."""
    message: str
    """A sentence (:func:`server.core.sentences.say`)."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as read."""

    orders: tuple[Any, ...]
    """As they are handed in: JSON objects."""
    lines: tuple[int, ...]
    """The line of each order, counted from 1."""
    problems: tuple[TextProblem, ...]
    final: bool | None
    """Whether the text says that the orders are final; None where it says nothing."""
    repeats: Mapping[int, bool] = field(default_factory=dict)
    """Whether an order is repeated from now on, or no longer, by its place; of others the text says nothing."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of a kind of order."""

    kind: type[Order]
    parts: tuple[Part, ...]
    needs: tuple[Word, ...]


PATTERNS = tuple(
    Pattern(kind, parts, needed_words(parts)) for kind in KINDS for parts in map(with_alias, map(parse, kind.TEXT))
)


def read_orders(text: str, view: View | Names | None = None, phase: str = "") -> ReadText:
    """Return the orders of a text, one a line, and what is not understood; nothing is raised, whatever the text.

    *view* is what the writer knows: names, places, the phase. Without one, ids are taken as they stand. *phase* is
    what the orders are for; empty: the view's.
    """
    names = view if isinstance(view, Names) else Names.of(view)
    reader = _Reader(names, phase or names.phase)
    for number, line in enumerate(text.splitlines()[:MAX_LINES], start=1):
        reader.line(number, line)
    return ReadText(tuple(reader.orders), tuple(reader.lines), tuple(reader.problems), reader.final, reader.repeats)


@dataclass(slots=True)
class _Reader:
    names: Names
    phase: str
    orders: list[Any] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: list[TextProblem] = field(default_factory=list)
    final: bool | None = None
    repeats: dict[int, bool] = field(default_factory=dict)

    def line(self, number: int, line: str) -> None:
        stripped = line.strip()
        bare = without_bullet(line).rstrip()
        if bare.startswith("{"):
            self._json(number, stripped, bare)
            return
        if bare.startswith(JSON):
            self._json(number, stripped, bare.removeprefix(JSON))
            return
        tokens = cut(line)
        if not any(not token.separates for token in tokens):
            return
        final = _final(tokens)
        if final is not None:
            self.final = final
            return
        repeats, rest = _repeats(tokens)
        found = self._understood(rest)
        if repeats is not None and not isinstance(found, tuple):  # a force may be called like this
            whole = self._understood(tokens)
            found, repeats = (whole, None) if isinstance(whole, tuple) else (found, repeats)
        if isinstance(found, tuple):
            kind, way = found
            if repeats and not kind.REPEATS:
                message = say("Line {line}: this order cannot be repeated.", line=number)
                self.problems.append(TextProblem("not_understood", number, stripped, tokens[0].text, "", message))
                return
            if repeats is not None:
                self.repeats[len(self.orders)] = repeats
            self._take(number, {"type": kind.TYPE, **way.values})
        else:
            self.problems.append(_problem(found, number, stripped))

    def _understood(self, tokens: list[Token]) -> tuple[type[Order], Way] | _Nothing:
        found = _best(tokens, self.names, self.phase)
        if not isinstance(found, tuple) and (fewer := without_full_stop(tokens)):
            again = _best(fewer, self.names, self.phase)
            found = again if isinstance(again, tuple) else found
        return found

    def _json(self, number: int, line: str, content: str) -> None:
        try:
            order = json.loads(content, parse_constant=_no_number)
        except (ValueError, RecursionError):
            message = say("Line {line}: this is no order in JSON.", line=number)
            self.problems.append(TextProblem("not_understood", number, line, line[:40], "", message))
        else:
            self._take(number, order)

    def _take(self, number: int, order: Any) -> None:
        alias = order.get("as") if isinstance(order, dict) else None
        if isinstance(alias, str):
            self.names = self.names.with_more(alias, created(order))
        self.orders.append(order)
        self.lines.append(number)


def created(order: Mapping[str, Any]) -> str:
    """Return what kind of thing an order creates that gives it a name."""
    return "detachment" if "units" in order else "convoy"


def _no_number(text: str) -> None:
    raise ValueError(text)


def _final(tokens: Sequence[Token]) -> bool | None:
    words = [token for token in tokens if not token.separates]
    if len(words) == 1 and exactly(words[0], FINAL):
        return True
    if len(words) == 2 and exactly(words[0], NOT) and exactly(words[1], FINAL):
        return False
    return None


def _repeats(tokens: list[Token]) -> tuple[bool | None, list[Token]]:
    """Return whether a line says that its order is repeated, and the order: ``repeat Column 1: guard``."""
    negated = exactly(tokens[0], NOT)
    first = 1 if negated else 0
    rest = tokens[first + 1 :]
    if len(tokens) > first + 1 and exactly(tokens[first], REPEAT) and any(not token.separates for token in rest):
        return not negated, rest[1:] if rest[0].separates else rest
    return None, tokens


# --- the best way to understand a line ---


@dataclass(slots=True)
class _Nothing:
    """The reason why a line is not an order."""

    wrong: Wrong | None = None
    reached: int = -1
    expected: dict[str, None] = field(default_factory=dict)
    tokens: Sequence[Token] = ()


def _best(tokens: Sequence[Token], names: Names, phase: str) -> tuple[type[Order], Way] | _Nothing:
    """Return the order that fits a line best, else what stands against the nearest one."""
    fitting = [fits(token) for token in tokens]
    there = {name for variant in fitting for name in variant}
    ways = [way for way in PATTERNS if all(word.text in there for word in way.needs)]
    now = [way for way in ways if not phase or phase in way.kind.PHASE]
    nothing = _Nothing(tokens=tokens)
    for among in (now, [way for way in ways if way not in now]):
        best = _fitting(tokens, fitting, names, among, nothing)
        if best is not None:
            return best
    for among in (now, [way for way in ways if way not in now]):
        nearly = _fitting(tokens, fitting, names, among, nothing, lenient=True)
        if nearly is not None:
            nothing.wrong = nearly[1].wrong[0]
            break
    others = [way for way in PATTERNS if way not in ways and way.needs[0].text in there]
    _fitting(tokens, fitting, names, others, nothing)  # only to see how far they come
    return nothing


def _fitting(
    tokens: Sequence[Token],
    fitting: Sequence[Mapping[str, int]],
    names: Names,
    ways: Sequence[Pattern],
    nothing: _Nothing,
    *,
    lenient: bool = False,
) -> tuple[type[Order], Way] | None:
    best: tuple[type[Order], Way] | None = None
    for way in ways:
        matcher = Matcher(tokens, fitting, names, way.kind.FIELDS, lenient)
        for found in matcher.ways(way.parts):
            if lenient and not found.wrong:
                continue
            if best is None or _badness(found) < _badness(best[1]):
                best = way.kind, found
            if not lenient:
                break
        if not lenient and matcher.reached > nothing.reached:
            nothing.reached, nothing.expected = matcher.reached, dict(matcher.expected)
        elif not lenient and matcher.reached == nothing.reached:
            nothing.expected.update(matcher.expected)
    return best


def _badness(way: Way) -> tuple[int, int, int]:
    """Return what speaks against a way; the least is the best."""
    return len(way.wrong), -way.score, sum(len(wrong.word) for wrong in way.wrong)


# --- what is wrong ---


def _problem(nothing: _Nothing, number: int, line: str) -> TextProblem:
    wrong, expected = nothing.wrong, tuple(nothing.expected)
    last = nothing.tokens[nothing.reached].text if 0 <= nothing.reached < len(nothing.tokens) else ""
    if last and (near := _nearest(last, expected)):
        return TextProblem("not_understood", number, line, last, near, _not_understood(number, last, near))
    if nothing.reached >= len(nothing.tokens):
        message = say("Line {line}: something is missing at its end.", line=number)
        return TextProblem("missing", number, line, "", next(iter(expected), ""), message)
    if wrong is not None and wrong.word:
        near = _nearest(wrong.word, wrong.known)
        if wrong.ambiguous:
            message = say(
                'Line {line}: "{word}" may mean several things. Write more of the name.', line=number, word=wrong.word
            )
            return TextProblem("ambiguous", number, line, wrong.word, "", message)
        return TextProblem("unknown_name", number, line, wrong.word, near, _not_understood(number, wrong.word, near))
    if last:
        return TextProblem("not_understood", number, line, last, "", _not_understood(number, last, ""))
    first = next((token.text for token in nothing.tokens if not token.separates), "")
    verbs = {word: None for way in PATTERNS for part in way.needs[:1] for word in part.words}
    nearly = [(token.text, near) for token in nothing.tokens if (near := _nearest(token.text, tuple(verbs)))]
    word, near = max(nearly, key=lambda pair: SequenceMatcher(None, *pair).ratio(), default=(first, ""))
    message = say("Line {line}: no order begins like this.", line=number)
    if near:
        message = say('Line {line}: no order begins like this. Do you mean "{near}"?', line=number, near=near)
    return TextProblem("unknown_order", number, line, word, near, message)


def _not_understood(number: int, word: str, near: str) -> Sentence:
    if near:
        return say('Line {line}: "{word}" is not understood. Do you mean "{near}"?', line=number, word=word, near=near)
    return say('Line {line}: "{word}" is not understood.', line=number, word=word)


def _nearest(word: str, known: Sequence[str]) -> str:
    by_fold: Mapping[str, str] = {name.casefold(): name for name in reversed(known)}
    near = get_close_matches(word.casefold()[:60], list(by_fold), 1)
    return by_fold[near[0]] if near else ""


STYLES = (Style(True, False), Style(True, True), Style(False, False), Style(False, True))
"""The ways names are tried: as people say them first."""


def write_orders(orders: Sequence[Any], view: View | Names | None = None, repeated: Sequence[Any] = ()) -> str:
    """Return orders as text that :func:`read_orders` reads back to the same orders, with the same *view*.

    An order without words (one that the rules do not know, or with a field of a wrong kind) is a line of JSON.
    Lines of *repeated* orders say so.
    """
    names = view if isinstance(view, Names) else Names.of(view)
    lines = []
    for order in orders:
        line = _line(order, names)
        lines.append(f"repeat {line}" if order in repeated and not line.startswith(("{", JSON)) else line)
        if isinstance(order, Mapping) and isinstance(order.get("as"), str):
            names = names.with_more(order["as"], created(order))
    return "".join(f"{line}\n" for line in lines)


def _line(order: Any, names: Names) -> str:
    type_ = order.get("type") if isinstance(order, Mapping) else None
    kinds = BY_TYPE.get(type_, ()) if isinstance(type_, str) else ()
    for kind in kinds:
        for style in STYLES if names.known else STYLES[2:]:
            text = filled(kind.TEXT, kind.FIELDS, order, names, style)
            if text and _reads_back(text, order, names):
                return text
    return ("" if isinstance(order, dict) else JSON) + json.dumps(order, ensure_ascii=True)


def _reads_back(text: str, order: Any, names: Names) -> bool:
    read = read_orders(text, names)
    return read.orders == (order,) and not read.problems and same_kinds(read.orders[0], order)


def same_kinds(one: Any, other: Any) -> bool:
    """Return whether two equal values have the same types throughout: 1 is not true."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return all(same_kinds(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return all(same_kinds(mine, yours) for mine, yours in zip(one, other, strict=True))
    return True
