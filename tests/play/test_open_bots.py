"""Bots that are open to games: who is in the list, who sees it, and what an invitation leads to."""

from __future__ import annotations

from typing import Any

import pytest

from server.play.accounts import accounts, blocking, tokens
from server.play.campaigns import dashboard, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.operating import user_admin
from tests.play.campaigns import Club, gathered
from tests.play.conftest import Clock, person

PLAYS = "Frontier, maps for two"


def with_bot(ctx: AppContext, owner: Actor, name: str = "Marvin", plays: str | None = PLAYS) -> tuple[str, str]:
    """Return the id of a bot that is open to games, and its token."""
    bot = accounts.create_bot(ctx, owner, name)
    accounts.change_open_bot(ctx, owner, bot.id, plays)
    return bot.id, tokens.create(ctx, owner, "run", ["read", "orders"], for_bot=bot.id).secret


def with_a_free_seat(ctx: AppContext) -> Club:
    return gathered(ctx, "Gwen", NewCampaign("Two", "the-pass"), ("Cyd",), begin=False)


def names(ctx: AppContext, reader: Actor) -> list[str]:
    return [bot.name for bot in accounts.open_bots(ctx, reader)]


def refused(code: str, work: Any, *args: Any) -> None:
    with pytest.raises(PlayError) as caught:
        work(*args)
    assert caught.value.code == code, caught.value


def test_a_listed_bot_says_what_it_plays_and_who_owns_it(ctx: AppContext, clock: Clock) -> None:
    ada, bob = person(ctx, "Ada"), person(ctx, "Bob")
    _, secret = with_bot(ctx, ada)
    with_bot(ctx, ada, "Quiet", None)
    found = accounts.open_bots(ctx, bob)
    assert [(bot.name, bot.owner, bot.plays, bot.seen_at) for bot in found] == [("Marvin", "Ada", PLAYS, None)]
    tokens.authenticate(ctx, secret)
    with_bot(ctx, bob, "Aaron")
    assert accounts.open_bots(ctx, bob)[0].seen_at == clock()
    assert names(ctx, bob) == ["Marvin", "Aaron"]  # those seen last first


def test_only_a_bot_with_a_token_to_play_is_listed(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where the list does not ask for tokens, their scopes, or their end."""
    ada = person(ctx, "Ada")
    bot, _ = with_bot(ctx, ada)
    only = tokens.listed(ctx, ada, for_bot=bot)[0]
    tokens.revoke(ctx, ada, only.id)
    assert names(ctx, ada) == []
    tokens.create(ctx, ada, "look", ["read"], for_bot=bot)
    assert names(ctx, ada) == []
    tokens.create(ctx, ada, "play", ["read", "orders"], days=2, for_bot=bot)
    assert names(ctx, ada) == ["Marvin"]
    clock.forward(days=3)
    assert names(ctx, ada) == []


def test_a_closed_banned_or_blocked_bot_is_not_listed(ctx: AppContext) -> None:
    """Seen to fail without each of the conditions."""
    root, ada, bob = person(ctx, "Root", admin=True), person(ctx, "Ada"), person(ctx, "Bob")
    bot, _ = with_bot(ctx, ada)
    user_admin.ban(ctx, root, ada.user_id, 7)
    assert names(ctx, bob) == []
    user_admin.lift_ban(ctx, root, ada.user_id)
    for who, whom in ((bob, "Ada"), (bob, "Marvin"), (ada, "Bob")):
        block = blocking.block_account(ctx, who, whom)
        assert names(ctx, bob) == []
        assert names(ctx, root) == ["Marvin"]
        blocking.unblock(ctx, who, block.id)
    assert names(ctx, bob) == ["Marvin"]
    accounts.remove_bot(ctx, ada, bot)
    assert names(ctx, bob) == []


def test_only_its_owner_lists_a_bot(ctx: AppContext) -> None:
    ada, bob = person(ctx, "Ada"), person(ctx, "Bob")
    bot, secret = with_bot(ctx, ada)
    refused("not_found", accounts.change_open_bot, ctx, bob, bot, "mine now")
    refused("not_found", accounts.change_open_bot, ctx, ada, ada.user_id, "I am no bot")
    refused("missing_scope", accounts.change_open_bot, ctx, tokens.authenticate(ctx, secret), bot, "more")
    refused("invalid_request", accounts.change_open_bot, ctx, ada, bot, "")
    refused("invalid_request", accounts.change_open_bot, ctx, ada, bot, "x" * 201)
    assert accounts.change_open_bot(ctx, ada, bot, None).plays is None
    assert names(ctx, ada) == []


def test_an_invited_bot_takes_a_seat_and_is_not_asked_again_after_it_left(ctx: AppContext) -> None:
    """Seen to fail where leaving kept the invitation: a bot that accepts whatever it is asked came back at once."""
    ada = person(ctx, "Ada")
    host = with_a_free_seat(ctx)
    _, secret = with_bot(ctx, ada)
    bot = tokens.authenticate(ctx, secret)
    seats.invite_user(ctx, host.gm, host.id, "Marvin")
    assert [asked.id for asked in dashboard.invitations(ctx, bot)] == [host.id]
    seats.join(ctx, bot, host.id, faction="orks")
    assert dashboard.invitations(ctx, bot) == []
    seats.leave(ctx, bot, host.id)
    assert dashboard.invitations(ctx, bot) == []


def test_who_blocked_someone_gets_no_invitations_to_their_bots(ctx: AppContext) -> None:
    """Seen to fail where only the bot's own blocks were asked."""
    ada = person(ctx, "Ada")
    host = with_a_free_seat(ctx)
    with_bot(ctx, ada)
    blocking.block_account(ctx, ada, host.gm.name)
    refused("forbidden", seats.invite_user, ctx, host.gm, host.id, "Marvin")
