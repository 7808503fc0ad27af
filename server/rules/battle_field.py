"""The battle movement phase while it is played, and who helps in its battles (4.1.6, 4.1.7, 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from server.core import hexes
from server.rules.board import ORBIT, Hex
from server.rules.scene import Scene
from server.rules.sides import side_of
from server.rules.sight import Seen
from server.rules.state import Battle, Detachment, Id, PlayerId, State


class Obeyed(Protocol):
    """What the phase asks of an order when its detachment is attacked."""

    TYPE: ClassVar[str]

    def gives_way(self, field_: Field, defender: Detachment, attacker: Detachment) -> bool:
        """Answer an attack that comes when it has been carried out; return whether the defender has left its hex."""


class StandingBy(Protocol):
    """What the phase asks of an order to help in a battle nearby."""

    def reach(self, state: State, supporter: Detachment) -> int:
        """Return how many hexes away the battles are that it joins."""

    def side(self, state: State, battle: Battle, supporter: Detachment) -> str:
        """Return the side it helps in a battle, ``attacker`` or ``defender``; empty for none."""


@dataclass(slots=True)
class Field:
    """The phase as it unfolds."""

    scene: Scene
    orders: Mapping[Id, Obeyed]
    """By detachment, players in seat order, each player's as they listed them."""
    visibility: dict[PlayerId, Seen]
    """What each player sees as the phase begins."""
    carried_out: dict[Id, int] = field(default_factory=dict)
    """Detachments whose orders can no longer be cancelled by an attack, numbered as they were carried out."""
    standing_by: dict[Id, StandingBy] = field(default_factory=dict)
    """Carried-out ``guard`` and ``support`` orders whose battle has not come yet."""
    committed: dict[Id, Hex] = field(default_factory=dict)
    """Forces that have opened or joined a battle, and its hex (D-51)."""
    opened: dict[Hex, int] = field(default_factory=dict)
    """The battles' hexes, numbered as they were opened."""
    raided: dict[Hex, None] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state that changes."""
        return self.scene.state


# --- support ---


def battles_around(field_: Field, at: Hex, reach: int) -> list[Battle]:
    """Return the battles at most *reach* hexes away in the order in which they were opened."""
    battles = field_.state.battles
    near = [battles[hex_] for hex_ in field_.state.board.within(at, reach) if hex_ in battles and hex_ != at]
    return sorted(near, key=lambda battle: field_.opened[battle.hex])


def standing_around(field_: Field, at: Hex) -> list[Detachment]:
    """Return the detachments near a hex that can still help, in the order of their orders."""
    state = field_.state
    furthest = max(type_.support_range for type_ in state.ruleset.detachment_types.values())
    bodies = (state.detachment_at.get(near) for near in state.board.within(at, furthest))
    ready = [body for body in bodies if body is not None and body.id in field_.standing_by]
    return sorted(ready, key=lambda body: field_.carried_out[body.id])


def join_if_wanted(field_: Field, battle: Battle, supporter: Detachment, wish: StandingBy) -> None:
    """Let a detachment that stands by join a battle in its reach, where its order wants that (D-55)."""
    state = field_.state
    distance = state.board.distance(supporter.at, battle.hex)
    if supporter.id in field_.committed or not 1 <= distance <= wish.reach(state, supporter):
        return
    if not state.fit(supporter):  # D-41
        return
    side = wish.side(state, battle, supporter)
    principal = {"attacker": battle.attacking, "defender": battle.defended_by}.get(side, "")
    if not principal or not state.friendly(supporter.owner, principal):
        return
    if against_an_ally(state, battle, supporter, side):
        return
    join(field_, battle, supporter, "defender" if side == "defender" else facing(state, battle, supporter))


def side_by_owner(state: State, battle: Battle, supporter: Detachment) -> str:
    """Return the side of a supporter: ``attacker`` or ``defender``, empty for neither."""
    if state.friendly(supporter.owner, battle.attacking):
        return "attacker"
    return "defender" if state.friendly(supporter.owner, battle.defended_by) else ""


def against_an_ally(state: State, battle: Battle, supporter: Detachment, side: str) -> bool:
    """D-55b: say whether help for a *side*, ``attacker`` or ``defender``, would be against an ally."""
    if not state.readings.neutral_between_allies:
        return False
    against_attacker = side == "defender"
    if against_attacker:
        owners = [battle.attacking]
    else:
        owners = [force.owner for force in side_of(state, battle, attacking=False)]
    owners += [
        state.detachments[id_].owner
        for id_, stands in battle.supporters.items()
        if (stands != "defender") == against_attacker and id_ in state.detachments
    ]
    return any(state.friendly(supporter.owner, owner) for owner in owners)


def facing(state: State, battle: Battle, supporter: Detachment) -> str:
    """Return where an attacker's supporter stands (6.1); orbit and what is not next door is front (D-56, D-71b)."""
    if battle.origin == ORBIT or supporter.at == ORBIT:
        return "front"
    front = state.board.direction(battle.hex, battle.origin)
    here = state.board.direction(battle.hex, supporter.at)
    return "front" if front is None or here is None else hexes.facing(front, here)


def join(field_: Field, battle: Battle, supporter: Detachment, side: str) -> None:
    """Bring a detachment into a battle: as ``defender``, or at its ``front``, ``flank`` or ``rear``."""
    battle.supporters[supporter.id] = side
    field_.committed[supporter.id] = battle.hex
    hex_ = field_.scene.label(battle.hex)
    to = (battle.attacking, battle.defended_by, supporter.owner)
    field_.scene.emit("supports", to, force=supporter.id, hex=hex_, side=side)
