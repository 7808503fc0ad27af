"""Orders that are repeated until one cancels them: a tick beside each, a list, and marks on the map."""

from __future__ import annotations

from playwright.sync_api import expect

from server.play.orders import orders, orders_in_advance
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, open_table


def test_a_tick_repeats_and_the_list_cancels(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx).meet()
    guard = next(each["order"] for each in war.allowed() if each["order"]["type"] == "guard")
    phase = orders.replace(server.ctx, war.ann, war.id, [guard]).orders.phase
    seen = page("Ann")
    open_table(seen, war)
    seen.get_by_role("tab", name="Orders").click()
    tick = seen.get_by_label("Repeat until cancelled").first
    tick.check()
    listed = seen.locator(".repeats li")
    expect(listed).to_have_count(1)
    expect(seen.locator(".marks-orders", has_text="↻").first).to_be_attached()
    assert orders_in_advance.repeated_in(server.ctx, war.ann, war.id, phase) == (guard,)
    axe(seen)
    listed.get_by_role("button").click()
    expect(listed).to_have_count(0)
    expect(tick).not_to_be_checked()
    assert orders_in_advance.repeated_in(server.ctx, war.ann, war.id, phase) == ()
    assert war.given() == [guard]  # it is still an order of this phase
