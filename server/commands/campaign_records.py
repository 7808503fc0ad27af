"""``sealed-orders campaign``: records as files, practices from a position, and a campaign for visitors to watch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server.bots.levels import LEVELS, REGULAR
from server.commands.printing import file_size
from server.commands.standing import As, Named, acting, plain, report
from server.commands.terminal import AsJson, Code, fail, print_json, progress, save, tell
from server.play.archive.record_files import bytes_of, export
from server.play.archive.record_import import import_
from server.play.campaigns import practice
from server.play.campaigns.practice import NewPractice
from server.play.operating import campaign_overview, example
from server.settings import PREFIX

app = typer.Typer(rich_markup_mode="markdown")


@app.command("practise")
def _practise(
    named: Named,
    number: Annotated[
        int | None,
        typer.Option("--phase", min=0, help="Phase to start after. Default: the latest possible."),
    ] = None,
    seat: Annotated[str, typer.Option("--seat", help="Seat to take.")] = "",
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help=f"How well the others play: {', '.join(LEVELS)}.")
    ] = REGULAR,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Let them give up after two hopeless turns in a row.")
    ] = False,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Open a position as a practice against computer players. Dice generate what could not be seen.

    Exits 1 when there is no such phase or seat, or the account may not read the position.

    Example: `sealed-orders campaign practise "long march" --phase 12 --seat p2 --level veteran`
    """
    with acting(as_) as (ctx, actor):
        found = campaign_overview.campaign(ctx, named)
        new = NewPractice(number=number, as_=seat or None, seat=seat or None, level=level, give_up=give_up)
        made = practice.create(ctx, actor, found.id, new)
        page = f"{ctx.settings.public_url}/campaigns/{made.id}"
        if as_json:
            print_json({**plain(campaign_overview.campaign(ctx, made.id)), "page": page})
            return
    typer.echo(f"{made.name} ({made.id}): play it at {page}")


@app.command("example")
def _example(
    name: Annotated[str, typer.Option("--name", help="Name of the campaign.")] = "The Four Corners War",
    scenario: Annotated[str, typer.Option("--scenario", help="Scenario of this server.")] = "four-corners",
    turns: Annotated[int, typer.Option("--turns", min=1, max=20, help="Turns to play.")] = 8,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Play a campaign between computer players, for the start page to show to visitors.

    It takes some seconds. Put its id into `SEALED_ORDERS_EXAMPLE_CAMPAIGN` and restart the server.

    Exits 1 when there is no such scenario.

    Example: `sealed-orders campaign example --turns 6`
    """
    with acting(as_) as (ctx, actor):
        with progress("Phases") as done:
            most = example.PHASES_A_TURN * turns + 1
            made = example.create(ctx, actor, name, scenario, turns, lambda number: done(number, most))
        if as_json:
            print_json(plain(campaign_overview.campaign(ctx, made.id)))
            return
    typer.echo(f"{made.name} ({made.id}): set {PREFIX}EXAMPLE_CAMPAIGN={made.id} and restart the server")


@app.command("export")
def _export(
    named: Named,
    to: Annotated[Path, typer.Argument(metavar="FILE", help="File to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Write a campaign as one file, for `verify`, `replay` and `import`. It holds every secret of the campaign.

    Exits 1 when the campaign has not started, 2 when the file is there already or cannot be written.

    Example: `sealed-orders campaign export "long march" long-march.sealed`
    """
    if to.exists() and not force:
        fail(f"{to} already exists; use --force to overwrite it", Code.UNUSABLE)
    with acting(as_) as (ctx, actor):
        found = campaign_overview.campaign(ctx, named)
        data = export(ctx, actor, found.id)
    save(to, data, private=True)
    tell(
        as_json,
        {"campaign": found.id, "written": str(to), "bytes": len(data)},
        f"{found.name}: {to}, {file_size(len(data))}",
    )


@app.command("import")
def _import(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File that `campaign export` wrote.")],
    as_: As = "",
    as_json: AsJson = False,
) -> None:
    """Import a campaign from another server, with its id and hashes, after verifying it.

    Its seats are empty, the acting account runs it; one that was running is paused.

    Exits 1 when it is here already, 2 when the file is not a record or does not verify.

    Example: `sealed-orders campaign import long-march.sealed`
    """
    data = bytes_of(file)
    with acting(as_) as (ctx, actor):
        with progress("Phases") as done:
            made = import_(ctx, actor, data, progress=done)
        report(campaign_overview.campaign(ctx, made.id), as_json)
