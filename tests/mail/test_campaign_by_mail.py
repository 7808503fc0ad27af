"""Campaigns played by mail through real servers: SMTP by aiosmtpd, mailboxes by dovecot (IMAP and LMTP)."""

from __future__ import annotations

from asyncio import Server
from collections.abc import Iterator

import pytest
from aiosmtpd.controller import Controller
from pydantic import SecretStr

from server import rulesets
from server.mail.answering import imap
from server.mail.services import mailers
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.notices import delivery
from server.play.orders import orders
from server.play.views import positions
from server.store.database import Database
from server.store.tables import User
from tests.mail import dovecot
from tests.mail.conftest import mail_settings
from tests.mail.dovecot import Dovecot
from tests.mail.village import MAP, PostOffice, Writer
from tests.play.conftest import Clock, person

NAMES = ("Ada", "Bob", "Cyd")
pytestmark = pytest.mark.skipif(bool(dovecot.missing()), reason=f"dovecot is {dovecot.missing()}")


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: it is the mail that is tried."""
    return "sqlite"


@pytest.fixture
def mailboxes() -> Iterator[Dovecot]:
    with dovecot.running() as server:
        yield server


class Post(Controller):
    """Listens on any free port."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def post(mailboxes: Dovecot) -> Iterator[Post]:
    server = Post(PostOffice(mailboxes), hostname="127.0.0.1", port=0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post, mailboxes: Dovecot) -> Iterator[AppContext]:
    settings = mail_settings(
        post,
        mail_from="The Club <orders@example.org>",
        mail_orders="orders@example.org",
        imap_host="127.0.0.1",
        imap_port=mailboxes.imap_port,
        imap_tls="none",
        imap_user="orders@example.org",
        imap_password=SecretStr(dovecot.PASSWORD),
    )
    own = AppContext(database, settings, clock)
    yield own
    own.close()


@pytest.fixture
def writers(post: Post, mailboxes: Dovecot) -> list[Writer]:
    return [Writer(f"{name.lower()}@example.org", post.port, mailboxes) for name in NAMES]


def exchange(ctx: AppContext) -> None:
    """Carry mails to and fro until nothing is under way."""
    while delivery.deliver(ctx, mailers(ctx)) + imap.read_unseen(ctx):
        pass


def confirmed(ctx: AppContext, *names: str) -> list[Actor]:
    """Make accounts with a confirmed address."""
    people = [person(ctx, name) for name in names]
    with ctx.database.write() as session:
        for user in session.query(User):
            user.email, user.email_confirmed_at = f"{user.name.lower()}@example.org", ctx.now()
    return people


def create(ctx: AppContext, gm: Actor, turns: int) -> str:
    rules = {"turn_limit": turns, "battles": "quick"}
    new = NewCampaign("The Short March", "three-villages", MAP, rules=rules, listed=False)
    return campaigns.create(ctx, gm, new).id


def test_three_play_by_mail_alone(ctx: AppContext, writers: list[Writer]) -> None:
    """From the invitation to the victory; the game master begins it on the page."""
    gm, *people = confirmed(ctx, "Gwen", *NAMES)
    id_ = create(ctx, gm, 2)
    factions = list(rulesets.load("wh40k-2001").factions)
    for actor in people:
        seats.invite_user(ctx, gm, id_, actor.name)
    exchange(ctx)
    for writer, faction in zip(writers, factions, strict=False):
        writer.read()
        writer.answer(f"JOIN as {faction}")
    exchange(ctx)
    assert [seat.user for seat in campaigns.get(ctx, gm, id_).seats] == list(NAMES)
    campaign_start.start(ctx, gm, id_)
    for _ in range(40):
        exchange(ctx)
        if campaigns.get(ctx, gm, id_).status != "running":
            break
        for writer, actor in zip(writers, people, strict=True):
            writer.read()
            now = orders.read(ctx, actor, id_)
            if now.wanted and not now.final:
                writer.order(positions.position(ctx, actor, id_).view)
    over = campaigns.get(ctx, gm, id_)
    assert over.status == "finished"
