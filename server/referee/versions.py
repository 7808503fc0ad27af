"""Versions of the referee: a game keeps the one that it began with (docs/table-rules.md).

Version 1: any action except a stratagem ends every moment, units may be kept back, players report distances.
Version 2: a moment is its owner's (N-61), units come as the mission says (N-17), known points are measured (N-90).
Version 3: a player who was passed over undoes that alone (N-61); Insane Bravery needs a distance.
Version 4: a player reopens a sealed choice alone while the other has not sealed; squads of a split unit are numbered.
"""

from __future__ import annotations

FIRST, NEWEST = 1, 4
