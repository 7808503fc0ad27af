"""Mails handed to a real SMTP server: once, again when it fails, and no more where nobody wants them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from server.mail.sender import MAX_REFUSALS
from server.play.accounts import links
from server.play.context import AppContext
from server.play.messages import messages
from server.play.notices import delivery
from server.play.notices.delivery import WAITS, Item
from server.play.notices.posting import Unsendable
from server.settings import Settings
from server.store import outbox
from server.store.tables import Outbox
from tests.mail.conftest import Post, PostOffice, addressed, drain
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person


def with_settings(ctx: AppContext, **more: object) -> AppContext:
    return replace(ctx, settings=Settings.model_validate(ctx.settings.model_dump() | more))


def rows(ctx: AppContext) -> list[Outbox]:
    with ctx.database.read() as session:
        return list(session.scalars(select(Outbox).where(Outbox.kind == "mail").order_by(Outbox.id)))


def link(ctx: AppContext, address: str = "ada@example.org") -> None:
    person(ctx, "Ada")
    addressed(ctx)
    links.request_link(ctx, address)


def write_to_ada(ctx: AppContext) -> Callable[[str], None]:
    made: Club = club(ctx)
    addressed(ctx)
    drain(ctx)

    def write(text: str) -> None:
        messages.send(ctx, made.players["p2"], made.id, ["p1"], text)

    return write


def test_a_mail_is_sent_once(ctx: AppContext, office: PostOffice) -> None:
    link(ctx)
    assert drain(ctx) == 1
    assert drain(ctx) == 0
    assert office.recipients == ["ada@example.org"]
    assert rows(ctx)[0].sent_at == ctx.now()


def test_several_processes_send_it_once(ctx: AppContext, office: PostOffice) -> None:
    club(ctx)
    addressed(ctx)
    threads = [threading.Thread(target=drain, args=(ctx,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(office.got) == len({each["Message-ID"] for each in office.got}) == 8


@pytest.mark.parametrize("answer", ["451 later", "421 closing"])
def test_what_fails_for_now_is_tried_again_under_the_same_id(
    ctx: AppContext, office: PostOffice, clock: Clock, answer: str
) -> None:
    link(ctx)
    office.refusals["ada@example.org"] = answer
    drain(ctx)
    assert answer[:3] in rows(ctx)[0].last_error
    assert rows(ctx)[0].failed_at is None
    office.refusals.clear()
    assert drain(ctx) == 0
    clock.forward(seconds=WAITS[0])
    assert drain(ctx) == 1
    assert len(office.got) == 1
    assert rows(ctx)[0].attempts == 2


def test_a_server_that_is_away_is_waited_for(ctx: AppContext, post: Post, office: PostOffice, clock: Clock) -> None:
    link(ctx)
    away = with_settings(ctx, smtp_port=1)
    drain(away)
    assert "Error" in rows(ctx)[0].last_error
    clock.forward(minutes=2)
    drain(ctx)
    assert len(office.got) == 1


@pytest.mark.parametrize("kind_of_row", ["mail", "webhook"])
def test_every_try_waits_at_least_twice_as_long_as_the_one_before(
    ctx: AppContext, clock: Clock, kind_of_row: str
) -> None:
    """After the last one it is given up. Seen to fail when every wait is the first one."""
    with ctx.database.write() as session:
        outbox.put(session, kind_of_row, "a/notice", {"about": "nothing", "webhook_id": "none"}, ctx.now())

    def away(item: Item) -> None:
        raise Unsendable("nobody answers")

    def tried() -> int:
        return delivery.deliver(ctx, {kind_of_row: away})

    def given_up() -> bool:
        with ctx.database.read() as session:
            return session.scalars(select(Outbox)).one().failed_at is not None

    assert all(later >= 2 * earlier for earlier, later in pairwise(WAITS))
    assert tried() == 1
    for wait in WAITS:
        assert not given_up()
        clock.forward(seconds=wait - 1)
        assert tried() == 0
        clock.forward(seconds=1)
        assert tried() == 1
    assert given_up()
    clock.forward(days=10)
    assert tried() == 0


def test_an_address_refused_for_good_is_noted_and_not_tried_again(
    ctx: AppContext, office: PostOffice, clock: Clock
) -> None:
    link(ctx)
    office.refusals["ada@example.org"] = "550 5.1.1 no such user"
    with capture_logs() as logs:
        drain(ctx)
    (row,) = rows(ctx)
    assert row.failed_at == ctx.now()
    assert row.last_error == "ada@example.org was refused: 550 5.1.1 no such user"
    assert [log["event"] for log in logs] == ["an address was refused for good"]
    assert "example.org" not in str(logs)
    clock.forward(days=3)
    assert drain(ctx) == 0


def test_an_address_that_refuses_everything_is_left_in_peace(ctx: AppContext, office: PostOffice, clock: Clock) -> None:
    write = write_to_ada(ctx)
    office.refusals["ada@example.org"] = "550 no"
    for number in range(MAX_REFUSALS + 1):
        clock.forward(minutes=1)
        write(f"Letter {number}.")
        drain(ctx)
    said = [row.last_error for row in rows(ctx)[-MAX_REFUSALS - 1 :]]
    assert said[:-1] == ["ada@example.org was refused: 550 no"] * MAX_REFUSALS
    assert said[-1].startswith("ada@example.org has refused too many mails")
    links.request_link(ctx, "ada@example.org")  # what somebody asks for is tried all the same
    office.refusals.clear()
    before = len(office.got)
    clock.forward(minutes=1)
    drain(ctx)
    assert len(office.got) == before + 1
    clock.forward(minutes=1)
    write("And now?")
    drain(ctx)
    assert "And now?" in str(office.got[-1])


def test_a_mail_the_server_does_not_want_is_given_up(ctx: AppContext, office: PostOffice) -> None:
    link(ctx)
    office.at_the_end = "554 spam"
    drain(ctx)
    assert rows(ctx)[0].failed_at is not None
    assert "554 spam" in rows(ctx)[0].last_error.replace("(554, 'spam')", "554 spam")


def test_signing_in(ctx: AppContext, office: PostOffice, clock: Clock) -> None:
    link(ctx)
    drain(with_settings(ctx, smtp_user="club", smtp_password="wrong"))
    assert "Authentication" in rows(ctx)[0].last_error
    assert rows(ctx)[0].failed_at is None
    assert "wrong" not in rows(ctx)[0].last_error
    clock.forward(hours=0.1)
    drain(with_settings(ctx, smtp_user="club", smtp_password="open sesame"))
    assert len(office.got) == 1


def test_nothing_goes_out_in_the_clear_unless_it_is_allowed(ctx: AppContext, office: PostOffice) -> None:
    link(ctx)
    drain(with_settings(ctx, smtp_tls="starttls"))
    assert office.got == []
    assert rows(ctx)[0].last_error


@pytest.mark.parametrize("address", ['"a b"@example.org', "a..b@example.org", "ä@example.org", ".a@example.org"])
def test_strange_addresses_stop_nobody_else(ctx: AppContext, office: PostOffice, address: str) -> None:
    link(ctx)
    with ctx.database.write() as session:
        payload = {"about": "link", "purpose": "sign_in", "to": address, "token_id": "x"}
        outbox.put(session, "mail", "strange", payload, ctx.now())
        outbox.put(session, "mail", "broken", payload | {"to": "b@\r\nBcc: c@example.org"}, ctx.now())
    drain(ctx)
    assert "ada@example.org" in office.recipients
    assert "c@example.org" not in office.recipients
    assert all(row.sent_at or row.failed_at for row in rows(ctx))


def test_without_a_server_mails_wait_and_the_operator_is_told(ctx: AppContext) -> None:
    link(ctx)
    with capture_logs() as logs:
        assert drain(with_settings(ctx, smtp_host="")) == 0
    assert "SEALED_ORDERS_SMTP_HOST" in logs[0]["event"]
    assert rows(ctx)[0].attempts == 0


def test_mails_in_the_log(ctx: AppContext) -> None:
    link(ctx)
    with capture_logs() as logs:
        drain(with_settings(ctx, smtp_host="", mail_to_log=True))
    assert logs[0]["subject"] == "Your sign-in link"
    assert "https://play.example.org/link?token=" in logs[0]["text"]
    assert rows(ctx)[0].sent_at is not None
