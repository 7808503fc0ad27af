"""The first minute with its clicks counted, alone and with friends; Setup as a list; the guide of the first turn."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from server.play.accounts import accounts, tokens
from server.play.campaigns import campaigns
from server.play.orders import orders
from tests.api.people import PASSWORD
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, Watch
from tests.web.browser.war import War, begin, click, open_table, ready, saved

PHONE = {"width": 390, "height": 844}


class Clicks:
    """Counts the clicks that something takes, and the seconds."""

    def __init__(self, page: Page) -> None:
        self.page, self.count, self.began = page, 0, time.monotonic()

    def __call__(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]
        self.count += 1

    def within(self, most: int, what: str) -> None:
        """Fail where it took more clicks than it may."""
        print(f"{what}: {self.count} clicks, {time.monotonic() - self.began:.1f} s")
        assert self.count <= most, what


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
def test_alone_from_the_landing_page_to_the_first_orders(page: OpenPage, axe: CheckAxe, size: dict[str, int]) -> None:
    """Three clicks to the map, seven to finalised Build orders; nothing is asked before."""
    seen = page(guide=True, results=True, **size)
    seen.goto("/")
    axe(seen)
    tap = Clicks(seen)
    tap("link", "Play now")
    tap("button", "Start playing")
    ready(seen)
    tap.within(3, "alone to the map")
    expect(seen.locator(".setup-list")).to_contain_text("0 of 4 placed")
    axe(seen)
    tap("button", "Place the rest for me")
    expect(seen.locator(".setup-list")).to_contain_text("4 of 4 placed")
    expect(seen.locator(".dock-foot")).to_contain_text("Saved.")
    tap("button", "Finalise orders")
    expect(seen.get_by_role("heading", name="Raise a detachment")).to_be_visible()
    expect(seen.locator("#results-card")).to_be_hidden()
    seen.locator(".lesson-offer").first.click()
    tap.count += 1
    expect(seen.get_by_role("heading", name="Finalise your orders")).to_be_visible()
    axe(seen)
    tap("button", "Finalise orders")
    expect(seen.locator("#table")).to_have_attribute("data-phase", "Movement")
    tap.within(7, "alone to finalised Build orders")
    expect(seen.get_by_role("heading", name="Send it out")).to_be_visible()


def test_friends_from_the_landing_page_to_their_seats(page: OpenPage, axe: CheckAxe) -> None:
    """The creator has the link after four clicks, a friend a seat after three; the list follows without a reload."""
    robin = page(language="en")
    robin.goto("/")
    tap = Clicks(robin)
    tap("link", "Start a campaign with friends")
    robin.get_by_label("Your name").fill("Robin")
    tap("button", "Create and invite friends")
    link = robin.get_by_role("textbox", name="Send them this link").input_value()
    tap.within(4, "the creator to the link")
    axe(robin)
    ada = page(**PHONE, touch=True, dark=True)
    ada.goto(link)
    tap = Clicks(ada)
    ada.get_by_label("Your name").fill("Ada")
    axe(ada)
    tap("button", "Take the seat")
    expect(ada.get_by_text("You are in.")).to_be_visible()
    tap.within(3, "a friend from the link to a seat")
    expect(robin.get_by_role("heading", name="Players: 2 of 4")).to_be_visible()
    robin.get_by_role("button", name="Start with 2 players and 2 computers").click()
    robin.wait_for_url("**/table")
    expect(ada.get_by_role("link", name="Go to the map")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_of_the_first_minute_are_for_everybody(page: OpenPage, axe: CheckAxe, dark: bool) -> None:
    seen = page(dark=dark, language="de", **PHONE)
    for address in ("/", "/play", "/play?with=friends"):
        seen.goto(address)
        axe(seen)
        assert not seen.evaluate("document.documentElement.scrollWidth > innerWidth"), address
    seen.locator(".go button").click()
    seen.wait_for_url("**/invite")
    for address in (seen.url, "/", "/keep"):
        seen.goto(address)
        axe(seen)
        assert not seen.evaluate("document.documentElement.scrollWidth > innerWidth"), address


def test_the_living_map_moves_and_stops(page: OpenPage) -> None:
    seen = page()
    seen.goto("/")
    words, button = seen.locator("#living-words"), seen.locator("#living-stop")
    expect(button).to_have_text("▶")  # who wants no movement sees a picture
    button.click()
    expect(words).to_have_text("All orders are opened: forces are raised.")
    button.click()
    expect(button).to_have_text("▶")
    expect(seen.locator("#living svg")).to_have_count(1)


def test_setup_asks_before_the_dice_place_anything(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    expect(seen.locator(".ghost")).not_to_have_count(0)
    seen.get_by_role("button", name="Finalise orders").click()
    asked = seen.get_by_role("dialog")
    expect(asked).to_contain_text("not placed yet")
    expect(asked).to_contain_text("dice place")
    asked.get_by_role("button", name="Place the rest for me").click()
    expect(seen.locator(".setup-list")).not_to_contain_text("Earns BP")
    seen.get_by_role("button", name="Change: Capital").click()
    expect(seen.get_by_role("button", name="Place in").first).to_be_visible()
    seen.get_by_label("Show suggestions on the map").uncheck()
    expect(seen.locator(".ghost")).to_have_count(0)


def _placed(war: War) -> War:
    for actor, capital in ((war.ann, "1003"), (war.ben, "0409")):
        place = {"type": "place", "what": "capital", "at": capital}
        orders.replace(war.ctx, actor, war.id, [place], final=True)
    return war


def test_the_guide_is_skipped_and_shown_again(page: OpenPage, server: Site) -> None:
    """Also for those who wait in a friend's campaign. Seen to fail without the key in the browser."""
    begin(server.ctx)
    seen = page("Ann", guide=True)
    seen.goto("/play")
    seen.get_by_role("button", name="Start playing").click()
    ready(seen)
    seen.get_by_role("button", name="Place the rest for me").first.click()
    expect(seen.locator(".setup-list")).to_contain_text("4 of 4 placed")
    seen.get_by_role("button", name="Finalise orders").click()
    seen.get_by_role("button", name="Skip the guide").click()
    expect(seen.locator(".lesson")).to_have_count(0)
    seen.reload()
    ready(seen)
    expect(seen.get_by_role("heading", name="To do")).to_be_visible()
    expect(seen.locator(".lesson")).to_have_count(0)
    seen.get_by_text("New here? How a turn works").click()
    seen.get_by_role("button", name="Show the guide again").click()
    expect(seen.locator(".lesson")).to_be_visible()


def test_who_is_signed_out_signs_in_over_the_page(page: OpenPage, server: Site, watch: Watch, axe: CheckAxe) -> None:
    """The orders stay, and are handed in afterwards; nobody has to find the page again."""
    watch.forgive("401")
    watch.forgive("403")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    with server.ctx.database.write() as session:
        tokens.revoke_sessions(session, war.ann.user_id, server.ctx.now())
    server.ctx.caches.bearers.clear()
    click(seen, "1003")
    seen.get_by_role("button", name="Place: Capital").click()
    dialog = seen.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_contain_text("safe in this browser")
    axe(seen)
    dialog.get_by_label("Name or email address").fill("Ann")
    dialog.get_by_label("Password").fill("wrong horse")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    saved(seen)
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]


def _offline(seen: Page, war: War) -> str:
    """Place a capital, lose the connection, finalise; returns the addresses that are cut off."""
    click(seen, "1003")
    seen.get_by_role("button", name="Place: Capital").click()
    saved(seen)
    cut = f"**/campaigns/{war.id}/orders**"
    seen.route(cut, lambda route: route.abort())
    seen.locator(".dock-foot").get_by_role("button", name="Finalise orders").click()
    seen.get_by_role("button", name="Finalise anyway").click()
    expect(seen.locator(".dock-foot")).to_contain_text("become final when you reconnect")
    return cut


def test_finalising_waits_for_the_network(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("ERR_FAILED")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    cut = _offline(seen, war)
    assert not orders.read(war.ctx, war.ann, war.id).final
    seen.unroute(cut)
    expect(seen.get_by_text("Back online. Your orders are final.")).to_be_visible()
    assert orders.read(war.ctx, war.ann, war.id).final


def test_what_waits_is_not_final_where_the_orders_are_others(page: OpenPage, server: Site, watch: Watch) -> None:
    """Changed in another window meanwhile: both are shown, and nothing becomes final."""
    watch.forgive("ERR_FAILED")
    watch.forgive("412")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    cut = _offline(seen, war)
    orders.replace(war.ctx, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1004"}])
    seen.unroute(cut)
    expect(seen.get_by_role("button", name="Finalise orders")).to_be_visible()
    seen.wait_for_timeout(6000)
    assert not orders.read(war.ctx, war.ann, war.id).final


def test_the_list_of_own_campaigns_follows_what_happens(page: OpenPage, server: Site) -> None:
    """Seen to fail without the stream: the card said nothing of the pause until the page was loaded again."""
    war = _placed(begin(server.ctx))
    seen = page("Ann")
    seen.goto("/")
    mine = seen.locator("#mine")
    expect(mine).not_to_contain_text("The clock is stopped")
    seen.evaluate("globalThis.stays = true")
    seen.wait_for_timeout(500)
    campaigns.pause(server.ctx, war.ann, war.id, "Tea.")
    expect(mine).to_contain_text("The clock is stopped")
    assert seen.evaluate("globalThis.stays"), "the page was not loaded again"


_IN_ONE_ROW = """() => {
  const all = document.createRange();
  const lines = (each) => { all.selectNodeContents(each); return all.getClientRects().length; };
  const buttons = [...document.querySelectorAll(".dock-foot button")];
  const broken = buttons.filter((each) => lines(each) > 1).map((each) => each.textContent);
  return [buttons.length, broken, new Set(buttons.map((each) => Math.round(each.getBoundingClientRect().bottom))).size];
}"""
"""Of the buttons below the panels: how many there are, those with more than one line, and their rows."""


@pytest.mark.parametrize(
    ("language", "size"), [("en", {"width": 1280}), ("en", PHONE), ("de", PHONE)], ids=["desktop", "phone", "Telefon"]
)
def test_buttons_below_the_panels_have_one_line_each(
    page: OpenPage, server: Site, language: str, size: dict[str, int]
) -> None:
    war = begin(server.ctx)
    accounts.change_profile(server.ctx, war.ann, locale=language)
    seen = page("Ann", **size)
    open_table(seen, war)
    expect(seen.locator('.dock-foot [data-key="place-rest"]')).to_be_visible()
    assert seen.evaluate(_IN_ONE_ROW) == [2, [], 1]
    war.until(1, "movement")
    seen.reload()
    ready(seen)
    assert seen.evaluate(_IN_ONE_ROW) == [2, [], 1]
