"""A line held against the patterns of a kind of order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.rules.orders.form import ALIAS, FormField
from server.rules.orders.text.lines import Token
from server.rules.orders.text.names import Names
from server.rules.orders.text.patterns import FLAGS_PLACE, Mark, Maybe, Part, Place, Word
from server.rules.orders.text.values import ValueReader, Wrong
from server.rules.orders.text.vocabulary import FLAGS, NOT, exactly

MAX_STEPS = 20_000
"""Steps after which a line is given up: nobody writes one that needs so many."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which a line fits a pattern."""

    values: dict[str, Any]
    score: int
    """How well its words fit; the higher the better."""
    wrong: tuple[Wrong, ...]


@dataclass(slots=True)
class Matcher:
    """Holds one line against patterns."""

    tokens: Sequence[Token]
    fits: Sequence[Mapping[str, int]]
    """For each word of the line, the words of patterns it stands for (:func:`.vocabulary.fits`)."""
    names: Names
    lenient: bool = False
    steps: int = 0
    reached: int = -1
    """The furthest word at which a pattern whose first words fitted ended."""
    expected: dict[str, None] = field(default_factory=dict)
    """Words that would have fitted there."""

    def ways(self, parts: tuple[Part, ...], fields: Sequence[FormField]) -> Iterator[Way]:
        """Yield every way in which the whole line fits a pattern."""
        known = {one.name: one for one in (*fields, ALIAS)}
        flags = [candidate for candidate in fields if candidate.kind == "flag"]
        yield from self._match(parts, 0, Way({}, 0, ()), known, flags)

    def _match(
        self, parts: tuple[Part, ...], at: int, so_far: Way, fields: dict[str, FormField], flags: list[FormField]
    ) -> Iterator[Way]:
        self.steps += 1
        if self.steps > MAX_STEPS:
            return
        if not parts:
            at = self._skip(at)
            if at == len(self.tokens):
                yield so_far
            else:
                self._note(at, so_far, [word for flag in flags for word in FLAGS[flag.name][:1]])
            return
        part, rest = parts[0], parts[1:]
        if isinstance(part, Mark):
            yield from self._match(rest, at, so_far, fields, flags)
        elif isinstance(part, Maybe):
            yield from self._match((*part.parts, *rest), at, so_far, fields, flags)
            yield from self._match(rest, at, so_far, fields, flags)
        elif isinstance(part, Word):
            at = self._skip(at)
            fits = self.fits[at].get(part.text, 0) if at < len(self.tokens) else 0
            if fits:
                more = Way(so_far.values, so_far.score + fits, so_far.wrong)
                yield from self._match(rest, at + 1, more, fields, flags)
            else:
                self._note(at, so_far, part.words[:1])
        elif part.name == FLAGS_PLACE:
            yield from self._flags(rest, at, so_far, fields, flags)
        else:
            yield from self._value(part, rest, at, so_far, fields, flags)

    def _value(
        self,
        part: Place,
        rest: tuple[Part, ...],
        at: int,
        so_far: Way,
        fields: dict[str, FormField],
        flags: list[FormField],
    ) -> Iterator[Way]:
        at = self._skip(at)
        fits = False
        for read in ValueReader(fields[part.name], self.tokens, at, self.names, self.lenient).read():
            fits = True
            wrong = so_far.wrong if read.wrong is None else (*so_far.wrong, read.wrong)
            more = Way(so_far.values | {part.name: read.value}, so_far.score, wrong)
            yield from self._match(rest, read.end, more, fields, flags)
        if not fits:
            self._note(at, so_far, ())

    def _flags(
        self, rest: tuple[Part, ...], at: int, so_far: Way, fields: dict[str, FormField], flags: list[FormField]
    ) -> Iterator[Way]:
        """Take all that are there, in any order, each perhaps after a ``not``."""
        found: dict[str, bool] = {}
        while True:
            here = self._skip(at)
            negated = here < len(self.tokens) and exactly(self.tokens[here], NOT)
            here += negated
            name = next(
                (
                    flag.name
                    for flag in flags
                    if here < len(self.tokens) and exactly(self.tokens[here], FLAGS[flag.name])
                ),
                "",
            )
            if not name or name in found:
                break
            found[name], at = not negated, here + 1
        yield from self._match(rest, at, Way(so_far.values | found, so_far.score, so_far.wrong), fields, flags)

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
