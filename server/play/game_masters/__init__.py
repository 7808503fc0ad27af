"""What a game master does by hand.

================================================= ==========================================================
``game_master``                                   advance, deadlines, edits, players
``phoned_in``                                     orders entered for a player
``handover`` ``rollback`` ``new_readings``        another game master; back to an earlier phase; newer rules
================================================= ==========================================================
"""
