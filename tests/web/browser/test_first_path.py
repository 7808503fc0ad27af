"""The path of somebody who plays for the first time, and the clicks it takes from the open table, nothing chosen."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from server.play.orders import orders
from tests.web import battlefield
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.waiting import phase
from tests.web.browser.war import UNITS, War, begin, open_table, saved, where


@dataclass
class Clicks:
    """A mouse that counts."""

    page: Page
    count: int = 0

    def hex(self, label: str) -> None:
        """Click a hex."""
        self.count += 1
        self.page.mouse.click(*where(self.page, label))

    def on(self, place: Locator) -> None:
        """Click something on the page."""
        self.count += 1
        place.click()


def _placed(war: War, *more: dict[str, object]) -> War:
    """Both place their capitals; Ann orders *more* in Setup."""
    place = {"type": "place", "what": "capital", "at": "1003"}
    orders.replace(war.ctx, war.ann, war.id, [place, *more], final=True)
    war.final(war.ben)
    return war


def test_raising_a_force_takes_three_clicks_and_final_one(page: OpenPage, server: Site) -> None:
    war = _placed(begin(server.ctx))
    seen = page("Ann")
    open_table(seen, war)
    phase(seen, "Build")
    mouse = Clicks(seen)
    mouse.hex("1003")
    mouse.on(seen.get_by_role("button", name="New detachment"))
    mouse.on(seen.get_by_role("dialog").get_by_role("button", name="Give the order"))
    saved(seen)
    assert mouse.count == 3
    assert [each["type"] for each in war.given()] == ["build_detachment"]
    expect(seen.locator(".dock-said")).to_contain_text("Added: Raise")
    mouse.count = 0
    mouse.on(seen.locator(".dock-foot").get_by_role("button", name="Finalise orders"))
    expect(seen.get_by_text("Your orders are final.").first).to_be_visible()
    assert mouse.count == 1


def test_what_cannot_be_raised_says_why_and_what_would_help(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = _placed(begin(server.ctx), {"type": "build_detachment", "at": "1003", "units": UNITS})
    seen = page("Ann")
    open_table(seen, war)
    phase(seen, "Build")
    Clicks(seen).hex("1003")
    expect(seen.get_by_role("button", name="New detachment")).to_be_disabled()
    why = seen.locator(".impossible-list").first
    expect(why).to_contain_text("1003 already has a detachment")
    expect(why).to_contain_text("Move the force out, or use another settlement.")
    axe(seen)


def test_a_march_takes_two_clicks(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).meet()
    field = war.force(war.ann)
    for actor in (war.ann, war.ben):
        orders.replace(war.ctx, actor, war.id, [], final=True)
    war.until(2, "movement")
    seen = page("Ann")
    open_table(seen, war)
    at = seen.evaluate(
        "async id => (await (await fetch(location.pathname.replace('/campaigns', '/api/v1/campaigns')"
        ".replace('/table', '/view'))).json()).state.detachments[id]?.at",
        field,
    )
    option = next(each for each in war.allowed() if each["order"] == {"type": "path", "detachment": field})
    goal = option["reach"][0]["hex"]
    mouse = Clicks(seen)
    mouse.hex(at)
    expect(seen.locator(".chips legend")).to_contain_text("Order for")
    mouse.hex(goal)
    saved(seen)
    assert mouse.count == 2
    assert war.given()[0]["path"][-1] == goal


def test_what_happened_takes_no_click_and_its_dice_none(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    field = battlefield.begin(server.ctx, until="battle", battles="quick")
    field.pass_phase()
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id)
    seen = page("Ann", results=True)
    open_table(seen, war)
    card = seen.locator("#results-card")
    expect(card).to_be_visible()
    expect(seen.locator(".results-list .badge")).to_have_count(0)  # seen to fail: the badge waited for the next drawing
    expect(card).to_contain_text(re.compile(r"\d+ damage to \d+"))
    expect(card.locator(".die")).to_have_count(4)
    expect(seen.locator(".mark-result")).to_have_count(1)
    axe(seen)
    facts = seen.locator("#map-facts").inner_text()
    told = seen.evaluate("async () => (await (await fetch(location.pathname + '/results.json')).json()).battle")
    assert told
    assert told in facts
    assert field.info().name in facts
    assert "needed" in facts
    mouse = Clicks(seen)
    mouse.on(card.get_by_role("link", name="Details"))
    expect(seen).to_have_url(f"{server.url}{field.path}/reports/{field.info().phase_number - 1}")
    mouse.on(seen.get_by_text("Dice").last)
    assert mouse.count <= 2
    seen.go_back()
    expect(seen.locator("#results-open")).to_be_visible()
    brief = seen.evaluate("async () => (await (await fetch(location.pathname + '/results.json')).json()).brief")
    expect(seen.locator("#results-open")).to_contain_text(f"Last battle: {brief}")
    expect(seen.locator("#results-open.unread")).to_have_count(0)
    expect(card).to_be_hidden()


def test_results_walk_by_keys_and_stay_in_reach(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    field = battlefield.begin(server.ctx, until="battle", battles="quick")
    field.pass_phase()
    war = War(server.ctx, field.players["p1"], field.players["p2"], field.id)
    seen = page("Ann", results=True, width=390, height=844, touch=True, dark=True)
    open_table(seen, war)
    card = seen.locator("#results-card")
    expect(card).to_be_visible()
    axe(seen)
    count = json.loads(seen.evaluate("async () => (await fetch(location.pathname + '/results.json')).text()"))["items"]
    expect(card).to_contain_text(f"1 of {len(count)}")
    seen.keyboard.press("ArrowRight")
    expect(card).to_contain_text(f"2 of {len(count)}")
    seen.keyboard.press("ArrowLeft")
    expect(card).to_contain_text(f"1 of {len(count)}")
    seen.keyboard.press("Escape")
    expect(card).to_be_hidden()
    seen.locator("#results-open").tap()
    expect(card).to_be_visible()


def test_results_and_finality_come_without_a_reload(page: OpenPage, server: Site) -> None:
    """In Build everybody is asked; in Movement it would tell who has nothing to order."""
    war = begin(server.ctx).until(1, "build")
    seen = page("Ann", results=True)
    open_table(seen, war)
    seen.keyboard.press("Escape")
    ben = seen.locator('#score-strip [data-player="p2"]')
    expect(ben).not_to_contain_text("final")
    war.final(war.ben)
    expect(ben).to_contain_text("final")
    war.final(war.ann)
    expect(seen.locator('#table[data-phase="Movement"]')).to_be_attached()
    war.final(war.ben)
    seen.reload()
    expect(ben).to_be_visible()
    expect(ben).not_to_contain_text("final")
    war.final(war.ann)
    expect(seen.locator('#table:not([data-phase="Movement"])')).to_be_attached()
    expect(seen).to_have_title("Battle orders needed. Winter War · Sealed Orders")
    expect(seen.locator("#results-open")).to_be_visible()
