"""The table in a browser: how soon a great map can be used, and how evenly it moves."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import uvicorn
from playwright.sync_api import Page, sync_playwright

from bench.measure import Result
from server import rulesets
from server.app import create_app
from server.bots import commander
from server.http.signing import COOKIE
from server.play.accounts import accounts, tokens
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.orders import orders
from server.play.views import positions
from server.scenarios.generate import generate
from server.scenarios.generate.request import Request
from server.scenarios.writer import to_data
from server.settings import Settings
from server.store import migrate

SIZES = (100, 200)
LOADS = 5
FRAME = 50.0
"""Milliseconds a frame may take before it is seen to stutter."""
PHASES = 4
Fill = Callable[[AppContext, Actor, str], None]
_PAN = """async () => {
  const surface = document.getElementById("surface"), box = surface.getBoundingClientRect();
  const at = (name, n) => surface.dispatchEvent(new PointerEvent(name, {
    pointerId: 1, bubbles: true, pointerType: "mouse",
    clientX: box.left + 500 + 260 * Math.sin(n / 14), clientY: box.top + 350 + 200 * Math.cos(n / 11) }));
  surface.setPointerCapture = () => {};
  const frames = [];
  let before = performance.now();
  at("pointerdown", 0);
  for (let n = 1; n <= 120; n += 1) {
    at("pointermove", n);
    const now = await new Promise((done) => requestAnimationFrame(() => done(performance.now())));
    frames.push(now - before);
    before = now;
  }
  at("pointerup", 120);
  return frames.slice(5);
}"""


def pages() -> list[Result]:
    """Load and move the table of a campaign on a map of 100 x 100, and of 200 x 200."""
    found: list[Result] = []
    for side in SIZES:
        with site(side, side) as (address, secret), sync_playwright() as playwright:
            chromium = shutil.which("chromium") or "/usr/bin/chromium"
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_cookies([{"name": COOKIE, "value": secret, "url": address.rpartition("/campaigns")[0]}])
            found += _measured(context.new_page(), address, side)
            browser.close()
    return found


def _measured(page: Page, address: str, side: int) -> list[Result]:
    name = f"{side} x {side}"
    loads = [_load(page, address) for _ in range(LOADS)]
    results = [
        Result("pages", f"the table of {name}, first visit", f"{loads[0]:.0f} ms"),
        Result(
            "pages",
            f"the same again (median of {LOADS - 1})",
            f"{median(loads[1:]):.0f} ms",
            "2000 ms" if side == SIZES[0] else "",
            median(loads[1:]) <= 2000,
        ),
    ]
    for what, zoom in (("whole", 0), ("close", 10)):
        for _ in range(zoom):
            page.locator("#zoom-in").click()
        page.wait_for_timeout(800)
        frames = sorted(page.evaluate(_PAN))
        high = frames[int(len(frames) * 0.95)]
        figure = f"{median(frames):.0f} / {high:.0f} / {frames[-1]:.0f} ms"
        results.append(
            Result(
                "pages",
                f"a frame while it is moved, {name} {what} (median / 95 % / worst)",
                figure,
                f"{FRAME:.0f} ms (95 %)" if side == SIZES[0] else "",
                high <= FRAME,
            )
        )
    return results


def _load(page: Page, address: str) -> float:
    page.goto(address, wait_until="commit")
    page.wait_for_selector("html[data-ready=table]", state="attached", timeout=60_000)
    return float(page.evaluate("Number(document.documentElement.dataset.readyAfter)"))


@contextmanager
def site(columns: int, rows: int, fill: Fill | None = None) -> Iterator[tuple[str, str]]:
    """Serve a campaign of two on a generated map, some phases old; yields its table's address and a session.

    *fill* adds to the position what a bench needs, as the game master.
    """
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"sqlite:///{Path(folder) / 'pages.db'}"
        migrate.upgrade(url)
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        limits = {
            "account_rate": 0,
            "address_rate": 0,
            "sign_in_rate": 0,
            "resolver_threads": 0,
            "resolver_processes": 0,
        }
        given = {"database_url": url, "public_url": base, "ticker": False, "log_level": "error"} | limits
        app = create_app(Settings.model_validate(given))
        secret, campaign = _campaign(app.state.server.ctx, columns, rows, fill)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"{base}/campaigns/{campaign}/table", secret
        finally:
            app.state.server.hub.close()
            server.should_exit = True
            thread.join()


def _campaign(ctx: AppContext, columns: int, rows: int, fill: Fill | None) -> tuple[str, str]:
    request = Request(columns, rows, players=2, seed="pages", radius=min(6, rows // 5))
    scenario = generate(request, rulesets.load("wh40k-2001"))
    signed_in = [accounts.sign_up(ctx, name, "correct horse") for name in ("Ann", "Ben", "Gwen")]
    *people, gm = [tokens.authenticate(ctx, account.token.secret) for account in signed_in]
    made = campaigns.create(ctx, gm, NewCampaign("Pages", scenario="own", scenario_data=to_data(scenario)))
    for actor, faction in zip(people, ("orks", "eldar"), strict=True):
        seats.invite_user(ctx, gm, made.id, actor.name)
        seats.join(ctx, actor, made.id, faction=faction)
    campaign_start.start(ctx, gm, made.id)
    for _ in range(PHASES):
        for actor in people:
            if orders.read(ctx, actor, made.id).wanted:
                chosen = commander.choose(positions.position(ctx, actor, made.id).view)
                orders.replace(ctx, actor, made.id, chosen, final=True, lenient=True)
    if fill is not None:
        fill(ctx, gm, made.id)
    return signed_in[0].token.secret, made.id
