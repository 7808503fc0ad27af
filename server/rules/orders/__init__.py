"""Orders: one file per family; each kind reads, checks and previews itself, those of Setup and Build do themselves too.

=================================== ====================================================================
``desk``                            where a player's orders are checked: what he knows, and what they make of it
``fields``                          reading an order out of arbitrary JSON
``base``                            what an order is
``registry`` ``sets``               all kinds there are; a whole set, and the order book of a phase
``placement``                       Setup: capitals, urban hexes, resource hexes (0)
``diplomacy``                       alliances (D-04)
``raising`` ``refit`` ``garrisons`` Build: detachments and units; repairs, transfers, disbanding; garrisons (1.2, 1.3)
``works`` ``buildings``             Build: urban hexes and strongholds; what stands in towns (1.4, 1.5)
``defences`` ``roads`` ``supply``   Build: what stands in strongholds; roads; convoys (1.1, 1.4, 1.6)
``sites``                           what all building asks of its place, and how it is paid
``movement``                        Movement (2.1)
``battle_movement``                 Battle movement (4.1)
``fight``                           Battles: how one fights, and results of the table (6)
=================================== ====================================================================
"""
