"""A sender that is killed between the mail server's 250 and its own commit: the same mail again, and no other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, AnyStr

import pytest
from aiosmtpd.smtp import SMTP
from sqlalchemy import select

from server.play.accounts import links
from server.play.context import AppContext
from server.store.tables import Outbox
from tests.mail.conftest import Post, PostOffice, addressed, drain, text_of
from tests.play.conftest import Clock, person

SENDS = """
import sys
from datetime import datetime
from server.mail.services import mailers
from server.play.notices import delivery
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database

settings = Settings.model_validate_json(sys.argv[2])
ctx = AppContext(Database(sys.argv[1]), settings, lambda: datetime.fromisoformat(sys.argv[3]))
sys.stdin.readline()
delivery.deliver(ctx, mailers(ctx))
print("committed")
"""


class Deadly(Post):
    """Takes a mail, and kills whoever brought it before the connection is over."""

    victim: int = 0

    def factory(self) -> Any:
        """Make the protocol of one connection."""
        post = self

        class Protocol(SMTP):
            async def push(self, status: AnyStr) -> None:
                await super().push(status)
                if post.victim and str(status).startswith("250 Taken"):
                    os.kill(post.victim, signal.SIGKILL)

        return Protocol(self.handler, authenticator=None)


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: what is tried is the order of sending and noting."""
    return "sqlite"


@pytest.fixture
def post(office: PostOffice) -> Iterator[Deadly]:
    office.at_the_end = ""
    server = Deadly(office)
    server.start()
    yield server
    server.stop()


def test_killed_after_the_servers_word_it_is_the_same_mail_again(
    ctx: AppContext, post: Deadly, office: PostOffice, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies by SIGKILL when the server has said 250: nothing is noted, and the lease runs out.

    Seen to fail when the ``Message-ID`` is made anew for each try.
    """
    person(ctx, "Ada")
    addressed(ctx)
    links.request_link(ctx, "ada@example.org")
    taken = office.handle_DATA

    async def say(*given: Any) -> str:
        await taken(*given)
        return "250 Taken"

    monkeypatch.setattr(office, "handle_DATA", say)
    url, settings = ctx.database.url.render_as_string(hide_password=False), ctx.settings.model_dump_json()
    command = [sys.executable, "-c", SENDS, url, settings, ctx.now().isoformat()]
    sender = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    post.victim = sender.pid
    said, _ = sender.communicate("go\n")
    assert (sender.returncode, said, len(office.got)) == (-signal.SIGKILL, "", 1)
    with ctx.database.read() as session:
        assert session.scalars(select(Outbox)).one().sent_at is None
    post.victim = 0
    clock.forward(minutes=20)
    assert drain(ctx) == 1
    first, again = office.got
    assert first["Message-ID"] == again["Message-ID"]
    assert text_of(first) == text_of(again)
    assert drain(ctx) == 0
