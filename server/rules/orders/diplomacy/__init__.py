"""Alliances: taken in every phase that takes orders; ``alliance`` has what both share (D-04)."""
