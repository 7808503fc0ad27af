"""A sign-up looks for names that look alike by an index, however many accounts there are.

Before, 50,000 accounts cost each sign-up half a second; now it is as with ten.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from server.play.accounts import accounts, names
from server.play.context import AppContext
from server.play.notices.posting import target_of
from server.store.tables import User
from tests.play.conftest import clock, ctx, database, kind, postgresql_database
from tests.play.test_campaigns import refused

__all__ = ["clock", "ctx", "database", "kind", "postgresql_database"]


def test_no_name_is_worked_out_twice(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    with ctx.database.write() as session:
        session.add_all(User(name=f"Player {number}", created_at=ctx.now()) for number in range(50))
    accounts.sign_up(ctx, "Gwen", "correct horse")
    asked: list[str] = []
    real = names.skeleton
    monkeypatch.setattr(names, "skeleton", lambda name: asked.append(name) or real(name))  # type: ignore[func-returns-value]
    refused("name_taken", accounts.sign_up, ctx, "Gvven", "correct horse")
    accounts.sign_up(ctx, "Wim", "correct horse")
    assert set(asked) <= {"Gwen", "Gvven", "Wim", "the", *names._OWN}


def test_names_of_before_and_names_that_change_count(ctx: AppContext) -> None:
    gwen = accounts.make_user(ctx, "Gwen")
    with ctx.database.write() as session:
        session.execute(update(User).values(name_skeleton=None))
    refused("name_taken", accounts.sign_up, ctx, "Gvven", "correct horse")
    with ctx.database.write() as session:
        session.get_one(User, gwen.id).name = "Lan"
    accounts.sign_up(ctx, "Gvven", "correct horse")
    refused("name_taken", accounts.sign_up, ctx, "Ian", "correct horse")
    with ctx.database.read() as session:
        known: dict[str, Any] = dict(session.execute(select(User.name, User.name_skeleton)).all())
    assert known["Lan"] == names.skeleton("Ian")


def test_the_operator_opens_other_ports_to_webhooks() -> None:
    refused("bad_address", target_of, "https://example.org:9443/", private=False)
    assert target_of("https://example.org:9443/", private=False, ports="9443,10000-10010").port == 9443
    assert target_of("https://example.org:10010/", private=False, ports="9443,10000-10010").port == 10010
    refused("bad_address", target_of, "https://example.org:10011/", private=False, ports="9443,10000-10010")
    refused("bad_address", target_of, "https://example.org:22/", private=False, ports="9443")
