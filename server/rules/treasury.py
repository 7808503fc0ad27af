"""Where BP come from and where they go: one function for each way in and out (1.1, D-22), and what is carried off.

BP lie in the store of an urban hex or stronghold, at a resource hex until the end of the turn, or
in a convoy. What moves them from one to another leaves :func:`worth` as it is. Raiders and victors carry off BP and
convoys (6.2.3.4, 6.2.3.9, 6.2.3.10).
"""

from __future__ import annotations

from server.rules.board import Hex
from server.rules.scene import Scene
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


def plunder(scene: Scene, hex_: Hex, by: PlayerId, to: Hex) -> tuple[int, int]:
    """Take what a successful raid finds in a hex; return the BP taken and how many convoys.

    From an enemy's hex: what the resource yielded this turn, or all BP of the urban hex. Enemy convoys
    change owner and come to the raider's hex (D-64a). The BP are the caller's to :func:`haul`.
    """
    state = scene.state
    owner = state.owner[hex_]
    bp = 0
    if owner and not state.friendly(by, owner):
        bp += state.harvest.pop(hex_, 0)
        if hex_ in state.urban:
            bp += state.store.pop(hex_, 0)
        if bp:
            scene.emit("raided", (by, owner), hex=scene.label(hex_), by=by, bp=bp)
    return bp, capture_convoys(scene, hex_, by, to)


def capture_convoys(scene: Scene, hex_: Hex, by: PlayerId, to: Hex | None = None) -> int:
    """Let the enemy convoys in a hex change owner, BP and all (3.1, 6.2.3.4, D-45); return how many.

    They stay where they are, or come to the hex *to* (D-64a).
    """
    state = scene.state
    taken = [convoy for convoy in state.convoys_at.get(hex_, ()) if not state.friendly(by, convoy.owner)]
    for convoy in taken:
        parties = (by, convoy.owner)
        scene.emit("convoy_captured", parties, convoy=convoy.id, hex=scene.label(hex_), by=by, bp=convoy.bp)
        convoy.owner = by
        if to is not None and to != hex_:
            state.move_convoy(convoy, to)
    return len(taken)


def haul(scene: Scene, player: PlayerId, at: Hex, bp: int) -> None:
    """Put won BP into a new convoy."""
    if bp:
        state = scene.state
        convoy = Convoy(state.new_id(player), player, at, bp)
        state.add_convoy(convoy)
        scene.emit("convoy_formed", (player,), convoy=convoy.id, hex=scene.label(at), bp=bp)


def carry_home(scene: Scene, hex_: Hex, owner: PlayerId) -> None:
    """Bring what a resource hex yielded this turn to the owner's capital; without one it stays (D-21, D-21a)."""
    state = scene.state
    capital = state.capital(owner) if owner else None
    if capital is not None:
        bp = state.harvest.pop(hex_)
        state.pay(capital, bp)
        scene.emit("carried_home", (owner,), hex=scene.label(hex_), to=scene.label(capital), bp=bp)
