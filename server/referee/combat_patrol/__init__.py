"""Combat Patrol (sections 1 and 2 of the table readings): armies, markers, control, scoring.

==========================================  ==================================================
``selecting`` ``roles``                     armies, mission and sides
``formations`` ``deployment`` ``arrivals``  formations, setting up, Reserves, losses
``control`` ``chosen_markers`` ``claims``   who controls markers; recovering, razing, claiming
``drawn_markers`` ``supply_lines``          markers drawn by dice; supply
``forbidden_stratagems``                    stratagems of other books that a mission forbids
``scoring`` ``wiped_out``                   the ledger of VP, who has won, who is out
==========================================  ==================================================
"""
