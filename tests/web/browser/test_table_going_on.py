"""On two phones: one player continues without the other, who takes their moment back (N-61)."""

from __future__ import annotations

from typing import cast

import httpx2
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from tests.api.tables import Game, acts_to_the_stage
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.test_table_round import PHONE, hold


def test_one_continues_without_the_other_who_takes_it_back(page: OpenPage, server: Site) -> None:
    with httpx2.Client(base_url=server.url) as client:
        game = Game(cast(TestClient, client), "ambush")
        for by, act in acts_to_the_stage(server.ctx.database, game.id, "both_deployed"):
            game.act(by, **act)
        game.act("red", do="end_phase")
        red = hold(page(**PHONE), game.red, game.path, server).page
        red.get_by_role("button", name="Go on without").click()  # after 20 seconds
        expect(red.get_by_role("button", name="End Movement")).to_be_visible()
        blue = hold(page(**PHONE), game.blue, game.path, server).page
        blue.get_by_role("button", name="continued without you").click()
        blue.get_by_role("dialog").get_by_role("button", name="Undo").click()
        expect(red.get_by_text("Waiting for Bob")).to_be_visible()
        expect(blue.get_by_role("button", name="Done: Both are deployed")).to_be_visible()
        assert game.view("red")["view"]["stage"] == "both_deployed"
