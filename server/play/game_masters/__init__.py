"""What a game master does by hand.

================================================= ==========================================================
``game_master``                                   advance, deadlines, edits, players
``phoned_in`` ``missed``                          orders entered for a player; missed deadlines counted again
``handover`` ``rollback`` ``new_readings``        another game master; back to an earlier phase; newer rules
================================================= ==========================================================
"""
