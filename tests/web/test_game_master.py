"""The game master's pages: what will happen is said before it does; only the game master gets in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.api.club import Club, found, play_of
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

Running = tuple[Club, Visitor, str]


@pytest.fixture
def running(client: TestClient, visitor: Visits) -> Running:
    """A campaign in its second phase, and its game master at their page."""
    club = found(client, 2, then=Club.pass_phase)
    return club, visitor("Gus"), f"/campaigns/{club.id}/gm"


def _facts(page: str) -> str:
    return unescape("\n".join(re.findall(r"<li dir=\"auto\">(.*?)</li>", page)))


def test_only_the_game_master(running: Running, visitor: Visits) -> None:
    club, _, path = running
    ann = visitor("Ann")
    for page in ("", "/advance", "/edit", "/orders", "/options", "/delete", "/rollback/1", "/seats/p1", "/waiting",
                 "/offer"):  # fmt: skip
        ann.get(path + page, 403)
    for page in ("/advance", "/announce", "/pause", "/deadline", "/finish", "/delete", "/rollback/1", "/code", "/offer",
                 "/offer/take-back"):  # fmt: skip
        ann.post(path + page, 403, why="x", body="x", due="2040-01-01T10:00", number="1")
    assert club.open()["status"] == "running"


def test_advance_says_who_is_waited_for(running: Running) -> None:
    club, gm, path = running
    club.players[0].post(f"{club.path}/orders/final", {"number": 2}, status=200)
    facts = _facts(gm.get(f"{path}/advance"))
    assert "Turn 1, Build ends now" in facts
    assert "Not final yet: Ben." in facts
    assert "Ben: the defaults apply" in facts
    gm.post(f"{path}/advance", number="2", why="It is late.")
    assert club.open()["phase_number"] > 2
    page = gm.get(path)
    assert "The phase has ended." in page
    assert "It is late." in page


def test_advance_of_a_phase_that_has_passed(running: Running) -> None:
    club, gm, path = running
    club.pass_phase()
    number = club.open()["phase_number"]
    assert "Another phase is open now." in gm.post(f"{path}/advance", 409, number="2")
    assert club.open()["phase_number"] == number


def test_deadline(running: Running) -> None:
    club, gm, path = running
    gm.post(f"{path}/deadline", extend="24")
    first = club.open()["deadline"]
    gm.post(f"{path}/deadline", extend="72")
    assert club.open()["deadline"] > first
    past = gm.post(f"{path}/deadline", 422, due="2001-01-01T10:00", why="Snow")
    assert "Must be in the future" in past
    assert 'value="Snow"' in past
    assert "Enter a date and a time." in gm.post(f"{path}/deadline", 422, due="tomorrow")
    gm.post(f"{path}/deadline", none="1")
    assert "Deadline removed." in gm.get(path)
    assert club.open()["deadline"] is None


def test_what_a_click_would_do_to_the_deadline(running: Running) -> None:
    _, gm, path = running
    due = datetime(datetime.now(UTC).year + 1, 3, 4, 18, tzinfo=UTC)
    shown, day_later, days_later = (f"{due + timedelta(days=days):%a} {4 + days} Mar, 18:00" for days in (0, 1, 3))
    gm.post(f"{path}/deadline", due=f"{due:%Y-%m-%dT%H:%M}")
    page = gm.get(path)
    assert f"This phase is due {shown}" in page
    assert re.search(rf"Moved a deadline</strong>\s*due {shown}", page)
    assert f"Then due {day_later}" in page
    assert f"Then due {days_later}" in page
    gm.post(f"{path}/pause")
    page = gm.get(path)
    assert f"the deadline of {shown} moves by the length of the pause" in page
    assert "Then due" not in page


def test_pause_and_resume(running: Running) -> None:
    club, gm, path = running
    gm.post(f"{path}/pause", why="Holidays")
    assert club.open()["status"] == "paused"
    assert "The campaign is paused." in gm.get(path)
    gm.post(f"{path}/resume")
    assert club.open()["status"] == "running"


def test_rollback_says_what_it_abandons(running: Running) -> None:
    club, gm, path = running
    club.pass_phase()
    club.pass_phase()
    facts = _facts(gm.get(f"{path}/rollback/2"))
    assert "Turn 1, Build reopens" in facts
    assert "phases no longer count: Turn 1 · Build, " in facts
    assert "Must not be empty." in gm.post(f"{path}/rollback/2", 422, why="")
    assert club.open()["branch"] == 1
    gm.post(f"{path}/rollback/2", why="<i>Wrong</i> dice")
    assert (club.open()["branch"], club.open()["phase"]) == (2, "build")
    page = gm.get(path)
    assert "&lt;i&gt;Wrong&lt;/i&gt; dice" in page
    assert "Branch 2" in page
    gm.get(f"{path}/rollback/99", 404)
    gm.get(f"{path}/rollback/x", 404)


def test_edits_are_shown_before_they_are_made(running: Running) -> None:
    club, gm, path = running
    assert "Nothing yet." in gm.get(f"{path}/edit?kind=set+vp")
    page = gm.post(f"{path}/edit", 200, kind="set vp", edits="", add="1", field__player="p1", field__vp="9")
    same = gm.post(f"{path}/edit", 200, kind="set vp", edits="", add="1", field__player="p1", field__vp="0")
    assert "No change" in same
    assert "make" not in re.findall(r'<button name="(\w+)"', same)
    assert "No change" not in page
    assert re.search(r"Player: VP.*Ann.*0.*<strong>9</strong>", page, re.DOTALL)
    assert "Set victory points · Player: Ann · VP: 9" in re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page))
    edits = unescape(re.search(r'<textarea name="edits"[^>]*>(.*?)</textarea>', page, re.DOTALL)[1])  # type: ignore[index]
    page = gm.post(f"{path}/edit", 422, kind="set owner", edits=edits, add="1", field__hex="9999", field__owner="p1")
    assert "<strong>2. Change the owner of a hex · Hex:</strong> Choose a hex of the map." in page
    assert "1. Set victory points" in page
    assert "make" not in re.findall(r'<button name="(\w+)"', page)
    page = gm.post(f"{path}/edit", 422, kind="set vp", edits=edits, make="1", why="")
    assert "Must not be empty." in page
    assert "<strong>9</strong>" in page
    gm.post(f"{path}/edit", kind="set vp", edits=edits, make="1", why="A bet")
    found = club.gm.get(f"{club.path}/view")["state"]["players"]
    assert next(each["vp"] for each in found if each["id"] == "p1") == 9


def test_what_edits_do_is_told_by_names(running: Running) -> None:
    club, gm, path = running
    assert "This position has none." in gm.get(f"{path}/edit?kind=remove+convoy")
    unit = {"name": "Guards", "slot": "troops", "models": 10, "points": 100}
    made = [{"do": "add", "what": "detachment", "owner": "p1", "hex": "0606", "name": "One", "units": [unit]},
            {"do": "add", "what": "convoy", "owner": "p1", "hex": "0606", "bp": 100}]  # fmt: skip
    page = gm.post(f"{path}/edit", 200, kind="set vp", edits=json.dumps(made), look="1")
    assert re.search(r"Convoy</th><td[^>]*>New<", page)
    gm.post(f"{path}/edit", kind="set vp", edits=json.dumps(made), make="1", why="A gift")
    (id_,) = club.gm.get(f"{club.path}/view")["state"]["detachments"]
    gone = json.dumps([{"do": "remove", "what": "detachment", "id": id_}])
    page = gm.post(f"{path}/edit", 200, kind="set vp", edits=gone, look="1")
    assert re.search(r"Detachment</th><td[^>]*>Ann: One 0606<", page)


def test_a_new_force_without_a_name_gets_a_usual_one(running: Running) -> None:
    """Seen to fail: the form said so, and the name was then asked for."""
    club, gm, path = running
    unit = {"name": "Guards", "slot": "troops", "models": "10", "points": "100", "mobility": "infantry"}
    fields = {f"field.units.0.{name}": value for name, value in unit.items()}
    page = gm.post(
        f"{path}/edit", 200, kind="add detachment", add="1", **{"field.owner": "p1", "field.hex": "0606"}, **fields
    )
    (edits,) = re.findall(r'<textarea name="edits"[^>]*>([^<]*)</textarea>', page)
    gm.post(f"{path}/edit", kind="set vp", edits=unescape(edits), make="1", why="A gift")
    (made,) = club.gm.get(f"{club.path}/view")["state"]["detachments"].values()
    assert made["name"]


def test_the_overview_counts_hexes_as_they_are_now(running: Running) -> None:
    club, gm, path = running

    def hexes() -> list[int]:
        page = gm.get(f"/campaigns/{club.id}/players")
        return [int(each) for each in re.findall(r'<td class="number">(\d+)</td>', page)][1::2]

    before = hexes()
    owned = list(club.gm.get(f"{club.path}/view")["state"]["owner"].values())
    assert before == [owned.count("p1"), owned.count("p2")]
    gm.post(
        f"{path}/edit",
        kind="set vp",
        make="1",
        why="A bet",
        edits='[{"do": "set", "what": "owner", "hex": "0706", "owner": "p1"}]',
    )
    assert hexes() == [before[0] + 1, before[1]]


def test_hostile_edits(running: Running) -> None:
    _, gm, path = running
    for typed in ("{", "[1", '{"a": 1}', "nonsense <b>"):
        page = gm.post(f"{path}/edit", 422, edits=typed, look="1")
        assert "<b>" not in page
    for typed in ("[1]", '[{"do": "set"}]', '["<script>"]', '[{"do": {}, "what": [], "<b>": 1}]', "[null]"):
        page = gm.post(f"{path}/edit", 422, edits=typed, look="1")
        assert "An edit must be one of" in page
        assert "<script>&" not in page
        assert "<b>" not in page


def _each_form(gm: Visitor, path: str, check: Callable[[str], None]) -> None:
    for kind in re.findall(r'<option value="(\w+ \w+)"', gm.get(f"{path}/edit")):
        check(gm.get(f"{path}/edit?kind={kind.replace(' ', '+')}"))
        gm.post(f"{path}/edit", 200 if kind == "set system_control" else 422, kind=kind, edits="", add="1")


def test_every_guided_form_can_be_sent_empty(running: Running) -> None:
    _, gm, path = running

    def check(page: str) -> None:
        assert "edit-fields" in page

    _each_form(gm, path, check)


def test_seats(running: Running, visitor: Visits) -> None:
    club, gm, path = running
    visitor("Cat")
    refused = gm.post(f"{path}/seats/p2", 404, name="Nobody", why="Ben moved away.")
    assert "There is no account with that name." in refused
    assert "not visible to you" not in refused
    assert 'value="Ben moved away."' in refused
    gm.post(f"{path}/seats/p2", name="Cat", why="Ben moved away.")
    assert [seat["user"] for seat in club.open()["seats"]] == ["Ann", "Cat"]
    log = gm.get(path).partition('class="plain log"')[2]
    assert re.search(r'Changed a seat</strong>\s*<span class="seat" data-seat="2"', log)
    gm.post(f"{path}/seats/p2/stand-in", stand_in="bot")
    assert "Stand-in saved." in gm.get(path)
    visitor("Eve")
    gm.post(f"{path}/seats/p2/stand-in", stand_in="user", substitute="Eve")
    assert 'name="substitute" maxlength="40" autocomplete="off" value="Eve"' in gm.get(f"{path}/seats/p2")
    assert [seat["substitute"] for seat in club.players[0].get(club.path)["seats"]] == [None, None]
    gm.post(f"{path}/seats/p2", nobody="1")
    assert not club.open()["seats"][1]["taken"]
    gm.get(f"{path}/seats/p9", 404)


def test_announce(running: Running) -> None:
    club, gm, path = running
    gm.post(f"{path}/announce", subject="Hello", body="Club night on Friday.")
    letters = club.players[0].get(f"{club.path}/messages")["items"]
    assert [(letter["announcement"], letter["body"]) for letter in letters] == [(True, "Club night on Friday.")]
    assert 'value="Hello"' in gm.post(f"{path}/announce", 422, subject="Hello", body="")


def test_ending_says_for_how_long_one_can_go_back(
    client: TestClient, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail: it said that everything became public, though the record stays sealed for three days."""
    _, gm, path = running
    assert "public at once" in _facts(gm.get(f"{path}/finish"))
    monkeypatch.setitem(vars(play_of(client).settings), "seal_hours", 72)
    assert "You can still go back for 72 hours." in _facts(gm.get(f"{path}/finish"))


def test_finish_export_archive_delete_restore(running: Running) -> None:
    club, gm, path = running
    assert "without a winner" in _facts(gm.get(f"{path}/finish"))
    gm.post(f"{path}/finish", why="Enough")
    page = gm.get(path)
    assert f"/api/v1{club.path}/record" in page
    assert "Open now" not in page
    assert "Not resolved" in page
    gm.post(f"{path}/archive")
    gm.post(f"{path}/delete")
    assert "This campaign is deleted" in gm.get(path)
    gm.post(f"{path}/restore")
    assert club.open()["status"] == "archived"
    page = gm.get(path)
    for told in ("Ended the campaign", "Archived the campaign", "Deleted the campaign", "Restored the campaign"):
        assert f"<strong>{told}</strong>" in page


def test_no_page_explains_what_cannot_be_done(running: Running, visitor: Visits) -> None:
    club, gm, path = running
    leave = f"/campaigns/{club.id}/leave"

    def refused(*pages: str) -> None:
        for page in pages:
            assert "The campaign is" in gm.get(f"{path}/{page}", 409), page

    refused("archive", "start")
    visitor("Ann").get(f"{path}/start", 403)
    gm.get(leave, 403)
    club.gm.post(f"{club.path}/pause", {}, status=204)
    refused("advance")
    for each in ("finish", "delete", "edit", "seats/p1", "options"):
        gm.get(f"{path}/{each}")
    club.gm.post(f"{club.path}/finish", {}, status=204)
    refused("finish", "advance", "edit", "seats/p1")
    gm.get(f"{path}/archive")
    assert "The campaign is finished" in visitor("Ann").get(leave, 409)
    club.gm.post(f"{club.path}/archive", {}, status=204)
    refused("archive", "finish", "options")
    gm.get(f"{path}/delete")
    club.gm.ask("DELETE", club.path, status=200)
    refused("delete", "finish")


def test_orders_only_where_the_campaign_says_so(client: TestClient, visitor: Visits, running: Running) -> None:
    _, gm, path = running
    assert "does not see orders" in gm.get(f"{path}/orders", 403)
    open_ = found(client, 2, suffix="2", options={"gm_sees_orders": True})
    other = visitor("Gus2")
    assert "No orders." in other.get(f"/campaigns/{open_.id}/gm/orders")
    ann = open_.players[0]
    order = {"type": "place", "what": "capital", "at": "1003"}
    ann.put(f"{open_.path}/orders", {"orders": [order]})
    assert "Capital in 1003" in other.get(f"/campaigns/{open_.id}/gm/orders")


def test_webhooks_show_their_key_once(running: Running) -> None:
    _, gm, path = running
    page = gm.post(f"{path}/webhooks", 200, url="https://hooks.example.org/x", format="standard")
    assert "whsec_" in page
    assert "whsec_" not in gm.get(path)
    assert "This server cannot send to that address." in gm.post(
        f"{path}/webhooks", 422, url="ftp://x", format="standard"
    )
