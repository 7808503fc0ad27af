"""The page of the bots that are open to games, from an owner's settings to an invitation."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient

from server.play.accounts import accounts, tokens
from server.play.campaigns import dashboard
from server.play.context import Actor
from tests.api.club import found, play_of
from tests.web.conftest import Visits


def test_an_owner_lists_a_bot_and_a_game_master_invites_it(client: TestClient, visitor: Visits) -> None:
    ctx = play_of(client)
    club = found(client, 2, start=False, scenario="four-corners")
    olga, gus, ann = visitor("Olga"), visitor("Gus"), visitor("Ann")
    olga.get("/settings")
    olga.post("/settings/bots", name="Marvin")
    form = re.search(r'action="/settings/bots/(\w+)/games"', olga.get("/settings"))
    assert form
    olga.post(f"/settings/bots/{form[1]}/games", plays="Frontier <b>only</b>")
    assert "No bots are open" in gus.get("/bots")  # it has no token yet
    with ctx.database.read() as session:
        owner = Actor(accounts.account_named(session, "Olga").id, "Olga", session=True)
    secret = tokens.create(ctx, owner, "run", ["read", "orders"], for_bot=form[1]).secret
    assert f'href="/bots?campaign={club.id}"' in gus.get(f"/campaigns/{club.id}")
    page = gus.get(f"/bots?campaign={club.id}")
    assert "Frontier &lt;b&gt;only&lt;/b&gt;" in page
    assert "owned by Olga" in page
    assert f'name="campaign" value="{club.id}"' in page
    assert "/campaigns/new" in ann.get("/bots")  # she runs none, and has nothing to invite it to
    assert gus.post("/bots", campaign=club.id, name="Marvin") == f"/campaigns/{club.id}"
    assert [asked.id for asked in dashboard.invitations(ctx, tokens.authenticate(ctx, secret))] == [club.id]
    assert "Only the game master" in ann.post("/bots", 403, campaign=club.id, name="Marvin")
    olga.post(f"/settings/bots/{form[1]}/games", plays="")
    assert "No bots are open" in gus.get("/bots")
