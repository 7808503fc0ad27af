"""``sealed-orders map``: check, make, import, export and draw maps and scenarios."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from server import rulesets
from server.commands.terminal import AsJson, Code, Wrong, bad_map, console, fail, print_json, tell
from server.render.png import to_png
from server.render.svg import Options, draw
from server.rules.ruleset import Ruleset
from server.rules.sight import GM, view_for
from server.rules.state import Settings
from server.rulesets import load as load_ruleset
from server.rulesets import load_file as load_ruleset_file
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.scenarios.checks import check
from server.scenarios.exchange import EXPORTS, IMPORTS, export_map, import_map
from server.scenarios.exchange.mapping import Rules, read_rules, suggestion
from server.scenarios.exchange.raw import Imported
from server.scenarios.fairness import fairness
from server.scenarios.generate import generate
from server.scenarios.generate.request import SHARES, Request, best_turns
from server.scenarios.problems import ERROR, MapError, MapProblem, Unreadable
from server.scenarios.report import (
    Progress,
    about,
    check_report,
    fairness_table,
    find,
    plain,
    scenario_table,
    verdict,
)
from server.scenarios.scenario import DEFAULT_RULESET, Conditions, Scenario
from server.scenarios.writer import FILE, save, to_data, to_text

SYMMETRIES = {"organic": 1, "half": 2, "third": 3, "sixth": 6}

app = typer.Typer(name="map", no_args_is_help=True, rich_markup_mode="markdown", help="Maps and scenarios.")


RulesetOption = Annotated[
    str,
    typer.Option("--ruleset", metavar="ID|FILE", help="Ruleset for the terrain. Default: the scenario's own."),
]
ToFolder = Annotated[
    Path | None, typer.Option("--to", metavar="FOLDER", help="Folder to write to. It is created if needed.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the scenarios that come with the server.

    Example: `sealed-orders map list`
    """
    found = [library.load(name) for name in library.names()]
    if as_json:
        print_json({"scenarios": [about(scenario) for scenario in found]})
        return
    console().print(scenario_table(found))


@app.command("validate")
def validate_(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Scenario folders, files or ids. Default: all shipped ones."),
    ] = None,
    ruleset: RulesetOption = "",
    strict: Annotated[bool, typer.Option("--strict", help="Treat warnings as problems.")] = False,
    fair: Annotated[bool, typer.Option("--fairness", help="Show the value of each start.")] = False,
    play: Annotated[
        int, typer.Option("--play", metavar="N", min=0, help="Play N games with the regular player at every start.")
    ] = 0,
    turns: Annotated[int, typer.Option("--turns", min=1, max=100, help="Turns per game.")] = 12,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Check scenarios: all problems at once, each with its place. Says `good`, `playable, not fair: ...` or `broken`.

    A map is not fair where its starts are not worth the same. With `--play` no start may
    win less than 0.6 or more than 1.6 times its fair share, and a chi-square test must not reject that all are equal.

    Exits 1 when a scenario is broken, 2 when one cannot be read.

    Examples: `sealed-orders map validate my-maps/island` · `sealed-orders map validate four-corners --play 200`
    """
    rules = _ruleset(ruleset) if ruleset else None
    report = []
    with _progress() as progress:
        for path in paths or list(library.names()):
            progress.start_step(f"checking {path}")
            report.append(check_report(path, rules, strict, fair or as_json))
            if play and not any(problem["severity"] == ERROR for problem in report[-1]["problems"]):
                progress.start_step(f"playing {path}")
                _play(report[-1], path, play, turns, seed, len(paths or library.names()))
    if as_json:
        print_json({"scenarios": report})
    else:
        for entry in report:
            _print_report(entry, fair)
    raise typer.Exit(max((entry["exit_code"] for entry in report), default=Code.DONE))


@app.command("generate")
def generate_(
    size: Annotated[
        str, typer.Option("--size", metavar="COLUMNSxROWS", help="Size of the map: 7x7 up to 40000 hexes.")
    ] = "24x20",
    players: Annotated[int, typer.Option("--players", min=1, max=24, help="Number of players.")] = 4,
    seed: Annotated[str, typer.Option("--seed", help="Seed of the map. Default: random.")] = "",
    share: Annotated[
        list[str] | None,
        typer.Option("--share", metavar="TERRAIN=PERCENT", help="Share of the map. Repeat it for each terrain."),
    ] = None,
    symmetry: Annotated[
        str, typer.Option("--symmetry", help="organic, half, third, sixth (of a full turn), or best for the players.")
    ] = "organic",
    radius: Annotated[int | None, typer.Option("--radius", help="Radius of the start areas, 2 to 20.")] = None,
    bp: Annotated[int | None, typer.Option("--bp", min=0, max=1_000_000, help="BP at the start.")] = None,
    urban: Annotated[
        int | None, typer.Option("--urban", min=0, max=99, help="Number of settlements, without the capital.")
    ] = None,
    resources: Annotated[
        int | None, typer.Option("--resources", min=0, max=99, help="Number of resource hexes.")
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Name of the map.")] = "A New World",
    ruleset: RulesetOption = DEFAULT_RULESET,
    to: ToFolder = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Generate a fair map. Without `--to`, its scenario.json is printed.

    Exits 1 when there is no room for a fair map, 2 when the options make no sense.

    Examples: `sealed-orders map generate --size 30x26 --players 5 --to my-maps/new` ·
    `sealed-orders map generate --size 64x64 --players 8 --share sea=30 --symmetry half --seed 7`
    """
    rules = _ruleset(ruleset)
    columns, rows = _size(size)
    request = Request(
        columns=columns,
        rows=rows,
        players=players,
        seed=seed or secrets.token_hex(4),
        shares=_shares(share or (), rules),
        turns=_turns(symmetry, players),
        radius=radius,
        conditions=Conditions(bp, urban, resources),
        id=_id_for(to),
        title=title,
    )
    _refuse_overwriting(to, [FILE], force)
    try:
        with _progress() as progress:
            scenario = generate(request, rules, progress.start_step)
    except MapError as error:
        no_room = any(problem.code == "no_room" for problem in error.problems)
        raise bad_map(error, Code.REFUSED if no_room else Code.UNUSABLE) from None
    typer.echo(f"seed {request.seed}", err=True)
    report = [fairness(scenario, rules, count) for count in scenario.player_counts]
    _hand_over(scenario, to, as_json, {"seed": request.seed, "fairness": [measure.as_dict() for measure in report]})


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Map of another program.")],
    format: Annotated[
        str, typer.Option("--format", help=f"{', '.join(IMPORTS)}; by the file's ending if left out.")
    ] = "",
    mapping: Annotated[
        Path | None, typer.Option("--mapping", metavar="TOML", help="File that maps terrains (docs/maps.md).")
    ] = None,
    ruleset: RulesetOption = DEFAULT_RULESET,
    to: ToFolder = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Convert a Tiled, Wesnoth, CSV or text map to a scenario, and list what could not be read.

    Without `--to`, its scenario.json is printed. Exits 1 when terrain was not understood (nothing is written
    then, and a mapping file to fill in is shown), 2 when the file cannot be read.

    Examples: `sealed-orders map import island.tmx --to my-maps/island` ·
    `sealed-orders map import old.map --mapping terrains.toml --to my-maps/old`
    """
    rules = _ruleset(ruleset)
    _refuse_overwriting(to, [FILE], force)
    try:
        given = read_rules(mapping) if mapping else Rules()
        with _progress() as progress:
            progress.start_step(f"reading {file}")
            imported = import_map(file, rules, given, format)
    except MapError as error:
        unusable = isinstance(error, Unreadable) or mapping is not None
        raise bad_map(error, Code.UNUSABLE if unusable else Code.REFUSED) from None
    unknown = [{"terrain": name, "hexes": count, "first": hex_} for name, count, hex_ in imported.unknown]
    errors = [problem for problem in imported.problems if problem.severity == ERROR]
    for problem in imported.problems:
        if problem not in errors:
            typer.echo(f"{problem.severity}: {problem}", err=True)
    if errors:
        raise _not_understood(MapError(errors), imported, unknown)
    _hand_over(imported.scenario, to, as_json, {"problems": plain(imported.problems), "not_understood": unknown})


@app.command("export")
def export_(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="Scenario folder, file or id.")],
    format: Annotated[str, typer.Option("--format", help=", ".join(EXPORTS))] = "tiled",
    to: ToFolder = None,
    ruleset: RulesetOption = "",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a scenario for other programs: Tiled (reads back the same), GeoJSON, CSV.

    Exits 1 when the scenario has problems, 2 when it cannot be read.

    Examples: `sealed-orders map export four-corners --to out` ·
    `sealed-orders map export my-maps/island --format geojson --to out`
    """
    found = find(scenario)
    rules = _ruleset(ruleset or found.ruleset)
    with _progress() as progress:
        progress.start_step(f"writing {found.title}")
        files = export_map(found, rules, format)
    folder = to or Path()
    names = {f"{found.id}{end}": data for end, data in files.items()}
    _refuse_overwriting(folder, names, force)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in names.items():
        (folder / name).write_bytes(data)
    written = [str(folder / name) for name in names]
    if as_json:
        print_json({"scenario": found.id, "format": format, "written": written})
    else:
        for name in written:
            typer.echo(name)


# --- what the commands share ---


def _not_understood(error: MapError, imported: Imported, unknown: list[dict[str, Any]]) -> Wrong:
    wrong = bad_map(error, Code.REFUSED)
    about = wrong.about | {"problems": plain(imported.problems), "not_understood": unknown}
    said = [str(error)]
    if unknown:
        said += ["\nFill this in and give it as --mapping:\n", suggestion(row["terrain"] for row in unknown)]
    return Wrong("\n".join(said), wrong.code, about)


def _ruleset(name: str) -> Ruleset:
    return load_ruleset_file(name) if name.endswith(".toml") else load_ruleset(name)


def _print_report(report: dict[str, Any], fair: bool) -> None:
    for entry in report["problems"]:
        problem = MapProblem(**entry)
        typer.echo(f"{report['path']}: {problem.severity}: {problem}")
    if "title" in report:
        state = report["verdict"]
        size = f"{report['columns']} x {report['rows']}"
        typer.echo(f"{report['path']}: {report['title']}, {size}, {max(report['players'])} players: {state}")
    elif report["exit_code"] == Code.REFUSED:
        typer.echo(f"{report['path']}: {report['verdict']}")
    for start in report.get("play", {}).get("starts", ()):
        typer.echo(
            f"  {start['start']}: {start['wins']:g} wins, {start['ratio']:.2f} of a fair share, "
            f"{start['vp']:g} VP, eliminated {start['eliminated']} times"
        )
    for measured in report.get("fairness", ()) if fair else ():
        console().print(fairness_table(measured))


def _play(report: dict[str, Any], path: str, games: int, turns: int, seed: int, maps: int) -> None:
    """Add to a report how fair the map was in play."""
    from server.tournament.fairness import by_play  # the rules: only where wanted

    played = by_play(path, games, turns, seed, maps=maps)
    report["play"] = played.as_dict()
    if not played.fair:
        found = [f"{start.name} wins {start.ratio:.2f} times its fair share" for start in played.outside]
        found = found or [f"differences this large come by chance in {played.chance:.1%} of equal maps"]
        said = f"{'; '.join(found)} ({games} games of {turns} turns)."
        report["verdict"] = verdict([MapProblem(**entry) for entry in report["problems"]], said)


def _progress() -> Progress:
    return Progress(lambda text: typer.echo(text, err=True))


def _size(text: str) -> tuple[int, int]:
    columns, _, rows = text.lower().partition("x")
    if not (columns.strip().isdecimal() and rows.strip().isdecimal() and len(text) < 12):
        fail(f"--size must be like 24x20, not {text!r}", Code.UNUSABLE)
    return int(columns), int(rows)


def _shares(given: Iterable[str], ruleset: Ruleset) -> dict[str, float]:
    shares = {name: percent for name, percent in SHARES.items() if name in ruleset.terrain}
    for one in given:
        name, _, percent = one.partition("=")
        try:
            shares[name.strip()] = float(percent.strip().removesuffix("%"))
        except ValueError:
            fail(f"--share must be like forest=20, not {one!r}", Code.UNUSABLE)
    return shares


def _turns(symmetry: str, players: int) -> int:
    if symmetry == "best":
        return best_turns(players)
    if symmetry not in SYMMETRIES:
        fail(f"--symmetry must be one of best, {', '.join(SYMMETRIES)}, not {symmetry!r}", Code.UNUSABLE)
    return SYMMETRIES[symmetry]


def _id_for(to: Path | None) -> str:
    return to.resolve().name if to else "generated"


def _refuse_overwriting(folder: Path | None, names: Iterable[str], force: bool) -> None:
    for name in names if folder and not force else ():
        if folder and (folder / name).exists():
            fail(f"{folder / name} already exists; use --force to overwrite it", Code.UNUSABLE)


def _hand_over(scenario: Scenario, to: Path | None, as_json: bool, more: dict[str, Any]) -> None:
    """Write the scenario to its folder, or print it."""
    schema = "../scenario.schema.json"
    written = None
    if to:
        near = (to.resolve().parent / "scenario.schema.json").exists()
        written = str(save(scenario, to, schema if near else ""))
    warnings = check(scenario)
    if as_json:
        data = {} if to else {"scenario": to_data(scenario)}
        problems = [*more.get("problems", ()), *plain(warnings)]
        print_json({**about(scenario), **more, "problems": problems, "written": written, **data})
        return
    for warning in warnings:
        typer.echo(f"{warning.severity}: {warning}", err=True)
    if written:
        typer.echo(written)
    else:
        sys.stdout.write(to_text(scenario, ""))


PICTURES = (".svg", ".png")


@app.command("render")
def render(
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
    if to.suffix.lower() not in PICTURES:
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
    tell(as_json, {"scenario": plan.id, "title": plan.title, "written": str(to)}, f"{plan.title}: {to}")
