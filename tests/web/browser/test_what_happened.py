"""What happened stays in reach: also after a phase that brought nothing, and what was wanted is said on every page."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, open_table, where

LINE: dict[str, object] = {
    "kind": "news",
    "tone": "plain",
    "text": "An old tale.",
    "parts": [{"text": "An old tale."}],
    "hexes": [],
    "details": [],
    "dice": [],
    "link": "",
}
TOLD: dict[int, dict[str, object]] = {
    9: {"items": [], "earlier": 8, "stage": "Turn 3 · Build"},
    8: {"items": [], "earlier": 7, "stage": "Turn 2 · Battles"},
    7: {"items": [LINE], "earlier": None, "stage": "Turn 2 · Battle orders"},
}


def _tell(route: Route) -> None:
    """Answer for a campaign whose last two phases brought nothing."""
    until = int(parse_qs(urlsplit(route.request.url).query).get("until", ["9"])[0])
    answer: dict[str, object] = {"first": until, "last": until, "newest": 9, "battle": ""} | TOLD[until]
    route.fulfill(body=json.dumps(answer), content_type="application/json")


def test_what_happened_stays_where_nothing_is_new(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    """Seen to fail with a button and a list that are hidden without news."""
    war = begin(server.ctx)
    seen = page("Ann")
    seen.route("**/table/results.json*", _tell)
    open_table(seen, war)
    beside = seen.locator(".results-list")
    expect(beside).to_contain_text("Nothing new for you.")
    expect(beside).to_contain_text("Turn 3 · Build")
    seen.locator("#results-open").click()
    card = seen.locator("#results-card")
    expect(card).to_contain_text("Nothing new for you.")
    axe(seen)
    card.get_by_role("button", name="Earlier events").click()
    expect(card).to_contain_text("An old tale.")
    expect(card).to_contain_text("Turn 2 · Battle orders")
    card.get_by_role("button", name="Latest").click()
    expect(card).to_contain_text("Nothing new for you.")
    card.get_by_role("button", name="Earlier events").click()
    war.final(war.ann, war.ben)  # the next phase brings nothing, too: the card does not stay with the old tale
    expect(card).to_be_hidden()
    seen.locator("#results-open").click()
    expect(card).to_contain_text("Nothing new for you.")
    seen.get_by_role("button", name="Close").last.click()
    expect(card).to_be_hidden()


def test_every_page_of_a_campaign_says_what_is_wanted(page: OpenPage, server: Site) -> None:
    """Seen to fail with a head that names phase and deadline alone: the replay said nothing of what is wanted."""
    war = begin(server.ctx)
    seen = page("Ann")
    seen.goto(f"/campaigns/{war.id}/people")
    asked = seen.locator("#campaign-now").get_by_role("link", name="Place your capital and settlements.")
    expect(asked).to_have_attribute("href", f"/campaigns/{war.id}/table")


_TOASTS = """async () => {
  const script = document.querySelector("script[src*='table/main.js']").src;
  const { toast } = await import(new URL("../toast.js", script));
  toast("Order added.");
  toast("Now: Build, turn 3.");
  const map = document.querySelector("#surface").getBoundingClientRect();
  return [...document.querySelectorAll(".toast")].map((each) => each.getBoundingClientRect())
    .map((each) => [each.top >= 0, each.bottom <= map.top, each.width < 300]);
}"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_one_toast_at_a_time_and_none_on_the_map(page: OpenPage, server: Site, width: int, height: int) -> None:
    """Seen to fail: for five seconds of each new phase two of them lay on the player's capital."""
    war = begin(server.ctx)
    seen = page("Ann", width=width, height=height)
    open_table(seen, war)
    assert seen.evaluate(_TOASTS) == [[True, True, True]]


def test_no_hex_lies_below_the_button_of_what_happened(page: OpenPage, server: Site) -> None:
    """Seen to fail: it hid the top row of the map."""
    war = begin(server.ctx)
    seen = page("Ann", width=1600, height=560)
    seen.route("**/table/results.json*", _tell)
    open_table(seen, war)
    button = seen.locator("#results-open").bounding_box()
    assert button
    first, second = (where(seen, label)[1] for label in ("0101", "0102"))
    assert first - (second - first) / 1.5 >= button["y"] + button["height"]


def test_a_phase_that_ended_before_the_page_listened_is_noticed(page: OpenPage, server: Site) -> None:
    """Computer players are final at once: after *Finalise* the next phase opens while the page is on its way."""
    war = begin(server.ctx)
    seen = page("Ann")

    def late(route: Route) -> None:
        if not ended:
            ended.append(True)
            war.final(war.ann, war.ben)
        route.continue_()

    ended: list[bool] = []
    seen.route("**/stream", late)
    seen.goto(f"/campaigns/{war.id}/battles")
    expect(seen.locator("body[data-number='1']")).to_be_attached()
    expect(seen.locator("#campaign-now .badge")).to_have_text("Turn 1 · Build")
