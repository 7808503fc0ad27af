"""A battle of the campaign on the table (section 4 of the table readings; 6.2 of the rules).

=========================================  ===================================================
``which_battle`` ``terrain``               its kind and special rules, its ground
``sides`` ``battle_set_up``                its sides, its set-up
``reinforcements`` ``artillery`` ``sky``   what comes from other hexes and from above
``models_together``                        models of one type moved together before the battle
``battle_end``                             how it ends
=========================================  ===================================================
"""
