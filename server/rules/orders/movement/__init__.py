"""Movement: one file for each order; ``order`` has what they share (2.1)."""
