"""The language of edits: what a game master may change in a position.

================================================= ==========================================
``edits`` ``edit_fields`` ``edit_ground``         reading and applying it; fields; land and places
``edit_forces`` ``edit_players`` ``edit_battles`` forces; players; battles
================================================= ==========================================
"""
