"""Nothing typed is lost, nothing breaks out: reload, another window, a phase that closes, hostile names, a phone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from server.play.game_masters import game_master
from server.play.orders import orders
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, Watch
from tests.web.browser.waiting import phase
from tests.web.browser.war import begin, click, declare_final, open_table, ready, saved


def place_capital(seen: Page, label: str) -> None:
    """Choose a hex and place the capital there."""
    click(seen, label)
    seen.get_by_role("button", name="Place: Capital").click()


def test_a_reload_without_connection_loses_nothing(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("ERR_FAILED")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    drafts = f"**/campaigns/{war.id}/orders*"
    seen.route(drafts, lambda route: route.abort() if route.request.method != "GET" else route.continue_())
    seen.route(f"{drafts}/draft", lambda route: route.abort())
    place_capital(seen, "1003")
    expect(seen.locator(".dock-foot")).to_contain_text("Offline")
    assert war.given() == []
    seen.unroute_all()
    seen.on("dialog", lambda dialog: dialog.accept())
    seen.reload()
    ready(seen)
    expect(seen.get_by_role("tab", name="Orders (1)")).to_be_visible()
    saved(seen)
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]


def test_another_window_has_written(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("412")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    theirs = {"type": "place", "what": "capital", "at": "1004"}
    held: list[bool] = []

    def write_first(route):  # type: ignore[no-untyped-def]
        if route.request.method == "PUT" and not held:
            held.append(True)
            orders.replace(war.ctx, war.ann, war.id, [theirs])
        route.continue_()

    seen.route(f"**/campaigns/{war.id}/orders*", write_first)
    place_capital(seen, "1003")
    dialog = seen.get_by_role("dialog", name="Your orders were changed elsewhere")
    expect(dialog).to_contain_text("Capital in 1003")
    expect(dialog).to_contain_text("Capital in 1004")
    dialog.get_by_role("button", name="Keep this version").click()
    saved(seen)
    assert war.given() == [{"type": "place", "what": "capital", "at": "1003"}]
    # what another window hands in while nothing is written here is simply taken over
    orders.replace(war.ctx, war.ann, war.id, [theirs])
    seen.get_by_role("tab", name="Orders (1)").click()
    expect(seen.get_by_role("button", name="Capital in 1004", exact=True)).to_be_visible()


def test_the_phase_closes_while_one_writes(page: OpenPage, server: Site, watch: Watch) -> None:
    watch.forgive("ERR_FAILED")
    watch.forgive("409")
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    seen.route(f"**/campaigns/{war.id}/orders*", lambda route: route.abort())
    seen.route(f"**/campaigns/{war.id}/orders/*", lambda route: route.abort())
    place_capital(seen, "1003")
    expect(seen.locator(".dock-foot")).to_contain_text("Offline")
    game_master.advance(war.ctx, war.ann, war.id, number=1)
    dialog = seen.get_by_role("dialog", name="Setup is over")
    expect(dialog).to_contain_text("Capital in 1003")
    seen.unroute_all()
    dialog.get_by_role("button", name="Continue").click()
    phase(seen, "Build")
    seen.get_by_role("tab", name="Orders").click()
    expect(seen.get_by_text("Not saved before the phase closed: Setup")).to_be_visible()
    seen.get_by_role("button", name="Discard").click()
    expect(seen.get_by_text("Not saved")).to_have_count(0)


def test_news_of_what_one_sees_already_leaves_the_choice(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    click(seen, "1003")
    told = "document.dispatchEvent(new CustomEvent('live', { detail: { kind: 'phase_opened', data: {} } }))"
    with seen.expect_response(f"**/campaigns/{war.id}/orders"):
        seen.evaluate(told)
    saved(seen)
    expect(seen.get_by_role("tabpanel").get_by_role("heading", level=2)).to_contain_text("1003")


EVIL = "<img src=x onerror=window.evil=1>"


def test_what_is_being_typed_outlives_news(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    finder = seen.get_by_label("Go to a hex")
    finder.focus()
    seen.keyboard.type("08")
    orders.replace(war.ctx, war.ann, war.id, [{"type": "place", "what": "capital", "at": "1003"}])
    expect(seen.get_by_role("tab", name="Orders (1)")).to_be_visible()
    seen.keyboard.type("06")
    expect(finder).to_have_value("0806")


def test_the_score_strip_keeps_the_focus_when_there_is_news(page: OpenPage, server: Site) -> None:
    """The strip is drawn anew when somebody else is final; with the ids taken away, the focus was lost."""
    war = begin(server.ctx)
    seen = page("Ann")
    open_table(seen, war)
    strip = seen.locator("#score-strip")
    players, victory = strip.get_by_role("list", name="Score"), strip.locator("summary")
    victory.click()
    players.focus()
    with seen.expect_response("**/table/score*"):
        orders.replace(war.ctx, war.ben, war.id, [], final=True)
    expect(strip.get_by_text("✓")).to_be_visible()
    expect(players).to_be_focused()
    expect(strip.locator("details")).to_have_attribute("open", "")


def test_names_stay_names(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx, name=f"{EVIL}</script>", ben=EVIL)
    capital = {"type": "place", "what": "capital", "at": "1003"}
    unit = {"slot": "troops", "models": 10, "points": 100, "mobility": "infantry", "name": EVIL}
    units = [unit | {"slot": "hq"}, unit, unit]
    raised = {"type": "build_detachment", "at": "1003", "name": EVIL, "units": units}
    orders.replace(war.ctx, war.ann, war.id, [capital, raised], final=True)
    war.final(war.ben)
    seen = page("Ann")
    open_table(seen, war)
    click(seen, "1003")
    expect(seen.get_by_role("heading", name=EVIL, exact=True)).to_be_visible()
    seen.get_by_text("Units", exact=True).first.click()
    seen.get_by_role("button", name="Legend").click()
    expect(seen.locator("#legend")).to_contain_text(EVIL)
    assert seen.evaluate("window.evil") is None
    assert seen.locator("img[src=x]").count() == 0


def test_on_a_phone(page: OpenPage, server: Site, axe: CheckAxe) -> None:
    war = begin(server.ctx)
    seen = page("Ann", width=390, height=800, touch=True)
    open_table(seen, war)
    seen.get_by_label("Go to a hex").fill("1003")
    seen.get_by_role("button", name="Show", exact=True).tap()
    seen.wait_for_timeout(600)  # two taps at one place at once would be a double tap, which orders nothing
    seen.get_by_role("button", name="Place: Capital").tap()
    saved(seen)
    axe(seen)
    seen.get_by_role("button", name="Expand or collapse the panel").tap()
    seen.get_by_role("button", name="New detachment").tap()
    axe(seen)
    seen.get_by_role("dialog").get_by_role("button", name="Give the order").tap()
    wide = seen.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    declare_final(seen)
    war.final(war.ben)
    phase(seen, "Build")
    declare_final(seen)
    war.final(war.ben)
    phase(seen, "Movement")
    seen.get_by_role("button", name="Next force without an order").first.tap()
    seen.get_by_label("Destination").select_option("0903")
    saved(seen)
    assert war.given()[0]["path"] == ["0903"]
    declare_final(seen)
    war.final(war.ben)
    phase(seen, "Battle orders")
    declare_final(seen)
    expect(seen.get_by_text("Your orders are final.").first).to_be_visible()
