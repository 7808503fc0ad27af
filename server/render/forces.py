"""What forces are called in sentences: where forces of two owners share a name, every sentence names the owner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from server.render.places import place
from server.render.translations import Translations
from server.rules.state import Detachment, Force, State


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
