"""Build: the orders by their subjects, with the code that those of a file share (1)."""
