"""Maps drawn and made, and a campaign as a picture that moves."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

from bench.measure import Result, Stopwatch, middle
from bench.positions import Size, campaign
from server import rulesets
from server.mail.briefing import LARGEST_PICTURE, WIDTHS
from server.render.moving import write
from server.render.png import small_png, to_png
from server.render.sheets import sheets
from server.render.svg import draw
from server.rules.sight import View, view_for
from server.scenarios.generate import generate
from server.scenarios.generate.request import Request
from server.tournament import exhibition

SMALL = Size(11, 10, players=4, detachments=40)
VAST = Size(100, 100, players=10, detachments=1000)
TURNS = 30
RUNS = 3


def pictures() -> list[Result]:
    """Draw views of a small and a vast map, make a vast map, write a campaign as a moving picture."""
    results = []
    for size, aim in ((SMALL, 0.0), (VAST, 3.0)):
        view = view_for(campaign(size), (), "p00")
        svg = draw(view)
        what = f"{size.columns} x {size.rows}, {size.detachments} detachments, a player's view"
        results.append(_result(f"{what} as SVG", lambda view=view: draw(view)))  # type: ignore[misc]
        results.append(_result(f"{what} as PNG", lambda svg=svg: to_png(svg), aim))  # type: ignore[misc]
        results.append(_result(f"{what} in a mail", lambda view=view: _mailed(view)))  # type: ignore[misc]
    request = Request(100, 100, 10, seed="bench")
    ruleset = rulesets.load("wh40k-2001")
    results.append(_result("generating 100 x 100 for 10 players", lambda: generate(request, ruleset), 5.0))
    results.append(_result(f"{TURNS} turns of four players as GIF, played already", _moving()))
    return results


def _mailed(view: View) -> None:
    """Make the map of a mail as for all but the first who play: land and borders are known."""
    small_png(sheets(view), LARGEST_PICTURE, WIDTHS)


def _moving() -> Callable[[], object]:
    steps = list(exhibition.play("four-corners", "wh40k-2001", TURNS, 1))
    frames = [step.frame for step in steps]
    return lambda: write(BytesIO(), "GIF", "Bench", steps[0].view, frames)


def _result(what: str, work: Callable[[], object], aim: float = 0.0) -> Result:
    times = []
    for _ in range(RUNS):
        watch = Stopwatch()
        with watch.running():
            work()
        times.append(watch.total)
    seconds = middle(times)
    figure = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    return Result("pictures", what, figure, f"{aim:.0f} s" if aim else "", not aim or seconds < aim)
