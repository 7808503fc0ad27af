"""What a game master does by hand.

========================= ===============================================
``game_master``           advance, deadlines, edits, players, newer rules
``phoned_in``             orders entered for a player
``handover`` ``rollback`` another game master; back to an earlier phase
========================= ===============================================
"""
