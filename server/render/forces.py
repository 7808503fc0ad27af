"""What forces are called in sentences: where forces of two owners share a name, every sentence names the owner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Named(NamedTuple):
    """A force that a reader knows."""

    id: str
    name: str
    owner: str


def told_apart(forces: Iterable[Named], players: Mapping[str, str]) -> dict[str, str]:
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
