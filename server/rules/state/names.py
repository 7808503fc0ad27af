"""What players and forces are called by, and the names of the phases."""

from __future__ import annotations

PlayerId = str
Id = str
"""Id of a detachment, garrison, convoy or unit; tells nothing about its owner (D-06)."""

SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS, OVER = (
    "setup",
    "build",
    "movement",
    "battle_movement",
    "battles",
    "reports",
    "over",
)
ORDER_PHASES = (SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT, BATTLES, REPORTS)
"""Phases that wait for people. ``reports`` is phase 7 while tabletop results are to come."""
