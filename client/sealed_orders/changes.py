"""The changes of a view (``GET /campaigns/{id}/view/changes``), applied to an earlier view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sealed_orders._reading import one
from sealed_orders.records import Json, Position


def patched(before: Mapping[str, Any], changes: Mapping[str, Any]) -> Json:
    """Return the view that *changes* make of another one, which stays as it is.

    Written as JSON without spaces it is, byte for byte, what ``GET /campaigns/{id}/view`` answers: rows stand in the
    order of their ids.
    """
    whole = dict(before)
    copies: dict[tuple[str, ...], dict[str, Any]] = {(): whole}

    def around(path: list[str]) -> dict[str, Any]:
        """Return the object a path leads into, copied once."""
        for end in range(1, len(path)):
            key = tuple(path[:end])
            if key not in copies:
                outer = copies[key[:-1]]
                outer[key[-1]] = copies[key] = dict(outer[key[-1]])
        return copies[tuple(path[:-1])]

    for path in changes["removed"]:
        del around(path)[path[-1]]
    for row in changes["replaced"]:
        around(row["path"])[row["path"][-1]] = row["value"]
    for entry in changes["spliced"]:
        inside, name = around(entry["path"]), entry["path"][-1]
        inside[name] = list(inside[name])
        for edit in reversed(entry["edits"]):
            inside[name][edit["at"] : edit["at"] + edit["gone"]] = edit["put"]
    for path, copy in copies.items():
        if path:
            rows = sorted(copy.items())
            copy.clear()
            copy.update(rows)
    return whole


def position_of(document: Json, etag: str) -> Position:
    """Return the position that an answer describes."""
    return one(Position)({**document, "etag": etag, "document": document})
