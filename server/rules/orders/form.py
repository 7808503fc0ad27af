"""What the fields of an order may hold: for forms, for the text form of orders, for guides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ValueKind = Literal[
    "detachment",
    "convoy",
    "unit",
    "own_units",
    "new_units",
    "casualties",
    "picks",
    "losses",
    "battle_units",
    "works",
    "place",
    "path",
    "hexes",
    "enemy",
    "friend",
    "seen_detachment",
    "battle",
    "player",
    "buildings",
    "defences",
    "weapons",
    "detachment_types",
    "size",
    "choice",
    "text",
    "number",
    "flag",
]
"""The kind of a field. ``detachment`` ``convoy`` ``unit`` are ids of the player's own; ``own_units`` ``casualties``
``picks`` ``battle_units`` lists of units; ``place`` ``battle`` labels of hexes, ``path`` the hexes to enter, ``hexes``
some by preference; ``enemy`` ``friend`` a hex or a force's id; ``buildings`` to ``detachment_types`` ids of the
ruleset; ``size`` that of a placement."""


HALF = ":half"
"""Stands after the id of a unit of which half is meant."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of an order."""

    name: str
    kind: ValueKind
    needed: bool = True
    """The order cannot be without it."""
    choices: tuple[str, ...] = ()
    """The words it may hold, of the kind ``choice``."""
    keeps: bool = False
    """A ``flag`` that is left out keeps what is; false is an answer of its own."""
    told: str = ""
    """The key of a sentence's addition if a ``flag`` is set (``table.<told>``)."""

    def to_json(self) -> dict[str, Any]:
        """Return it as pages read it."""
        more: dict[str, Any] = {"choices": list(self.choices)} if self.choices else {}
        if self.keeps:
            more["keeps"] = True
        if self.told:
            more["told"] = self.told
        return {"name": self.name, "kind": self.kind, "needed": self.needed} | more


ALIAS = FormField("as", "text", needed=False)
"""Every order may give what it creates a name, for later orders of the set."""
