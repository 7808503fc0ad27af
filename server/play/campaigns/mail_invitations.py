"""Asking someone into a campaign by their mail address, whether they have an account or not.

A reply from that mailbox shows that the address is theirs: the account that is made has it confirmed.
The answer tells nothing: an address with an account looks like one without.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import text_input
from server.play.access import options_of, seats_of
from server.play.accounts import blocking, names
from server.play.accounts.accounts import by_email, new_user, taken
from server.play.accounts.links import attach
from server.play.context import Actor, AppContext, check_limit
from server.play.errors import PlayError, not_found
from server.play.game_data import game_data_of
from server.play.notices.notices import Notices
from server.play.rhythm import Rhythm
from server.store import outbox
from server.store.tables import Campaign, Invitation, MailInvitation, Outbox, User
from server.store.tables.base import fold, new_id

MAX_OPEN = 30
"""Addresses of one campaign that were asked and have not answered."""
MAX_A_DAY = 60
"""Addresses that one game master may ask within a day."""
MAX_LETTERS = 5
"""Emails to an address about an invitation: the first, and replies to unrecognised ones."""
ASKED = "asked"
"""What such a letter is about, in the outbox."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a letter to someone without an account says."""

    address: str
    campaign_id: str
    campaign: str
    description: str
    game_master: str
    factions: tuple[str, ...]
    """Names in English, to be chosen from."""
    free: int
    """Seats that nobody has."""
    seats: int
    scenario: str
    """Its title."""
    deadlines: Rhythm
    locale: str
    """The game master's: they know the invited person."""
    time_zone: str


def invite(ctx: AppContext, session: Session, actor: Actor, campaign: Campaign, address: str) -> None:
    """Ask the owner of an address into a campaign; once, whatever happens to the mail."""
    address = text_input.email(address, "name")
    _limit(ctx, session, actor, campaign)
    user = by_email(session, address)
    if user is not None:
        # a refusal would say that there is an account
        if not blocking.blocks_invitations(session, actor.user_id, user.id):
            ask(ctx, session, campaign, user.id)
        return
    if ctx.settings.sign_up not in ("open", "confirmed"):
        raise PlayError("sign_up_closed", field="name")
    mine = (MailInvitation.email_key == fold(address),)
    before = list(session.scalars(select(MailInvitation).where(*mine)))
    stopped = any(row.declined_at is not None for row in before)
    if stopped or any(row.campaign_id == campaign.id for row in before):
        return
    row = MailInvitation(
        campaign_id=campaign.id, email=address, email_key=fold(address), made_by=actor.user_id, made_at=ctx.now()
    )
    session.add(row)
    session.flush()
    put_letter(ctx, session, row, "")


def ask(ctx: AppContext, session: Session, campaign: Campaign, user_id: str) -> None:
    """Ask someone with an account."""
    before = session.get(Invitation, (campaign.id, user_id))
    if before is not None:
        before.declined_at = None
        return
    session.add(Invitation(campaign_id=campaign.id, user_id=user_id, made_at=ctx.now()))
    notices = Notices(session, campaign, ctx.now())
    notices.user(user_id, "invited", f"invited/{campaign.id}")
    notices.send()


def put_letter(ctx: AppContext, session: Session, row: MailInvitation, answer: str, key: str = "") -> bool:
    """Email the invitation with a reply (``help``, ``stopped``) above it; False: the limit is reached."""
    prefix = f"{ASKED}/{row.id}/"
    sent = select(func.count()).select_from(Outbox).where(Outbox.dedupe.startswith(prefix))
    if (session.scalar(sent) or 0) >= MAX_LETTERS:
        return False
    payload = {"about": ASKED, "invitation": row.id, "answer": answer}
    return outbox.put(session, "mail", prefix + key, payload, ctx.now(), campaign_id=row.campaign_id) is not None


def read(ctx: AppContext, invitation_id: str) -> Asked:
    """Return what the letter says; ``not_found`` where nobody can join any more."""
    with ctx.database.read() as session:
        row = session.get(MailInvitation, invitation_id)
        campaign = None if row is None else session.get(Campaign, row.campaign_id)
        if row is None or campaign is None or campaign.status != "open":
            raise not_found("campaign")
        master = session.get(User, campaign.gm_user_id) if campaign.gm_user_id else None
        world = game_data_of(ctx, campaign)
        factions = tuple(sorted(faction.name for faction in world.ruleset.factions.values()))
        seats = seats_of(session, campaign.id)
        return Asked(
            row.email,
            campaign.id,
            campaign.name,
            campaign.description,
            "" if master is None else master.name,
            factions,
            sum(seat.user_id is None for seat in seats),
            len(seats),
            world.scenario.title,
            options_of(campaign).deadlines,
            "en" if master is None else master.locale,
            "UTC" if master is None else master.time_zone,
        )


def take_up(ctx: AppContext, invitation_id: str, name: str) -> tuple[Actor, bool]:
    """Return the account that replies to an invitation from the invited mailbox, and whether it is new.

    *name* is the account's name if it is free.
    """
    with ctx.database.read() as session:
        row = session.get(MailInvitation, invitation_id)
        if row is None:
            raise not_found("campaign")
        known = by_email(session, row.email)
        address, closed = row.email, ctx.settings.sign_up not in ("open", "confirmed")
    if known is None and closed:
        raise PlayError("sign_up_closed")
    user = known if known is not None else _make_account(ctx, invitation_id, address, name)
    with ctx.database.write() as session:
        attach(session, session.get_one(User, user.id))
    return Actor(user.id, user.name, session=True), known is None


def stop(ctx: AppContext, invitation_id: str) -> None:
    """Write nothing more to an address, no matter who asks."""
    with ctx.database.write() as session:
        row = session.get(MailInvitation, invitation_id)
        if row is not None:
            row.declined_at = ctx.now()


# --- inside ---


def _make_account(ctx: AppContext, invitation_id: str, address: str, name: str) -> User:
    for attempt in range(20):
        wanted = _account_name(name, attempt)
        try:
            with taken(), ctx.database.write() as session:
                row = session.get_one(MailInvitation, invitation_id)
                master = session.get(User, row.made_by) if row.made_by else None
                user = new_user(ctx, wanted, email=address)
                user.email_confirmed_at = ctx.now()
                if master is not None:
                    user.locale, user.time_zone = master.locale, master.time_zone
                names.refuse_lookalike(session, wanted)
                session.add(user)
                session.flush()
                return user
        except PlayError as error:
            if error.code != "name_taken" or attempt == 19:
                raise
    raise AssertionError("the last attempt raises")


def _account_name(name: str, attempt: int) -> str:
    """Return a name that is probably free; an address is not used, because others would read it."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())[:34]
    usable = bool(fold(plain)) and "@" not in plain
    base = plain if usable else f"Player {new_id()[:5]}"
    return base if not attempt else f"{base} {attempt + 1}"


def _limit(ctx: AppContext, session: Session, actor: Actor, campaign: Campaign) -> None:
    unanswered = (MailInvitation.campaign_id == campaign.id, MailInvitation.user_id.is_(None))
    today = (MailInvitation.made_by == actor.user_id, MailInvitation.made_at > ctx.now() - timedelta(days=1))
    for maximum, mine in ((MAX_OPEN, unanswered), (MAX_A_DAY, today)):
        told = say("At most {most} addresses may be asked.", most=maximum)
        check_limit(session, MailInvitation, mine, maximum, told, "name")
