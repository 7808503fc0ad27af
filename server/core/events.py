"""What happened: frozen facts, each with who may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One fact. ``fields`` holds plain JSON values; hexes are labels, forces and players ids."""

    type: str
    fields: Mapping[str, Any]
    to: tuple[str, ...]
    """The players who may know it, in seat order."""
    public: bool = False
    """True when everyone may know it, spectators too."""
