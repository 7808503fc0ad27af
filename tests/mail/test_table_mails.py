"""Mails about battles on the table: what is proposed, and the agreed date with a file for calendar programs."""

from __future__ import annotations

from datetime import timedelta

from server.mail.compose import compose
from server.mail.letters import Letter
from server.play.context import AppContext
from server.play.notices import delivery
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.play.tables import battle_agreements
from tests.mail.conftest import addressed
from tests.play.test_table_battles import Fought


def letters(ctx: AppContext) -> list[Letter]:
    """Return the mails that are due."""
    found: list[Letter] = []

    def write(item: Item) -> None:
        try:
            found.append(compose(ctx, item))
        except PermanentFailure:
            return

    while delivery.deliver(ctx, {"mail": write}):
        pass
    return found


def test_both_sides_get_the_agreed_date_for_their_calendars(ctx: AppContext) -> None:
    fought = Fought(ctx)
    addressed(ctx, **{fought.red.name: "en", fought.blue.name: "de"})
    letters(ctx)
    battle_agreements.propose_date(ctx, fought.red, fought.id, ctx.now() + timedelta(days=5), "Club room")
    (asked,) = letters(ctx)
    assert (asked.name, asked.calendar) == (fought.blue.name, b"")
    battle_agreements.answer(ctx, fought.blue, fought.id, 1, agree=True)
    agreed = [letter for letter in letters(ctx) if letter.calendar]
    assert sorted(letter.name for letter in agreed) == sorted([fought.red.name, fought.blue.name])
    assert all(b"LOCATION:Club room" in letter.calendar for letter in agreed)
    assert all(any("Club room" in part.text for part in letter.parts) for letter in agreed)
