"""What stands in the places of a pattern, read from words: hexes, names, numbers, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.rules.orders.fields import HALF, MAX_HEXES, FormField
from server.rules.orders.text.names import TABLES, Names
from server.rules.orders.text.units import NotUnits, read_units
from server.rules.orders.text.words import ALL, CHOICES, CONNECTORS, INJURIES, Token, exactly, said
from server.rules.orders.text.words import HALF as HALF_SYNONYMS

MAX_WORDS = 12
"""Words a name may have that stands without quotation marks."""
OWNERS: Mapping[str, tuple[tuple[str, ...], bool | None]] = {
    "detachment": (("detachment",), True),
    "convoy": (("convoy",), True),
    "unit": (("unit",), True),
    "own_units": (("unit",), True),
    "casualties": (("unit",), True),
    "picks": (("unit",), False),
    "losses": (("unit",), None),
    "battle_units": (("unit",), None),
    "seen_detachment": (("detachment",), None),
    "enemy": (("detachment", "garrison"), False),
    "friend": (("detachment", "garrison"), None),
    "player": (("player",), None),
    "works": (("defences",), None),
    **{table: ((table,), None) for table in TABLES},
}
"""By the kind of a field: the things its ids name, and whether they must be the player's own (None: any)."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Words that are not a value of the kind."""

    word: str
    known: tuple[str, ...]
    """What might have been meant."""
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A value that was read, and where what comes after it begins."""

    value: Any
    end: int
    wrong: Wrong | None = None
    """Set where words stand there that mean nothing, or too much."""


@dataclass(frozen=True, slots=True)
class ValueReader:
    """Reads the value of a field from the words at a place of a line."""

    field: FormField
    tokens: Sequence[Token]
    at: int
    names: Names
    lenient: bool
    """Wrong values are read, too, and say what is wrong with them."""

    def read(self) -> Iterator[Read]:
        """Yield what the words may be."""
        if self.at < len(self.tokens):
            yield from _READERS.get(self.field.kind, ValueReader._named)(self)

    def _wrong(self, word: str, end: int, *, ambiguous: bool = False) -> Iterator[Read]:
        if self.lenient and word:
            yield Read(word, end, Wrong(word, self._candidates(), ambiguous))

    def _candidates(self) -> tuple[str, ...]:
        kinds, own = OWNERS.get(self.field.kind, ((), None))
        places = list(self.names.hexes) if self.field.kind in ("enemy", "friend", "place", "battle") else []
        return (*self.names.all(*kinds, own=own), *places)

    # --- names ---

    def _spans(self) -> Iterator[tuple[str, int]]:
        """Yield what a name may be: words up to the next mark, the shortest first, or a text in quotation marks."""
        tokens, end = self.tokens, self.at
        if tokens[end].quoted:
            yield tokens[end].text, end + 1
            return
        while end < len(tokens) and end - self.at < MAX_WORDS and not tokens[end].separates and not tokens[end].quoted:
            end += 1
            yield said(tokens[self.at : end]), end

    def _named(self) -> Iterator[Read]:
        spans = list(self._spans())
        if not self.names.known:
            underscored = self.field.kind in TABLES and not self.tokens[self.at].quoted
            for text, end in spans:
                if text and (end - self.at == 1 or not any(map(self.names.hex, text.split()))):
                    yield Read(_underscored(text) if underscored else text, end)
            return
        for text, end in reversed(spans):
            found = self._meant(text)
            if len(found) == 1:
                yield Read(found[0], end)
            else:
                yield from self._wrong(text, end, ambiguous=len(found) > 1)

    def _meant(self, text: str) -> tuple[str, ...]:
        kinds, own = OWNERS[self.field.kind]
        found = self.names.find(text, *kinds, own=own)
        if found or self.field.kind not in ("enemy", "friend"):
            return found
        label = self.names.hex(text)
        return (label,) if label else self.names.find(text, *kinds)

    # --- hexes ---

    def _hex(self) -> Iterator[Read]:
        for text, end in reversed(list(self._spans())):
            label = self.names.hex(text)
            if label:
                yield Read(label, end)
            else:
                yield from self._wrong(text, end)

    def _hexes(self) -> Iterator[Read]:
        """Read as many hexes as there are, with marks and small words between them."""
        found: list[str] = []
        here = end = self.at
        while len(found) <= MAX_HEXES:
            here = end
            while here < len(self.tokens) and (self.tokens[here].separates or exactly(self.tokens[here], CONNECTORS)):
                here += 1
            if here == len(self.tokens):
                break
            step = next(ValueReader(self.field, self.tokens, here, self.names, lenient=False)._hex(), None)
            if step is None:
                break
            found.append(step.value)
            end = step.end
        if found:
            yield Read(found, end)
        if self.lenient and here < len(self.tokens):
            yield Read(found, here + 1, Wrong(self.tokens[here].text, tuple(self.names.hexes)))

    # --- words, numbers, texts, units ---

    def _word(self, known: Sequence[str], value: str | None) -> Iterator[Read]:
        if value is not None:
            yield Read(value, self.at + 1)
        elif self.lenient:
            yield Read("", self.at + 1, Wrong(self.tokens[self.at].text, tuple(known)))

    def _choice(self) -> Iterator[Read]:
        token, choices = self.tokens[self.at], self.field.choices
        return self._word(choices, next((choice for choice in choices if exactly(token, CHOICES[choice])), None))

    def _size(self) -> Iterator[Read]:
        text, sizes = self.tokens[self.at].text, self.names.sizes
        return self._word(sizes, text if not sizes or text in sizes else None)

    def _number(self) -> Iterator[Read]:
        number = _whole(self.tokens[self.at])
        if number is not None:
            yield Read(number, self.at + 1)
        elif self.lenient:
            yield Read(0, self.at + 1, Wrong(self.tokens[self.at].text, ()))

    def _text(self) -> Iterator[Read]:
        yield from (Read(text, end) for text, end in self._spans() if text)

    def _units(self) -> Iterator[Read]:
        try:
            yield Read(read_units(self.tokens[self.at :]), len(self.tokens))
        except NotUnits as error:
            if self.lenient:
                yield Read([], len(self.tokens), Wrong(error.word, error.known))

    # --- lists ---

    def _items(self) -> Iterator[tuple[list[Token], int]]:
        """Yield the parts of a list, which commas separate and a semicolon ends, and where each ends."""
        part: list[Token] = []
        for place in range(self.at, len(self.tokens)):
            token = self.tokens[place]
            if not token.separates or token.text not in (",", ";"):
                part.append(token)
                continue
            yield part, place
            part = []
            if token.text == ";":
                return
        yield part, len(self.tokens)

    def _unit(self, tokens: Sequence[Token]) -> tuple[str, Wrong | None]:
        text = said([token for token in tokens if not token.separates])
        if not self.names.known:
            return text, None
        found = self._meant(text)
        if len(found) == 1:
            return found[0], None
        return text, Wrong(text, self._candidates(), ambiguous=len(found) > 1)

    def _list(self) -> Iterator[Read]:
        """Read ids, with ``half`` after those of which half is meant."""
        found: list[str] = []
        for part, end in self._items():
            half = self.field.kind in ("casualties", "picks") and len(part) > 1 and exactly(part[-1], HALF_SYNONYMS)
            words = part[:-1] if half else part
            if not words:
                continue
            id_, wrong = self._unit(words)
            if wrong is not None and not self.lenient:
                return
            found.append(id_ + (HALF if half else ""))
            yield Read(list(found), end, wrong)
            if wrong is not None:
                return

    def _losses(self) -> Iterator[Read]:
        """Read ``r1 3, r2 all, r3 damaged broken``."""
        found: dict[str, dict[str, Any]] = {}
        for part, end in self._items():
            words, loss = list(part), dict[str, Any]()
            while len(words) > 1 and (more := _injury(words[-1])):
                loss = more | loss
                words.pop()
            if not words:
                continue
            id_, wrong = self._unit(words)
            if not loss and wrong is None:
                wrong = Wrong(said(part), (*ALL[:1], *INJURIES))
            if wrong is not None and not self.lenient:
                return
            found = found | {id_: loss}
            yield Read(found, end, wrong)
            if wrong is not None:
                return

    def _works(self) -> Iterator[Read]:
        """Read ``2 bunker, 1 weapon tower``."""
        found: dict[str, int] = {}
        for part, end in self._items():
            number = _whole(part[0]) if len(part) > 1 else None
            text = said(part[1:])
            ids = self.names.find(text, "defences") if self.names.known else (_underscored(text),)
            if number is None or len(ids) != 1:
                return
            found = found | {ids[0]: number}
            yield Read(found, end)


def _whole(token: Token) -> int | None:
    text = token.text
    return int(text) if not token.quoted and text.isascii() and text.isdecimal() and len(text) <= 15 else None


def _underscored(text: str) -> str:
    return text.lower().replace(" ", "_")


def _injury(token: Token) -> dict[str, Any]:
    number = _whole(token)
    if number is not None:
        return {"lost": number}
    if exactly(token, ALL):
        return {"destroyed": True}
    return next(({name: True} for name, words in INJURIES.items() if exactly(token, words)), {})


_READERS: Mapping[str, Callable[[ValueReader], Iterator[Read]]] = {
    "place": ValueReader._hex,
    "battle": ValueReader._hex,
    "path": ValueReader._hexes,
    "hexes": ValueReader._hexes,
    "choice": ValueReader._choice,
    "size": ValueReader._size,
    "number": ValueReader._number,
    "text": ValueReader._text,
    "new_units": ValueReader._units,
    "own_units": ValueReader._list,
    "casualties": ValueReader._list,
    "picks": ValueReader._list,
    "battle_units": ValueReader._list,
    "losses": ValueReader._losses,
    "works": ValueReader._works,
}
