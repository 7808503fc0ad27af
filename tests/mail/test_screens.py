"""Mails on small screens, in Chromium: nothing runs out of their sides, with styles and without."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from server.mail.letters import Letter, html_of
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database
from tests.mail.conftest import addressed
from tests.mail.every_kind import EveryKind
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.web.browser.conftest import CHROMIUM

PHONE = 360
RHYTHM = {"deadlines": {"kind": "rolling", "hours": 51}}


@pytest.fixture
def kind() -> str:
    """One kind of database is enough: it is the look that is tried."""
    return "sqlite"


@pytest.fixture
def ctx(database: Database, clock: Clock) -> Any:
    settings = Settings(
        _env_file=None,
        public_url="https://play.example.org",
        mail_from="The Club <club@example.org>",
        mail_orders="orders@example.org",
    )
    own = AppContext(database, settings, clock)
    yield own
    own.close()


def shown(letter: Letter) -> str:
    """Return a letter's HTML with its picture in it."""
    return html_of(letter).replace("cid:map", f"data:image/png;base64,{b64encode(letter.picture).decode()}")


def without_styles(html: str) -> str:
    return re.sub(r' style="[^"]*"', "", re.sub(r"<style.*?</style>", "", html, flags=re.DOTALL))


def test_every_kind_of_mail_fits_a_phone_with_and_without_its_styles(ctx: AppContext) -> None:
    """Seen to fail with ``width="600"`` for the map, and with receipts that cannot be broken."""
    made = club(ctx, options=RHYTHM, phases=8)
    addressed(ctx)
    letters = EveryKind(ctx, made).write()
    assert len(letters) > 35
    wide = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": PHONE, "height": 640})
        for name, letter in letters.items():
            for how, html in (("", shown(letter)), (" without styles", without_styles(shown(letter)))):
                page.set_content(html)
                width = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
                if width > PHONE:
                    wide[name + how] = width
        browser.close()
    assert wide == {}
