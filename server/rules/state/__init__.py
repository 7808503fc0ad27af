"""The campaign's state: the nouns of the rulebook, and where they stand. All others import them from here.

============ ==================================================================
``nouns``    ids, names of the phases; units, detachments, garrisons, convoys; urban hexes, strongholds; a battle
``campaign`` the players, the options; :class:`State`: all of them, and where they stand
============ ==================================================================
"""

from server.rules.state.campaign import Player, Settings, State, proposed
from server.rules.state.nouns import (
    BATTLE_MOVEMENT,
    BATTLES,
    BUILD,
    MOVEMENT,
    ORDER_PHASES,
    OVER,
    REPORTS,
    SETUP,
    Battle,
    Convoy,
    Detachment,
    Force,
    Garrison,
    Id,
    PlayerId,
    Stronghold,
    Unit,
    Urban,
)

__all__ = [
    "BATTLES",
    "BATTLE_MOVEMENT",
    "BUILD",
    "MOVEMENT",
    "ORDER_PHASES",
    "OVER",
    "REPORTS",
    "SETUP",
    "Battle",
    "Convoy",
    "Detachment",
    "Force",
    "Garrison",
    "Id",
    "Player",
    "PlayerId",
    "Settings",
    "State",
    "Stronghold",
    "Unit",
    "Urban",
    "proposed",
]
