"""Clicks on the map do what was clicked: the pairs of state and click that once did something else."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.views import positions
from tests.web import battlefield
from tests.web.browser.conftest import OpenPage, Site
from tests.web.browser.war import War, open_table, saved, where

AT = {"First": "1109", "Second": "1209", "Enemy": "1110"}


def _face_to_face(ctx: AppContext) -> tuple[War, dict[str, str]]:
    """Two columns of Ann's next to one of Ben's; a convoy with the first, one of Ben's beside it; ids by name."""
    field = battlefield.begin(ctx)
    war = War(ctx, field.players["p1"], field.players["p2"], field.id).meet()
    squad = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    units = [squad | {"slot": "hq", "models": 1}, squad, squad, squad | {"slot": "fast", "flags": ["scout"]}]
    column: dict[str, Any] = {"do": "add", "what": "detachment", "units": units}
    edits = [column | {"owner": "p2" if name == "Enemy" else "p1", "hex": at, "name": name} for name, at in AT.items()]
    convoy: dict[str, Any] = {"do": "add", "what": "convoy", "bp": 120}
    edits += [convoy | {"owner": "p1", "hex": AT["First"]}, convoy | {"owner": "p2", "hex": "1010"}]
    game_master.edit(ctx, field.gm, war.id, edits, "To battle")
    known = positions.position(ctx, war.ann, war.id).view.state
    ids = {detachment.name: detachment.id for detachment in known.detachments.values()}
    ids |= {f"convoy {convoy.owner}": convoy.id for convoy in known.convoys.values()}
    return war, ids


def _choose(seen: Page, force: str, order: str = "") -> None:
    seen.locator(f'[data-thing="{force}"]').focus()
    seen.keyboard.press("Enter")
    if order:
        seen.get_by_role("radio", name=order, exact=True).check()


def _click(seen: Page, label: str) -> None:
    seen.wait_for_timeout(400)  # not the second half of a double click
    seen.mouse.click(*where(seen, label))


def test_the_order_that_is_lit_is_given(page: OpenPage, server: Site) -> None:
    """Each was seen to fail before: Support became Attack, and a click on an enemy changed what was ordered."""
    war, ids = _face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    _choose(seen, ids["First"], "Support")
    expect(seen.locator("#dock").get_by_text("already has order")).to_have_count(0)
    _click(seen, "1010")
    saved(seen)
    support = {"type": "support", "detachment": ids["First"], "target": "1010"}
    assert war.given() == [support]
    _choose(seen, ids["First"], "Guard")
    _click(seen, AT["Enemy"])
    expect(seen.get_by_text("First keeps this order: Guard. Choose Attack first to attack here.")).to_be_visible()
    saved(seen)
    assert war.given() == [{"type": "guard", "detachment": ids["First"]}]


def test_the_counter_under_the_pointer_is_chosen(page: OpenPage, server: Site) -> None:
    """Seen to fail while the pointer's capture hid what was clicked: the detachment was chosen, whatever was hit."""
    war, ids = _face_to_face(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    for thing, name in ((ids["convoy p1"], "Convoy"), (ids["First"], "First")):
        seen.wait_for_timeout(400)
        box = seen.locator(f'[data-thing="{thing}"] .ct-body').first.bounding_box()
        assert box is not None
        seen.mouse.click(box["x"] + box["width"] / 2, box["y"] + 3)
        expect(seen.locator("#dock .thing-head h3").first).to_contain_text(name)
    saved(seen)
    assert war.given() == []


def test_what_can_be_built_comes_before_what_is_there(page: OpenPage, server: Site) -> None:
    """At 1440 x 900 the first offer is in sight. Seen to fail while the units of the force came first."""
    field = battlefield.begin(server.ctx)
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id).until(2, "build")
    known = positions.position(server.ctx, war.ann, war.id).view.state
    there = (force for force in known.detachments.values() if force.owner == "p1" and force.at in known.urban)
    force = next(there, None)
    assert force is not None, "somebody stands in a town"
    seen = page("Ann")
    open_table(seen, war)
    _choose(seen, force.id)
    offer = seen.locator(".offers button").first
    expect(offer).to_be_in_viewport()


def test_a_double_click_on_an_offer_orders_once(page: OpenPage, server: Site) -> None:
    field = battlefield.begin(server.ctx)
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id).until(2, "build")
    known = positions.position(server.ctx, war.ann, war.id).view.state
    capital = next(known.board.label(at) for at, urban in known.urban.items() if urban.capital == "p1")
    seen = page("Ann")
    open_table(seen, war)
    _click(seen, capital)
    seen.get_by_role("tab", name="Buildings").click()
    seen.locator(".offers button:visible").first.dblclick()
    saved(seen)
    assert len(war.given()) == 1
