"""Movement: one file for each order; ``claims`` has the two that claim, ``order`` what all share (2.1)."""
