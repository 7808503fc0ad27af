"""The game master at work: speaks to everybody, ends a phase, goes back; and pages that stand alone.

How a campaign comes to be, and is played, is in ``test_whole_campaign``.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.battlefield import begin
from tests.web.browser.conftest import CheckAxe, OpenPage, Site


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_a_campaign_is_run(page: OpenPage, server: Site, axe: CheckAxe, width: int, dark: bool) -> None:
    field = begin(server.ctx)
    gm = page("Gwen", width=width, dark=dark)
    gm.goto(field.path)
    _announce(gm, axe)
    player = page("Ben", width=width, dark=dark)
    player.goto(f"{field.path}/people")
    expect(player.get_by_text("Club night on Friday.")).to_be_visible()
    axe(player)
    _roll_back(gm, axe)


def _announce(gm: Page, axe: CheckAxe) -> None:
    gm.get_by_role("link", name="Game master").click()
    axe(gm)
    gm.get_by_label("Text").fill("Club night on Friday.")
    gm.get_by_role("button", name="Announce").click()
    expect(gm.get_by_text("Announcement sent.")).to_be_visible()


def _roll_back(gm: Page, axe: CheckAxe) -> None:
    gm.get_by_role("link", name="End this phase now").click()
    axe(gm)
    gm.get_by_role("button", name="End the phase").click()
    gm.get_by_role("link", name="Go back to Setup").click()
    expect(gm.get_by_text("Setup reopens exactly as it first opened")).to_be_visible()
    gm.get_by_label("Why?").fill("We forgot to muster.")
    gm.get_by_role("button", name="Roll back").click()
    expect(gm.get_by_text("Branch 2", exact=True)).to_be_visible()
    axe(gm)


def test_pages_are_for_everybody(page: OpenPage, axe: CheckAxe) -> None:
    seen = page("Ann", dark=True)
    for path in ("/settings", "/campaigns", "/sign-in", "/campaigns/new"):
        seen.goto(path)
        axe(seen)
