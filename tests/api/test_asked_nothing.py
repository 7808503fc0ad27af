"""Whether a phase asks a seat nothing is nobody else's business: two campaigns that differ only in that look the same.

Ben's detachments, which nobody else sees, are ready for Movement in one campaign and recover in its twin. In the first,
Ben is late or declares final; the twin asks Ben nothing. All others do the same in both.

Seen to fail: with finality shown in every phase; with ``wanted`` told to everybody, ``missed`` in the seats; with
``Options.ends_early`` always true, where campaigns hide times.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session, undefer

from server.app import create_app
from server.play.accounts.tokens import authenticate
from server.play.context import AppContext
from server.play.notices import notices
from server.play.orders import orders
from server.play.records.records import open_phase, state_at
from server.play.resolution.phase_opening import wanted_from
from server.play.schedule import ticker
from server.rules.codec import encode, state_hash
from server.rules.state import MOVEMENT
from server.store.position import save_position
from server.store.snapshots import pack
from server.store.tables import Campaign, LiveEvent, OrderSet, Outbox, Phase
from tests.api.asking import operations
from tests.api.club import Club, found, play_of
from tests.api.conftest import settings_for
from tests.api.people import Person, sign_up
from tests.api.test_secrecy import Asking, play_phase
from tests.play.conftest import Clock, clock
from tests.store import databases

__all__ = ["clock"]

HOURS = 48
BEN = "p2"


def until_movement(club: Club) -> None:
    """Play on into a Movement phase in which everybody has something to order."""
    for _ in range(30):
        with play_of(club.gm.client).database.read() as session:
            asked = [row.wanted for row in rows(session, club)]
        if club.open()["phase"] == MOVEMENT and all(asked):
            return
        play_phase(club)
    pytest.fail("nobody moves")


def rows(session: Session, club: Club) -> list[OrderSet]:
    """Return the order sets of the open phase."""
    campaign = session.get_one(Campaign, club.id)
    mine = (OrderSet.campaign_id == club.id, OrderSet.phase_number == campaign.phase_number)
    return list(session.scalars(select(OrderSet).where(*mine).order_by(OrderSet.player_id)))


def ask_nothing(ctx: AppContext, club: Club) -> None:
    """Make the phase one that asks Ben nothing: Ben's detachments recover."""
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, club.id)
        now_open = open_phase(session, campaign)
        assert now_open is not None
        before = state_at(ctx, session, campaign, now_open.record)
        after = before.copy()
        for force in [detachment for detachment in after.detachments.values() if detachment.owner == BEN]:
            force.ready_in = 2
        save_position(session, club.id, before, after)
        number = campaign.phase_number - 1
        query = select(Phase).where(Phase.campaign_id == club.id, Phase.number == number)
        kept = session.scalars(query.options(undefer(Phase.snapshot))).one()
        kept.snapshot, kept.state_hash = pack(encode(after)), state_hash(after)
        wanted = wanted_from(after)
        assert [seat for seat, asked in wanted.items() if not asked] == [BEN]
        for row in rows(session, club):
            row.wanted = wanted[row.player_id]


@contextmanager
def app(url: URL, clock: Clock) -> Iterator[TestClient]:
    with TestClient(create_app(settings_for(url), clock=clock), base_url="http://127.0.0.1:8000") as client:
        yield client


class Twin:
    """One of the two campaigns, at a server of its own."""

    def __init__(self, client: TestClient, club: Club, watcher: Person) -> None:
        self.ctx = play_of(client)
        people = [Person(client, each.name, each.secret) for each in (club.gm, *club.players, watcher)]
        self.gm, *self.players = people[:-1]
        self.watcher = people[-1]
        self.club = Club(self.gm, self.players, club.campaign)

    def final(self, place: int) -> None:
        """Have a player declare what is there final."""
        actor = authenticate(self.ctx, self.players[place].secret)
        orders.declare_final(self.ctx, actor, self.club.id)

    def public(self) -> dict[str, Any]:
        """Return all that Ann, Cat and a spectator are told, over HTTP, in their streams and by mail."""
        told: dict[str, Any] = {}
        for person in (self.players[0], self.players[2], self.watcher):
            asking = Asking(person, self.club, [], ["0101", "0505"], range(1, self.club.open()["phase_number"] + 1))
            told |= {f"{person.name} {what}": answer for what, answer in asking.everything().items()}
            told |= self._sent(person)
        return told

    def _sent(self, person: Person) -> dict[str, Any]:
        actor = authenticate(self.ctx, person.secret)
        with self.ctx.database.read() as session:
            topics = notices.campaign_topics(self.ctx, actor, self.club.id)
            events = select(LiveEvent).where(LiveEvent.topic.in_(topics)).order_by(LiveEvent.topic, LiveEvent.number)
            mails = select(Outbox).where(Outbox.user_id == actor.user_id).order_by(Outbox.dedupe)
            return {
                f"{person.name} stream": [(e.topic, e.number, e.kind, e.data, e.at) for e in session.scalars(events)],
                f"{person.name} mail": [(m.kind, m.dedupe, m.payload, m.created_at) for m in session.scalars(mails)],
            }


@contextmanager
def twins(url: URL, clock: Clock, **more: bool) -> Iterator[tuple[Twin, Twin]]:
    """Make the two; the second asks Ben nothing."""
    options = {"deadlines": {"kind": "rolling", "hours": HOURS}, "warn_hours": [24], **more}
    with app(url, clock) as client:
        club = found(client, 3, then=until_movement, options=options, rules={"turn_limit": 9})
        watcher = sign_up(client, "Eve")
        play_of(client).database.close()
        with databases.copied(url) as copy, app(copy, clock) as other:
            pair = Twin(client, club, watcher), Twin(other, club, watcher)
            ask_nothing(pair[1].ctx, club)
            yield pair


def same(pair: tuple[Twin, Twin]) -> None:
    """Hold the two against each other."""
    one, other = (each.public() for each in pair)
    assert len(one) > 3 * len(operations()) / 4
    assert [what for what in one if one[what] != other[what]] == []
    assert one.keys() == other.keys()


def test_asked_nothing_looks_like_missed(url: URL, clock: Clock) -> None:
    """Cat keeps the phase open to its deadline, so that it ends at the same time in both."""
    with twins(url, clock) as pair:
        for twin in pair:
            twin.final(0)
        same(pair)
        clock.forward(hours=HOURS)
        for twin in pair:
            ticker.tick(twin.ctx)
        same(pair)
        assert [seat["missed"] for seat in pair[0].club.open()["seats"]][1] == 1
        assert [seat["missed"] for seat in pair[1].club.open()["seats"]][1] == 0


def test_asked_nothing_looks_like_final(url: URL, clock: Clock) -> None:
    """The phase ends early in both, with the last who is asked."""
    with twins(url, clock) as pair:
        for twin in pair:
            twin.final(0)
        pair[0].final(1)
        same(pair)
        for twin in pair:
            twin.final(2)
        same(pair)


def test_where_phases_last_until_their_deadline_not_even_their_end_tells(url: URL, clock: Clock) -> None:
    """Everybody else is final: without the option the twin's phase ends then, and the other's at its deadline."""
    with twins(url, clock, until_deadline=True) as pair:
        for twin in pair:
            twin.final(0)
            twin.final(2)
            ticker.tick(twin.ctx)
        same(pair)
        opened = [each.club.open()["phase_number"] for each in pair]
        clock.forward(hours=HOURS)
        for twin in pair:
            ticker.tick(twin.ctx)
        same(pair)
        assert [each.club.open()["phase_number"] for each in pair] == [number + 1 for number in opened]
