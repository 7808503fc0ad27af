"""Setup: the order ``place``, and what it may place where (0)."""
