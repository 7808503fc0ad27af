"""A truce at the start of a campaign: nobody takes another player's settlement or stronghold until it ends (R-39)."""

from __future__ import annotations

from server.rules.board import Hex
from server.rules.state import PlayerId, State


def in_truce(state: State, player: PlayerId, at: Hex) -> bool:
    """Return whether the truce keeps a player from attacking, raiding or claiming a hex (R-39).

    A unit that is attacked may withdraw into such a hex: then the attack fails when it follows.
    """
    owner = state.owner[at]
    return (
        state.turn <= state.settings.truce
        and owner not in ("", player)
        and (at in state.urban or at in state.stronghold)
    )
