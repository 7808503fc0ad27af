"""What a game master does by hand.

================================================= ==========================================================
``game_master``                                   advance, deadlines, edits, players
``edits`` ``edit_fields`` ``edit_ground``         the language of edits: reading it; land and places
``edit_forces`` ``edit_players`` ``edit_battles`` forces; players; battles
``phoned_in`` ``missed``                          orders entered for a player; missed deadlines counted again
``handover`` ``rollback`` ``new_readings``        another game master; back to an earlier phase; newer rules
================================================= ==========================================================
"""
