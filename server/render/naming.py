"""What hexes and forces are called in sentences.

A hex goes by its own name, else by a direction from the nearest place that has one. Names come from the map alone,
which everyone has from the start. So they are the same for all readers and give nothing away, and no position stores
them. ``static/table/places.js`` says the same on pages. Where forces of two owners share a name, every sentence names
the owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import atan2, pi, sqrt
from typing import NamedTuple

from server.render.translations import Translations
from server.rules.board import Board, Hex
from server.rules.state import Detachment, Force, State

DIRECTIONS = ("e", "se", "s", "sw", "w", "nw", "n", "ne")
"""Clockwise from the east."""
FAR = 4
"""From this many steps on a place is far away from the name it is called by."""
BEARINGS = (*DIRECTIONS, *(f"far_{direction}" for direction in DIRECTIONS))
"""All that :func:`bearing` may return for a hex without a name of its own."""


def place(board: Board, hex_: Hex, language: str) -> str:
    """Return a hex by name and number: ``Gate Field (0603)``, or ``0704 (east of Gate Field)``."""
    label, (key, name) = board.label(hex_), bearing(board, hex_)
    if not key:
        return f"{name} ({label})" if name else label
    return f"{label} ({Translations(language)(f'place.{key}', name=name)})"


def named(board: Board | None, players: Mapping[str, str], text: str) -> str:
    """Return what people call a hex or a player within a sentence: its name, if it has one, and a hex's number."""
    at = board.find(text) if board is not None and text.isdigit() else None
    if board is None or at is None:
        return players.get(text) or text
    own = dict(board.names).get(at)
    return f"{own} ({text})" if own else text


def bearing(board: Board, hex_: Hex) -> tuple[str, str]:
    """Return where a hex lies, as the key of a sentence and the name in it.

    The key is empty for a hex with a name of its own, the name too on a map without names.
    """
    if not 0 <= hex_ < board.size:
        return "", ""
    own = dict(board.names).get(hex_)
    if own is not None or not board.names:
        return "", own or ""
    home, name = _nearest(board, hex_)
    steps = board.distance(home, hex_)
    return ("far_" if steps >= FAR else "") + DIRECTIONS[_direction(board, home, hex_)], name


@lru_cache(maxsize=4096)
def _nearest(board: Board, hex_: Hex) -> tuple[Hex, str]:
    """Return the nearest place with a name; of equals the first of the board."""
    return min(sorted(board.names), key=lambda named: board.distance(named[0], hex_))


def _direction(board: Board, home: Hex, hex_: Hex) -> int:
    """Return in which of the :data:`DIRECTIONS` a hex lies from another."""
    (y0, x0), (y1, x1) = divmod(home, board.columns), divmod(hex_, board.columns)
    across = x1 + (y1 & 1) / 2 - x0 - (y0 & 1) / 2
    return round(atan2((y1 - y0) * sqrt(3) / 2, across) / (pi / 4)) % 8


class Named(NamedTuple):
    """A force that a reader knows."""

    id: str
    name: str
    owner: str


def distinct_names(forces: Iterable[Named], players: Mapping[str, str]) -> dict[str, str]:
    """Return what forces are called, by id; ``owner/<id>`` is whose each is. *players* are the players' names."""
    known = list(forces)
    owners: dict[str, set[str]] = {}
    for force in known:
        owners.setdefault(force.name, set()).add(force.owner)
    found = {}
    for force in known:
        shared = len(owners[force.name]) > 1
        found[force.id] = f"{force.name} ({players.get(force.owner, force.owner)})" if shared else force.name
        found[f"owner/{force.id}"] = force.owner
    return found


def force_name(force: Force, language: str) -> str:
    """Return what a force is called: a garrison by its kind."""
    return force.name if isinstance(force, Detachment) else Translations(language).name("word", "garrison")


def names_in(players: Mapping[str, str], states: Iterable[State], language: str) -> dict[str, str]:
    """Return the names of all that views show, by id; places as ``hex/<label>``, owners as ``owner/<id>``.

    *players* are the names of the players. Hexes with a battle always have a name.
    """
    found = dict(players)
    forces: dict[str, Named] = {}
    for state in states:
        stand: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
        for force in stand:
            forces[force.id] = Named(force.id, force_name(force, language), force.owner)
            found.update((unit.id, unit.name) for unit in force.units)
        word = Translations(language).name("word", "convoy")
        for id_, convoy in state.convoys.items():
            found[id_] = word
            found[f"owner/{id_}"] = convoy.owner
        found |= {f"hex/{label}": name for label, name in place_names(state).items()}
        found |= {f"hex/{state.board.label(at)}": place(state.board, at, language) for at in state.battles}
    return found | distinct_names(forces.values(), players)


def place_names(state: State) -> dict[str, str]:
    """Return what hexes with a name are called, by label: the name and the label, as everywhere."""
    label = state.board.label
    return {label(at): f"{name} ({label(at)})" for at, name in state.board.names}
