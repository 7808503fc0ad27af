"""A turn at the table by keyboard alone; the map is never touched."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from server.play.views import positions
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.waiting import asked, phase, shown_phase
from tests.web.browser.war import begin, open_table, saved


def press(seen: Page, place: Locator, key: str = "Enter") -> None:
    """Press a key on something that can have the focus."""
    place.focus()
    expect(place).to_be_focused()
    seen.keyboard.press(key)


def final(seen: Page) -> None:
    """Finalise the orders by keys."""
    saved(seen)
    before = shown_phase(seen)
    press(seen, seen.locator(".dock-foot").get_by_role("button", name="Finalise orders"))
    if question := asked(seen, before):
        press(seen, question.get_by_role("button", name=re.compile("Finalise (orders|anyway)")))


def find(seen: Page, label: str) -> None:
    """Go to a hex by its number."""
    field = seen.get_by_label("Go to a hex")
    field.focus()
    seen.keyboard.type(label)
    seen.keyboard.press("Enter")
    expect(seen.get_by_role("tabpanel").get_by_role("heading", level=2)).to_contain_text(label)


def test_a_turn(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    find(seen, "1003")
    press(seen, seen.get_by_role("button", name="Place: Capital"))
    expect(seen.locator("#announced")).to_contain_text("Capital in 1003")
    press(seen, seen.get_by_role("button", name="New detachment"))
    press(seen, seen.get_by_role("dialog").get_by_role("button", name="Give the order"))
    expect(seen.get_by_role("dialog")).to_have_count(0)
    final(seen)
    war.final(war.ben)

    phase(seen, "Build")
    press(seen, seen.get_by_role("tabpanel").get_by_role("button", name="1003", exact=True))
    press(seen, seen.get_by_role("tab", name="Convoys"))
    amount = seen.get_by_label("BP for a convoy")
    amount.focus()
    seen.keyboard.press("ControlOrMeta+a")
    seen.keyboard.type("303")
    seen.keyboard.press("Enter")
    press(seen, seen.get_by_role("tab", name="Orders (1)"))
    expect(seen.get_by_role("button", name="Load a convoy with 303 BP in 1003", exact=True)).to_be_visible()
    final(seen)
    war.final(war.ben)

    phase(seen, "Movement")
    seen.get_by_role("tab", name="To do").focus()
    seen.keyboard.press("n")
    goal = seen.get_by_label("Destination")
    expect(goal).to_be_visible()
    press(seen, seen.get_by_role("button", name="West: 0903"))
    expect(seen.locator(".walk")).to_contain_text("Ends in 0903.")
    saved(seen)
    assert war.given()[0]["path"] == ["0903"]
    axe(seen)
    final(seen)
    war.final(war.ben)

    phase(seen, "Battle orders")
    raised = positions.position(war.ctx, war.ann, war.id).view.state.detachments[war.force(war.ann)]
    press(seen, seen.get_by_role("button", name=raised.name, exact=True))
    press(seen, seen.get_by_role("radio", name="Defend"), "Space")
    saved(seen)
    assert [each["type"] for each in war.given()] == ["defend"]
    final(seen)
    expect(seen.locator(".dock-foot")).to_contain_text("Your orders are final.")
    press(seen, seen.get_by_role("button", name="Reopen orders"))
    expect(seen.locator(".dock-foot").get_by_role("button", name="Finalise orders")).to_be_visible()


def test_an_attack_is_given_by_list(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).meet()
    seen = page("Ann")
    open_table(seen, war)
    press(seen, seen.locator(".things .link").first)
    press(seen, seen.get_by_role("radio", name="Attack", exact=True), "Space")
    target = seen.get_by_label("Target")
    target.focus()
    seen.keyboard.press("ArrowDown")
    saved(seen)
    expect(seen.get_by_text("Support from these hexes counts as")).to_be_visible()
    assert war.given()[0]["type"] == "attack"
