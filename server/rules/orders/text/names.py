"""What forces, units, places, players and things are called, as far as the reader of a text knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from server.rules.orders.text.words import plain
from server.rules.sight import View
from server.rules.state import Force, State

TABLES = ("buildings", "defences", "weapons", "detachment_types")
THINGS = ("detachment", "garrison", "convoy", "unit")
"""Things with an id of their own: their id or whole name is never read as an abbreviation of another."""
LABELS = (4, 6)
"""Digits a label of a hex has (D-01)."""


@dataclass(frozen=True, slots=True)
class Named:
    """A thing with an id, what it is called, and what it is."""

    id: str
    name: str
    kind: str
    """``detachment`` ``garrison`` ``convoy`` ``unit`` ``player``, or a table of the ruleset."""
    own: bool = False


@dataclass(slots=True)
class Names:
    """Everything that has a name. Without a position (:attr:`known` is false) ids are taken as they are."""

    known: bool = False
    hexes: dict[str, str] = field(default_factory=dict)
    """Label by the name of a place, folded."""
    labels: frozenset[str] = frozenset()
    phase: str = ""
    sizes: tuple[str, ...] = ()
    _things: dict[str, list[Named]] = field(default_factory=dict)
    """By kind."""
    _index: dict[tuple[str, str], list[Named]] = field(default_factory=dict)
    """By kind and folded name, or id."""

    @classmethod
    def of(cls, view: View | None, players: Mapping[str, str] | None = None) -> Names:
        """Return what a viewer knows by name; *players* are the names of those behind the seats, by id."""
        if view is None:
            return cls()
        state, me = view.state, view.viewer
        names = cls(known=True, labels=frozenset(state.board.labels), phase=state.phase)
        names.hexes = {plain(name): state.board.label(at) for at, name in state.board.names}
        for thing in (*_forces(state, me), *_players(state, players or {}), *_ruled(state)):
            names.put(thing)
        names.sizes = (*(size.id for size in state.ruleset.urban), *(size.id for size in state.ruleset.resources))
        return names

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Names:
        """Return the names in a view as the API and ``sealed-orders view --json`` give it."""
        state = data.get("state", {})
        me = str(data.get("viewer", ""))
        names = cls(known=True, phase=str(data.get("phase") or state.get("phase") or ""))
        for kind in ("detachment", "garrison", "convoy"):
            for id_, force in state.get(f"{kind}s", {}).items():
                own = force.get("owner") == me
                names.put(Named(id_, str(force.get("name") or id_), kind, own))
                for unit in force.get("units", ()):
                    names.put(Named(str(unit.get("id")), str(unit.get("name")), "unit", own))
        for player in state.get("players", ()):
            names.put(Named(str(player.get("id")), str(player.get("name") or player.get("id")), "player"))
        places = data.get("board", {}).get("places", {})
        names.hexes = {plain(str(name)): str(label) for label, name in places.items()}
        return names

    def hex(self, text: str) -> str:
        """Return the label of a hex, by label or by the name of a place, or an empty text."""
        if text in self.labels or (not self.labels and text.isascii() and text.isdecimal() and len(text) in LABELS):
            return text
        return self.hexes.get(plain(text), "")

    def put(self, thing: Named) -> None:
        """Take note of a thing."""
        self._things.setdefault(thing.kind, []).append(thing)
        for key in dict.fromkeys((plain(thing.name), plain(thing.id))):
            self._index.setdefault((thing.kind, key), []).append(thing)

    def find(self, text: str, *kinds: str, own: bool | None = None) -> tuple[str, ...]:
        """Return the ids that a text may mean: by id, else by name, else by an abbreviation of the name."""
        wanted = plain(text)
        same = [thing for kind in kinds for thing in self._index.get((kind, wanted), ()) if own in (None, thing.own)]
        if any(thing.id == text for thing in same):
            return (text,)
        if not same and not any((kind, wanted) in self._index for kind in THINGS):
            among = (thing for kind in kinds for thing in self._things.get(kind, ()) if own in (None, thing.own))
            same = [thing for thing in among if _abbreviates(wanted, thing)]
        return tuple(dict.fromkeys(thing.id for thing in same))

    def called(self, id_: str, *kinds: str) -> str:
        """Return a thing's name, or its id if it has none."""
        same = (thing for kind in kinds for thing in self._index.get((kind, plain(id_)), ()) if thing.id == id_)
        return next((thing.name for thing in same), id_)

    def all(self, *kinds: str, own: bool | None = None) -> list[str]:
        """Return every name and id of some kinds, for the nearest to be found among."""
        among = [thing for kind in kinds for thing in self._things.get(kind, ()) if own in (None, thing.own)]
        return list(dict.fromkeys([*(thing.name for thing in among), *(thing.id for thing in among)]))

    def with_more(self, alias: str, kind: str) -> Names:
        """Return these names and the one an order of the text creates, which later lines can use."""
        if not self.known:
            return self
        things = {key: list(known) if key == kind else known for key, known in self._things.items()}
        more = replace(self, _things=things, _index=dict(self._index))
        key = (kind, plain(alias))
        more._index[key] = list(more._index.get(key, ()))
        more.put(Named(alias, alias, kind, own=True))
        return more


def _abbreviates(wanted: str, thing: Named) -> bool:
    """Return whether each word given begins a word of the name, in order; numbers are not shortened."""
    words = iter(_parts(thing.name))
    return bool(wanted) and all(
        any(word == part if part.isdigit() else word.startswith(part) for word in words) for part in _parts(wanted)
    )


def _parts(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text: ``C4`` has two."""
    return tuple(word for _, group in groupby(plain(text), str.isdigit) for word in "".join(group).split())


def _forces(state: State, me: str) -> Iterable[Named]:
    for detachment in state.detachments.values():
        yield Named(detachment.id, detachment.name, "detachment", detachment.owner == me)
    for garrison in state.garrisons.values():
        yield Named(garrison.id, f"garrison {state.board.label(garrison.at)}", "garrison", garrison.owner == me)
    for convoy in state.convoys.values():
        yield Named(convoy.id, f"convoy {state.board.label(convoy.at)}", "convoy", convoy.owner == me)
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        for unit in force.units:
            yield Named(unit.id, unit.name, "unit", force.owner == me)


def _players(state: State, names: Mapping[str, str]) -> Iterable[Named]:
    for id_ in state.players:
        yield Named(id_, names.get(id_, id_), "player")


def _ruled(state: State) -> Iterable[Named]:
    for table in TABLES:
        for id_, thing in getattr(state.ruleset, table).items():
            yield Named(id_, thing.name, table)
