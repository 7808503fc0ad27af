"""Bots that are open to games: their owners list them, and game masters invite them by name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, and_, exists, literal, or_, select, type_coerce
from sqlalchemy.orm import aliased

from server.play import text_input
from server.play.accounts import holds, tokens
from server.play.accounts.accounts import Account, account_of
from server.play.context import Actor, AppContext
from server.store.tables import Block, Token, User, Visit
from server.store.tables.base import UtcDateTime

MAX_PLAYS_LENGTH = 200
MAX_LISTED = 1000
TO_PLAY = ("read", "orders")
"""The scopes that a bot's token needs to play."""


@dataclass(frozen=True, slots=True)
class OpenBot:
    """A bot that its owner lists as open to games."""

    name: str
    """A game master invites it by this name."""
    owner: str
    """Name of the account that owns it."""
    plays: str
    """The games it is open to, in its owner's words."""
    seen_at: datetime | None
    """When it last used its token, give or take five minutes; None: never."""


def change(ctx: AppContext, actor: Actor, bot_id: str, plays: str | None) -> Account:
    """List one of the person's bots as open to games; *plays* says which, None: it is not listed."""
    actor.require_session()
    words = None if plays is None else text_input.line(plays, "plays", MAX_PLAYS_LENGTH)
    with ctx.database.write() as session:
        bot = tokens.own_bot(session, actor, bot_id)
        bot.plays = words
        bot.revision += 1
        return account_of(bot)


def listed(ctx: AppContext, actor: Actor) -> list[OpenBot]:
    """Return the bots that are open to games and have a token to play with, those seen last first.

    Bots that take no invitations of the person are left out, and so are those that the person has blocked.
    """
    actor.require("read")
    now = ctx.now()
    bot: Any = aliased(User)
    owner: Any = aliased(User)
    token = exists().where(
        Token.user_id == bot.id, *tokens.living("personal", now),
        *(type_coerce(Token.scopes, Text).contains(f'"{scope}"') for scope in TO_PLAY),
    )  # fmt: skip
    theirs = and_(Block.user_id.in_([bot.id, owner.id]), Block.blocked_user_id == actor.user_id)
    own = and_(Block.user_id == actor.user_id, Block.blocked_user_id.in_([bot.id, owner.id]))
    blocked = exists().where(Block.campaign_id.is_(None), or_(theirs, own))
    found = (
        select(bot.name, owner.name, bot.plays, Visit.last_seen_at)
        .join(owner, owner.id == bot.bot_owner_id)
        .outerjoin(Visit, Visit.user_id == bot.id)
        .where(bot.plays.is_not(None), bot.disabled_at.is_(None), owner.disabled_at.is_(None), token, ~blocked)
        .where(~holds.is_banned(bot.id, owner.id, literal(now, UtcDateTime())))
        .order_by(Visit.last_seen_at.desc().nulls_last(), bot.name_key)
        .limit(MAX_LISTED)
    )
    with ctx.database.read() as session:
        return [OpenBot(*row) for row in session.execute(found)]
