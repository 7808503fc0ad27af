"""Draws the campaign that moves on the landing page: ``python -m tests.web.living_map`` writes its pictures.

A campaign of four computer players is played by the rules, and its last phases are drawn as pages draw maps, with
everything in sight. Run it again when the drawing has changed.
"""

from __future__ import annotations

import re

from server.render.svg import Options, draw
from server.rules.sight import GM, view_for
from server.tournament import exhibition
from server.web.templating import STATIC

SCENARIO, RULESET, TURNS, SEED = "four-corners", "frontier", 7, 11
PICTURES = 9
"""Two turns, and where they begin."""
LIVING = STATIC / "living"


def main() -> None:
    """Write the pictures, each with the phase after which it stands in its name."""
    steps = list(exhibition.play(SCENARIO, RULESET, TURNS, SEED))[-PICTURES:]
    LIVING.mkdir(exist_ok=True)
    for old in LIVING.glob("*.svg"):
        old.unlink()
    for number, step in enumerate(steps):
        events = step.view.events if number else ()
        view = view_for(step.view.state, events, GM)
        svg = draw(view, Options(live=True, fog=False, labels=False))
        far = re.sub(r'<text class="plate lo110"[^>]*>[^<]*</text>', "", svg)  # never seen from so near
        short = re.sub(r"(\d+\.\d)\d+", r"\1", far)
        (LIVING / f"{number}-{step.phase}.svg").write_text(short + "\n", "utf-8")


if __name__ == "__main__":
    main()
