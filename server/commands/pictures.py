"""``sealed-orders map render``: a scenario as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server import rulesets
from server.commands.terminal import AsJson, Code, fail, print_json
from server.render.png import to_png
from server.render.svg import Options, draw
from server.rules.sight import GM, view_for
from server.rules.state import Settings
from server.scenarios import library
from server.scenarios.begin import initial_state

KINDS = (".svg", ".png")


def mount(maps: typer.Typer) -> None:
    """Add the command to the map commands."""
    maps.command(name="render")(_render)


def _render(
    scenario: Annotated[str, typer.Argument(help="Scenario folder, or the id of a shipped one.")],
    to: Annotated[Path, typer.Option(help="Picture to write: .svg or .png.")],
    ruleset: Annotated[str, typer.Option(help="Ruleset for the terrain. Default: the scenario's own.")] = "",
    width: Annotated[int | None, typer.Option(min=50, max=20000, help="Width of a PNG in pixels.")] = None,
    legend: Annotated[bool, typer.Option(help="Draw the legend.")] = True,
    grey: Annotated[bool, typer.Option(help="Use shades of grey (SVG), for printing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a map with its start areas.

    Examples: `sealed-orders map render four-corners --to map.svg` ·
    `sealed-orders map render my-maps/new --to new.png --width 2000`

    Exits 1 when the map is wrong, 2 when the options make no sense or the file cannot be written.
    """
    if to.suffix.lower() not in KINDS:
        fail(f"{to}: pictures are .svg or .png", Code.UNUSABLE)
    plan = library.load(scenario) if scenario in library.names() else library.load_folder(scenario)
    rules = rulesets.load(ruleset or plan.ruleset)
    faction = next(iter(rules.factions))
    players = [(start.name, faction) for start in plan.starts]
    state = initial_state(plan, rules, Settings(), players, b"picture")
    svg = draw(view_for(state, (), GM), Options(title=plan.title, legend=legend, grey=grey))
    if to.suffix.lower() == ".png":
        to.write_bytes(to_png(svg, width=width))
    else:
        to.write_text(svg, encoding="utf-8")
    if as_json:
        print_json({"scenario": plan.id, "title": plan.title, "written": str(to)})
    else:
        typer.echo(f"{plan.title}: {to}")
