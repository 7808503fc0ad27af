"""Mails that a real mail server hands over by LMTP, and mails that are looked for in a real mailbox; also huge ones."""

from __future__ import annotations

import smtplib
from asyncio import Server
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from server.mail.answering import imap, lmtp
from server.mail.answering.lmtp import Delivery
from server.play.context import AppContext
from server.play.notices import reply_tags
from server.play.notices.reply_tags import Tag
from server.play.orders import orders
from server.settings import Settings
from server.store.database import Database
from tests.mail import dovecot
from tests.mail.conftest import Post, PostOffice, addressed, drain, mail_settings, text_of
from tests.mail.dovecot import Dovecot
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock

needs_dovecot = pytest.mark.skipif(bool(dovecot.missing()), reason=f"dovecot is {dovecot.missing()}")
HUGE = 30_000_000


class Listening(Delivery):
    """Listens on any free port."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: it is the way in that is tried."""
    return "sqlite"


@pytest.fixture(scope="module")
def mailboxes() -> Iterator[Dovecot]:
    with dovecot.running() as server:
        yield server


@pytest.fixture
def ctx(database: Database, clock: Clock, post: Post) -> Iterator[AppContext]:
    settings = mail_settings(post, mail_orders="orders@example.org", lmtp_listen="127.0.0.1:0")
    own = AppContext(database, settings, clock)
    yield own
    own.close()


@pytest.fixture
def made(ctx: AppContext, office: PostOffice) -> Club:
    found = club(ctx)
    addressed(ctx)
    drain(ctx)
    office.got.clear()
    return found


@pytest.fixture
def listening(ctx: AppContext) -> Iterator[Listening]:
    server = Listening(ctx)
    server.start()
    yield server
    server.stop()


def address(made: Club) -> str:
    tag = Tag("seat", made.id, "p1", made.info.branch, made.info.phase_number)
    return reply_tags.address(made.ctx, tag, made.players["p1"].user_id)


def mail(to: str, text: str, id_: str = "<1@home.example>") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = "Ada <ada@home.example>", to, id_
    message.set_content(text)
    return message.as_bytes()


def hand_over(port: int, raw: bytes, to: str) -> None:
    with smtplib.LMTP("127.0.0.1", port) as there:
        there.sendmail("ada@home.example", [to], raw)


def test_lmtp_takes_a_mail_when_what_it_does_is_stored(made: Club, listening: Listening, office: PostOffice) -> None:
    hand_over(listening.port, mail("undisclosed:;", "HELP"), address(made))
    drain(made.ctx)
    assert "Write one order per line" in text_of(office.to("Ada")[-1])


def test_lmtp_leaves_a_mail_with_the_server_while_nothing_can_be_stored(
    made: Club, listening: Listening, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server comes again, and then it counts: nothing is lost."""

    def fails(*given: object) -> str:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(lmtp, "receive", fails)
        with pytest.raises(smtplib.SMTPDataError) as refused:
            hand_over(listening.port, mail(address(made), "HELP"), address(made))
        assert refused.value.smtp_code == 451
    hand_over(listening.port, mail(address(made), "HELP"), address(made))
    drain(made.ctx)
    assert len(office.to("Ada")) == 1


def test_lmtp_refuses_a_huge_mail_for_good(made: Club, listening: Listening) -> None:
    """Its sender's own server tells them; 30 MB are not read."""
    raw = mail(address(made), "FINAL") + b"x" * 78 + b"\r\n" * (HUGE // 2)
    with pytest.raises(smtplib.SMTPException) as refused:
        hand_over(listening.port, raw, address(made))
    assert "552" in str(refused.value)
    hand_over(listening.port, mail(address(made), "HELP"), address(made))


@needs_dovecot
def test_a_huge_mail_in_the_mailbox_is_answered_and_the_next_is_read(
    made: Club, mailboxes: Dovecot, office: PostOffice
) -> None:
    """Its begin says whose it is; the rest is not fetched."""
    more = {
        "imap_host": "127.0.0.1", "imap_port": mailboxes.imap_port, "imap_tls": "none",
        "imap_user": "orders@example.org", "imap_password": dovecot.PASSWORD,
    }  # fmt: skip
    settings = Settings.model_validate(made.ctx.settings.model_dump() | more)
    ctx = AppContext(made.ctx.database, settings, made.ctx.now)
    to = address(made)
    mailboxes.deliver(mail(to, "FINAL\n" + ("x" * 70 + "\n") * (HUGE // 71)), to)
    mailboxes.deliver(mail(to, "HELP", "<2@home.example>"), to)
    assert imap.read_unseen(ctx) == 2
    drain(made.ctx)
    told = [" ".join(text_of(answer).split()) for answer in office.to("Ada")]
    assert "too large" in told[0]
    assert "Write one order per line" in told[1]
    assert orders.read(made.ctx, made.players["p1"], made.id).revision == 0
    assert imap.read_unseen(ctx) == 0


@pytest.mark.parametrize(
    ("version", "modern"), [("2.3.19.1 (9b53102964)", False), ("2.4.1-4 (7d8c0e5759)", True), ("2.10.0", True)]
)
def test_dovecot_is_set_up_as_its_version_asks(tmp_path: Path, version: str, modern: bool) -> None:
    """2.4 refuses a file that does not begin with its version, and renamed settings. Seen to fail with 2.3's form."""
    lines = dovecot.configuration(tmp_path, Dovecot(1143, 1124), version).splitlines()
    names = {line.split("=")[0].strip() for line in lines}
    old = {"mail_location", "disable_plaintext_auth", "driver", "args", "passdb {", "userdb {"}
    new = {"dovecot_storage_version", "mail_driver", "mail_path", "mail_home", "auth_allow_cleartext",
           "passdb static {", "userdb static {", "passdb_static_password", "userdb_static_allow_all_users"}  # fmt: skip
    assert lines[0].startswith("dovecot_config_version = 2.4") == modern
    assert names >= (new if modern else old)
    assert not names & (old if modern else new)
    assert any("%u" in line for line in lines) != modern
    assert any("%{user}" in line for line in lines) == modern
