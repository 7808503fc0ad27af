"""The reader of results: their language, their seat, and the names they know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from server.core.events import Event
from server.render.naming import named
from server.render.naming import place as place_name
from server.render.story import Part, sentence
from server.rules.board import Board
from server.web.translations import Translations

MAX_HEXES = 8
"""Hexes that a sentence about land names."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: their language, and the names they know."""

    t: Translations
    viewer: str
    names: Mapping[str, str]
    board: Board | None = None
    """The map, for what hexes are called."""
    friends: tuple[str, ...] = ()
    """The viewer and their allies."""

    def line(self, key: str, **filled: Any) -> tuple[Part, ...]:
        """Return a sentence (``results.<key>``); what fills it is text, a number, or parts."""
        found: list[Part] = []
        text = self.t(f"results.{key}" if self.t.has(f"results.{key}") else _of_number(key, filled))
        for literal, name, _, _ in Formatter().parse(text):
            if literal:
                found.append(Part(literal))
            if name is not None:
                value = filled[name]
                found += value if isinstance(value, tuple) else (Part(str(value)),)
        return tuple(found)

    def text(self, key: str, **filled: Any) -> str:
        """Return a sentence as plain text."""
        return "".join(part.text for part in self.line(key, **filled))

    def known(self, text: str) -> str:
        """Return what the reader calls a hex with a name of its own, or a player."""
        return named(self.board, self.names, text)

    def hex(self, label: str) -> tuple[Part, ...]:
        """Return a hex by its name and label."""
        at = self.board.find(label) if self.board is not None else None
        called = place_name(self.board, at, self.t.language) if self.board is not None and at is not None else label
        return (Part(called, hex=label),)

    def hexes(self, labels: Sequence[str]) -> tuple[Part, ...]:
        """Return hexes by their labels, not more than a sentence can hold; one alone also has its name."""
        if len(labels) == 1:
            return self.hex(labels[0])
        found: list[Part] = []
        for place, label in enumerate(labels[:MAX_HEXES]):
            found += [*([Part(", ")] if place else []), Part(label, hex=label)]
        return (*found, *([Part(" …")] if len(labels) > MAX_HEXES else []))

    def player(self, player: str) -> tuple[Part, ...]:
        """Return a player."""
        return (Part(self.names.get(player) or self.t("results.nobody"), player=player),)

    def told(self, event: Event) -> str:
        """Return an event in the words of every report, told to the viewer."""
        return str(sentence(event, self.names, self.t.language, self.viewer))

    def force(self, force: str) -> str:
        """Return what a force is called."""
        return self.names.get(force) or self.t("results.a_force")


def _of_number(key: str, filled: Mapping[str, Any]) -> str:
    """Return the key of the sentence for so many."""
    return f"results.{key}.{'one' if filled.get('n') == 1 else 'other'}"
