"""What many mails share: a connection to the mail server, and the picture of the same map. Counted, not timed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope, Session

from server.mail import briefing
from server.mail.services import mailers
from server.play.background import Background, ProcessLost
from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.notices import delivery
from server.render import png
from server.render.sheets import Sheets
from tests.mail.conftest import Post, PostOffice, addressed, drain
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: nothing here depends on it."""
    return "sqlite"


@pytest.fixture
def made(ctx: AppContext, office: PostOffice) -> Club:
    """Return a campaign whose mails so far have gone out; Eve stands in for Ada, in German, and both are told."""
    made = club(ctx, phases=5)
    person(ctx, "Eve")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")
    seats.go_away(ctx, made.players["p1"], made.id, ctx.now() + timedelta(days=9))
    addressed(ctx, Eve="de")
    drain(ctx)
    office.got.clear()
    return made


def drawn_maps(monkeypatch: pytest.MonkeyPatch) -> list[Sheets]:
    """Return a list in which every map stands that is made into pixels from now on."""
    drawn: list[Sheets] = []
    small_png = png.small_png

    def counted(sheets: Sheets, *given: Any) -> bytes:
        drawn.append(sheets)
        return small_png(sheets, *given)

    monkeypatch.setattr(briefing, "small_png", counted)
    return drawn


def map_of(mail: EmailMessage) -> bytes:
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    return bytes(picture.get_payload(decode=True))


def test_a_batch_goes_over_one_connection(made: Club, office: PostOffice, post: Post) -> None:
    """Seen to fail with a connection for each mail: five of them."""
    before = post.connections
    made.play_phase()
    assert delivery.deliver(made.ctx, mailers(made.ctx)) == 5
    assert (len(office.got), post.connections - before) == (5, 1)


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "451 later"])
def test_a_refusal_ends_the_mail_and_not_the_connection(
    made: Club, office: PostOffice, post: Post, answer: str
) -> None:
    before = post.connections
    office.refusals["ada@example.org"] = answer
    made.play_phase()
    delivery.deliver(made.ctx, mailers(made.ctx))
    assert (len(office.got), post.connections - before) == (4, 1)


def test_a_server_that_hangs_up_between_two_mails_is_called_again(
    made: Club, office: PostOffice, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every mail goes out at the first try. Seen to fail when the old connection is not tried before a mail."""
    taken = office.handle_DATA

    async def taken_once(server: Any, session: Session, envelope: Envelope) -> str:
        said = await taken(server, session, envelope)
        server.loop.call_later(0, server.transport.close)
        return said

    monkeypatch.setattr(office, "handle_DATA", taken_once)
    before = post.connections
    made.play_phase()
    delivery.deliver(made.ctx, mailers(made.ctx))
    assert (len(office.got), post.connections - before) == (5, 5)
    assert len({mail["Message-ID"] for mail in office.got}) == 5


def test_a_map_is_made_once_for_all_who_get_it(made: Club, office: PostOffice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada and who stands in for her see the same, in two languages. Seen to fail without the memo: five maps."""
    drawn = drawn_maps(monkeypatch)
    made.play_phase()
    drain(made.ctx)
    assert (len(office.got), len(drawn)) == (5, 4)
    ada, eve, bob = (map_of(office.to(name)[-1]) for name in ("Ada", "Eve", "Bob"))
    assert ada == eve
    assert ada != bob, "and nobody gets a map that shows what only another knows"


def test_a_mail_that_is_tried_again_has_its_map_already(
    made: Club, office: PostOffice, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = drawn_maps(monkeypatch)
    office.at_the_end = "451 later"
    made.play_phase()
    drain(made.ctx)
    office.at_the_end = ""
    clock.forward(minutes=2)
    drain(made.ctx)
    assert (len(office.got), len(drawn)) == (5, 4)


def test_another_process_makes_the_pixels(made: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are answered meanwhile: making them holds the interpreter. Seen to fail when they are made here."""
    view, elsewhere = made.view("p1"), Background(processes=1)
    here = briefing.map_picture(made.ctx, view)
    made.ctx.caches.pictures.clear()
    monkeypatch.setattr("server.render.png.to_png", None)
    assert briefing.map_picture(replace(made.ctx, background=elsewhere), view) == here
    elsewhere.close()


def test_where_that_process_is_lost_the_mail_is_tried_again(made: Club, office: PostOffice, clock: Clock) -> None:
    class Lost(Background):
        def in_process(self, *_given: Any, **_named: Any) -> Any:
            raise ProcessLost

    made.play_phase()
    drain(replace(made.ctx, background=Lost(processes=1)))
    assert office.got == []
    clock.forward(minutes=2)
    drain(made.ctx)
    assert len(office.got) == 5
