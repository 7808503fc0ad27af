"""Build: the orders by what they build, with what those of a file share (1)."""
