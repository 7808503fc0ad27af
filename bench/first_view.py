"""The first view of the table, against a static page of the same bytes; and how soon the map answers the mouse."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from statistics import median

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.measure import Result
from bench.pages import site
from server.http.signing import COOKIE
from server.play.context import Actor, AppContext
from server.play.game_masters import game_master
from server.play.views import positions
from server.rules.sight import GM

LOADS = 7
SIDES = ((19, 17, 60), (64, 64, 1000), (100, 100, 1000))
"""Columns, rows, forces."""
AIM_TIMES, AIM_ANSWER, AIM_GREAT = 2.5, 50.0, 2000.0
"""Times the static page; milliseconds from the mouse to the next picture; milliseconds of the great one."""
CLICKS = 12
_EDITS = 250
_SQUAD = {"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
_UNITS = [_SQUAD | {"slot": "hq"}, _SQUAD, _SQUAD]

_STATIC = """() => {
  const copy = document.documentElement.cloneNode(true);
  for (const script of copy.querySelectorAll("script")) script.remove();
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const styles = rules.map((rule) => rule.cssText).join("\\n");
  for (const link of copy.querySelectorAll("link")) link.remove();
  const loaded = performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"));
  const bytes = loaded.reduce((sum, each) => sum + each.decodedBodySize, 0);
  const page = `<!doctype html>${copy.outerHTML.replace("</head>", () => `<style>${styles}</style></head>`)}`;
  return page + `<!--${"x".repeat(Math.max(0, bytes - page.length))}-->`;
}"""
"""The finished page without its scripts, filled up to the bytes that the table loads."""
_SHOWN = """new Promise((done) => {
  const painted = () => requestAnimationFrame(() => setTimeout(() => done(performance.now())));
  if (document.readyState === "complete") painted(); else addEventListener("load", painted);
})"""
_WATCH = """() => {
  globalThis.slow = [];
  new PerformanceObserver((list) => globalThis.slow.push(...list.getEntries().map((each) => each.duration)))
    .observe({ type: "event", durationThreshold: 16, buffered: false });
}"""


def first_view() -> list[Result]:
    """Open the table of three sizes, again and again, each time as somebody who comes back with an empty tab."""
    found: list[Result] = []
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for columns, rows, forces in SIDES:
            with site(columns, rows, partial(_fill, forces=forces)) as (address, secret):
                found += _measured(browser, address, secret, (columns, rows, forces))
        browser.close()
    return found


def _measured(browser: Browser, address: str, secret: str, size: tuple[int, int, int]) -> list[Result]:
    columns, rows, forces = size
    name, small = f"{columns} x {rows}, {forces} forces", size == SIDES[0]
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.add_cookies([{"name": COOKIE, "value": secret, "url": address.rpartition("/campaigns")[0]}])
    context.add_init_script("localStorage.setItem('results do not open', '1')")
    context.add_init_script("localStorage.setItem('first turn known', '1')")
    page = context.new_page()
    loads = [_load(page, address) for _ in range(LOADS)]
    first = median(loads[1:])
    answers = _answers(page)
    results = [
        Result(
            "page",
            f"the table, {name}",
            f"{first:.0f} ms",
            "" if small else f"{AIM_GREAT:.0f} ms",
            small or first <= AIM_GREAT,
        )
    ]
    if small:
        still = _still(context, page.evaluate(_STATIC))
        times = first / still
        results += [
            Result("page", "a static page of the same bytes", f"{still:.0f} ms"),
            Result("page", "times the static page", f"{times:.1f}", f"{AIM_TIMES}", times <= AIM_TIMES),
        ]
    aim = f"{AIM_ANSWER:.0f} ms" if small else ""
    figure = f"{median(answers):.0f} / {max(answers):.0f} ms"
    results.append(
        Result(
            "page", f"a click on the map, {name} (median / worst)", figure, aim, not small or max(answers) <= AIM_ANSWER
        )
    )
    context.close()
    return results


def _load(page: Page, address: str) -> float:
    """Return the milliseconds until the table can be used."""
    page.goto(address, wait_until="commit")
    page.wait_for_selector("html[data-ready=table]", state="attached", timeout=60_000)
    return float(page.evaluate("Number(document.documentElement.dataset.readyAfter)"))


def _answers(page: Page) -> list[float]:
    """Click hexes all over the map; return the milliseconds from each event to the picture that shows its effect."""
    page.wait_for_timeout(500)
    page.evaluate(_WATCH)
    box = page.locator("#surface").bounding_box()
    assert box is not None
    random = Random("clicks")
    for _ in range(CLICKS):
        x, y = (box["x"] + box["width"] * random.uniform(0.2, 0.8), box["y"] + box["height"] * random.uniform(0.2, 0.8))
        page.mouse.move(x, y)
        page.mouse.click(x, y)
        page.wait_for_timeout(150)
    return page.evaluate("globalThis.slow") or [16.0]  # what takes less is not told


def _still(context: BrowserContext, content: str) -> float:
    """Return the milliseconds until a static page is shown."""
    page = context.new_page()
    with _serving(content.encode()) as address:
        shown = []
        for _ in range(LOADS):
            page.goto(address, wait_until="commit")
            shown.append(float(page.evaluate(_SHOWN)))
    page.close()
    return median(shown[1:])


@contextmanager
def _serving(content: bytes) -> Iterator[str]:
    """Serve one page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *given: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _fill(ctx: AppContext, gm: Actor, campaign: str, forces: int) -> None:
    """Put forces on free land until there are enough, half of them each player's."""
    state = positions.position(ctx, gm, campaign, as_=GM).view.state
    owners = list(state.players)
    free = [
        at
        for at in range(state.board.size)
        if state.ruleset.terrain[state.board.terrain[at]].land
        and at not in state.detachment_at
        and at not in state.urban
    ]
    chosen = Random("page").sample(free, forces - len(state.detachments))
    edits = [
        {
            "do": "add",
            "what": "detachment",
            "owner": owners[number % len(owners)],
            "hex": state.board.label(at),
            "name": f"Host {number}",
            "units": _UNITS,
        }
        for number, at in enumerate(chosen)
    ]
    for start in range(0, len(edits), _EDITS):
        game_master.edit(ctx, gm, campaign, edits[start : start + _EDITS], "For the bench.")
