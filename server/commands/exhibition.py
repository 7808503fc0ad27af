"""``sealed-orders exhibition``: computer players to watch."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from server import rulesets
from server.bots.levels import LEVELS, REGULAR
from server.commands.terminal import AsJson, Code, console, fail, print_json
from server.scenarios import library
from server.tournament import exhibition


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="exhibition")(_exhibition)


def _exhibition(
    page: Annotated[Path, typer.Option(help="HTML page to write.")] = Path("exhibition.html"),
    scenario: Annotated[str, typer.Option(help=f"One of: {', '.join(library.names())}.")] = "four-corners",
    ruleset: Annotated[str, typer.Option(help=f"One of: {', '.join(rulesets.names())}.")] = "frontier",
    turns: Annotated[int, typer.Option(min=1, max=100, help="Turns after which the campaign ends.")] = 15,
    seed: Annotated[int, typer.Option(help="Seed of the campaign.")] = 1,
    levels: Annotated[
        str, typer.Option(metavar="LEVEL,...", help=f"How well the seats play, in their order: {', '.join(LEVELS)}.")
    ] = REGULAR,
    as_json: AsJson = False,
) -> None:
    """Let computer players play a campaign, and write it as one page with a slider.

    Example: `sealed-orders exhibition --scenario the-pass --turns 20 --page pass.html`

    Exits 2 when there is no such scenario, ruleset or level, or the page cannot be written.
    """
    chosen = [level.strip() for level in levels.split(",")]
    for level in chosen:
        if level not in LEVELS:
            fail(f"There is no level {level!r}; there are: {', '.join(LEVELS)}.", Code.UNUSABLE)
    steps = []
    with Progress(console=console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task("Turn 0", total=turns)
        for step in exhibition.play(scenario, ruleset, turns, seed, chosen):
            steps.append(step)
            progress.update(bar, completed=step.turn, description=f"Turn {step.turn}")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(exhibition.write_page(library.load(scenario).title, steps), encoding="utf-8")
    if as_json:
        score = [{"name": name, "vp": vp, "hexes": hexes} for name, vp, hexes in steps[-1].frame.score]
        print_json({"written": str(page), "phases": len(steps), "score": score})
        return
    typer.echo(f"{steps[-1].frame.story[-1] if steps[-1].frame.story else 'It is over.'}")
    typer.echo(f"{len(steps)} phases. Watch them: {page.resolve().as_uri()}")
