"""Secrets are believed for a moment after they were looked up, and no longer."""

from __future__ import annotations

import pytest

from server.play.accounts import tokens
from server.play.context import AppContext
from server.play.errors import PlayError
from tests.play.conftest import Clock, person


def test_a_secret_is_believed_for_a_moment_and_no_longer(ctx: AppContext, clock: Clock) -> None:
    ada = person(ctx, "Ada")
    token = tokens.create(ctx, ada, "bot", ["read"])
    assert tokens.authenticate(ctx, token.secret).user_id == ada.user_id
    elsewhere = AppContext(ctx.database, ctx.settings, ctx.clock)
    tokens.revoke(elsewhere, ada, token.info.id)
    assert tokens.authenticate(ctx, token.secret).user_id == ada.user_id
    clock.forward(seconds=1.1)
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, token.secret)


def test_what_is_revoked_here_is_worthless_at_once(ctx: AppContext) -> None:
    ada = person(ctx, "Ada")
    token = tokens.create(ctx, ada, "bot", ["read"])
    tokens.authenticate(ctx, token.secret)
    tokens.revoke(ctx, ada, token.info.id)
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, token.secret)
