"""Change anything a player cannot know, and what the table tells stays the same byte for byte.

That is its page, the score strip, and the results of every phase with their names, odds and places.

Previews of links, pictures and the feed, which other pages show to anyone, stay the same as well.

Seen to fail, for the picture and for the feed: read as the game master. Seen to fail, for a player: with the game
master's view for the enemies of the results; with all events in ``history.past``. Not seen to fail: with that view
for the odds or the score, as nothing changed here moves those figures; without ``show_final`` in
``positions.finality``, as all these campaigns show it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from fastapi.testclient import TestClient

from server.http.signing import COOKIE
from server.play.context import AppContext
from tests.api.club import Club, play_of
from tests.api.hidden import alter, alter_dice_secret
from tests.api.people import Person, sign_up
from tests.api.test_secrecy import played, until_battles, until_movement
from tests.web.visitor import Visitor

CSRF = re.compile(r'name="csrf(?:-|_)token"[^>]*>')
"""The token against forged requests, which belongs to the session and not to the campaign."""


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


def pages(client: TestClient, club: Club, person: Person, more: Iterable[str] = ()) -> dict[str, str]:
    """Return what somebody is told at the table, by address."""
    visitor = Visitor(client)
    visitor.cookies[COOKIE] = person.secret
    table = f"{club.path}/table"
    numbers = range(club.open()["phase_number"])
    queries = ["", "?since=0", *(f"?until={number}" for number in numbers), "?seat=p2", "?as=gm"]
    paths = [table, f"{table}/score", f"{table}/score?seat=p2", *(f"{table}/results.json{query}" for query in queries)]
    paths += [f"{club.path}/{each}" for each in more]
    found = {path: visitor.get(path) for path in paths}
    return {path: re.sub(CSRF, "", text) for path, text in found.items()}


def shown_elsewhere(client: TestClient, club: Club) -> list[bytes]:
    """Return what other pages and messengers show of a campaign to anyone: previews, pictures, the feed."""
    stranger, page = Visitor(client), f"/campaigns/{club.id}"
    heads = [stranger.get(f"{page}{more}").partition("</head>")[0] for more in ("", "/chronicle")]
    assert all("og:title" in head for head in heads)
    files = [stranger._ask("GET", f"{page}/{file}") for file in ("map.png", "feed.atom")]
    files.append(stranger.api("GET", f"/campaigns/{club.id}/map.svg"))
    assert {answer.status_code for answer in files} == {200}
    return [*(re.sub(CSRF, "", head).encode() for head in heads), *(answer.content for answer in files)]


@pytest.mark.parametrize("viewer", ["p1", "spectator"])
@pytest.mark.parametrize("until", [until_movement, until_battles])
def test_what_is_hidden_does_not_show_at_the_table(
    client: TestClient,
    ctx: AppContext,
    tell: Callable[[str], None],
    until: Callable[[Club], None],
    viewer: str,
) -> None:
    club = played(client, until)
    person = club.players[0] if viewer == "p1" else sign_up(client, "Eve")
    before, elsewhere = pages(client, club, person), shown_elsewhere(client, club)
    assert alter(ctx, club.id, viewer, seed=7) > 3
    alter_dice_secret(ctx, club.id)
    ctx.caches.views.clear()
    assert pages(client, club, person) == before
    assert shown_elsewhere(client, club) == elsewhere
    size = sum(map(len, before.values()))
    kind = ctx.database.engine.dialect.name
    tell(f"{kind}: {viewer}, {until.__name__}: {len(before)} pages of {size} characters, the same of both twins")


@pytest.mark.parametrize("viewer", ["gm", "p1", "spectator"])
def test_a_notebook_shows_on_nobody_elses_page(client: TestClient, viewer: str) -> None:
    club = played(client, until_movement)
    person = {"gm": club.gm, "p1": club.players[0]}.get(viewer) or sign_up(client, "Eve")
    more = ("reports/history", "reports/history?number=1", "reports")
    before = pages(client, club, person, more=more)
    ben = club.players[1]
    ben.put(f"{club.path}/notebook/notes/1", {"text": "Hold the ford"})
    ben.put(f"{club.path}/notebook/pins/0303", {"text": "Somebody hides here", "turn": 0})
    assert pages(client, club, person, more=more) == before
