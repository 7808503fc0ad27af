"""A turn at the table, by mouse: placement, building, marching, attacking."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.play.orders import orders
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.waiting import phase
from tests.web.browser.war import War, begin, click, declare_final, open_table, ready, saved, where


def test_a_turn(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    axe(seen)
    expect(seen.get_by_text("Set up your land.")).to_be_visible()
    click(seen, "1003")
    seen.get_by_role("button", name="Place: Capital").click()
    saved(seen)
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]
    seen.get_by_role("button", name="New detachment").click()
    editor = seen.get_by_role("dialog", name="A detachment in 1003")
    editor.get_by_label("Name", exact=True).first.fill("First Column")
    expect(editor).to_contain_text("280 BP")
    axe(seen)
    editor.get_by_role("button", name="Give the order").click()
    expect(seen.get_by_role("tab", name="Orders (2)")).to_be_visible()
    declare_final(seen)
    expect(seen.get_by_text("Your orders are final.").first).to_be_visible()
    war.final(war.ben)

    phase(seen, "Build")
    click(seen, "1003")
    expect(seen.get_by_role("heading", name="First Column")).to_be_visible()
    seen.get_by_role("tab", name="Buildings").click()
    barracks = seen.get_by_role("button", name="Build: Barracks")
    barracks.click()
    expect(barracks).to_have_count(0)
    seen.get_by_role("tab", name="Orders (1)").click()
    expect(seen.get_by_role("button", name="Barracks in 1003", exact=True)).to_be_visible()
    axe(seen)
    declare_final(seen)
    war.final(war.ben)

    phase(seen, "Movement")
    march(seen, war)
    declare_final(seen)
    war.final(war.ben)
    phase(seen, "Battle orders")
    saved(seen)
    assert war.info().phase == "battle_movement"


def march(seen: Page, war: War) -> None:
    """Click a path, lengthen it, draw another one."""
    click(seen, "1003")
    expect(seen.get_by_text("Order for First Column")).to_be_visible()
    click(seen, "0903")
    expect(seen.locator(".walk")).to_contain_text("Ends in 0903.")
    saved(seen)
    assert war.given()[0]["path"] == ["0903"]
    x, y = where(seen, "1003")
    seen.mouse.move(x, y)
    seen.mouse.down()
    for label in ("1002", "1001"):
        seen.mouse.move(*where(seen, label), steps=4)
    seen.mouse.up()
    expect(seen.locator(".walk")).to_contain_text("Ends in 1002.")
    saved(seen)
    assert war.given()[0]["path"] == ["1002", "1001"]
    seen.keyboard.press("Control+z")
    expect(seen.locator(".walk")).to_contain_text("Ends in 0903.")
    saved(seen)
    assert war.given()[0]["path"] == ["0903"]


def test_an_attack_with_help(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx).meet()
    force, target = war.force(war.ann), "0707"
    seen = page("Ann")
    open_table(seen, war)
    seen.locator(f'[data-thing="{force}"]').focus()
    seen.keyboard.press("Enter")
    seen.get_by_role("radio", name="Attack", exact=True).check()
    click(seen, target)
    saved(seen)
    assert war.given() == [{"type": "attack", "detachment": force, "target": target}]
    expect(seen.get_by_text("Support from these hexes counts as")).to_be_visible()
    seen.get_by_label("Planned: +1").check()
    saved(seen)
    assert war.given()[0]["planned"] is True
    axe(seen)
    expect(seen.locator(".arrow.war")).to_have_count(1)


def test_a_link_to_a_hex_shows_it(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    seen.goto(f"{war.address}?hex=0706")
    ready(seen)
    expect(seen.get_by_role("tabpanel").get_by_role("heading", level=2)).to_have_text("Carrick Pass (0706)")


def test_what_is_ordered_in_a_hex_is_told_there(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    orders.replace(war.ctx, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1003"}], final=True)
    war.final(war.ben)
    seen = page("Ann", width=1024, height=768, dark=True)
    open_table(seen, war)
    click(seen, "1003")
    here, trap = seen.locator(".orders.here"), seen.get_by_role("button", name="Build: Tank trap")
    seen.get_by_role("tab", name="Walls").click()
    trap.hover()
    before = trap.bounding_box()
    trap.click()
    expect(here).to_contain_text("BP left there")
    expect(here.get_by_role("listitem")).to_have_count(1)
    after = trap.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=2), "what was clicked has moved away under the mouse"
    saved(seen)
    axe(seen)
    seen.get_by_role("tab", name="Buildings").click()
    barracks = seen.get_by_role("button", name="Build: Barracks")
    expect(seen.get_by_role("listitem").filter(has=barracks)).to_contain_text("builds troops · costs 10 BP a turn")
    barracks.focus()
    seen.keyboard.press("Enter")
    expect(barracks).to_have_count(0)
    expect(seen.get_by_role("heading", name="Settlement", exact=True)).to_be_focused()
    expect(here.get_by_role("listitem")).to_have_count(2)
    here.get_by_role("button", name="Remove: Tank trap in 1003").click()
    expect(here.get_by_role("listitem")).to_have_count(1)
    seen.get_by_role("tab", name="Orders (1)").click()
    seen.emulate_media(media="print")
    expect(seen.get_by_role("button", name="Barracks in 1003", exact=True)).to_be_visible()
    expect(seen.get_by_role("button", name="Undo")).to_be_hidden()
