"""Versions of the referee: a game keeps the one that it began with (docs/table-rules.md).

Version 1: any act that is no stratagem ends every moment, units may be kept back, distances are what players report.
Version 2: a moment is its owner's (N-61), units come as the mission says (N-17), known points are measured (N-90).
Version 3: a player without whom the other continued takes that back alone (N-61); Insane Bravery needs a distance.
Version 4: a player takes back alone what they sealed while the other has not; squads of a split unit are numbered.
"""

from __future__ import annotations

FIRST, NEWEST = 1, 4
