"""Makes the pictures of the table and of mails in ``docs/images``.

``python -m tests.web.browser.docs_pictures docs/images`` makes them all.

From each picture one can name the phase, the deadline, what is wanted and how the last battle went. These facts are its
alt text. They are taken from the view (not from the page), and the page must tell the same to those who cannot see it.
``facts.json`` beside the pictures keeps them; ``tests/test_pictures.py`` holds that the guides use them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from server.play.campaigns import campaigns
from server.play.views import positions
from tests.store import databases
from tests.web.browser import all_pages, mail_pictures
from tests.web.browser.all_pages import World
from tests.web.browser.conftest import CHROMIUM, serving

PHASES = {"build": "Build"}


@dataclass(frozen=True, slots=True)
class Facts:
    """What a picture tells."""

    phase: str
    deadline: str
    wanted: str
    battle: str


def main() -> None:
    """Make the pictures and their facts."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with databases.migrated("sqlite", "pictures") as url, serving(url) as site, sync_playwright() as playwright:
        world = all_pages.build(site)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        made = {}
        for name, (what, how) in SHOTS.items():
            page = _open(browser, world, phone=how == "phone", dark=how == "phone")
            facts = _shoot(world, page, name, folder)
            alt = f"{what} {facts.phase}. {facts.deadline}. {facts.wanted} Last battle: {facts.battle}"
            made[name] = {"alt": alt, **asdict(facts)}
            page.context.close()
        (folder / "facts.json").write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", "utf-8")
        mail_pictures.make(browser, folder)
        for name in mail_pictures.NAMES:
            _make_small(folder / f"{name}.png")
        browser.close()


SHOTS = {
    "table": ("The table.", "desktop"),
    "results-card": ("The results card over the map.", "desktop"),
    "town": ("A town and what it may build.", "desktop"),
    "replay": ("The replay of the last phase.", "desktop"),
    "phone": ("The table on a phone, in the dark.", "phone"),
}
"""Each picture: what it shows, and on what."""


def _open(browser: Browser, world: World, *, phone: bool, dark: bool) -> Page:
    context = browser.new_context(
        base_url=world.site.url,
        viewport={"width": 390, "height": 844} if phone else {"width": 1440, "height": 900},
        has_touch=phone,
        is_mobile=phone,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        device_scale_factor=1,
    )
    for key in ("results do not open", "first turn known"):
        context.add_init_script(f"localStorage.setItem('{key}', '1')")
    context.add_cookies([all_pages.cookie(world, "Ann")])
    return context.new_page()


def _shoot(world: World, page: Page, name: str, folder: Path) -> Facts:
    """Write a picture, and return its facts; the table must tell the same."""
    table = f"/campaigns/{world.main}/table"
    page.goto(f"{table}?hex={world.place('capital')}" if name == "town" else table)
    all_pages.ready(page)
    page.locator("#results-open").wait_for()
    facts = _facts(world, page)
    told = page.locator("#map-facts").inner_text()
    assert all(each in told for each in asdict(facts).values()), told
    if name == "results-card":
        page.locator("#results-open").click()
        page.locator("#results-card:not([hidden])").wait_for()
    elif name == "replay":
        page.goto(f"/campaigns/{world.main}/reports/history")
        all_pages.ready(page)
    page.wait_for_timeout(400)
    page.screenshot(path=folder / f"{name}.png")
    _make_small(folder / f"{name}.png")
    return facts


def _make_small(path: Path) -> None:
    """Write a picture with 256 colours: a third of the bytes, and nothing one would miss."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def _facts(world: World, page: Page) -> Facts:
    """Return what the view says."""
    ann = world.people["Ann"]
    view = positions.position(world.ctx, ann, world.main).view
    info = campaigns.get(world.ctx, ann, world.main)
    assert info.deadline is not None
    table = f"/campaigns/{world.main}/table"
    score = page.request.get(f"{table}/score").text()
    results = page.request.get(f"{table}/results.json").json()
    wanted = page.evaluate(
        "html => new DOMParser().parseFromString(html, 'text/html').querySelector('.score').dataset.title", score
    )
    return Facts(
        phase=f"Turn {view.state.turn} · {PHASES[view.state.phase]}",
        deadline=f"Due {info.deadline:%a} {info.deadline.day} {info.deadline:%b, %H:%M}",
        wanted=wanted.removesuffix(info.name).strip(),
        battle=results["battle"],
    )


if __name__ == "__main__":
    main()
