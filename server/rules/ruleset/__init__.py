"""Everything in the rules that is a number, a name or a table: typed, immutable data.

Another group changes a cost, adds a faction or replaces the whole ruleset by editing data files; no number of the
rulebook stands in code. All others import the nouns from here.

========== ==============================================================
``names``  mobilities, slots and flags of units
``ground`` terrain, sizes, buildings, strongholds, defences, weapons
``armies`` types of detachment, army lists and their strengths
``whole``  :class:`Ruleset`: all of them, with the tables and figures
``reader`` from a plain dict to a ruleset, or to all that is wrong with it
``limits`` what each value in that dict may be
``checks`` what must hold between the values
========== ==============================================================
"""

from server.rules.ruleset.armies import DetachmentType, Faction, ReadyUnit, Strength
from server.rules.ruleset.ground import Building, Defence, ResourceSize, StrongholdType, Terrain, UrbanSize, Weapon
from server.rules.ruleset.names import BIKE, FLAGS, MOBILITIES, SLOTS
from server.rules.ruleset.whole import LOWEST, QuickBattle, Ruleset

__all__ = [
    "BIKE",
    "FLAGS",
    "LOWEST",
    "MOBILITIES",
    "SLOTS",
    "Building",
    "Defence",
    "DetachmentType",
    "Faction",
    "QuickBattle",
    "ReadyUnit",
    "ResourceSize",
    "Ruleset",
    "Strength",
    "StrongholdType",
    "Terrain",
    "UrbanSize",
    "Weapon",
]
