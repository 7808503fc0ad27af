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
``setup`` ``force_names``             0, 1: placements, muster, how orders of Build are done; names of forces given none
``economy`` ``structure``             1: income, maintenance, construction; what a force may be made of, and must cost
``movement_phases`` ``movement``      2 to 5: who goes first, in which order; walks, withdrawals
``claims``                            3: claims decided
``battle_field`` ``assaults``         4, 5: who joins which battle; attacks and raids carried out
``battles`` ``quick_battle``          6: with ``losses`` and ``aftermath``
``sides``                             who fights on which side; what is added to its dice
``end_of_turn`` ``elimination``       7: the end of a turn; who is out, who has won
``treasury``                          every way of BP in and out
``sight``                             who sees what: the only way out
``options``                           what may be ordered now
``drafting`` ``outlook``              what orders would do
``odds`` ``attrition``                of a quick battle, exactly
``codec``                             bytes and hashes
===================================== ==================================================================
"""
