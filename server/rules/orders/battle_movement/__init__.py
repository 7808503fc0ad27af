"""Battle movement: one file for each order; ``order`` ``target`` ``assault`` have what several share (4.1)."""
