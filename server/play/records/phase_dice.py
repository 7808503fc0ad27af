"""The dice of a campaign's phases (D-81): which link a turn uses, the seed, whose rolls come from which sub-seed.

Everything that differs between the schemes is here and in :mod:`server.core.dice_scheme_1`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.core.dice import SCHEME, Dice, SeatDice, SeededDice, chain, phase_seed, seat_key
from server.store.tables import Campaign, CampaignDice, Phase


@dataclass(frozen=True, slots=True)
class PhaseDice:
    """All that decides the rolls of one phase."""

    scheme: int
    campaign_id: str
    branch: int
    turn: int
    phase: str
    link: bytes
    salts: tuple[str, ...]
    """In seat order; empty: no salt."""
    commitments: tuple[str, ...]
    """Likewise: SHA-256 of each, made one phase ahead. None in scheme 1."""
    keys: Mapping[str, bytes]
    """Of the seats; none in scheme 1."""

    @property
    def seed(self) -> bytes:
        """The seed of the phase."""
        if self.scheme == dice_scheme_1.SCHEME:
            return dice_scheme_1.phase_seed(self.link, self.campaign_id, self.turn, self.phase, self.salts)
        return phase_seed(self.link, self.campaign_id, self.branch, self.turn, self.phase, self.salts)

    def roll_with(self) -> Dice:
        """Return the dice, with nothing rolled yet."""
        return SeededDice(self.seed) if self.scheme == dice_scheme_1.SCHEME else SeatDice(self.seed, self.keys)

    def inputs(self) -> dict[str, Any]:
        """Return what goes into the chain over the record."""
        parts: dict[str, Any] = {"seed": self.seed.hex(), "salts": list(self.salts)}
        return parts if self.scheme == dice_scheme_1.SCHEME else parts | {"commitments": list(self.commitments)}


def scheme_of(session: Session, campaign: Campaign) -> int:
    """Return the scheme of a campaign's dice."""
    row = session.get(CampaignDice, campaign.id)
    return dice_scheme_1.SCHEME if row is None else row.scheme


def keys_of(secret: bytes, seats: Iterable[str], scheme: int = SCHEME) -> dict[str, bytes]:
    """Return the keys of the seats; there are none in scheme 1."""
    return {} if scheme == dice_scheme_1.SCHEME else {seat: seat_key(secret, seat) for seat in seats}


@lru_cache(maxsize=512)
def link(secret: bytes, number: int) -> bytes:
    """Return a link of a campaign's dice chain; a turn's phases ask for the same one."""
    return chain(secret)[number]


def link_number(session: Session, campaign: Campaign, branch: int, turn: int, scheme: int | None = None) -> int:
    """Return which link of the dice chain a turn uses on a branch, which may be one to come."""
    scheme = scheme_of(session, campaign) if scheme is None else scheme
    if branch == 1:  # no line of play before it has used any
        return turn + link_offset((), branch, scheme)
    rows = session.execute(
        select(Phase.branch, Phase.turn, Phase.resolved_at)
        .where(Phase.campaign_id == campaign.id)
        .order_by(Phase.number)
    )
    known = [(row.branch, row.turn, row.resolved_at is not None) for row in rows]
    if all(phase[0] != branch for phase in known):
        known.append((branch, turn, False))
    return turn + link_offset(known, branch, scheme)


def link_offset(phases: Sequence[tuple[int, int, bool]], branch: int, scheme: int) -> int:
    """Return by how many links the turns of a branch are moved on; *phases* are branch, turn, and whether resolved.

    On the first branch turn *t* uses link *t+1*: link 0 is public. A rollback continues with the first link that was
    never used, so dice that are known, or that known links give away, are never rolled again.
    """
    offset, used = (0 if scheme == dice_scheme_1.SCHEME else 1), 0
    for number in range(1, branch + 1):
        turns = [turn for on, turn, _ in phases if on == number]
        if number > 1:
            offset = used + 1 - min(turns, default=0)
        used = max([used, *(turn + offset for on, turn, resolved in phases if on == number and resolved)])
    return offset
