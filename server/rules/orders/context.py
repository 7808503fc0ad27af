"""The context in which a player's orders are checked (D-07, D-27)."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.core.errors import RulesError
from server.rules.board import Hex
from server.rules.state import Convoy, Detachment, Force, Garrison, Id, PlayerId, State


@dataclass(slots=True)
class OrderContext:
    """Where a player's orders are checked: what they know, and what their earlier orders have made of it.

    Everything here comes from the player's view, so nothing said about an order can leak.
    """

    state: State
    """The redacted state; for the Build and Setup phases a copy on which earlier orders have been done."""
    player: PlayerId
    aliases: dict[str, Id] = field(default_factory=dict)
    """What earlier orders of the set create, by the name given with ``as``."""
    fresh: dict[Id, None] = field(default_factory=dict)
    """Garrisons that came into being in this phase: they exert no zone of control before it is over,
    so that the order of the players does not matter."""
    gone: dict[Id, Force] = field(default_factory=dict)
    """Forces disbanded in this phase: they exert theirs until it is over, for the same reason."""
    fit: dict[Id, bool] = field(default_factory=dict)
    """Whether each force had ready points as the phase began (D-41), where that may change in it: for the same
    reason."""
    placed: dict[Hex, PlayerId] = field(default_factory=dict)
    """Settlements and resource hexes placed in this phase, and their players: a player's own placements do not look
    at those of others, for the same reason."""
    taken: dict[str, Id] = field(default_factory=dict)
    """What only one order of a set may do (``Order.once``) and an earlier one does, and that order's subject."""

    away: dict[Id, Hex] = field(default_factory=dict)
    """The player's detachments that earlier orders of the set lead to another hex by the player's view, and
    that hex: they move before those of later orders (3.1)."""
    coming: dict[Hex, Id] = field(default_factory=dict)
    """The same, by the hex that they are led to."""

    def leads(self, detachment: Detachment, goal: Hex) -> None:
        """Note that an order leads a detachment to a hex."""
        if goal != detachment.at:
            self.away[detachment.id] = goal
            self.coming[goal] = detachment.id

    def occupant(self, hex_: Hex, mover: Detachment) -> Detachment | None:
        """Return the detachment that another would find in a hex, after the earlier orders of the set (D-44)."""
        come = self.coming.get(hex_, mover.id)
        if come != mover.id:
            return self.detachment(come)
        there = self.state.detachment_at.get(hex_)
        return None if there is None or there.id == mover.id or there.id in self.away else there

    def find(self, name: str) -> Detachment | Garrison | Convoy | None:
        """Return the force or convoy of that id, or of that ``as`` name."""
        id_, state = self.aliases.get(name, name), self.state
        return state.detachments.get(id_) or state.garrisons.get(id_) or state.convoys.get(id_)

    def mine(self, name: str) -> Detachment | Garrison | Convoy | None:
        """Return the player's own force or convoy of that id or ``as`` name."""
        thing = self.find(name)
        return thing if thing is not None and thing.owner == self.player else None

    def knows(self, name: str) -> bool:
        """True when the player has ever seen something of that id (D-07)."""
        me = self.state.players.get(self.player)
        return self.find(name) is not None or (me is not None and name in me.met)

    def detachment(self, name: str) -> Detachment:
        """Return the player's own detachment; the order was read, so there is one."""
        thing = self.find(name)
        if not isinstance(thing, Detachment):
            raise RulesError(f"{name} is not a detachment")
        return thing

    def convoy(self, name: str) -> Convoy:
        """Return the player's own convoy; the order was read, so there is one."""
        thing = self.find(name)
        if not isinstance(thing, Convoy):
            raise RulesError(f"{name} is not a convoy")
        return thing

    def label(self, hex_: Hex) -> str:
        """Return the label of a hex (D-01)."""
        return self.state.board.label(hex_)

    def enemy_zoc(self, hex_: Hex) -> bool:
        """True when the hex lies in a zone of control of an enemy force that was there before this phase."""
        state = self.state
        adjacent = state.board.adjacent[hex_]
        return any(
            force.id not in self.fresh and not state.friendly(self.player, force.owner) and self._was_fit(force)
            for next_ in adjacent
            for force in state.forces_at(next_)
        ) or any(
            force.at in adjacent
            and not (isinstance(force, Detachment) and force.ready_in)
            and not state.friendly(self.player, force.owner)
            and self._was_fit(force)
            for force in self.gone.values()
        )

    def enemy_in(self, hex_: Hex) -> bool:
        """True when an enemy force that can fight was in the hex before this phase (D-20b, D-41)."""
        left = [
            force
            for force in self.gone.values()
            if force.at == hex_ and not (isinstance(force, Detachment) and force.ready_in)
        ]
        return any(
            force.id not in self.fresh and not self.state.friendly(self.player, force.owner) and self._was_fit(force)
            for force in (*self.state.forces_at(hex_), *left)
        )

    def _was_fit(self, force: Force) -> bool:
        known = self.fit.get(force.id)
        return self.state.fit(force) if known is None else known
