"""Dice of campaigns that began under scheme 1: they are played on and verified as they began.

Turn *t* used link *t*, the start link 0 and no salts. All rolls came from the phase's seed, hidden ones too, and a
salt came with the orders of its phase.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from server.core.dice import salted

SCHEME = 1


def phase_seed(link: bytes, campaign: str, turn: int, phase: str, salts: Sequence[str]) -> bytes:
    """Return the seed of one phase; it does not name the branch."""
    return hmac.digest(link, salted([campaign, str(turn), phase], salts), "sha256")
