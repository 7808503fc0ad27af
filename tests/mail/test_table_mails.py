"""Mails about battles on the table: what is proposed, and the agreed date with a file for calendar programs."""

from __future__ import annotations

from datetime import timedelta

from server.mail.compose import compose
from server.mail.letters import Letter
from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.notices import delivery
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.play.tables import acts, battle_agreements
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


def at_the_table(found: list[Letter], hex_: str) -> dict[str, list[str]]:
    """Return by reader the lines of a list that begin with a hex."""
    lines = {letter.name: [line for part in letter.parts for line in part.items] for letter in found}
    return {name: [line for line in own if line.startswith(hex_)] for name, own in lines.items()}


def test_a_moved_deadline_says_whose_action_the_table_waits_for(ctx: AppContext) -> None:
    """In the words of the phones: to the players by name, to a player by what they do."""
    fought = Fought(ctx)
    addressed(ctx, **{fought.red.name: "en", fought.blue.name: "de"})
    fought.start("clash_of_patrols")
    letters(ctx)
    due = ctx.now() + timedelta(days=3)
    game_master.set_due(ctx, fought.gm, fought.made.id, due, "The battle is being played.")
    told = at_the_table(letters(ctx), fought.hex)
    assert told[fought.red.name] == [f"{fought.hex}: Declare your army"]
    assert told[fought.blue.name] == [f"{fought.hex}: Sage deine Armee an"]
    acts.submit(ctx, fought.red, fought.id, 0, {"do": "declare", "units": ["r1"]})
    game_master.set_due(ctx, fought.gm, fought.made.id, due + timedelta(days=1), "Longer.")
    told = at_the_table(letters(ctx), fought.hex)
    assert told[fought.red.name] == [f"{fought.hex}: {fought.blue.name} declares an army"]
    assert told[fought.blue.name] == [f"{fought.hex}: Sage deine Armee an"]
