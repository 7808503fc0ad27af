"""A map and a ruleset of one's own on *New campaign*: looked at with a picture first, then played.

Seen to fail: with ``OwnFiles.kept`` left empty, for the campaign made with the next click; with ``own.just_uploaded``
not asked, for files that made a campaign unseen; with a ruleset's problems left as they are, for half a one: a 500;
with ``game_data.ruleset_data`` giving the map's ruleset as the source of what is wrong.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from html import unescape
from importlib import resources
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server import rulesets
from server.play.accounts.tokens import authenticate
from server.play.campaigns import campaigns
from server.play.context import Actor, AppContext
from server.scenarios import library
from server.scenarios.writer import FILE
from tests.api.club import play_of
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

NEW = "/campaigns/new"
TITLE = "The Club's Pass"
RULES = (resources.files(rulesets) / "frontier.toml").read_bytes()
CHOSEN: dict[str, Any] = {
    "name": "Ours",
    "scenario": "four-corners",
    "rules__turn_limit": "20",
    "options__deadlines": "none",
}


@pytest.fixture
def ann(visitor: Visits) -> Visitor:
    came = visitor("Ann")
    came.get(NEW)
    return came


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


def own(**changed: Any) -> bytes:
    """Return the file of a map of one's own."""
    data = json.loads((library.home() / "the-pass" / FILE).read_bytes()) | {"title": TITLE} | changed
    return json.dumps(data).encode()


def kept(page: str) -> dict[str, Any]:
    """Return what the form sends along: the texts of the files."""
    return {name: unescape(text) for name, text in re.findall(r'name="(own_\w+)" value="([^"]*)"', page)}


def chosen(page: str) -> dict[str, Any]:
    """Return what the form sends that a page shows: the map that is marked on it, and the files."""
    marked = re.search(r'name="scenario" value="([^"]*)"[^>]* checked>', page)
    return CHOSEN | {"scenario": marked[1] if marked else ""} | kept(page)


def nothing_made(ctx: AppContext, ann: Visitor) -> bool:
    return TITLE not in ann.get("/") and "Ours" not in ann.get("/campaigns")


def test_a_map_is_shown_with_a_picture_before_it_is_played(ctx: AppContext, ann: Visitor) -> None:
    page = ann.upload(NEW, {"scenario_file": own()}, **CHOSEN)
    assert 'src="data:image/svg+xml;base64,' in page
    assert unescape(page).count(TITLE) >= 2
    assert "The campaign is not created yet" in page.partition('action="/campaigns/new"')[0]
    assert nothing_made(ctx, ann)
    where = ann.post(NEW, **chosen(page))
    made = campaigns.get(ctx, ann_of(ctx, ann), where.split("/")[2].partition("?")[0])
    assert (made.name, made.scenario_title) == ("Ours", TITLE)


def ann_of(ctx: AppContext, ann: Visitor) -> Actor:
    return authenticate(ctx, ann.cookies["sealed_orders_session"])


def test_a_ruleset_of_ones_own_is_kept_with_the_campaign(ctx: AppContext, ann: Visitor) -> None:
    rules = RULES.replace(b'name = "', b'name = "Club ', 1)
    page = ann.upload(NEW, {"scenario_file": own(), "ruleset_file": rules}, **CHOSEN)
    assert set(kept(page)) == {"own_scenario", "own_ruleset"}
    assert "Club " in page
    where = ann.post(NEW, **chosen(page))
    assert "Club " in ann.get(f"/campaigns/{where.split('/')[2].partition('?')[0]}/rules")


def test_what_is_wrong_with_a_map_is_said_where_it_is(ctx: AppContext, ann: Visitor) -> None:
    """Each problem stands in a list, beside a picture; nothing is made, and what else was typed is there again."""
    data = json.loads(own())
    terrain = {sign: "lava" if land == "hills" else land for sign, land in data["terrain"].items()}
    page = ann.upload(NEW, {"scenario_file": own(terrain=terrain)}, 422, **CHOSEN)
    assert "lava" in page
    assert '<span class="badge bad">' in page
    assert marks(page) == sum(row.count("h") for row in data["board"])
    assert 'value="Ours"' in page
    assert nothing_made(ctx, ann)
    ann.post(NEW, 422, **chosen(page))
    assert nothing_made(ctx, ann)


def marks(page: str) -> int:
    """Return how many hexes are marked in the picture of a page."""
    drawn = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    assert drawn
    return b64decode(drawn[1]).decode().count("<polygon")


@pytest.mark.parametrize(
    ("changed", "marked"),
    [
        ({"title": 5}, 0), ({"starts": []}, 0), ({"roads": [["0101", "0505"]]}, 1), ({"surprise": 1}, 0),
        ({"starts": [{"name": "A", "centre": "9999", "radius": 1}]}, 0), ({"board": ["...", "."]}, 2),
    ],
)  # fmt: skip
def test_what_can_be_drawn_of_a_broken_map_is_drawn(ann: Visitor, changed: dict[str, Any], marked: int) -> None:
    """Seen to fail: only maps without a fault had a picture, so nobody saw where the faults were."""
    page = ann.upload(NEW, {"scenario_file": own(**changed)}, 422, **CHOSEN)
    assert marks(page) == marked


def test_a_map_without_a_board_has_no_picture(ann: Visitor) -> None:
    page = ann.upload(NEW, {"scenario_file": own(board=[7])}, 422, **CHOSEN)
    assert "data:image/svg+xml" not in page


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("scenario_file", b"{"), ("scenario_file", b"\xff\xfe"), ("scenario_file", b"[1]"), ("scenario_file", b"{}"),
        ("scenario_file", b" " * 1_000_001), ("ruleset_file", b"= 3"), ("ruleset_file", b"\xff\xfe"),
        ("ruleset_file", b'name = "Half"'),
    ],
)  # fmt: skip
def test_what_is_no_map_or_ruleset_is_refused(ctx: AppContext, ann: Visitor, name: str, content: bytes) -> None:
    page = ann.upload(NEW, {name: content}, 422, **CHOSEN)
    assert 'class="problem" role="alert"' in page
    assert nothing_made(ctx, ann)


def test_what_is_wrong_with_a_ruleset_is_said_of_it(ann: Visitor) -> None:
    """And not of the ruleset that the map names."""
    page = ann.upload(NEW, {"ruleset_file": RULES.replace(b"cost = ", b"kost = ", 1)}, 422, **CHOSEN)
    assert re.search(r"</span> ruleset: [\w.]+: is missing</li>", page)


def test_a_map_of_the_server_is_chosen_after_all(ctx: AppContext, ann: Visitor) -> None:
    """Seen to fail: the page showed a map of the server as chosen beside the uploaded one, which was played."""
    page = ann.upload(NEW, {"scenario_file": own()}, **CHOSEN)
    assert 'name="scenario"' in page
    assert chosen(page)["scenario"] == ""
    page = ann.post(NEW, 200, **CHOSEN, **kept(page), look="1")
    assert kept(page) == {}
    assert TITLE not in unescape(page)
    assert chosen(page)["scenario"] == "four-corners"


def test_nothing_breaks_out_of_a_file(ann: Visitor) -> None:
    page = ann.upload(NEW, {"scenario_file": own(title='"><script>alert(1)</script>')}, **CHOSEN)
    assert "<script>alert(1)" not in page
    page = ann.upload(NEW, {"scenario_file": b'{"title": "</textarea><script>alert(1)</script>"}'}, 422, **CHOSEN)
    assert "<script>alert(1)" not in page
