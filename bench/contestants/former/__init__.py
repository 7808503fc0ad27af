"""The computer player as it was before it had postures: it never spends most of its BP, and goes for the nearest."""

from bench.contestants.former.commander import choose

__all__ = ["choose"]
