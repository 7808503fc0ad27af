"""A new person runs a campaign without a manual: signs up, creates it, others join by link, he starts it, announces
something, and rolls back.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import CheckAxe, OpenPage


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_a_campaign_is_run(page: OpenPage, axe: CheckAxe, width: int, dark: bool) -> None:
    gm = page(width=width, dark=dark)
    _sign_up(gm)
    _create(gm, axe)
    link = _invite(gm)
    for name, faction in (("Ann", "Orks"), ("Ben", "Eldar")):
        player = page(name, width=width, dark=dark)
        player.goto(link)
        axe(player)
        player.get_by_role("radio", name=faction, exact=False).first.check()
        player.get_by_role("button", name="Take the seat").click()
        expect(player.get_by_text("You are in.")).to_be_visible()
    _start(gm, axe)
    _announce(gm, axe)
    player.goto(f"{gm.url.partition('/gm')[0]}/people")
    expect(player.get_by_text("Club night on Friday.")).to_be_visible()
    axe(player)
    _roll_back(gm, axe)


def _sign_up(gm: Page) -> None:
    gm.goto("/")
    gm.get_by_role("link", name="Start playing").first.click()
    gm.get_by_label("Name", exact=True).fill("Gwen")
    gm.locator("#password").fill("correct horse")
    gm.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(gm.get_by_role("heading", level=1)).to_have_text("My campaigns")


def _create(gm: Page, axe: CheckAxe) -> None:
    gm.get_by_role("main").get_by_role("link", name="Create a campaign").first.click()
    gm.get_by_text("More options").click()
    axe(gm)
    gm.get_by_label("Name", exact=True).fill("The Long March")
    gm.get_by_role("radio", name="The Pass").check()
    gm.get_by_role("button", name="Create the campaign").click()
    expect(gm.get_by_role("heading", level=1)).to_have_text("The Long March")
    axe(gm)


def _invite(gm: Page) -> str:
    gm.get_by_role("button", name="Make an invitation link").click()
    return gm.get_by_label("Send this link to your players").input_value()


def _start(gm: Page, axe: CheckAxe) -> None:
    gm.reload()
    gm.goto(gm.url.partition("/gm")[0])
    gm.get_by_role("link", name="Begin the campaign").click()
    axe(gm)
    gm.get_by_role("button", name="Begin").click()
    expect(gm.get_by_text("Turn 0 · Setup")).to_be_visible()


def _announce(gm: Page, axe: CheckAxe) -> None:
    gm.get_by_role("link", name="Game master").click()
    axe(gm)
    gm.get_by_label("Text").fill("Club night on Friday.")
    gm.get_by_role("button", name="Announce").click()
    expect(gm.get_by_text("Everybody has been told.")).to_be_visible()


def _roll_back(gm: Page, axe: CheckAxe) -> None:
    gm.get_by_role("link", name="End this phase now").click()
    axe(gm)
    gm.get_by_role("button", name="End the phase").click()
    gm.get_by_role("link", name="Go back to turn 0, Setup").click()
    expect(gm.get_by_text("Turn 0, Setup opens again")).to_be_visible()
    gm.get_by_label("Why?").fill("We forgot to muster.")
    gm.get_by_role("button", name="Roll back").click()
    expect(gm.get_by_text("Branch 2", exact=True)).to_be_visible()
    axe(gm)


def test_pages_are_for_everybody(page: OpenPage, axe: CheckAxe) -> None:
    seen = page("Ann", dark=True)
    for path in ("/settings", "/campaigns", "/sign-in", "/campaigns/new"):
        seen.goto(path)
        axe(seen)
