"""Asking for any operation of the description: its path filled in, an example as its body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from server.app import create_app
from server.settings import Settings

PREFIX = "/api/v1"


@dataclass(frozen=True)
class Operation:
    """One operation of the description."""

    name: str
    method: str
    path: str
    """Without the prefix, with what is to be filled in."""
    query: tuple[str, ...]
    places: tuple[str, ...]
    """What is to be filled in."""
    example: Any
    description: str

    @property
    def stream(self) -> bool:
        """True for event streams, which do not end."""
        return self.path.endswith("/stream")

    @property
    def of_game_master(self) -> bool:
        """True for what is described as only the game master's."""
        return "/gm/" in self.path or "The game master's." in self.description

    def filled(self, values: Mapping[str, object]) -> str:
        """Return the path with its places filled in; raises ``KeyError`` for one nobody has thought of."""
        return self.path.format_map({place: values[place] for place in self.places})


@cache
def described() -> dict[str, Any]:
    """Return the API's description. Made without a database: nothing is opened before an app starts."""
    return create_app(Settings()).openapi()


def looked_up(part: dict[str, Any], description: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the description, or what it refers to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = description["components"][kind][name]
    return found


@cache
def operations() -> tuple[Operation, ...]:
    """Return all operations of the API."""
    return tuple(_operations(described()))


def _operations(described: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, each in methods.items():
            given = [looked_up(one, described) for one in each.get("parameters", [])]
            content = each.get("requestBody", {}).get("content", {}).get("application/json", {})
            yield Operation(
                each["operationId"],
                method.upper(),
                path.removeprefix(PREFIX),
                tuple(one["name"] for one in given if one["in"] == "query"),
                tuple(one["name"] for one in given if one["in"] == "path"),
                content.get("example"),
                each["description"],
            )
