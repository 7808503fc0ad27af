"""``sealed-orders mission``: missions for battles on the table: list, check, show, draw, print."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from server import missions
from server.commands.terminal import AsJson, Code, console, fail, print_json, save, tell
from server.referee.mission import Mission
from server.referee.reader import read_mission, schema
from server.render.messages import english
from server.render.png import to_png
from server.render.table.drawing import mission_drawing
from server.render.table.sheet import mission_sheet, to_html
from server.render.table.sheet_pdf import to_pdf
from server.render.table.svg import draw
from server.render.translations import Translations

app = typer.Typer(name="mission", no_args_is_help=True, help="Missions for battles on the table.")
MissionName = Annotated[str, typer.Argument(metavar="MISSION", help="Mission id or file.")]
Language = Annotated[str, typer.Option(help="en or de.")]
LARGEST = 1_000_000
"""Bytes of a mission's file."""


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the missions that come with the program.

    Example: `sealed-orders mission list`
    """
    found = list(missions.library().values())
    if as_json:
        print_json({"missions": [_about(mission) for mission in found]})
        return
    from rich.table import Table

    table = Table("Id", "Name", "Family", "Table", box=None)
    for mission in found:
        table.add_row(mission.id, mission.name.en, mission.family, _size(mission))
    console().print(table)


@app.command()
def validate(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Mission files.")], as_json: AsJson = False
) -> None:
    """Check mission files: everything that is wrong with them at once, with its place in the file.

    Example: `sealed-orders mission validate my-mission.toml`

    Exits 1 when one cannot be played, 2 when a file cannot be read.
    """
    report = {str(path): _problems(path) for path in paths}
    if as_json:
        print_json({"missions": [{"file": path, "problems": found} for path, found in report.items()]})
    else:
        for path, found in report.items():
            for problem in found:
                typer.echo(f"{path}: {problem['field'] or 'file'}: {problem['message']}")
            if not found:
                typer.echo(f"{path}: good")
    raise typer.Exit(Code.REFUSED if any(report.values()) else Code.DONE)


@app.command("schema")
def schema_() -> None:
    """Print the format of mission files as a JSON schema, for editors.

    Example: `sealed-orders mission schema > mission.schema.json`
    """
    print_json(schema())


@app.command()
def show(mission: MissionName, language: Language = "en", as_json: AsJson = False) -> None:
    """Show a mission: table, zones, markers, rules, stratagems.

    Example: `sealed-orders mission show scorched_earth`

    Exits 2 when there is no such mission, or its file cannot be played.
    """
    plan = find(mission)
    if as_json:
        print_json(_about(plan))
        return
    sheet = mission_sheet(plan, {}, language)
    typer.echo(f"{sheet.title}  ({plan.id}, {plan.family}, {_size(plan)})")
    typer.echo(sheet.briefing)
    for line in sheet.rules:
        typer.echo(f"- {line}")
    for marker in plan.markers:
        place = "to be placed" if marker.at is None else f"{marker.at[0] / 1000:g}, {marker.at[1] / 1000:g}"
        typer.echo(f"Marker {marker.id}: {place}")
    for stratagem in sheet.stratagems:
        typer.echo(f"{stratagem.name} ({sheet.word(stratagem.side)}, {stratagem.cost}): {stratagem.text}")


@app.command()
def render(
    mission: MissionName,
    to: Annotated[Path, typer.Option(help="Picture to write: .svg or .png.")],
    language: Language = "en",
    width: Annotated[int | None, typer.Option(min=50, max=20000, help="Width of a PNG in pixels.")] = None,
    grey: Annotated[bool, typer.Option(help="Use no colour, for printing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a mission's table with its zones, edges and markers.

    Example: `sealed-orders mission render scorched_earth --to map.png`

    Exits 2 when there is no such mission, or the file cannot be written.
    """
    svg = draw(mission_drawing(find(mission), Translations(language)), grey=grey)
    if to.suffix.lower() == ".svg":
        save(to, svg.encode())
    elif to.suffix.lower() == ".png":
        save(to, to_png(svg, width=width))
    else:
        fail(f"{to}: pictures are .svg or .png", Code.UNUSABLE)
    _written(to, as_json)


@app.command()
def sheet(
    mission: MissionName,
    to: Annotated[Path, typer.Option(help="Sheet to write: .html or .pdf.")],
    armies: Annotated[list[Path] | None, typer.Option(help="Army files, the Attacker's first.")] = None,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Write the sheet for two players at one table: map, rules, tracks, stratagems, ready to print.

    Example: `sealed-orders mission sheet scorched_earth --to sheet.pdf`

    Exits 2 when a file cannot be read or written.
    """
    plan = find(mission)
    lists = dict(zip(("attacker", "defender"), [_toml(path) for path in armies or []], strict=False))
    filled = mission_sheet(plan, lists, language)
    if to.suffix.lower() == ".pdf":
        save(to, to_pdf(filled))
    elif to.suffix.lower() in (".html", ".htm"):
        save(to, to_html(filled).encode())
    else:
        fail(f"{to}: sheets are .html or .pdf", Code.UNUSABLE)
    _written(to, as_json)


def find(name: str) -> Mission:
    """Return a mission by its id or its file, or end the command and say what is wrong with it."""
    known = missions.library()
    if name in known:
        return known[name]
    path = Path(name)
    if not path.is_file():
        fail(f"There is no mission {name}; there are: {', '.join(known)}", Code.UNUSABLE)
    mission, problems = read_mission(_toml(path))
    if mission is None:
        fail("\n".join(f"{path}: {problem.field}: {english(problem.message)}" for problem in problems), Code.UNUSABLE)
    return mission


def _written(to: Path, as_json: bool) -> None:
    tell(as_json, {"written": str(to)}, str(to))


def _problems(path: Path) -> list[dict[str, str]]:
    _, problems = read_mission(_toml(path))
    return [{"code": problem.code, "field": problem.field, "message": english(problem.message)} for problem in problems]


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            fail(f"{path}: too large for a mission file", Code.UNUSABLE)
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{path}: {error.strerror}", Code.UNUSABLE)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        fail(f"{path}: not TOML: {error}", Code.UNUSABLE)


def _size(mission: Mission) -> str:
    return f'{mission.width / 1000:g}" x {mission.height / 1000:g}"'


def _about(mission: Mission) -> dict[str, Any]:
    return {
        "id": mission.id,
        "name": mission.name.en,
        "family": mission.family,
        "width": mission.width / 1000,
        "height": mission.height / 1000,
        "stages": list(mission.stages),
        "phases": list(mission.phases),
        "rounds": mission.rounds,
        "markers": [marker.id for marker in mission.markers],
        "rules": [data.kind.NAME for data in mission.rules],
    }
