"""The first turn: five bubbles that point at what matters, in somebody's first campaign only."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from server.play.campaigns import campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.orders import orders
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import War, begin, open_table, ready, where

TITLES = (
    "This is your capital", "Raise forces here", "Your rivals are out there", "Finalise your orders when you are done",
    "Then read what happened",
)  # fmt: skip


def _placed(war: War) -> War:
    for actor, capital in ((war.ann, "1003"), (war.ben, "0409")):
        place = {"type": "place", "what": "capital", "at": capital}
        orders.replace(war.ctx, actor, war.id, [place], final=True)
    return war


def _points_at(page: Page, x: float, y: float, near: float) -> bool:
    """Say whether the point of the bubble is beside a place on the screen."""
    box = page.locator(".bubble-point").bounding_box()
    assert box is not None
    return abs(box["x"] + box["width"] / 2 - x) < near and abs(box["y"] + box["height"] / 2 - y) < near


def test_five_bubbles_lead_through_the_first_turn_and_are_remembered(
    page: OpenPage, server: Site, axe: CheckAxe
) -> None:
    """Seen to fail without the key in the browser, and with a point that stays in the bubble's corner."""
    war = _placed(begin(server.ctx))
    seen = page("Ann", guide=True)
    open_table(seen, war)
    bubble = seen.get_by_role("dialog", name=TITLES[0])
    expect(bubble).to_be_focused()
    x, y = where(seen, "1003")
    assert _points_at(seen, x, y, 90)
    axe(seen)
    for title in TITLES:
        expect(seen.get_by_role("dialog", name=title)).to_be_visible()
        seen.locator(".bubble").get_by_role("button", name="Begin" if title == TITLES[-1] else "Next").press("Enter")
    expect(seen.locator(".bubble")).to_be_hidden()
    seen.reload()
    ready(seen)
    expect(seen.get_by_role("heading", name="To do")).to_be_visible()
    expect(seen.locator(".bubble")).to_be_hidden()
    seen.get_by_text("New here? How a turn works").click()
    seen.get_by_role("button", name="Show the first steps again").click()
    expect(seen.get_by_role("dialog", name=TITLES[0])).to_be_visible()
    seen.keyboard.press("Escape")
    expect(seen.locator(".bubble")).to_be_hidden()


def test_on_a_phone_the_bubble_stays_on_the_screen(page: OpenPage, server: Site) -> None:
    war = _placed(begin(server.ctx))
    seen = page("Ann", guide=True, width=390, height=844, touch=True, dark=True)
    open_table(seen, war)
    expect(seen.get_by_role("dialog", name=TITLES[0])).to_be_visible()
    for _ in TITLES:
        box = seen.locator(".bubble").bounding_box()
        assert box is not None
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] + box["height"] <= 844
        seen.locator(".bubble .primary").tap()
    expect(seen.locator(".bubble")).to_be_hidden()


def test_who_plays_in_a_second_campaign_is_not_led(page: OpenPage, server: Site) -> None:
    """Seen to fail where every campaign counts as the first."""
    war = _placed(begin(server.ctx))
    new = NewCampaign("Another", scenario="the-pass", ruleset="wh40k-2001", options={"gm_plays": True})
    other = campaigns.create(server.ctx, war.ann, new)
    seats.join(server.ctx, war.ann, other.id, faction="orks")
    seen = page("Ann", guide=True)
    open_table(seen, war)
    expect(seen.get_by_role("heading", name="To do")).to_be_visible()
    expect(seen.locator(".bubble")).to_be_hidden()
