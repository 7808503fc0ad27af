"""Writes a picture of every page: ``python -m tests.web.browser.gallery FOLDER [NAME ...]``; see ``make gallery``.

Desktop, tablet and phone, light and dark, in English; desktop and phone in German. The pages are those that the tests
walk (:mod:`tests.web.browser.all_pages`), and the table in its phases.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from server.play.accounts import accounts
from tests.store import databases
from tests.web.browser import all_pages
from tests.web.browser.all_pages import Stop, World
from tests.web.browser.conftest import CHROMIUM, serving

MAX_HEIGHT = 4000
"""Pixels of a long page that are shown."""


@dataclass(frozen=True, slots=True)
class Look:
    """How pages are looked at."""

    name: str
    width: int
    height: int
    language: str = "en"
    touch: bool = False


LOOKS = (
    Look("desktop", 1440, 900), Look("tablet", 820, 1180, touch=True), Look("phone", 390, 844, touch=True),
    Look("desktop-de", 1440, 900, "de"), Look("phone-de", 390, 844, "de", touch=True),
)  # fmt: skip


def main() -> None:
    """Build the world, walk all pages, write the pictures."""
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with databases.migrated("sqlite", "gallery") as url, serving(url) as site, sync_playwright() as playwright:
        world = all_pages.build(site)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        for stops in (_walked(world), _phases(world)):
            for stop, act in stops:
                if names and not any(name in stop.name for name in names):
                    continue
                count += _shoot(browser, world, folder, stop, act)
                print(stop.name, flush=True)
        browser.close()
    print(f"{count} pictures in {folder}")


Act = Callable[[Page], None]


def _nothing(page: Page) -> None:
    pass


def _walked(world: World) -> Iterator[tuple[Stop, Act]]:
    """Yield every page, and the table with what opens on it."""
    for stop in world.stops():
        yield stop, _nothing
    table = f"/campaigns/{world.main}/table"
    yield Stop("table-results", table, "Ann"), _results
    yield Stop("table-town", f"{table}?hex={world.place('capital')}", "Ann"), _nothing
    yield Stop("table-raise", f"{table}?hex={world.place('capital')}", "Ann"), _raise
    yield Stop("table-orders", table, "Ann"), lambda page: page.locator("#tab-orders").click()
    yield Stop("table-notes", table, "Ann"), lambda page: page.locator("#tab-notes").click()


def _phases(world: World) -> Iterator[tuple[Stop, Act]]:
    """Play on, and yield the table in the phases to come."""
    for phase in ("movement", "battle_movement", "battles"):
        world.play_on(phase)
        hex_ = world.place("force")
        yield Stop(f"table-{phase}", f"/campaigns/{world.main}/table?hex={hex_}", "Ann"), _nothing
    yield Stop("battles-open", f"/campaigns/{world.main}/battles", "Ann"), _nothing


def _results(page: Page) -> None:
    page.locator("#results-open").click()
    page.locator("#results-card:not([hidden])").wait_for()


def _raise(page: Page) -> None:
    page.locator("[data-key^='raise-'], [data-key^='garrison-'], [data-key^='units-']").first.click()
    page.locator("dialog.editor").wait_for()


def _shoot(browser: Browser, world: World, folder: Path, stop: Stop, act: Act) -> int:
    """Write the pictures of a page, and return how many."""
    written = 0
    for look in LOOKS:
        context = browser.new_context(
            base_url=world.site.url,
            viewport={"width": look.width, "height": look.height},
            locale=look.language,
            has_touch=look.touch,
            is_mobile=look.touch,
            reduced_motion="reduce",
        )
        try:
            written += _looked(context, world, folder, stop, look, act)
        finally:
            context.close()
    return written


def _looked(context: BrowserContext, world: World, folder: Path, stop: Stop, look: Look, act: Act) -> int:
    for key in ("results do not open", "first turn known"):
        context.add_init_script(f"localStorage.setItem('{key}', '1')")
    page = context.new_page()
    if stop.visitor:
        accounts.change_profile(world.ctx, world.people[stop.visitor], locale=look.language)
        context.add_cookies([all_pages.cookie(world, stop.visitor)])
    if "<html" not in page.request.get(stop.address).text():
        return 0
    page.goto(stop.address)
    all_pages.ready(page)
    act(page)
    page.wait_for_timeout(300)  # pictures and charts settle
    for mode in ("light", "dark") if look.language == "en" else ("light",):
        page.emulate_media(color_scheme="dark" if mode == "dark" else "light")
        # a window as high as what is shown: a picture of a full page of 40,000 pixels takes longer than one waits
        page.set_viewport_size({"width": look.width, "height": look.height})
        height = min(MAX_HEIGHT, page.evaluate("document.documentElement.scrollHeight"))
        page.set_viewport_size({"width": look.width, "height": max(height, look.height)})
        page.screenshot(path=folder / f"{stop.name}-{look.name}-{mode}.png")
    return 2 if look.language == "en" else 1


if __name__ == "__main__":
    main()
