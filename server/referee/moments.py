"""Moments at which stratagems may be used (N-61): when they end, and who waits for whom.

A moment belongs to its owner: it ends when they use it or pass it, with the phase (before the battle: the stage) that
it came in, and where the source says *immediately* with their own next act. Nothing the other side does ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.referee.mission import BATTLE, PLAYERS

if TYPE_CHECKING:
    from server.referee.act import Act
    from server.referee.game import Game

IMMEDIATE = ("markers_placed", "unit_set_up")
"""Moments that their owner's next act ends."""
NO_NEXT_ACT = (
    "use",
    "spend",
    "gain",
    "pass",
    "go_on",
    "within",
    "strength",
    "destroyed",
    "confirm",
    "object",
    "settle",
    "take_back",
)
"""Acts that end no moment."""
AT_PHASE_END = ("end_phase", "end_now", *NO_NEXT_ACT)
"""What may be done once a phase's end has begun."""


def opened(game: Game, name: str, units: tuple[str, ...], owner: str) -> None:
    """Open a moment, or more of one that is open."""
    before = game.moments.get(name, {}).get("units", ()) if game.version > 1 else ()
    about: dict[str, object] = {"units": tuple(dict.fromkeys((*before, *units)))} if units or before else {}
    game.moments[name] = about | ({"owner": owner} if owner else {})
    game.call("moment_opened", name, units)


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


def phase_over(game: Game) -> None:
    """End all moments: the phase or stage that they came in is left.

    A stage is left by itself where nobody can pay: for refusals its moments last until their owner's next act.
    """
    if game.version == 1:
        return
    if game.stage != BATTLE:
        for player in PLAYERS:
            game.faded[player] = {**game.faded.get(player, {}), **game.moments}
    game.moments.clear()
    game.call("moments_over")
