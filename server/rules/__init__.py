"""The rules of the campaign: pure and deterministic.

Nothing in this package knows a clock, a file, a network, a log or a source of
chance of its own. What it needs is handed to it; what it finds, it returns.

===================================== ==================================================================
``phases``                            the turn sequence: start here
``board``                             the map
``ruleset``                           every number, name and table, as data
``state``                             the nouns of a campaign, and where they stand
``scene``                             a state being changed, with its dice and what happened
``versions``                          what older campaigns read differently
``orders`` ``text``                   what players may order, read and checked; the same as text
``setup`` ``force_names``             0; names of forces that are given none
``economy`` ``build`` ``structure``   1: with ``least_prices``; income, building, what a force may be made of
``movement_phase`` ``movement``       2, 3: with ``initiative`` (who goes first) and ``claims``
``battle_movement`` ``battle_field``  4, 5: with ``assaults``, ``withdrawals`` and ``truce`` (R-39)
``battles`` ``quick_battle``          6: with ``losses`` and ``aftermath``
``sides`` ``battle_modifiers``        who fights on which side; what is added to its dice
``end_of_turn`` ``recovery``          7: with ``elimination`` (who is out, who has won)
``treasury`` ``plunder``              every way of BP in and out
``sight``                             who sees what: the only way out
``options``                           what may be ordered now
``least_prices``                      the least points of models and detachments, for those offers
``preview`` ``drafting`` ``outlook``  what orders would do
``odds`` ``attrition``                of a quick battle, exactly
``codec``                             bytes and hashes
===================================== ==================================================================
"""
