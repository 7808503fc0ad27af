"""Battles: how they are fought, and results of the table; ``battle`` has what both share (6)."""
