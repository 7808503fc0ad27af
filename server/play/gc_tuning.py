"""How often Python looks for garbage, in a process that works for long."""

from __future__ import annotations

import gc

THRESHOLDS = (20_000, 20, 20)
"""Objects after which the youngest are looked through, and how often that goes before the older ones are, too."""


def tune_gc() -> None:
    """Leave what there is for good, and look at what comes after it more seldom than after each 700 objects.

    What a start has imported stays, and requests and phases leave little behind that refers to itself. Looking for it
    took a tenth of a resolution.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
