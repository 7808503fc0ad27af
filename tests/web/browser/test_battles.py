"""Battles, reports, history, charts and dice in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect
from sqlalchemy.engine import URL

from server.app import create_app
from server.http.signing import COOKIE
from server.play.battles import battles
from server.play.dice import salts
from server.play.game_masters import game_master
from server.play.orders import orders
from tests.api.conftest import settings_for
from tests.store import databases
from tests.web.battlefield import Battlefield, begin
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, serving


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[URL, Battlefield]]:
    """A campaign that stands at a battle, under a hostile name; each test goes on with a copy."""
    with databases.migrated("sqlite", "battles") as url:
        ctx = create_app(settings_for(url)).state.server.ctx
        field = begin(ctx, name="<img src=x onerror=alert(1)>")
        field.until_battle()
        ctx.database.close()
        yield url, field


@pytest.fixture
def server(played: tuple[URL, Battlefield]) -> Iterator[Site]:
    """A server of that campaign."""
    with databases.copied(played[0]) as url, serving(url) as site:
        yield site


@pytest.fixture
def field(played: tuple[URL, Battlefield], server: Site) -> Battlefield:
    """That campaign, at this test's server."""
    return replace(played[1], ctx=server.ctx)


def enter(open_page: OpenPage, field: Battlefield, site: Site, name: str, **how: object) -> Page:
    found: Page = open_page(**how)
    found.context.add_cookies([{"name": COOKIE, "value": field.secrets[name], "url": site.url}])
    return found


def wide(page: Page) -> bool:
    """Say whether the page must be pushed sideways."""
    found: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return found


def test_a_battle_from_order_to_report(field: Battlefield, server: Site, page: OpenPage, axe: CheckAxe) -> None:
    hex_, battle = field.until_battle()
    ann = enter(page, field, server, "Ann")
    ann.goto(f"{field.path}/battles")
    axe(ann)
    shown = ann.get_by_role("article", name=re.compile(f"Battle of .*{hex_}"))
    shown.get_by_label("On the table").check()
    shown.get_by_text("Casualty order").click()
    shown.get_by_role("spinbutton").first.fill("1")
    shown.get_by_role("button", name="Save order").click()
    expect(ann.get_by_text("Battle order saved")).to_be_visible()
    given = orders.read(field.ctx, field.players["p1"], field.id).orders[0]
    assert given["mode"] == "tabletop"
    assert len(given["casualties"]) == 1
    field.pass_phase(tabletop=True)
    for elsewhere in field.battles():
        if elsewhere != hex_:
            battles.decide(field.ctx, field.gm, field.id, elsewhere, {"winner": "p1"})
    attacker, defender = ("Ann", "Ben") if battle.attacking == "p1" else ("Ben", "Ann")
    phone = enter(page, field, server, attacker, width=390, dark=True)
    phone.goto(f"{field.path}/battles")
    axe(phone)
    assert not wide(phone)
    phone.get_by_text("Report the result", exact=True).click()  # by hand, instead of the referee at the table
    axe(phone)
    phone.get_by_role("radio", name=re.compile(attacker)).check()
    phone.get_by_role("spinbutton", name=re.compile("Models lost")).first.fill("1")
    phone.get_by_label("Note for both sides").fill("<b>A close thing</b>")
    phone.reload()
    expect(phone.get_by_label("Note for both sides")).to_have_value("<b>A close thing</b>")
    expect(phone.get_by_role("radio", name=re.compile(attacker))).to_be_checked()
    phone.get_by_role("button", name="Report").click()
    expect(phone.get_by_text("Report sent")).to_be_visible()
    phone.get_by_text("Report the result").click()
    expect(phone.get_by_label("Note for both sides")).to_have_value("")
    phone.get_by_text("Report the result").click()
    other = enter(page, field, server, defender)
    other.goto(f"{field.path}/battles")
    axe(other)
    expect(other.get_by_text("<b>A close thing</b>")).to_be_visible()
    number = field.info().phase_number
    phone.get_by_text("Report the result").click()
    phone.get_by_label("Note for both sides").fill("I am still writing")
    other.get_by_role("button", name="Confirm").click()
    expect(other.get_by_text("Result confirmed.")).to_be_visible()
    assert field.info().phase_number > number
    expect(phone.get_by_text("This battle has changed.")).to_be_visible()
    expect(phone.get_by_label("Note for both sides")).to_have_value("I am still writing")


def test_the_past_is_watched(field: Battlefield, server: Site, page: OpenPage, axe: CheckAxe) -> None:
    last = field.info().phase_number - 1
    ann = enter(page, field, server, "Ann")
    ann.goto(f"{field.path}/reports")
    axe(ann)
    ann.get_by_label("Kind").select_option("land")
    ann.get_by_role("button", name="Show").click()
    expect(ann.get_by_role("heading", name=re.compile("^Land")).first).to_be_visible()
    ann.goto(f"{field.path}/reports/{last}")
    axe(ann)
    ann.goto(f"{field.path}/reports/history?number=1")
    replay = ann.locator("#replay")
    expect(replay).to_have_attribute("data-shown", "1")
    axe(ann)
    ann.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-shown", "2")
    assert "number=2" in ann.url
    expect(ann.locator("#surface")).to_have_attribute("aria-label", re.compile("Turn 1, Build"))
    ann.keyboard.press("End")
    expect(replay).to_have_attribute("data-shown", str(last))
    ann.keyboard.press("Home")
    first = replay.get_attribute("data-shown")
    ann.get_by_label("Speed").select_option("2400")  # it must not be over before it is stopped
    ann.get_by_role("button", name="Play").click()
    expect(ann.get_by_role("button", name="Stop")).to_be_visible()
    expect(replay).not_to_have_attribute("data-shown", re.compile(f"^({first}|{last})$"))
    ann.get_by_role("button", name="Stop").click()
    expect(ann.get_by_role("button", name="Play")).to_be_visible()
    ann.goto(f"{field.path}/reports/charts")
    axe(ann)
    phone = enter(page, field, server, "Ann", width=390, dark=True)
    for name in ("", f"/{last}", "/history", "/charts", "/dice"):
        phone.goto(f"{field.path}/reports{name}")
        assert not wide(phone), name
        axe(phone)
    phone.goto(f"{field.path}/reports/charts")
    expect(phone.locator(".chart svg text").first).to_be_in_viewport(ratio=1)  # what the curves are measured by
    phone.emulate_media(media="print")
    assert phone.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"


def test_dice_are_checked_and_a_changed_face_shows(
    field: Battlefield, server: Site, page: OpenPage, axe: CheckAxe
) -> None:
    ann = enter(page, field, server, "Ann")
    ann.goto(f"{field.path}/reports/dice")
    ann.get_by_role("button", name="Verify the dice yourself").click()
    expect(ann.locator("#verdict")).to_contain_text("no mistake")
    expect(ann.locator(".result.wrong")).to_have_count(0)
    assert ann.locator("td.result.right").count() > 10
    axe(ann)

    def lie(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        found = re.search(r'id="dice-data">(.*?)</script>', text, re.S)
        assert found is not None
        data = json.loads(found[1])
        phase = next(each for each in data["phases"] if each["link"] and any(roll["sides"] for roll in each["rolls"]))
        roll = next(each for each in phase["rolls"] if each["sides"])
        roll["faces"][0] = roll["faces"][0] % 6 + 1
        route.fulfill(response=answer, body=text.replace(found[1], json.dumps(data).replace("<", "\\u003c")))

    ann.route("**/reports/dice", lie)
    ann.goto(f"{field.path}/reports/dice")
    ann.get_by_role("button", name="Verify the dice yourself").click()
    expect(ann.locator("#verdict")).to_contain_text("1 check failed")
    expect(ann.locator("td.result.wrong")).to_have_count(1)
    expect(ann.locator("td.result.wrong")).to_contain_text("wrong!")


def test_a_browser_keeps_the_salts(page: OpenPage, field: Battlefield) -> None:
    """Committed for the next phase, sent when that is open; given back to the server at a click."""
    ann = field.players["p1"]
    shown = page("Ann")
    shown.goto(f"{field.path}/reports/dice")
    shown.get_by_role("button", name="Keep them in this browser").click()
    expect(shown.locator("#salts-code")).to_have_text(re.compile(r"^([0-9a-f]{4}-){7}[0-9a-f]{4}$"))
    expect(shown.locator("#salts-state")).to_contain_text("This browser keeps them")
    expect(shown.locator("#salts-receipts")).to_be_visible()
    assert salts.read(field.ctx, ann, field.id).kept_by == "player"
    game_master.advance(field.ctx, field.gm, field.id, number=field.info().phase_number)
    with shown.expect_response(lambda answer: answer.request.method == "PUT" and answer.url.endswith("/salts")) as sent:
        shown.reload()
    assert sent.value.ok
    now = salts.read(field.ctx, ann, field.id).now
    assert now is not None
    assert (now.kept_by, now.given) == ("player", True)
    shown.get_by_role("button", name="Let the server keep them").click()
    expect(shown.locator("#salts-state")).to_contain_text("The server keeps them")
    assert salts.read(field.ctx, ann, field.id).kept_by == "server"
