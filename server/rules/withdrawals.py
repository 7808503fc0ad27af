"""Withdrawals before a battle, and where beaten forces may go (4.1, D-53)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from server.rules.board import Hex
from server.rules.movement import destroy, mover
from server.rules.plunder import capture_convoys
from server.rules.scene import Scene
from server.rules.state import Detachment, State


def withdraw(scene: Scene, detachment: Detachment, wanted: Sequence[Hex], attacker: Detachment) -> None:
    """Give way to an attacker into a hex wanted, else the best there is; a detachment without any is destroyed."""
    state = scene.state
    start = detachment.at
    free = free_hexes(state, detachment, start)
    anywhere = state.faction(detachment.owner).withdraws_anywhere
    safe = [hex_ for hex_ in free if anywhere or not state.beside_enemy(hex_, detachment.owner)]
    choice = choose_withdrawal(state, detachment, start, safe or free, wanted)
    if choice is None:
        destroy(scene, detachment, "no_way_to_withdraw", attacker.owner)
        return
    detachment.battle_order = ""
    state.move(detachment, choice)
    capture_convoys(scene, choice, detachment.owner)
    to = (detachment.owner, attacker.owner)
    scene.emit("withdrew", to, force=detachment.id, start=scene.label(start), hex=scene.label(choice))


def free_hexes(state: State, detachment: Detachment, start: Hex) -> list[Hex]:
    """Return the adjacent hexes a detachment may give way into, by direction: passable land, empty of others."""
    who = mover(state, detachment)
    return [
        hex_
        for hex_ in state.board.adjacent[start]
        if state.ruleset.terrain[state.board.terrain[hex_]].land
        and who.cost(state, start, hex_) > 0
        and hex_ not in state.detachment_at
        and not state.enemy_at(hex_, detachment.owner)
    ]


def choose_withdrawal(
    state: State, detachment: Detachment, start: Hex, legal: list[Hex], wanted: Iterable[Hex]
) -> Hex | None:
    """Return the first legal hex wanted, else the best: own territory, cheapest, lowest direction (D-53)."""
    for withdrawal in wanted:
        if withdrawal in legal:
            return withdrawal
    who = mover(state, detachment)
    own = detachment.owner
    return min(legal, key=lambda choice: (state.owner[choice] != own, who.cost(state, start, choice)), default=None)
