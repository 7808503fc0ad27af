"""The campaign's state: the nouns of the rulebook, and where they stand. All others import them from here.

============ ==================================================================
``names``    ids of players and forces, names of the phases
``seats``    the players, and the options of the campaign
``forces``   units, detachments, garrisons, convoys
``ground``   urban hexes, strongholds
``battle``   a battle
``campaign`` :class:`State`: all of them, and where they stand
============ ==================================================================
"""

from server.rules.state.battle import Battle
from server.rules.state.campaign import State
from server.rules.state.forces import Convoy, Detachment, Force, Garrison, Unit
from server.rules.state.ground import Stronghold, Urban
from server.rules.state.names import (
    BATTLE_MOVEMENT,
    BATTLES,
    BUILD,
    MOVEMENT,
    ORDER_PHASES,
    OVER,
    REPORTS,
    SETUP,
    Id,
    PlayerId,
)
from server.rules.state.seats import Player, Settings, proposed

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
