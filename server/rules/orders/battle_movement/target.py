"""What a battle order is aimed at: a hex, or a force by its id (4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from server.rules.board import ORBIT, Hex
from server.rules.orders.fields import Fields
from server.rules.state import Detachment, Id, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A hex, or a force by its id."""

    hex: Hex = ORBIT
    force: Id = ""

    @classmethod
    def read(cls, fields: Fields) -> Target:
        """Read the field ``target``: the label of a hex or the id of a force the player knows of."""
        value = fields.given.get("target")
        board = fields.context.state.board
        if isinstance(value, str) and not fields.context.knows(value):
            looks_like_hex = value.isdecimal() and len(value) == len(board.label(0))
            if looks_like_hex or board.find(value) is not None:
                return cls(hex=fields.hex("target"))
        elif isinstance(value, int):
            return cls(hex=fields.hex("target"))
        return cls(force=fields.id("target"))

    def where(self, state: State) -> Hex:
        """Return the target's hex, :data:`ORBIT` when the force is not on the map."""
        if not self.force:
            return self.hex
        force = state.force(self.force)
        return ORBIT if force is None or (isinstance(force, Detachment) and force.ready_in) else force.at

    def said(self, state: State) -> str:
        """Return what the order said."""
        return self.force or state.board.label(self.hex)
