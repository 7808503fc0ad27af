"""Ordering for somebody else: a substitute chooses for whom, and what they write is that seat's."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from server.play.accounts import accounts
from server.play.campaigns import campaigns, seats
from server.play.context import Actor
from server.play.orders import orders
from server.store.tables import Seat
from tests.api.people import PASSWORD
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, Watch
from tests.web.browser.waiting import phase
from tests.web.browser.war import War, begin, click, declare_final, open_table, ready, saved

ANNS, BENS = "1003", "0409"


def places(war: War, actor: Actor) -> list[str]:
    """Return where somebody's orders place something."""
    return [order["at"] for order in orders.read(war.ctx, actor, war.id).orders]


def place_capital(page: Page, label: str) -> None:
    """Place a capital with the mouse."""
    click(page, label)
    page.get_by_role("button", name="Place: Capital").click()
    saved(page)


def test_a_substitute_orders_for_two(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    accounts.sign_up(server.ctx, "Cat", PASSWORD)
    seats.choose_stand_in(server.ctx, war.ann, war.id, "user", substitute="Cat")
    with server.ctx.database.write() as session:  # as a game master does who does not play
        session.get_one(Seat, (war.id, "p2")).stand_in = "user"
        session.get_one(Seat, (war.id, "p2")).stand_in_user_id = session.get_one(Seat, (war.id, "p1")).stand_in_user_id
    seen = page("Cat")
    open_table(seen, war)
    choice = seen.get_by_role("navigation", name="You order for")
    expect(choice.get_by_role("link", name="Ann")).to_have_attribute("aria-current", "true")
    choice.get_by_role("link", name="Ben").click()
    ready(seen)
    axe(seen)
    expect(choice.get_by_role("link", name="Ben")).to_have_attribute("aria-current", "true")
    place_capital(seen, BENS)
    assert (places(war, war.ann), places(war, war.ben)) == ([], [BENS])
    declare_final(seen)
    expect(seen.get_by_text("Your orders are final.").first).to_be_visible()
    assert orders.read(war.ctx, war.ben, war.id).final
    # what was written stays that seat's when the page is loaded again
    seen.reload()
    ready(seen)
    expect(seen.get_by_role("tab", name="Orders (1)")).to_be_visible()
    seen.get_by_role("tab", name="To do").click()
    choice.get_by_role("link", name="Ann").click()
    ready(seen)
    expect(seen.get_by_role("tab", name="Orders", exact=True)).to_be_visible()
    place_capital(seen, ANNS)
    assert (places(war, war.ann), places(war, war.ben)) == ([ANNS], [BENS])
    declare_final(seen)
    phase(seen, "Build")
    expect(choice.get_by_role("link", name="Ann")).to_have_attribute("aria-current", "true")
    click(seen, ANNS)
    seen.get_by_role("tab", name="Buildings").click()
    expect(seen.get_by_role("button", name="Build: Barracks")).to_be_visible()


def test_nobody_orders_for_a_seat_that_is_not_his(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    seen.goto(f"{war.address}?seat=p2")
    ready(seen)
    expect(seen.get_by_role("navigation", name="You order for")).to_have_count(0)
    place_capital(seen, ANNS)
    assert (places(war, war.ann), places(war, war.ben)) == ([ANNS], [])


def test_a_pause_locks_the_table_until_the_campaign_goes_on(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    final = seen.locator(".dock-foot").get_by_role("button", name="Finalise orders")
    expect(final).to_be_visible()
    campaigns.pause(server.ctx, war.ann, war.id, "Snow on all roads.")
    expect(seen.locator(".guide")).to_contain_text("Paused: the clock is stopped.")
    expect(seen.locator(".dock-foot")).to_contain_text("The campaign is paused.")
    expect(final).to_have_count(0)
    expect(seen.locator("#campaign-now")).to_contain_text("Paused")
    seen.reload()
    ready(seen)
    expect(seen.locator(".dock-foot")).to_contain_text("The campaign is paused.")
    axe(seen)
    campaigns.resume(server.ctx, war.ann, war.id)
    expect(final).to_be_visible()
    place_capital(seen, ANNS)
    assert places(war, war.ann) == [ANNS]


def test_an_order_written_as_the_clock_stops_waits_and_is_handed_in(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("409")
    war = begin(server.ctx)
    seen = page("Ann")
    seen.route("**/stream", lambda route: route.abort())  # the news of the pause never comes
    watch.forgive("stream")
    watch.forgive("ERR_FAILED")
    open_table(seen, war)
    campaigns.pause(server.ctx, war.ann, war.id)
    click(seen, ANNS)
    seen.get_by_role("button", name="Place: Capital").click()
    expect(seen.locator(".dock-foot")).to_contain_text("The campaign is paused.")
    campaigns.resume(server.ctx, war.ann, war.id)
    seen.reload()
    ready(seen)
    saved(seen)
    assert places(war, war.ann) == [ANNS]


def test_who_watches_is_told_what_he_sees(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    seen = page("Eve")
    open_table(seen, war)
    expect(seen.locator(".guide")).to_contain_text("You are watching this campaign.")
    expect(seen.locator(".dock-foot").get_by_role("button")).to_have_count(0)
    axe(seen)
    mine = page("Ann")
    open_table(mine, war)
    expect(mine.locator(".dock-foot")).to_contain_text("Finalise orders")
    campaigns.finish(server.ctx, war.ann, war.id)
    for each in (seen, mine):
        expect(each.locator(".guide")).to_contain_text("This campaign is over.")
        each.reload()
        ready(each)
    expect(mine.locator(".guide")).to_contain_text("This campaign is over.")
    seen.get_by_role("link", name="Watch the replay").click()
    expect(seen.get_by_role("heading", name="History")).to_be_visible()
