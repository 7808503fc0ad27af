"""The page of the map is made anew as soon as anything that it shows is different, in every process, for everybody.

Two processes are asked as everybody after each change, and what they send is compared with a page that was filled in
without any memory. Seen to fail with a statement that forgets orders, letters, the reader's account, other campaigns,
or edits; with a digest without the session, the language that the browser asks for, or the address; with what is kept
for everybody alike; and with a page that is filled in outside of the moment of its digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any

import pytest
from fastapi import Response
from fastapi.testclient import TestClient
from sqlalchemy import ColumnElement
from sqlalchemy.engine import URL

from server.app import create_app
from server.play.accounts import accounts
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.game_masters import game_master, handover, rollback
from server.play.messages import messages
from server.play.views import campaign_digest
from server.store.tables import Message, MessageRecipient, OrderSet, User
from server.web.page_context import FLASH_COOKIE, PageContext
from server.web.routers import table
from tests.api.club import play_of
from tests.api.conftest import settings_for
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaign_reads import changed, changes
from tests.store.statements import statements
from tests.web.visitor import Visitor

LATER = datetime(2033, 3, 3, tzinfo=UTC)
_Seen = dict[tuple[str, str], tuple[int, str]]


@pytest.fixture
def client(url: URL) -> Iterator[TestClient]:
    """A process whose clock stands still: who signed in is believed all the time."""
    with TestClient(create_app(settings_for(url), clock=Clock()), base_url="http://127.0.0.1:8000") as found:
        yield found


@pytest.fixture
def other(url: URL, client: TestClient) -> Iterator[TestClient]:
    """Another process on the same database."""
    with TestClient(create_app(settings_for(url), clock=Clock()), base_url="http://127.0.0.1:8000") as found:
        yield found


class Everywhere:
    """Asks both processes for the page as everybody, and compares with one that was filled in without any memory."""

    def __init__(
        self, client: TestClient, other: TestClient, made: Club, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.clients = (client, other)
        self.made, self.monkeypatch = made, monkeypatch
        self.path = f"/campaigns/{made.id}/table"
        self.people = {name: Visitor(client, named) for name, named in names.items()} | {
            "nobody": Visitor(client), "niemand": Visitor(client, language="de"),
        }  # fmt: skip
        self.before = self.check()

    def seen(self, client: TestClient) -> _Seen:
        """Return what everybody is sent, with their own seat and asking for another's."""
        found = {}
        for name, visitor in self.people.items():
            visitor.client = client
            for query in ("", "?seat=p2"):
                answer = visitor._ask("GET", self.path + query)
                found[name, query] = (answer.status_code, answer.headers.get("location", "") + answer.text)
        return found

    def check(self) -> _Seen:
        """Return what everybody is to see; both processes show it, anew and from memory."""
        with self.monkeypatch.context() as without:
            without.setattr(campaign_digest, "of_map", lambda *_: None)
            without.setattr(campaign_digest, "of_campaign", lambda *_: token_hex(16))
            truth = self.seen(self.clients[0])
        for client in (*self.clients, *self.clients):
            told = self.seen(client)
            assert [who for who in truth if told[who] != truth[who]] == []
        return truth

    def unlike(self) -> None:
        """Check, and that what was done shows."""
        after = self.check()
        assert after != self.before
        self.before = after


NAMES = {"p1": "Ada", "p2": "Bob", "gm": "Gwen", "eve": "Eve", "root": "Root"}


def of_the_page(made: Club) -> Iterator[tuple[Any, ColumnElement[bool], dict[str, Any]]]:
    """Yield table, row and values of what changes the page alone, a row and a column at a time."""
    here = (OrderSet.campaign_id == made.id) & (OrderSet.phase_number == made.info.phase_number)
    of_user: dict[str, Any] = {
        "name": "New", "locale": "de", "time_zone": "Asia/Tokyo", "email": "new@example.org",
        "email_confirmed_at": LATER, "disabled_at": LATER,
    }  # fmt: skip
    rows: tuple[tuple[Any, Any, dict[str, Any]], ...] = (
        (OrderSet, here & (OrderSet.player_id == "p2"), {"wanted": False, "final": True}),
        (User, User.id == made.players["p1"].user_id, of_user),
        (MessageRecipient, MessageRecipient.player_id == "p1", {"read_at": LATER}),
        (Message, Message.body == "A question.", {"gm_read_at": LATER, "to_gm": False}),
        (Message, Message.body == "Well met.", {"sender": "p1"}),
    )
    for table_, row, values in rows:
        for name, value in values.items():
            yield table_.__table__, row, {name: value}


def test_whatever_changes_the_page_is_shown_at_once(
    client: TestClient, other: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = play_of(client)
    made = club(ctx, phases=1)
    eve, root = person(ctx, "Eve"), person(ctx, "Root", admin=True)
    assert root.admin
    handover.offer(ctx, made.gm, made.id, "Bob", "I move.")
    person(ctx, "Fay")
    seats.invite_user(ctx, made.gm, made.id, "Fay")
    seats.choose_stand_in(ctx, made.players["p2"], made.id, "user", substitute="Eve")
    seats.go_away(ctx, made.players["p2"], made.id, ctx.now() + timedelta(days=30))
    game_master.set_due(ctx, made.gm, made.id, ctx.now() + timedelta(days=3), "A reason.")
    messages.send(ctx, made.players["p2"], made.id, ["p1"], "Well met.")
    messages.send(ctx, made.players["p1"], made.id, ["gm"], "A question.")
    with ctx.database.write() as session:
        session.get_one(User, made.players["p1"].user_id).email = "ada@example.org"
    everywhere = Everywhere(client, other, made, NAMES, monkeypatch)
    own = list(of_the_page(made))
    for table_, row, values in (*own, *changes(made, eve, "p2")):
        with changed(ctx, table_, row, values):
            now = everywhere.check()
        if (table_, row, values) in own:
            assert now != everywhere.before, (table_.name, values)
    everywhere.check()


def test_nothing_is_stale_or_somebody_elses(
    client: TestClient, other: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx, theirs = play_of(client), play_of(other)
    made = club(ctx, phases=1)
    people = {name: person(ctx, name) for name in ("Eve", "Root")}
    everywhere = Everywhere(client, other, made, NAMES, monkeypatch)
    assert len(set(everywhere.before.values())) > len(NAMES)  # for each of them another
    again = Club(theirs, made.gm, made.players, made.id)
    again.order("p1", final=True)
    everywhere.unlike()
    made.order("p1", final=False)
    everywhere.unlike()
    made.play_phase()
    everywhere.unlike()
    seats.choose_stand_in(theirs, made.players["p1"], made.id, "user", substitute="Eve")
    seats.go_away(ctx, made.players["p1"], made.id, ctx.now() + timedelta(days=30))
    everywhere.unlike()
    accounts.change_profile(theirs, made.players["p3"], name="Cydonia")
    everywhere.unlike()
    game_master.edit(theirs, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p1", "vp": 7}], "A reason.")
    everywhere.unlike()
    game_master.set_due(ctx, made.gm, made.id, ctx.now() + timedelta(days=3), "A reason.")
    everywhere.unlike()
    campaigns.create(theirs, people["Eve"], campaigns.NewCampaign("Another", "the-pass"))
    elsewhere = campaigns.create(theirs, made.gm, campaigns.NewCampaign("Elsewhere", "the-pass"))
    everywhere.check()
    seats.join(theirs, made.players["p2"], elsewhere.id, faction="orks")  # who plays two campaigns knows how it goes
    everywhere.unlike()
    game_master.replace_player(ctx, made.gm, made.id, "p4", "Eve")
    everywhere.unlike()
    campaigns.pause(theirs, made.gm, made.id)
    everywhere.unlike()
    campaigns.change(theirs, made.gm, made.id, options={"spectators": False})
    everywhere.unlike()
    campaigns.change(ctx, made.gm, made.id, listed=False)
    everywhere.unlike()
    campaigns.resume(ctx, made.gm, made.id)
    everywhere.unlike()
    rollback.roll_back(theirs, made.gm, made.id, made.info.phase_number - 1, "A reason.")
    everywhere.unlike()
    again.players["p4"] = people["Eve"]
    again.play_phase()
    everywhere.unlike()
    campaigns.finish(ctx, made.gm, made.id, "A reason.")
    everywhere.unlike()
    campaigns.remove(theirs, made.gm, made.id)
    everywhere.unlike()


def test_a_game_master_who_plays_sees_what_a_player_sees(
    client: TestClient, other: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx, theirs = play_of(client), play_of(other)
    made = club(ctx, options={"gm_plays": True}, begin=False)
    seats.leave(ctx, made.players.pop("p4"), made.id)
    seats.join(ctx, made.gm, made.id, faction="orks", seat="p4")
    campaign_start.start(ctx, made.gm, made.id)
    everywhere = Everywhere(client, other, made, {"gm": "Gwen", "p1": "Ada"}, monkeypatch)
    seats.leave(theirs, made.gm, made.id)
    everywhere.unlike()


def test_who_has_signed_out_or_closed_their_account_sees_no_page_of_theirs(
    client: TestClient, other: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = play_of(client)
    made = club(ctx, phases=1)
    everywhere = Everywhere(client, other, made, {"p1": "Ada", "p2": "Bob"}, monkeypatch)
    ada = everywhere.people["p1"]
    ada.client = client
    secret = dict(ada.cookies)
    ada.post("/sign-out")
    ada.cookies = secret  # somebody who has kept the cookie
    stranger = everywhere.before["nobody", ""][1]
    assert ada.get(everywhere.path) == stranger
    with ctx.database.write() as session:
        session.get_one(User, made.players["p2"].user_id).disabled_at = ctx.now()
    bob = everywhere.people["p2"]
    bob.client = client
    assert bob.get(everywhere.path) == stranger  # this process asked again who they are; the other one has not
    bob.client = other
    assert bob._ask("GET", everywhere.path).headers["location"].startswith("/sign-in")


def test_a_session_of_ones_own_has_a_page_of_its_own(client: TestClient) -> None:
    """What a page sends along with each write belongs to its session."""
    made = club(play_of(client), phases=1)
    pages = [Visitor(client, "Ada").get(f"/campaigns/{made.id}/table") for _ in range(2)]
    assert pages[0] != pages[1]


def test_what_is_said_once_is_said_once(client: TestClient) -> None:
    made = club(play_of(client), phases=1)
    ada = Visitor(client, "Ada")
    path = f"/campaigns/{made.id}/table"
    plain = ada.get(path)
    ada.cookies[FLASH_COOKIE] = "joined"
    assert 'class="said" role="status"' in ada.get(path)
    del ada.cookies[FLASH_COOKIE]
    assert ada.get(path) == plain


def test_a_piece_for_htmx_is_nobody_elses_page(client: TestClient) -> None:
    """Seen to fail: the page of a stranger led from its door to another place."""
    made = club(play_of(client), phases=1)
    stranger, path = Visitor(client), f"/campaigns/{made.id}/table"
    stranger._ask("GET", path, headers={"HX-Request": "true"})
    assert f"/sign-in?next={path}" in stranger.get(path)


def test_the_etag_is_of_the_bytes_and_spares_who_has_them(client: TestClient) -> None:
    made = club(play_of(client), phases=1)
    ada, path = Visitor(client, "Ada"), f"/campaigns/{made.id}/table"
    tags = [ada._ask("GET", path).headers["etag"] for _ in range(2)]
    assert tags[0] == tags[1]
    unchanged = ada._ask("GET", path, headers={"If-None-Match": tags[0]})
    assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", tags[0])
    made.order("p2")
    assert ada._ask("GET", path, headers={"If-None-Match": tags[0]}).status_code == 200


def test_the_page_and_its_digest_are_of_one_moment(
    client: TestClient, other: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process changes between the two, and changes back, is in no page that is kept."""
    made = club(play_of(client), phases=1)
    again = Club(play_of(other), made.gm, made.players, made.id)
    ada, path, fill = Visitor(client, "Ada"), f"/campaigns/{made.id}/table", table._table
    truth = ada.get(path)

    def meanwhile(page: PageContext, campaign_id: str) -> Response:
        accounts.change_profile(again.ctx, made.players["p2"], name="Bobby")
        try:
            return fill(page, campaign_id)
        finally:
            accounts.change_profile(again.ctx, made.players["p2"], name="Bob")

    play_of(client).caches.bodies.clear()
    with monkeypatch.context() as changed_meanwhile:
        changed_meanwhile.setattr(table, "_table", meanwhile)
        assert ada.get(path) == truth
    assert ada.get(path) == truth


def test_one_statement_answers(client: TestClient) -> None:
    made = club(play_of(client), phases=1)
    ada, path = Visitor(client, "Ada"), f"/campaigns/{made.id}/table"
    ada.get(path)
    with statements(play_of(client).database) as found:
        ada.get(path)
    assert len(found) == 1
