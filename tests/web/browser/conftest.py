"""A real server and a real Chromium. A page that complains in its console, or asks in vain, fails its test."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from sqlalchemy.engine import URL

from server.app import create_app
from server.http.signing import COOKIE
from server.play.accounts import accounts
from server.play.context import AppContext
from server.play.errors import PlayError
from tests.api.conftest import settings_for
from tests.api.people import PASSWORD
from tests.store import databases

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
WAIT = 60_000
"""Milliseconds a page may take for anything; reached only where something is broken."""


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    url: str
    ctx: AppContext

    def sign_in(self, page: Page, name: str) -> None:
        """Make an account where there is none of that name, and sign a page's browser in."""
        try:
            done = accounts.sign_up(self.ctx, name, PASSWORD)
        except PlayError:
            done = accounts.sign_in(self.ctx, name, PASSWORD)
        page.context.add_cookies([{"name": COOKIE, "value": done.token.secret, "url": self.url}])


@dataclass(slots=True)
class Watch:
    """What the pages of a test complained of."""

    complaints: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def forgive(self, words: str) -> None:
        """Do not mind complaints with these words: where a test is refused something on purpose."""
        self.forgiven.append(words)

    def on(self, page: Page) -> None:
        """Note everything a page complains of."""
        page.on("console", lambda said: self._note(f"console: {said.text}") if said.type == "error" else None)
        page.on("pageerror", lambda error: self._note(f"error: {error}"))
        # a request that is given up because the page is left is no failure
        page.on(
            "requestfailed",
            lambda asked: (
                None if "ERR_ABORTED" in (asked.failure or "") else self._note(f"{asked.url}: {asked.failure}")
            ),
        )

    def check(self) -> None:
        """Fail where something was complained of."""
        left = [complaint for complaint in self.complaints if not any(words in complaint for words in self.forgiven)]
        assert left == []

    def _note(self, complaint: str) -> None:
        self.complaints.append(complaint)


class _Uvicorn(uvicorn.Server):
    """Says when it serves."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.serving = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.serving.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # streams end first: the server would wait for them
        app: FastAPI = self.config.app  # type: ignore[assignment]
        app.state.server.hub.close()
        await super().shutdown(sockets)


@contextmanager
def serving(url: URL) -> Iterator[Site]:
    """A server on a port of its own; phases are resolved in the request that ends them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        app = create_app(settings_for(url, public_url=base))
        running = _Uvicorn(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, name="browser-test-server")
        thread.start()
        try:
            assert running.serving.wait(30), "the server does not start"
            yield Site(base, app.state.server.ctx)
        finally:
            running.should_exit = True
            thread.join(30)


@pytest.fixture
def server() -> Iterator[Site]:
    """A server with an empty database."""
    with databases.migrated("sqlite", "browser") as url, serving(url) as site:
        yield site


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for all tests of this folder."""
    if not os.path.exists(CHROMIUM):
        if os.environ.get("CI", "") not in ("", "0", "false"):
            pytest.fail("there is no Chromium here")
        pytest.skip("there is no Chromium here")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        expect.set_options(timeout=WAIT)
        yield found
        found.close()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """What pages complained of; anything fails the test."""
    found = Watch()
    yield found
    found.check()


OpenPage = Callable[..., Page]


@pytest.fixture
def page(browser: Browser, server: Site, watch: Watch) -> Iterator[OpenPage]:
    """Open a page in a browser profile of its own: ``page("Ann", width=390, dark=True, language="de")``.

    With a name, somebody of that name is signed in. Addresses are relative to the server.
    The card with the results of a phase opens by itself only with *results*, the guide of the first turn is shown only
    with *guide*; else the browser is told not to.
    """
    contexts: list[BrowserContext] = []

    def open_page(
        name: str = "", *, width: int = 1440, height: int = 900, dark: bool = False, language: str = "en",
        touch: bool = False, results: bool = False, guide: bool = False,
    ) -> Page:  # fmt: skip
        context = browser.new_context(
            base_url=server.url,
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=touch,
            is_mobile=touch,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(WAIT)
        if not results:
            context.add_init_script("localStorage.setItem('results do not open', '1')")
        if not guide:
            context.add_init_script("localStorage.setItem('first turn known', '1')")
        contexts.append(context)
        made = context.new_page()
        watch.on(made)
        if name:
            server.sign_in(made, name)
        return made

    yield open_page
    for each in contexts:
        each.close()


CheckAxe = Callable[[Page], None]
AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
"""What axe is asked: only for what is wrong, and the size of targets (WCAG 2.2), which it leaves out unasked."""


@pytest.fixture
def axe() -> CheckAxe:
    """Fail where axe-core finds something serious or critical on a page, or too small for a finger."""
    script = Axe().axe_script

    def check(page: Page) -> None:
        if not page.evaluate("'axe' in globalThis"):
            page.evaluate(script)
        found = page.evaluate("async (asked) => (await axe.run(asked)).violations", AXE)
        grave = [
            f"{each['id']} ({each['impact']}): {node['html'][:200]} -- {node['failureSummary'][:300]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]
        assert grave == [], f"{page.url}\n" + "\n".join(grave)

    return check
