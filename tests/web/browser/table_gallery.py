"""Pictures of every state of table games, both phones side by side.

``python -m tests.web.browser.table_gallery FOLDER [MISSION ...]`` plays a game of each kind by chance, stops wherever
the game waits for something new, and writes what both phones show: light, dark, German, 360 and 430 pixels wide.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2
from fastapi.testclient import TestClient
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from server.http.signing import GUEST_COOKIE
from tests.api.tables import Game, acts_to_the_end
from tests.store import databases
from tests.web.browser.conftest import CHROMIUM, Site, serving

MISSIONS = (
    "clash_of_patrols", "patrol", "ambush", "sabotage", "blitz", "rescue", "dhorak_pass", "normal_battle",
)  # fmt: skip
"""A mission of each kind that two phones play."""
SIDES = ("red", "blue")


@dataclass(frozen=True, slots=True)
class Look:
    """How both phones are looked at."""

    name: str
    width: int = 390
    height: int = 844
    language: str = "en"
    scheme: str = "light"


LOOKS = (
    Look("light"), Look("dark", scheme="dark"), Look("german", language="de"), Look("360", 360, 740),
    Look("430", 430, 932),
)  # fmt: skip


def main() -> None:
    """Play and write the pictures."""
    folder, missions = Path(sys.argv[1]), sys.argv[2:] or MISSIONS
    folder.mkdir(parents=True, exist_ok=True)
    wanted = os.environ.get("LOOKS", "").split()
    looks = [look for look in LOOKS if not wanted or look.name in wanted]
    with databases.migrated("sqlite", "gallery") as url, serving(url) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        with httpx2.Client(base_url=site.url, timeout=120) as client:
            for mission in missions:
                game = Game(cast(TestClient, client), mission)
                phones = {look: [_phone(browser, site, game, side, look) for side in SIDES] for look in looks}
                for number, name in enumerate(_states(site, game)):
                    for look, pages in phones.items():
                        _shoot(pages, game, folder / f"{mission}-{number:02}-{name}-{look.name}.png")
                    print(mission, number, name, flush=True)
                for pages in phones.values():
                    for page in pages:
                        page.context.close()
        browser.close()


def _states(site: Site, game: Game) -> Iterator[str]:
    """Play by chance; yield a name wherever the game waits for something that was not awaited before."""
    seen: set[str] = set()
    acts = acts_to_the_end(site.ctx.database, game.id, seed=int(os.environ.get("SEED", "0")))
    for number, (by, act) in enumerate([*acts, ("", {})]):
        position = game.view("red")
        view, awaiting = position["view"], position["awaiting"]
        reacting = any(awaiting["reactions"].values())
        name = f"{view['stage']}-{view['phase'] or ''}-{awaiting['for']}{'-reaction' if reacting else ''}"
        if name not in seen:
            seen.add(name)
            yield name
        if by:
            game.people[by].post(f"{game.path}/acts", {"expected": number, "act": act})


def _phone(browser: Browser, site: Site, game: Game, side: str, look: Look) -> Page:
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": look.width, "height": look.height},
        locale=look.language,
        has_touch=True,
        is_mobile=True,
        color_scheme="dark" if look.scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": GUEST_COOKIE, "value": game.people[side].secret, "url": site.url}])
    return context.new_page()


def _shoot(pages: list[Page], game: Game, path: Path) -> None:
    """Write what both phones show beside each other; of what is off their screens, nothing."""
    shots = []
    for page in pages:
        page.goto(game.path)
        page.locator("#next-step, #tt-strip, #confirm-result, #tt-next a").first.wait_for()
        page.locator("#tt-board img").evaluate("image => image.decode()")
        page.wait_for_timeout(100)
        shots.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    both = Image.new("RGB", (sum(shot.width for shot in shots) + 10, shots[0].height), "#888")
    at = 0
    for shot in shots:
        both.paste(shot, (at, 0))
        at += shot.width + 10
    both.save(path)


if __name__ == "__main__":
    main()
