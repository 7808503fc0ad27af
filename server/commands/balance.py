"""``sealed-orders balance``: is every army list worth playing?"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from server import rulesets
from server.bots.levels import LEVELS, REGULAR
from server.commands.terminal import AsJson, Code, bad_map, console, fail, print_json, progress
from server.scenarios.problems import MapError
from server.tournament.balance import ARENAS, HIGH, LOW, STRATEGY, Balance, Share, balance

_DEFAULT = ",".join(f"{name}:{seats}" for name, seats in ARENAS)


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="balance")(_balance)


def _balance(
    ruleset: Annotated[str, typer.Option(help="Ruleset whose army lists play.")] = "wh40k-2001",
    appearances: Annotated[int, typer.Option(min=1, max=100_000, help="Games of each list, at least.")] = 300,
    turns: Annotated[int, typer.Option(min=1, max=200, help="Turns after which a game ends.")] = 20,
    seed: Annotated[int, typer.Option(help="The same seed gives the same table.")] = 1,
    maps: Annotated[str, typer.Option(metavar="ID:PLAYERS,...", help="Maps and numbers of players.")] = _DEFAULT,
    level: Annotated[str, typer.Option(help="Level of all players: recruit, regular, veteran, marshal.")] = REGULAR,
    processes: Annotated[int, typer.Option(min=0, help="Processes; 0: one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Play every army list against every other, and print how often each wins.

    Each list plays equally often in each seat of each map. Games have the ends that a new campaign proposes; a lost
    capital eliminates. A share of 1.0 is fair, intervals are 95 %.

    Example: `sealed-orders balance --ruleset frontier --appearances 100 --seed 7`

    Exits 2 when there is no such map, ruleset or level.
    """
    if ruleset not in rulesets.names():
        fail(f"{ruleset}: no such ruleset; there are {', '.join(rulesets.names())}", Code.UNUSABLE)
    if level not in LEVELS:
        fail(f"{level}: no such level; there are {', '.join(LEVELS)}", Code.UNUSABLE)
    arenas = [_arena(named) for named in maps.split(",") if named.strip()]
    if not arenas:
        fail("no maps; name at least one", Code.UNUSABLE)
    try:
        with progress("games") as on_progress:
            found = balance(
                ruleset, appearances, turns, seed, arenas=arenas, level=level, processes=processes or None,
                on_progress=on_progress,
            )  # fmt: skip
    except MapError as error:
        raise bad_map(error, Code.UNUSABLE) from error
    if as_json:
        print_json(found.as_dict())
    else:
        _show(found)


def _arena(text: str) -> tuple[str, int]:
    name, _, seats = text.strip().partition(":")
    if not seats.isdecimal():
        fail(f"{text.strip()}: not a map and a number of players; write the-pass:2", Code.UNUSABLE)
    return name, int(seats)


def _show(found: Balance) -> None:
    out = console()
    table = _table(f"{found.ruleset}: {found.games} games, seed {found.seed}", "List")
    for share in found.lists:
        mark = "" if LOW <= share.ratio <= HIGH else " *"
        table.add_row(share.name + mark, str(share.strategy), *_figures(share))
    out.print(table)
    table = _table("Strategy values", "Value")
    for share in found.strategies:
        table.add_row(share.name, str(share.strategy), *_figures(share))
    out.print(table)
    named = ", ".join(share.name for share in found.outside) or "none"
    out.print(f"Outside {LOW} to {HIGH}: {named}. Strategy values differ by {found.spread:.2f} (at most {STRATEGY}).")


def _table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left")
    for number, column in enumerate((first, "Strategy", "Games", "Wins", "Share", "95 %")):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _figures(share: Share) -> tuple[str, str, str, str]:
    low, high = share.interval
    return str(share.games), f"{share.wins:g}", f"{share.ratio:.2f}", f"{low:.2f} to {high:.2f}"
