"""Letters and declarations: who reads what, threads, unread marks, and nothing that breaks out."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from tests.api.club import Club, found
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

NASTY = "<script>alert(1)</script>\"'>{{7*7}}"


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 3)


def _in(visitor: Visits, name: str, club: Club) -> tuple[Visitor, str]:
    came = visitor(name)
    path = f"/campaigns/{club.id}/people"
    came.get(path)
    return came, path


def test_a_letter_and_its_answer(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    ben, _ = _in(visitor, "Ben", club)
    cat, _ = _in(visitor, "Cat", club)
    ann.post(path, to=["p2"], subject="The north", body="Shall we?")
    page = ben.get(path)
    assert "Shall we?" in page
    assert "1 new message" in page
    assert "Shall we?" not in cat.get(path)
    answer = re.search(r"\?reply=(\w+)#write", page)
    assert answer
    page = ben.get(f"{path}?reply={answer[1]}")
    assert re.search(r'name="to" value="p1" checked', page)
    ben.post(path, to=["p1"], subject="The north", body="No.", reply_to=answer[1])
    page = ann.get(path)
    assert page.count("<article") == 1
    assert page.index("Shall we?") < page.index("No.")
    ann.post(f"{path}/read")
    assert "new message" not in ann.get(path)


def test_the_tab_counts_what_was_not_read(club: Club, visitor: Visits) -> None:
    """Seen to fail where letters of others count, and where the strip that pages reload does not bring it along."""
    ann, path = _in(visitor, "Ann", club)
    ben, _ = _in(visitor, "Ben", club)
    cat, _ = _in(visitor, "Cat", club)
    ann.post(path, to=["p2"], subject="One", body="One")
    ann.post(path, to=["p2"], subject="Two", body="Two")
    badge = '<span class="badge accent count">2<span class="visually-hidden"> unread messages</span></span>'
    page = f"/campaigns/{club.id}"
    assert badge in ben.get(page)
    live = ben.get(f"{page}/now")
    assert badge in live
    assert 'id="unread" hx-swap-oob="true"' in live
    assert badge in ben.get(f"{page}/rules")  # a page of another frame
    for other in (ann, cat, visitor()):
        assert "badge accent count" not in other.get(page)
    ben.post(f"{path}/read")
    assert "badge accent count" not in ben.get(page)


def test_nothing_typed_is_lost(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    page = ann.post(path, 422, to=["p2"], subject="The <b>north</b>", body="  ", in_character="1")
    assert "Must not be empty." in page
    assert 'value="The &lt;b&gt;north&lt;/b&gt;"' in page
    assert re.search(r'name="to" value="p2" checked', page)
    assert "Choose the recipients." in ann.post(path, 422, body="To nobody")
    assert "To nobody" in ann.post(path, 422, body="To nobody")


def test_hostile_letters(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    ann.post(path, to=["all", "gm"], subject=NASTY, body="\u202e" + NASTY * 200)
    ann.post(f"{path}/declarations", kind="war", toward="p2", public="1", words=NASTY)
    for name in ("Ann", "Ben", "Gus"):
        page = _in(visitor, name, club)[0].get(path)
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


def test_declarations(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    ann.post(f"{path}/declarations", kind="truce", toward="p2", words="Until turn six.")
    assert "Until turn six." in _in(visitor, "Ben", club)[0].get(path)
    assert "Until turn six." not in _in(visitor, "Cat", club)[0].get(path)
    assert "Choose another player of this campaign." in ann.post(f"{path}/declarations", 422, kind="war", toward="p1")


def test_the_game_masters_letters(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    gm, _ = _in(visitor, "Gus", club)
    ann.post(path, to=["gm"], body="May I?")
    assert "1 new message" in gm.get("/")
    assert "May I?" in gm.get(path)
    gm.post(path, to=["p1"], body="You may.")
    assert "You may." in ann.get(path)
    assert "You may." not in _in(visitor, "Ben", club)[0].get(path)


def test_only_those_who_play_or_run_it(club: Club, visitor: Visits) -> None:
    dora = visitor("Dora")
    for path in ("", "/letters", "/declarations"):
        dora.get(f"/campaigns/{club.id}/people{path}", 403)
    dora.post(f"/campaigns/{club.id}/people", 403, to=["all"], body="Hello")


def test_an_alliance_is_accepted_or_declined_where_it_is_read(club: Club, visitor: Visits) -> None:
    ann, path = _in(visitor, "Ann", club)
    ben, _ = _in(visitor, "Ben", club)
    cat, _ = _in(visitor, "Cat", club)
    for other in ("p2", "p3"):
        ann.post(f"{path}/declarations", kind="alliance", toward=other)
    assert 'value="accept"' not in ann.get(path), "nobody answers themselves"
    for reader, answer in ((ben, "accept"), (cat, "decline")):
        assert 'value="accept"' in reader.get(path)
        reader.post(f"{path}/declarations/answer", toward="p1", answer=answer)
        assert 'value="accept"' not in reader.get(path), "answered"
    page = ann.get(path)
    assert "I decline the alliance." in page
    assert page.count("<strong>Alliance</strong>") >= 3, "two proposals and an answer"
