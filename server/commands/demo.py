"""``sealed-orders demo``: you against three computer players, at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from server.bots.levels import LEVELS, REGULAR
from server.commands.machine import settings_or_exit
from server.commands.printing import moment
from server.commands.terminal import Code, console, fail

if TYPE_CHECKING:
    from server.play.campaigns.campaign_info import CampaignInfo

app = typer.Typer(rich_markup_mode="markdown")

PORT = 8000


@app.command("demo")
def _demo(
    folder: Annotated[Path, typer.Option(help="Folder for the demo's database.")] = Path("demo"),
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port to listen on. If it is taken, the next free one.")
    ] = PORT,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help=f"How well your opponents play: {', '.join(LEVELS)}; several, with commas, are taken in turn.",
        ),
    ] = REGULAR,
    giving_up: Annotated[
        bool, typer.Option("--giving-up", help="Let opponents give up after two hopeless turns in a row.")
    ] = False,
    reset: Annotated[bool, typer.Option("--reset", help="Delete the demo's campaign and start over.")] = False,
) -> None:
    """Play at once: a server on this machine, a running campaign, you against three computer players.

    Prints a link that signs you in. Ctrl-C stops the server; the same command continues where it was.

    Example: `sealed-orders demo --folder /tmp/demo --port 8080`

    Example: `sealed-orders demo --level marshal,regular,recruit --giving-up`

    Exits 2 when the folder cannot be written to or holds no demo, or there is no such level.
    Exits 3 when a demo runs in it already or no port is free.
    """
    levels = level.split(",")
    for name in levels:
        if name not in LEVELS:
            fail(f"There is no level {name!r}; there are: {', '.join(LEVELS)}.", Code.UNUSABLE)
    from server.demo import run as demo  # uvicorn and the whole app: only where wanted
    from server.http import logs

    settings = settings_or_exit()
    logs.configure("error", "text")
    try:
        with demo.held(folder) as leave_word:
            if reset:
                demo.reset(folder)
            _prepare(folder)
            listening = demo.listener(port)
            at = listening.getsockname()[1]
            if at != port:
                typer.echo(f"Port {port} is taken; this demo listens at {at}.")
            mine = demo.settings_for(settings, folder, at)
            leave_word(mine.public_url)
            demo.serve(mine, listening, _print_links, levels, giving_up=giving_up)
    except demo.DemoError as error:
        fail(str(error), Code.UNAVAILABLE if isinstance(error, demo.NotNow) else Code.UNUSABLE)
    except KeyboardInterrupt:
        pass  # while the first turns were played; nothing of them stays
    typer.echo("\nStopped. Run the same command to continue, or add --reset to start over.")


def _prepare(folder: Path) -> None:
    from server.demo import run as demo

    with Progress(console=console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        bar = progress.add_task("Playing the first turns", total=demo.PHASES, visible=False)
        demo.prepare(folder, settings_or_exit(), lambda: progress.update(bar, advance=1, visible=True))


def _print_links(link: str, campaign: CampaignInfo | None) -> None:
    """Say where to go and what to do there; no line of it is broken, so that the link can be clicked."""
    from server.demo.campaign import HUMAN, PASSWORD

    address = link.partition("/link?")[0]
    print(_TEXT.format(link=link, state=_state(campaign), address=address, name=HUMAN, password=PASSWORD), flush=True)


def _state(campaign: CampaignInfo | None) -> str:
    if campaign is None or campaign.turn is None or campaign.phase is None:
        return "No campaign of yours is running: see how the last one was played, or start again with --reset."
    return f"{campaign.name}: {moment(campaign.turn, campaign.phase)}. Your orders are needed."


_TEXT = """
  Sealed Orders is running. This link signs you in, once:

      {link}

  You are {name} of the Homestead League, against Ada, Boris and Chidi, who answer within seconds.
  {state}

  What to try first:
    1. Map and orders: click a force, choose its order, finalise. The others are final already, so the next
       phase opens at once.
    2. Reports, History: move the slider. The turns before were played for you.
    3. Battles: see the odds before one is fought. Reports, Dice: check its dice afterwards.
    4. My campaigns, Create a campaign, against computer players: another map and level, at once.
    5. My campaigns: The Struggle for the Pass is over, and all that was hidden in it is there to see.

  You are the game master, too. By command line: sealed-orders login {address} --name {name}
  (the password is: {password}). Ctrl-C stops the demo; everything is kept in its folder.
"""
