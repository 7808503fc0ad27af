"""``sealed-orders tournament``: computer players against each other, many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.table import Table

from server.commands.machine import settings_or_exit
from server.commands.terminal import AsJson, Code, bad_map, console, fail, print_json, progress
from server.core.errors import RulesError
from server.scenarios import library
from server.scenarios.problems import MapError
from server.tournament.contestants import BASELINES, OutsideError, UnknownContestant, commands_of
from server.tournament.game import Result
from server.tournament.running import tournament
from server.tournament.schedule import Fixture
from server.tournament.standings import Standings


def mount(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="tournament")(_tournament)


def _tournament(
    maps: Annotated[str, typer.Option(metavar="ID,...", help="Maps, with commas; `all` for every shipped one.")],
    players: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help=f"Levels (recruit, regular, veteran, marshal), {', '.join(BASELINES)}, or `module:function`.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Games on each map.")] = 40,
    turns: Annotated[int, typer.Option(min=1, max=200, help="Turns after which a game ends.")] = 15,
    seed: Annotated[int, typer.Option(help="The same seed gives the same table.")] = 1,
    seats: Annotated[int, typer.Option(min=0, help="Number of players, on maps for this many. 0: as many as fit.")] = 0,
    ruleset: Annotated[str, typer.Option(help="Ruleset. Default: each map's own.")] = "",
    processes: Annotated[int, typer.Option(min=0, help="Processes; 0: one for each core.")] = 0,
    outside: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COMMAND", help="A program that plays over the API. May be given again."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a round-robin tournament on every map, every player in every seat, and print the ratings.

    A game is won by the player with most victory points at its end; a lost capital eliminates. Two names on four seats
    play two each. A shared victory counts as a share. Intervals are 95 %.

    A program from outside (`--outside`) plays over the API of a server that the tournament starts. It finds address
    and token in `SEALED_ORDERS_SERVER` and `SEALED_ORDERS_TOKEN`. Then games are played one after the other, and the
    same seed gives another table.

    Example: `sealed-orders tournament --maps four-corners --players veteran,regular --games 40 --turns 15 --seed 7`

    Exits 1 when a program from outside fails, 2 when there is no such map, player or ruleset.
    """
    names = [name.strip() for name in players.split(",") if name.strip()]
    places = list(library.names()) if maps == "all" else [name.strip() for name in maps.split(",") if name.strip()]
    if not names or not places:
        fail("A tournament needs at least one map and one player.", Code.UNUSABLE)
    with _refusals():
        commands = commands_of(outside or [])
        entrants = [*names, *(name for name in commands if name not in names)]
        with progress("games") as on_progress, _playing(commands) as playing:
            standings = tournament(
                places, entrants, games, turns, seed, ruleset=ruleset, seats=seats, processes=processes or None,
                on_progress=on_progress, outside=commands, playing=playing,
            )  # fmt: skip
    if as_json:
        print_json(standings.as_dict())
    else:
        _show(standings)


@contextmanager
def _refusals() -> Iterator[None]:
    """Say what cannot be played, and why."""
    try:
        yield
    except MapError as error:
        raise bad_map(error, Code.UNUSABLE) from error
    except (UnknownContestant, RulesError) as error:
        fail(str(error), Code.UNUSABLE)
    except OutsideError as error:
        fail(str(error), Code.REFUSED)


@contextmanager
def _playing(commands: Mapping[str, str]) -> Iterator[Callable[[Fixture], Result] | None]:
    """Give the function that plays games with programs from outside; None without such programs."""
    if not commands:
        yield None
        return
    from server.tournament.over_api import club  # uvicorn and the whole app: only where wanted

    with club(commands, settings_or_exit()) as play:
        yield play


def _show(standings: Standings) -> None:
    data, ratings, out = standings.as_dict(), standings.ratings(), console()
    title = f"{data['games']} games, seed {data['seed']}"
    table = _table(title, "Player", "Games", "Wins", "Share", "95 %", "VP", "Elo")
    for line in data["players"]:
        half = ratings[line["name"]][1]
        elo = f"{line['elo']} ± {half:.0f}" if half < 10_000 else str(line["elo"])
        table.add_row(line["name"], *_share(line), f"{line['vp']:.1f}", elo)
    out.print(table)
    table = _table("Maps", "Map", "Games", "Turns", "Eliminated a game", "Shared victories")
    for line in data["maps"]:
        table.add_row(*(str(line[key]) for key in ("map", "games", "turns", "eliminated", "shared")))
    out.print(table)
    table = _table("Starts", "Map", "Start", "Games", "Wins", "Share", "95 %", "VP", "Eliminated")
    for line in data["starts"]:
        table.add_row(line["map"], line["start"], *_share(line), f"{line['vp']:.1f}", str(line["eliminated"]))
    out.print(table)
    table = _table("Factions", "Faction", "Seats", "Wins", "Share", "95 %")
    for line in data["factions"]:
        table.add_row(line["faction"], *_share(line))
    out.print(table)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column == "Start" else "right")
    return table


def _share(line: dict[str, object]) -> tuple[str, str, str, str]:
    rate, low, high = (f"{float(str(line[key])):.0%}" for key in ("win_rate", "low", "high"))
    return str(line["games"]), f"{line['wins']:g}", rate, f"{low} to {high}"
