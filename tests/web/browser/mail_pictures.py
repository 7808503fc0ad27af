"""Makes the pictures of mails in ``docs/images``: a report on a bright ground, and in German on a dark one."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser

from server.mail.compose import compose
from server.mail.letters import Letter, html_of
from server.play.context import AppContext
from server.play.notices import delivery
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure
from server.settings import Settings
from server.store.database import Database
from tests.mail.conftest import addressed
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.store import databases

NAMES = ("mail", "mail-dark")
PHASES = 12
"""Played before the report: it is that of the third turn's Battle orders."""
SIZE = {"width": 600, "height": 1500}


def make(browser: Browser, folder: Path) -> None:
    """Write ``mail.png`` and ``mail-dark.png``."""
    with databases.migrated("sqlite", "mails") as url:
        letters = _reports(Database(url))
    for name, reader, scheme in (("mail", "Ada", "light"), ("mail-dark", "Bob", "dark")):
        page = browser.new_page(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]
        letter = letters[reader]
        page.set_content(
            html_of(letter).replace("cid:map", f"data:image/png;base64,{b64encode(letter.picture).decode()}")
        )
        page.locator("img").evaluate("picture => picture.decode()")
        page.screenshot(path=folder / f"{name}.png")
        page.close()


def _reports(database: Database) -> dict[str, Letter]:
    """Return the newest letter to each player: Bob's in German."""
    settings = Settings(public_url="https://play.example.org", mail_orders="orders@example.org")
    ctx = AppContext(database, settings, Clock())
    club(ctx, options={"deadlines": {"kind": "rolling", "hours": 51}}, phases=PHASES)
    addressed(ctx, Bob="de")
    found: dict[str, Letter] = {}

    def write(item: Item) -> None:
        try:
            letter = compose(ctx, item)
        except PermanentFailure:
            return
        if item.payload["about"] == "phase_opened":
            found[letter.name] = letter

    while delivery.deliver(ctx, {"mail": write}):
        pass
    ctx.close()
    database.close()
    return found
