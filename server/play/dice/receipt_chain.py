"""The text of a receipt for orders, and the chain of a set's receipts: each names the hash of the one before it.

The row of an order set keeps the hashes of the receipts before the last one, so that the record shows whether a receipt
was one of them. The hash is the SHA-256 of a receipt's middle part, decoded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from server.core import dice_scheme_1
from server.play.dice.receipts import ORDERS, Json, digest, written

SIZE = 32
"""Bytes of a hash."""
MOST = 1000
"""Hashes that a set keeps, the last ones; of receipts before them a record proves nothing."""


class Accepted(Protocol):
    """An order set as it was accepted."""

    @property
    def player_id(self) -> str: ...  # noqa: D102
    @property
    def revision(self) -> int: ...  # noqa: D102
    @property
    def final(self) -> bool: ...  # noqa: D102
    @property
    def updated_at(self) -> datetime | None: ...  # noqa: D102
    @property
    def orders(self) -> Sequence[Any]: ...  # noqa: D102


def said(place: tuple[str, int, int], accepted: Accepted, scheme: int | None, chain: bytes | None) -> Json:
    """Return what the receipt for an order set says. *place*: campaign, branch, phase; *chain*: what the set keeps."""
    campaign, branch, number = place
    at = accepted.updated_at
    return {
        "kind": ORDERS,
        "campaign": campaign,
        "seat": accepted.player_id,
        "branch": branch,
        "number": number,
        "revision": accepted.revision,
        "final": accepted.final,
        "orders": digest(accepted.orders),
        "scheme": scheme or dice_scheme_1.SCHEME,
        "before": chain[-SIZE:].hex() if chain else "",
        "at": "" if at is None else at.astimezone(UTC).isoformat(),
    }


def extended(place: tuple[str, int, int], accepted: Accepted, scheme: int | None, chain: bytes | None) -> bytes | None:
    """Return the chain for the next revision of a set: with the receipt for this one, if a player submitted it."""
    if not accepted.revision:
        return None
    own = hashlib.sha256(written(said(place, accepted, scheme, chain))).digest()
    return ((chain or b"") + own)[-SIZE * MOST :]


def named(chain: bytes, revision: int, of: int) -> str | None:
    """Return the hash of the receipt for revision *of* in the chain of a set at *revision*; None: it is not kept."""
    at = len(chain) - (revision - of) * SIZE
    return chain[at : at + SIZE].hex() if at >= 0 else None
