"""Programs that answer mails and do not say that they are programs: they get a few answers, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from server.mail.answering import unanswered
from server.mail.answering.receive import MAX_ALIKE, receive
from server.play.context import AppContext
from server.play.orders import orders
from server.settings import Settings
from server.store.tables import InboundMail
from tests.mail.conftest import PostOffice, drain, informed, text_of
from tests.mail.test_answering import as_lines, chosen, mail, seat_tag
from tests.play.campaigns import Club
from tests.play.conftest import Clock


@pytest.fixture
def ctx(ctx: AppContext) -> AppContext:
    """Return the server with an address for orders."""
    more = {"mail_orders": "orders@example.org"}
    return replace(ctx, settings=Settings.model_validate(ctx.settings.model_dump() | more))


@pytest.fixture
def made(ctx: AppContext, office: PostOffice) -> Club:
    made = informed(ctx)
    office.got.clear()
    return made


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: the rows are counted alike everywhere."""
    return "sqlite"


def outcomes(made: Club, texts: list[str], *, first: int = 0) -> list[str]:
    to = seat_tag(made)
    return [receive(made.ctx, dated(mail(to, text, f"<{n}@robot.example>"), n)) for n, text in enumerate(texts, first)]


def dated(raw: bytes, number: int) -> bytes:
    """Return a mail with a date of its own: the same words at the same time would be the same mail."""
    return raw.replace(b"18:04:05", f"18:{number // 60:02}:{number % 60:02}".encode())


def answers(made: Club, office: PostOffice) -> list[str]:
    drain(made.ctx)
    return [" ".join(text_of(found).split()) for found in office.to("Ada")]


MAILS = MAX_ALIKE + 3
ROBOTS = {
    "counts its tickets": [f"Thank you, your ticket is {n}. We will be in touch." for n in range(MAILS)],
    "says nothing": [""] * MAILS,
    "asks the same for ever": ["HELP"] * MAILS,
}


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_program_that_does_not_say_so_is_answered_five_times(
    made: Club, office: PostOffice, clock: Clock, robot: str
) -> None:
    """It writes again whenever it is answered. Seen to fail when ``count_repeats`` never counts."""
    before = unanswered["nothing_new"]
    found = []
    for number, text in enumerate(ROBOTS[robot]):
        clock.forward(minutes=90)
        found += outcomes(made, [f"{text}\n"], first=number)
    assert found == ["answered"] * MAX_ALIKE + ["nothing_new"] * (MAILS - MAX_ALIKE)
    told = answers(made, office)
    assert [("Further emails like these get no answer" in text) for text in told] == [False] * (MAX_ALIKE - 1) + [True]
    assert unanswered["nothing_new"] - before == MAILS - MAX_ALIKE


def test_the_first_mail_that_says_something_is_answered(made: Club, office: PostOffice) -> None:
    """And the count begins anew. Seen to fail when ``end_others`` does nothing."""
    robot = [f"Ticket {n}" for n in range(MAX_ALIKE + 2)]
    assert outcomes(made, robot)[-1] == "nothing_new"
    wanted = chosen(made)
    assert outcomes(made, [as_lines(wanted)], first=100) == ["answered"]
    assert list(orders.read(made.ctx, made.players["p1"], made.id).orders) == wanted
    assert outcomes(made, ["Ticket again"], first=300) == ["answered"]


def test_the_same_orders_again_are_carried_out_without_an_answer(made: Club, office: PostOffice) -> None:
    """Seen to fail when ``count_repeats`` never counts."""
    text = as_lines(chosen(made))
    assert outcomes(made, [f"{text}\n\n{' ' * n}FINAL" for n in range(MAX_ALIKE + 1)])[-1] == "nothing_new"
    orders.take_back(made.ctx, made.players["p1"], made.id, number=made.info.phase_number)
    assert outcomes(made, [f"{text}\n{' ' * 9}FINAL"], first=50) == ["nothing_new"]
    assert orders.read(made.ctx, made.players["p1"], made.id).final


def test_refused_orders_are_answered_every_time(made: Club) -> None:
    """What begins like an order is a person's. Seen to fail when every refused mail counts as saying nothing."""
    tries = [f"place a castle in the air at {n:04}" for n in range(MAX_ALIKE + 3)]
    assert set(outcomes(made, tries)) == {"answered"}


def test_another_tag_has_a_row_of_its_own(made: Club) -> None:
    """Seen to fail when all tags share a row."""
    outcomes(made, [f"Ticket {n}" for n in range(MAX_ALIKE + 1)])
    assert receive(made.ctx, mail(seat_tag(made, "p2"), "Ticket", "<p2@robot.example>")) == "answered"


def test_no_tag_is_kept(made: Club) -> None:
    """Seen to fail when the row is named by the tag itself: it would authorise whoever reads a copy of the database."""
    outcomes(made, ["Ticket"])
    tag = seat_tag(made).partition("+")[2].partition("@")[0]
    with made.ctx.database.read() as session:
        kept = [f"{row.message_id} {row.outcome}" for row in session.scalars(select(InboundMail))]
    assert kept
    assert not [row for row in kept if tag in row]
