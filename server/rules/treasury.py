"""Where BP come from and where they go: one function for each way in and out (1.1, D-22).

BP lie in the store of an urban hex or stronghold, at a resource hex until the end of the turn, or
in a convoy. What moves them from one to another leaves :func:`worth` as it is.
"""

from __future__ import annotations

from server.rules.board import Hex
from server.rules.state import Convoy, Id, PlayerId, State


def worth(state: State) -> int:
    """Return all BP there are: in stores, at resource hexes and in convoys."""
    carried = sum(convoy.bp for convoy in state.convoys.values())
    return sum(state.store.values()) + sum(state.harvest.values()) + carried


def earn(state: State, at: Hex, bp: int) -> None:
    """Put new BP (income, start BP, a refund) into the store of a hex."""
    if bp < 0:
        raise ValueError(f"{bp} BP cannot be earned")
    state.pay(at, bp)


def earn_harvest(state: State, at: Hex, bp: int) -> None:
    """Put a resource hex's income where it lies until the end of the turn (D-21)."""
    if bp > 0:
        state.harvest[at] = state.harvest.get(at, 0) + bp


def spend(state: State, at: Hex, bp: int) -> None:
    """Spend BP out of the store of a hex."""
    if bp < 0:
        raise ValueError(f"{bp} BP cannot be spent")
    state.pay(at, -bp)


def spend_convoy(state: State, convoy: Convoy, bp: int) -> None:
    """Spend BP out of a convoy; an emptied convoy vanishes (D-23)."""
    if not 0 <= bp <= convoy.bp:
        raise ValueError(f"a convoy with {convoy.bp} BP cannot pay {bp}")
    convoy.bp -= bp
    if not convoy.bp:
        state.remove_convoy(convoy)


def load_convoy(state: State, player: PlayerId, at: Hex, bp: int, wanted: Id = "") -> Convoy:
    """Move BP from the store of a hex into a new convoy (1.1)."""
    state.pay(at, -bp)
    convoy = Convoy(state.new_id(player, wanted), player, at, bp)
    state.add_convoy(convoy)
    return convoy
