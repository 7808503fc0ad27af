"""Every page there is, in light and in dark: axe finds nothing, no script complains, none is too wide for a phone.

The pages come from the routes of the app, so that a new page is walked by itself.
Seen to fail with a rulebook wider than a phone, a badge that lay outside its tabs, and tables that share one name.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from tests.web.browser.all_pages import Stop, World, build, cookie, ready
from tests.web.browser.conftest import OpenPage, Site, Watch

COLOURS: dict[str, object] = {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""What may differ in the dark."""
ALL: dict[str, object] = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
WHERE = {"exclude": [[".book section:nth-of-type(n + 9)"], [".glossary > div:nth-of-type(n + 25)"]]}
"""The rest of a book is more of the same, and takes a minute and a half."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SCRIPT = Axe().axe_script
REFUSED = ("not-found",)


@pytest.fixture
def world(server: Site) -> World:
    """A site with something on every page."""
    return build(server)


def test_every_page(world: World, page: OpenPage, watch: Watch) -> None:
    watch.forgive("404")  # of the page for what is not found
    found = [trouble for stop in world.stops() for trouble in _look(world, stop, page)]
    assert found == [], "\n".join(found)


def _look(world: World, stop: Stop, open_page: OpenPage) -> Iterator[str]:
    """Yield what is wrong with a page."""
    shown = open_page()
    if stop.visitor:
        shown.context.add_cookies([cookie(world, stop.visitor)])
    answer = shown.request.get(stop.address)
    if answer.status != (404 if stop.name in REFUSED else 200):
        yield f"{stop.name} ({stop.address}): HTTP {answer.status}"
    if "<html" in answer.text():  # else a part of one
        shown.goto(stop.address)
        ready(shown)
        yield from _checked(shown, stop)
    shown.context.close()


def _checked(shown: Page, stop: Stop) -> Iterator[str]:
    shown.evaluate(SCRIPT)
    yield from _asked(shown, stop, "light", ALL)
    shown.emulate_media(color_scheme="dark")
    yield from _asked(shown, stop, "dark", COLOURS)
    shown.set_viewport_size(PHONE)
    if shown.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield f"{stop.name}: is pushed sideways on a phone"
    if shown.evaluate("(document.querySelector('header.top')?.offsetHeight ?? 0) > 96"):
        yield f"{stop.name}: the header has more than two lines on a phone"


def _asked(page: Page, stop: Stop, how: str, what: dict[str, object]) -> Iterator[str]:
    for rule in page.evaluate("async ([where, asked]) => (await axe.run(where, asked)).violations", [WHERE, what]):
        for node in rule["nodes"]:
            html, why = node["html"][:160], " ".join(node["failureSummary"].split())[:220]
            yield f"{stop.name} ({how}): {rule['id']} ({rule['impact']}): {html} -- {why}"
