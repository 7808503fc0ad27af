"""The salts of a user's seat (D-81): their keeper, the commitment for the next phase, the salt of this one.

By default the server draws, commits and keeps them. A player may keep them: they commit the salt of the next phase
and send that of the open one, with or without orders due. A salt not sent in time is left out: "no salt".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.core.dice import commitment as committed
from server.core.dice import seat_key
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext, taken_from
from server.play.dice import receipts, salt_keeping
from server.play.dice.salt_keeping import PLAYER, SERVER
from server.play.errors import PlayError, invalid, stands_so
from server.play.records.phase_dice import keys_of, scheme_of
from server.play.records.records import check_deadline, require_open
from server.store.tables import Salt, Seat

MAX_LENGTH = 100
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SaltInfo:
    """A salt of the user's own seat; some fields appear only after its phase."""

    serial: int
    """Counts the salts of the seat; 0 is the one that the start uses."""
    commitment: str
    """SHA-256 of the salt, hexadecimal; empty: none was made in time."""
    kept_by: str
    """``server`` or ``player``."""
    given: bool
    """The server has it."""


@dataclass(frozen=True, slots=True)
class SaltsInfo:
    """The salts of the user's seat, and its key."""

    campaign_id: str
    player_id: str
    scheme: int
    branch: int
    number: int
    """Of the phase that is open; 0 before the start."""
    kept_by: str
    """The keeper of future salts."""
    now: SaltInfo | None
    """For the open phase; before the start for the start."""
    next: SaltInfo | None
    """For the phase after it; None: it is not committed."""
    next_serial: int | None
    """The serial number of a salt that is committed now; None: yours is committed already."""
    seat_key: str | None
    """The key of the seat's hidden rolls, hexadecimal; from the start on. Nobody else has it before the end."""
    receipt: str | None = None
    """For a write: what the server signed (:mod:`server.play.dice.receipts`)."""


def read(ctx: AppContext, actor: Actor, campaign_id: str) -> SaltsInfo:
    """Return the state of the salts of the user's seat."""
    actor.require("read")
    with ctx.database.read() as session:
        may, seat = _own(session, actor, campaign_id)
        return _info(session, may, seat)


def give(
    ctx: AppContext, actor: Actor, campaign_id: str, *, salt: str | None = None, commitment: str | None = None,
    kept_by: str | None = None,
) -> SaltsInfo:  # fmt: skip
    """Send the salt of the open phase, commit that of the next one; or let the server keep those to come.

    Before the start the salt is that of joining, which the start uses. Raises ``salt_mismatch`` for a salt that is not
    the one committed, ``commitment_made`` where another one was committed for the next phase.
    """
    actor.require("orders")
    if salt is not None:
        salt = text_input.line(salt, "salt", MAX_LENGTH)
    if commitment is not None and not _COMMITMENT.fullmatch(commitment):
        raise invalid("commitment", "A commitment is the SHA-256 of the salt: 64 hexadecimal digits.", commitment[:80])
    if kept_by not in (None, SERVER):
        raise invalid("kept_by", "Only `server` can be chosen; the sender of a commitment keeps the salts.", kept_by)
    with ctx.database.write() as session:
        may, seat = _own(session, actor, campaign_id, lock=True)
        if may.campaign.status not in access.NOT_FINISHED:
            raise stands_so(may.campaign.status, "phase_closed")
        if scheme_of(session, may.campaign) == dice_scheme_1.SCHEME:
            raise PlayError("conflict", "In this campaign salts are sent with the orders.")
        if salt is not None:
            _take(ctx, session, may, seat, salt)
        if commitment is not None:
            _commit(ctx, session, seat, commitment)
        if kept_by == SERVER:
            salt_keeping.hand_over(session, campaign_id, seat.player_id, ctx.now())
        session.flush()
        info = _info(session, may, seat)
    if salt is None and commitment is None:
        return info
    receipt = receipts.issue(
        ctx,
        receipts.SALTS,
        campaign=campaign_id,
        scheme=info.scheme,
        seat=info.player_id,
        branch=info.branch,
        number=info.number,
        commitment=commitment or "",
        salt="" if salt is None else committed(salt.encode()),
    )
    return replace(info, receipt=receipt)


@dataclass(frozen=True, slots=True)
class DiceInfo:
    """The public part of a campaign's dice; the links, seeds and salts are with the phases."""

    campaign_id: str
    scheme: int
    link0: str
    key_commitments: dict[str, str]
    """By seat the SHA-256 of the key of its hidden rolls, from the start on; none in scheme 1."""
    seat_keys: dict[str, str]
    """The keys themselves, hexadecimal: the user's own; everyone's once the record is public."""


def dice(ctx: AppContext, actor: Actor, campaign_id: str) -> DiceInfo:
    """Return what someone may know of a campaign's dice as a whole."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        campaign = may.campaign
        scheme = scheme_of(session, campaign)
        seats = [] if campaign.started_at is None else access.seats_of(session, campaign_id)
        keys = keys_of(campaign.dice_secret, [seat.player_id for seat in seats], scheme)
        own = None if may.seat is None else may.seat.player_id
        return DiceInfo(
            campaign.id,
            scheme,
            campaign.link0,
            {seat: committed(key) for seat, key in keys.items()},
            {seat: key.hex() for seat, key in keys.items() if may.over or seat == own},
        )


def with_orders(session: Session, campaign_id: str, branch: int, number: int, player_id: str, text: str) -> str:
    """Take the text sent as a salt with an order set; return the part to store with the set.

    In scheme 1 it is the salt. In scheme 2 it is either the salt that the player has committed, or words that the
    server mixes into the salt of the next phase.
    """
    row = salt_keeping.rows_of(session, campaign_id, branch, number).get(player_id)
    if row is None:
        return text if salt_keeping.newest_of(session, campaign_id, player_id) is None else ""
    if text and not _sent(row, text) and not salt_keeping.mix_in(session, campaign_id, player_id, text):
        raise PlayError("salt_mismatch", field="salt")
    return ""


# --- inside ---


def _own(session: Session, actor: Actor, campaign_id: str, *, lock: bool = False) -> tuple[Access, Seat]:
    may = (access.load_shared if lock else access.load)(session, actor, campaign_id)
    return may, may.require_seat()


def _take(ctx: AppContext, session: Session, may: Access, seat: Seat, salt: str) -> None:
    campaign = may.campaign
    if campaign.started_at is None:
        row = session.get(Salt, (seat.campaign_id, seat.player_id, salt_keeping.START_NUMBER))
        if row is None:
            raise PlayError("phase_closed")
        row.kept_by, row.salt, row.commitment = PLAYER, salt, committed(salt.encode())
        row.committed_at = ctx.now()
        return
    check_deadline(require_open(session, campaign).phase, ctx.now())
    rows = salt_keeping.rows_of(session, campaign.id, campaign.branch, campaign.phase_number)
    row_now = rows.get(seat.player_id)
    if row_now is None or not _sent(row_now, salt):
        raise PlayError("salt_mismatch", field="salt")


def _sent(row: Salt, salt: str) -> bool:
    """Take a salt that the player has committed; False for any other."""
    if row.kept_by != PLAYER or committed(salt.encode()) != row.commitment:
        return False
    row.salt = salt
    return True


def _commit(ctx: AppContext, session: Session, seat: Seat, commitment: str) -> None:
    waiting = salt_keeping.waiting_of(session, seat.campaign_id, seat.player_id)
    if any(row.commitment == commitment and row.kept_by == PLAYER for row in waiting):
        return
    serial = _next_serial(waiting, salt_keeping.newest_of(session, seat.campaign_id, seat.player_id))
    if serial is None:
        raise PlayError("commitment_made", field="commitment", value=waiting[-1].commitment)
    row = next((salt for salt in waiting if salt.serial == serial), None)
    if row is None:
        row = Salt(campaign_id=seat.campaign_id, player_id=seat.player_id, serial=serial)
        session.add(row)
    row.kept_by, row.salt, row.commitment, row.committed_at = PLAYER, "", commitment, ctx.now()


def _next_serial(waiting: Sequence[Salt], newest: Salt | None) -> int | None:
    """Return which salt a commitment would be for; the salt of joining is sent, not committed."""
    open_ones = [row for row in waiting if row.serial > salt_keeping.START_NUMBER]
    servers = next((row.serial for row in open_ones if row.kept_by == SERVER), None)
    if servers is not None or open_ones:
        return servers
    return 1 if newest is None else newest.serial + 1


def _info(session: Session, may: Access, seat: Seat) -> SaltsInfo:
    campaign = may.campaign
    scheme = scheme_of(session, campaign)
    begun = campaign.started_at is not None
    waiting = salt_keeping.waiting_of(session, campaign.id, seat.player_id)
    if begun:
        now = salt_keeping.rows_of(session, campaign.id, campaign.branch, campaign.phase_number).get(seat.player_id)
        later = waiting[0] if waiting else None
    else:
        now = next((row for row in waiting if row.serial == 0), None)
        later = next((row for row in waiting if row.serial == 1), None)
    newest = salt_keeping.newest_of(session, campaign.id, seat.player_id)
    has_key = begun and scheme != dice_scheme_1.SCHEME
    return SaltsInfo(
        campaign.id,
        seat.player_id,
        scheme,
        campaign.branch,
        campaign.phase_number,
        SERVER if newest is None else newest.kept_by,
        _shown(now),
        _shown(later),
        _next_serial(waiting, newest),
        seat_key(campaign.dice_secret, seat.player_id).hex() if has_key else None,
    )


def _shown(row: Salt | None) -> SaltInfo | None:
    return None if row is None else taken_from(row, SaltInfo, given=bool(row.salt))
