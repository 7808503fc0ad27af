"""Phase 8: recovery, the road to the capital, what grows in the dark, who is out, who has won (7)."""

from __future__ import annotations

from dataclasses import replace

from server.rules.board import Hex
from server.rules.elimination import check_victory, eliminate_the_lost
from server.rules.losses import recovery_rolls
from server.rules.scene import Scene
from server.rules.state import PlayerId, State
from server.rules.treasury import carry_home


def play_end_of_turn(scene: Scene) -> None:
    """Resolve phase 8 in the order of D-70 and begin a new turn, unless the campaign is over."""
    state = scene.state
    for detachment in state.detachments.values():
        if not detachment.ready_in:
            recovery_rolls(scene, detachment)
    for garrison in state.garrisons.values():
        recovery_rolls(scene, garrison)
    _carry_home(scene)
    for player in state.living():
        if state.faction(player.id).corrupts:
            _corrupt(scene, player.id)
    eliminate_the_lost(scene)
    if not check_victory(scene, end_of_turn=True):
        _new_turn(scene)


def _carry_home(scene: Scene) -> None:
    """D-21: what the resource hexes yielded this turn reaches the capital."""
    state = scene.state
    for hex_ in sorted(state.harvest):
        carry_home(scene, hex_, state.owner[hex_])


def _corrupt(scene: Scene, player: PlayerId) -> None:
    """D-71 (Chaos): one enemy hex next to their territory is corrupted, chosen by its place in label order."""
    targets = _corruptible(scene.state, player)
    if not targets:
        return
    place = scene.roll_one(f"corruption/{player}", None, len(targets)) if len(targets) > 1 else 1
    target = targets[place - 1]
    scene.state.corrupted[target] = player
    scene.emit_public("corrupted", hex=scene.label(target), by=player)


def _corruptible(state: State, player: PlayerId) -> list[Hex]:
    found: dict[Hex, None] = {}
    for hex_, owner in enumerate(state.owner):
        if owner == player:
            found.update((near, None) for near in state.board.adjacent[hex_] if _may_corrupt(state, near, player))
    return sorted(found, key=state.board.label)


def _may_corrupt(state: State, hex_: Hex, player: PlayerId) -> bool:
    land, owner = state.ruleset.terrain[state.board.terrain[hex_]].land, state.owner[hex_]
    if state.readings.corrupts_enemies and (not owner or state.friendly(player, owner)):
        return False
    pure = bool(owner) and state.faction(owner).pure_land
    return land and owner != player and not pure and hex_ not in state.corrupted


def _new_turn(scene: Scene) -> None:
    state = scene.state
    state.turn += 1
    if state.settings.next_readings:
        version = state.settings.next_readings
        state.settings = replace(state.settings, readings=version, next_readings=0)
        scene.emit_public("new_readings", version=version)
    state.battles.clear()
    for detachment in state.detachments.values():
        detachment.battle_order = ""
        detachment.pinned = False
    scene.emit_public("new_turn", turn=state.turn)
