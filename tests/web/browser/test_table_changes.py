"""What the game master does while somebody has the map open."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from server.play.campaigns import campaigns
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.views import positions
from tests.web import battlefield
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.war import War, open_table


def test_an_edit_and_the_loss_of_the_seat_are_seen_without_a_reload(page: OpenPage, server: Site) -> None:
    """Seen to fail with orders that stay final on the page, and with a seat that one only seems to have."""
    field = battlefield.begin(server.ctx)
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id)
    war.until(1, "build")
    orders.declare_final(server.ctx, war.ann, war.id)
    seen = page("Ann")
    open_table(seen, war)
    expect(seen.locator(".dock-foot strong")).to_have_text("Your orders are final.")
    state = positions.position(war.ctx, war.ann, war.id).view.state
    store = next(iter(state.store))
    edits = [{"do": "set", "what": "store", "hex": state.board.label(store), "bp": 4000 + state.store[store]}]
    game_master.edit(server.ctx, field.gm, war.id, edits, "The market was miscounted.")
    expect(seen.locator("#toasts")).to_contain_text("The game master has changed the position.")
    expect(seen.locator(".guide")).to_contain_text(f"You have {4000 + sum(state.store.values())} BP.")
    expect(seen.locator(".dock-foot strong")).to_have_text("Orders given: 0")
    game_master.replace_player(server.ctx, field.gm, war.id, "p1", None, "Ann has moved away.")
    expect(seen.locator(".guide")).to_contain_text("You are watching this campaign.")


def test_the_end_does_not_promise_what_is_still_sealed(
    page: OpenPage, server: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail with "No more secrets" over a map in fog, and with a player who is "deciding"."""
    monkeypatch.setitem(vars(server.ctx.settings), "seal_hours", 72)
    field = battlefield.begin(server.ctx)
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id)
    war.until(1, "build")
    seen = page("Ann")
    open_table(seen, war)
    expect(seen.locator("#score-strip")).to_contain_text("deciding")
    campaigns.finish(server.ctx, field.gm, war.id, "The season is over.")
    expect(seen.locator(".guide")).to_contain_text("The rest stays sealed for now.")
    expect(seen.locator("#score-strip")).not_to_contain_text("deciding")
    expect(seen.locator("#score-strip")).not_to_contain_text("per turn")
