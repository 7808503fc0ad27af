"""Which moments for stratagems an act ends (N-61).

A moment belongs to its owner: it ends when they use it or pass it, with the phase (before the battle: the stage) that
it came in, and where the source says *immediately* with their own next act. Nothing the other side does ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.referee.act import NO_NEXT_ACT
from server.referee.mission import BATTLE

if TYPE_CHECKING:
    from server.referee.act import Act
    from server.referee.game import Game

IMMEDIATE = ("markers_placed", "unit_set_up")
"""Moments that their owner's next act ends."""


def next_act(game: Game, act: Act) -> None:
    """End what an act that is about to be done ends."""
    if game.version == 1:
        if not act.KEEPS_MOMENTS:
            game.moments.clear()
        return
    if act.DO in NO_NEXT_ACT:
        return
    game.faded.pop(act.by, None)
    if game.stage != BATTLE and act.DO == "set_up" and "unit_set_up" in game.moments:
        return  # the reveal is one event, its units are reported one after the other
    for name in IMMEDIATE:
        about = game.moments.get(name)
        if about is None:
            continue
        units = tuple(unit for unit in about.get("units", ()) if game.units[unit].side != act.by)
        if about.get("owner") == act.by or (about.get("units") and not units):
            del game.moments[name]
        elif units:
            game.moments[name] = {**about, "units": units}
