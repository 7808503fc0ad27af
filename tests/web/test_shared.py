"""A public campaign elsewhere: cross-origin reads, pictures, previews of links, the feed.

Secrecy: picture and feed are the same bytes for everyone, and a campaign that is not listed names itself nowhere.
Seen to fail: with the picture drawn for who asks; with the feed read as who asks; with the condition of a preview, of
the campaign or of its chronicle, left out; with every SVG marked for other pages; with an unlisted campaign readable.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from fastapi.testclient import TestClient

from server.play.campaigns import campaigns
from server.play.context import AppContext
from tests.web.battlefield import Battlefield, begin
from tests.web.visitor import Visitor

ATOM = "{http://www.w3.org/2005/Atom}"
ELSEWHERE = {"Origin": "https://elsewhere.example"}


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    found: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    return found


@pytest.fixture
def field(ctx: AppContext) -> Battlefield:
    return begin(ctx, until="battle")


def test_other_pages_read_the_api_without_cookies(client: TestClient, field: Battlefield) -> None:
    path = f"/api/v1{field.path}"
    answer = client.get(path, headers=ELSEWHERE)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert "etag" in answer.headers["access-control-expose-headers"].lower()
    asks = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "Authorization, Idempotency-Key"}
    before = client.options(f"{path}/orders", headers=ELSEWHERE | asks)
    assert (before.status_code, before.headers["access-control-allow-origin"]) == (200, "*")
    assert "access-control-allow-origin" not in client.get("/", headers=ELSEWHERE).headers


def test_the_picture_is_everyones(client: TestClient, field: Battlefield) -> None:
    stranger, ann, ben = Visitor(client), field.visitor(client, "Ann"), field.visitor(client, "Ben")
    pictures = [each._ask("GET", f"{field.path}/map.png") for each in (stranger, ann, ben)]
    assert len({answer.content for answer in pictures}) == 1
    assert pictures[0].content.startswith(b"\x89PNG")
    assert {answer.headers["cross-origin-resource-policy"] for answer in pictures} == {"cross-origin"}


def test_the_svg_of_a_player_stays_on_this_server(client: TestClient, field: Battlefield) -> None:
    path = f"/campaigns/{field.id}/map.svg"
    assert Visitor(client).api("GET", path).headers["cross-origin-resource-policy"] == "cross-origin"
    assert field.visitor(client, "Ann").api("GET", path).headers["cross-origin-resource-policy"] == "same-origin"


def test_the_feed_tells_what_everyone_may_know(client: TestClient, field: Battlefield) -> None:
    answers = [each._ask("GET", f"{field.path}/feed.atom") for each in (Visitor(client), field.visitor(client, "Ann"))]
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answers[0].content)
    entries = feed.findall(f"{ATOM}entry")
    assert feed.findtext(f"{ATOM}title") == field.info().name
    assert len(entries) == field.info().phase_number
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)
    assert all(entry.findtext(f"{ATOM}updated") for entry in entries)


def test_links_to_a_public_campaign_show_something(client: TestClient, field: Battlefield) -> None:
    page = Visitor(client).get(field.path)
    assert f'<meta property="og:title" content="{field.info().name}">' in page
    assert f'{field.path}/map.png">' in page
    assert f'href="{field.path}/feed.atom"' in page


def test_an_unlisted_campaign_names_itself_nowhere(client: TestClient, ctx: AppContext, field: Battlefield) -> None:
    campaigns.change(ctx, field.gm, field.id, listed=False)
    name, ann, stranger = field.info().name, field.visitor(client, "Ann"), Visitor(client)
    assert name in ann.get(field.path)
    for page in (field.path, f"{field.path}/chronicle"):
        head = ann.get(page).partition("og:")[2].partition("</head>")[0]
        assert head
        assert name not in head
        assert name not in stranger.get(page, 404)
    for file in ("feed.atom", "map.png"):
        stranger.get(f"{field.path}/{file}", 404)
    assert stranger.api("GET", f"/campaigns/{field.id}/map.svg").status_code == 404
