"""What happened stays in reach: also after a phase that brought nothing, and what was wanted is said on every page."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Route, expect

from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, open_table

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


_TOAST = """async () => {
  const script = document.querySelector("script[src*='table/main.js']").src;
  (await import(new URL("../toast.js", script))).toast("Now: Build, turn 3.");
  const [card, toast] = ["#results-card", ".toast"].map((each) => document.querySelector(each).getBoundingClientRect());
  return [toast.top >= 0, toast.bottom <= card.top];
}"""


def test_on_a_phone_no_toast_lies_on_the_results(page: OpenPage, server: Site) -> None:
    """Seen to fail: for five seconds of each new phase "Now: Build, turn 3." lay on its most important result."""
    war = begin(server.ctx)
    seen = page("Ann", width=390, height=844)
    text = "You lost 0405: 55 damage to 463, lost 1 Section, 1 model of Sergeant. " * 4
    told = {"items": [LINE | {"text": text, "parts": [{"text": text}]}], "earlier": None, "stage": "Turn 2 · Battles"}
    answer = {"first": 9, "last": 9, "newest": 9, "battle": ""} | told
    seen.route("**/table/results.json*", lambda route: route.fulfill(json=answer))
    open_table(seen, war)
    seen.locator("#results-open").click()
    expect(seen.locator("#results-card")).to_contain_text("You lost 0405")
    assert seen.evaluate(_TOAST) == [True, True]


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
