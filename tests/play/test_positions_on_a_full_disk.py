"""When nothing can be written any more, whoever is known may still read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy.orm import Session

from server.play.accounts import tokens
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.store.database import Database
from server.store.errors import Full
from tests.play.campaigns import club


@contextmanager
def _full(_database: Database) -> Iterator[Session]:
    raise Full("no room left")
    yield


def test_a_token_that_was_not_used_lately_still_reads(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    made = club(ctx)
    secret = tokens.create(ctx, made.players["p1"], "phone", ["read"]).secret
    monkeypatch.setattr(Database, "write", _full)
    with pytest.raises(Full), ctx.database.write():
        pass
    actor = tokens.authenticate(ctx, secret)
    assert campaigns.get(ctx, actor, made.id).your_seats == ("p1",)
