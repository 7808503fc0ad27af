"""Bans for a time, sign-up that waits, and the log of what admins did."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from server.play import audit
from server.play.accounts import accounts, links, tokens
from server.play.campaigns import campaigns, seats
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.operating import administration, user_admin
from server.store.tables import Outbox
from tests.play.campaigns import club
from tests.play.conftest import Clock, person

PASSWORD = "correct horse"


def refused(code: str, work: Any, *args: Any, **named: Any) -> None:
    with pytest.raises(PlayError) as caught:
        work(*args, **named)
    assert caught.value.code == code, caught.value


def with_sign_up(ctx: AppContext, how: str) -> AppContext:
    return replace(ctx, settings=ctx.settings.model_copy(update={"sign_up": how}))


def admin(ctx: AppContext) -> Actor:
    return person(ctx, "Root", admin=True)


def test_a_ban_lasts_its_time(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail where only sign-in asks: tokens went on."""
    root, ann = admin(ctx), accounts.sign_up(ctx, "Ann", PASSWORD)
    actor = tokens.authenticate(ctx, ann.token.secret)
    personal = tokens.create(ctx, actor, "Program", ["read"]).secret
    bot = accounts.create_bot(ctx, actor, "Annbot")
    theirs = tokens.create(ctx, actor, "Bot", ["read"], for_bot=bot.id).secret
    user_admin.ban(ctx, root, actor.user_id, 7, "Insults.")
    for secret in (ann.token.secret, personal, theirs):
        refused("bad_token", tokens.authenticate, ctx, secret)
    refused("banned", accounts.sign_in, ctx, "Ann", PASSWORD)
    refused("wrong_password", accounts.sign_in, ctx, "Ann", "wrong horse")
    assert administration.account(ctx, root, actor.user_id).banned_until is not None
    clock.forward(days=8)
    assert accounts.sign_in(ctx, "Ann", PASSWORD).account.name == "Ann"
    assert tokens.authenticate(ctx, personal).name == "Ann"
    assert administration.account(ctx, root, actor.user_id).banned_until is None


def test_a_ban_is_lifted(ctx: AppContext) -> None:
    root, ann = admin(ctx), accounts.sign_up(ctx, "Ann", PASSWORD)
    user_admin.ban(ctx, root, ann.account.id, 7)
    user_admin.lift_ban(ctx, root, ann.account.id)
    accounts.sign_in(ctx, "Ann", PASSWORD)
    refused("conflict", user_admin.lift_ban, ctx, root, ann.account.id)
    refused("conflict", user_admin.ban, ctx, root, root.user_id, 7)
    refused("conflict", user_admin.ban, ctx, None, "Root", 7)
    refused("invalid_request", user_admin.ban, ctx, root, ann.account.id, 0)
    refused("forbidden", user_admin.ban, ctx, person(ctx, "Ben"), ann.account.id, 7)


def test_sign_up_by_approval(ctx: AppContext) -> None:
    waits, root = with_sign_up(ctx, "approval"), admin(ctx)
    refused("awaits_approval", accounts.sign_up, waits, "Ann", PASSWORD)
    refused("awaits_approval", accounts.sign_in, waits, "Ann", PASSWORD)
    refused("name_taken", accounts.sign_up, waits, "Ann", PASSWORD)
    found = next(user for user in administration.accounts(ctx, root) if user.name == "Ann")
    assert found.awaits_approval
    user_admin.approve(ctx, root, found.id)
    accounts.sign_in(waits, "Ann", PASSWORD)
    refused("conflict", user_admin.approve, ctx, root, found.id)


def test_an_invitation_needs_no_approval(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    seats.leave(ctx, made.players["p4"], made.id)
    code = seats.invite_by_code(ctx, made.gm, made.id).code
    accounts.sign_up(with_sign_up(ctx, "approval"), "Ann", PASSWORD, invitation=code)


def test_sign_up_with_a_confirmed_address(ctx: AppContext) -> None:
    waits = with_sign_up(ctx, "confirmed")
    refused("invalid_request", accounts.sign_up, waits, "Ann", PASSWORD)
    refused("confirm_address", accounts.sign_up, waits, "Ann", PASSWORD, email="ann@example.org")
    refused("confirm_address", accounts.sign_in, waits, "Ann", PASSWORD)
    with ctx.database.read() as session:
        mail = session.scalars(select(Outbox).where(Outbox.kind == "mail")).one()
    link = tokens.link_text(ctx, mail.payload["token_id"])
    assert links.use_link(waits, link).account.name == "Ann"
    accounts.sign_in(waits, "Ann", PASSWORD)


def test_what_admins_do_is_written_down(ctx: AppContext) -> None:
    root, ann = admin(ctx), person(ctx, "Ann")
    made = club(ctx)
    user_admin.disable(ctx, root, ann.user_id)
    user_admin.enable(ctx, root, ann.user_id)
    user_admin.rename(ctx, root, ann.user_id, "Anna")
    user_admin.ban(ctx, None, "Anna", 3, "Spam.")
    campaigns.remove(ctx, root, made.id)
    campaigns.restore(ctx, made.gm, made.id)
    found = [(act.admin, act.act, act.about) for act in administration.acts(ctx, root)]
    assert found == [
        ("Root", "campaign_delete", "The Long March"),
        (audit.CONSOLE, "ban", "Anna"),
        ("Root", "rename", "Ann"),
        ("Root", "open", "Ann"),
        ("Root", "close", "Ann"),
    ]
    refused("forbidden", administration.acts, ctx, ann)
