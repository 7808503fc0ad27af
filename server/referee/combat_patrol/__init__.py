"""Combat Patrol (sections 1 and 2 of the table readings): armies, markers, control, scoring.

=============================  ===========================================================
``selecting``                  armies, mission, sides, first turn
``formations`` ``deployment``  formations; setting up, Reserves, losses
``control`` ``markers``        who controls and claims markers; recovering, razing, drawing
``forbidden_stratagems``       stratagems of other books that a mission forbids
``scoring``                    the ledger of VP, who has won, who is out
=============================  ===========================================================
"""
