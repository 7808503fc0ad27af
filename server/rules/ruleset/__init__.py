"""Everything in the rules that is a number, a name or a table: typed, immutable data.

Another group changes a cost, adds a faction or replaces the whole ruleset by editing data files; no number of the
rulebook stands in code. All others import the nouns from here.

========== ==============================================================
``nouns``  terrain, buildings, army lists ..., and :class:`Ruleset`: all of them, with the tables and figures
``reader`` from a plain dict to a ruleset, or to all that is wrong with it
``limits`` what each value in that dict may be
``checks`` what must hold between the values
========== ==============================================================
"""

from server.rules.ruleset.nouns import (
    BIKE,
    FLAGS,
    LOWEST,
    MOBILITIES,
    SLOTS,
    Building,
    Defence,
    DetachmentType,
    Faction,
    QuickBattle,
    ReadyUnit,
    ResourceSize,
    Ruleset,
    Strength,
    StrongholdType,
    Terrain,
    UrbanSize,
    Weapon,
)

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
