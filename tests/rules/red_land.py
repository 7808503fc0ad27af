"""A land to set up in: red's, three hexes around 0505."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.rules.state import SETUP, State
from tests.rules.builders import campaign, own_around


def land(urban: Sequence[str] = ("town",), resource: Sequence[str] = ("small", "huge"), **more: Any) -> State:
    """Return red's land, three hexes around 0505."""
    state = campaign({"red": "orks", "blue": "none"}, phase=SETUP, turn=0, **more)
    own_around(state, "red", "0505", 3)
    state.players["red"].start_urban, state.players["red"].start_resource = tuple(urban), tuple(resource)
    return state
