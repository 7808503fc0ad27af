"""The language of edits: what a game master may change in a position.

========================= ===============================
``edits`` ``edit_fields`` reading and applying it; fields
``edit_ground``           land, places, players
``edit_forces``           forces, battles
========================= ===============================
"""
