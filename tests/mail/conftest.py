from __future__ import annotations

from asyncio import Server
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from server.mail.services import mailers
from server.play.context import Actor, AppContext
from server.play.notices import delivery
from server.settings import Settings
from server.store.database import Database
from server.store.tables import User
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, clock
from tests.stages import staged
from tests.store.conftest import database, kind, postgresql_database

__all__ = ["clock", "database", "kind", "postgresql_database"]


@dataclass
class PostOffice:
    """What a real mail server was handed, and what it says to addresses it does not like."""

    got: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    """By address."""
    at_the_end: str = ""
    """What it says to every mail instead of taking it."""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[Any]
    ) -> str:
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.at_the_end:
            return self.at_the_end
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.got.append(message)
        self.recipients += envelope.rcpt_tos
        return "250 OK"

    def to(self, name: str) -> list[EmailMessage]:
        """Return the mails somebody got, by the name they are addressed to."""
        return [each for each in self.got if each["To"].addresses[0].display_name == name]


def text_of(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(message: EmailMessage) -> str:
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


class Post(Controller):
    """The server; it signs nobody in but ``club`` with its password."""

    def __init__(self, office: PostOffice) -> None:
        super().__init__(office, hostname="127.0.0.1", port=0, authenticator=_known, auth_require_tls=False)
        self.connections = 0
        """How many were opened so far."""

    def factory(self) -> Any:
        """Make the protocol of one connection."""
        self.connections += 1
        return super().factory()

    def _trigger_server(self) -> None:
        assert isinstance(self.server, Server)
        self.port = self.server.sockets[0].getsockname()[1]  # it asked for any
        super()._trigger_server()


def _known(server: object, session: object, envelope: object, mechanism: str, given: object) -> object:
    right = isinstance(given, LoginPassword) and (given.login, given.password) == (b"club", b"open sesame")
    return AuthResult(success=right, handled=False)


@pytest.fixture
def office() -> PostOffice:
    return PostOffice()


@pytest.fixture
def post(office: PostOffice) -> Iterator[Post]:
    server = Post(office)
    server.start()
    yield server
    server.stop()


def mail_settings(post: Controller, *, mail_from: str = "The Club <club@example.org>", **more: Any) -> Settings:
    """Return the settings of a server that sends its mails to this one, and whatever else a test wants."""
    return Settings(
        _env_file=None,
        public_url="https://play.example.org",
        smtp_host="127.0.0.1",
        smtp_port=post.port,
        smtp_tls="none",
        mail_from=mail_from,
        **more,
    )


def drain(ctx: AppContext) -> int:
    """Send all that is due, and what comes of it; return how many mails that were."""
    count = 0
    while done := delivery.deliver(ctx, mailers(ctx)):
        count += done
    return count


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post) -> Iterator[AppContext]:
    own = AppContext(database, mail_settings(post), clock)
    yield own
    own.close()


def addressed(ctx: AppContext, **locales: str) -> None:
    """Give everybody a confirmed address; some another language than English."""
    with ctx.database.write() as session:
        for user in session.query(User):
            user.email, user.email_confirmed_at = f"{user.name.lower()}@example.org", ctx.now()
            user.locale, user.time_zone = locales.get(user.name, "en"), "Europe/Berlin"


def informed(ctx: AppContext) -> Club:
    """Make a campaign that has just started, and whose people have addresses and their first mails."""

    def prepare() -> tuple[Actor, dict[str, Actor], str]:
        made = club(ctx)
        addressed(ctx)
        drain(ctx)
        return made.gm, made.players, made.id

    gm, players, id_ = staged(ctx, "informed", prepare)
    return Club(ctx, gm, dict(players), id_)
