"""Computer players among themselves: ``sealed-orders tournament``, ``balance`` and ``exhibition``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from rich.table import Table

from server import rulesets
from server.bots.levels import LEVELS, REGULAR
from server.commands.machine import settings_or_exit
from server.commands.terminal import AsJson, Code, bad_map, console, fail, print_json, progress
from server.core.errors import RulesError
from server.scenarios import library
from server.scenarios.problems import MapError
from server.tournament import exhibition
from server.tournament.balance import ARENAS, HIGH, LOW, STRATEGY, Balance, Share, balance
from server.tournament.contestants import BASELINES, OutsideError, UnknownContestant, commands_of
from server.tournament.game import Fixture, Result
from server.tournament.running import tournament
from server.tournament.standings import Standings

app = typer.Typer(rich_markup_mode="markdown")


@app.command("tournament")
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


_DEFAULT = ",".join(f"{name}:{seats}" for name, seats in ARENAS)


@app.command("balance")
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
        _show_balance(found)


def _arena(text: str) -> tuple[str, int]:
    name, _, seats = text.strip().partition(":")
    if not seats.isdecimal():
        fail(f"{text.strip()}: not a map and a number of players; write the-pass:2", Code.UNUSABLE)
    return name, int(seats)


def _show_balance(found: Balance) -> None:
    out = console()
    table = _share_table(f"{found.ruleset}: {found.games} games, seed {found.seed}", "List")
    for share in found.lists:
        mark = "" if LOW <= share.ratio <= HIGH else " *"
        table.add_row(share.name + mark, str(share.strategy), *_figures(share))
    out.print(table)
    table = _share_table("Strategy values", "Value")
    for share in found.strategies:
        table.add_row(share.name, str(share.strategy), *_figures(share))
    out.print(table)
    named = ", ".join(share.name for share in found.outside) or "none"
    out.print(f"Outside {LOW} to {HIGH}: {named}. Strategy values differ by {found.spread:.2f} (at most {STRATEGY}).")


def _share_table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left")
    for number, column in enumerate((first, "Strategy", "Games", "Wins", "Share", "95 %")):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _figures(share: Share) -> tuple[str, str, str, str]:
    low, high = share.interval
    return str(share.games), f"{share.wins:g}", f"{share.ratio:.2f}", f"{low:.2f} to {high:.2f}"


@app.command("exhibition")
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
