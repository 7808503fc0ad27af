"""Initiative: rolls and the order of players (3.1, 5.1)."""

from __future__ import annotations

from server.rules.scene import Scene
from server.rules.state import PlayerId

MAX_TIES = 100
"""Rolls of a tie after which the seats decide; only loaded dice ever come here."""


def initiative(scene: Scene, label: str) -> list[PlayerId]:
    """Roll 1D6 + strategy for every living player and return them, first to act first.

    Tied players, and only they, roll again unmodified on the same label until the tie is broken.
    *label* is ``initiative`` or ``battle-initiative``. Everyone learns the rolls and the order.
    """
    groups: list[list[PlayerId]] = []
    totals: dict[int, list[PlayerId]] = {}
    for player in scene.state.living():
        total = scene.roll_one(f"{label}/{player.id}", None) + player.strategy
        totals.setdefault(total, []).append(player.id)
    for total in sorted(totals, reverse=True):
        groups.extend(_break_tie(scene, label, totals[total], MAX_TIES))
    ranking = [player for group in groups for player in group]
    scene.emit_public("initiative", order=ranking, label=label)
    return ranking


def _break_tie(scene: Scene, label: str, tied: list[PlayerId], tries: int) -> list[list[PlayerId]]:
    if len(tied) == 1 or tries == 0:
        return [tied]
    faces: dict[int, list[PlayerId]] = {}
    for player in tied:
        faces.setdefault(scene.roll_one(f"{label}/{player}", None), []).append(player)
    groups: list[list[PlayerId]] = []
    for face in sorted(faces, reverse=True):
        groups.extend(_break_tie(scene, label, faces[face], tries - 1))
    return groups
