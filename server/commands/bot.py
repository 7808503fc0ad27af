"""``sealed-orders bot``: the computer player, as a bot of your own."""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from sealed_orders import AsyncClient, CampaignInfo, Client
from server.bots.letters import LANGUAGES
from server.bots.levels import LEVELS, REGULAR
from server.commands.printing import moment
from server.commands.remote import ServerOption, TokenOption, ending_on_errors, find_login
from server.commands.terminal import AsJson, Code, fail
from server.rulesets import NO_LIST

if TYPE_CHECKING:
    from server.computer_player import Ordered

app = typer.Typer(rich_markup_mode="markdown")


@app.command()
def bot(
    server: ServerOption = None,
    token: TokenOption = None,
    campaigns: Annotated[
        list[str] | None, typer.Option("--campaign", help="Campaign id to play in. Repeat it for several.")
    ] = None,
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help=f"Level: {', '.join(LEVELS)}.")] = REGULAR,
    language: Annotated[
        str, typer.Option("--language", metavar="LANGUAGE", help=f"Language of its messages: {', '.join(LANGUAGES)}.")
    ] = LANGUAGES[0],
    engine: Annotated[
        str | None,
        typer.Option("--engine", metavar="COMMAND", help="Let this program choose the orders, by lines of JSON."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--engine-seconds", min=0.1, max=86_400, help="Time the engine has for a phase.")
    ] = 60.0,
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept every invitation to a campaign, with a faction by chance.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let the computer player play for an account, in every campaign it has a seat in, until Ctrl-C.

    It orders as soon as a phase opens, and continues after the server has been away. With `--json` it prints one
    object a line. With `--engine` your own program chooses the orders: it reads lines of JSON and writes lines
    of JSON, as docs/bots.md describes.

    Example: `SEALED_ORDERS_TOKEN=sot_... sealed-orders bot --server https://play.example.org`

    Exits 1 when the token is not good, 2 when there is no such level, language or program, 130 after Ctrl-C.
    """
    if level not in LEVELS:
        fail(f"There is no level {level!r}; there are: {', '.join(LEVELS)}.", Code.UNUSABLE)
    if language not in LANGUAGES:
        fail(f"There are no letters in {language!r}; there are: {', '.join(LANGUAGES)}.", Code.UNUSABLE)
    from server.commands.engine import Engine, EnginePlayer, command_words
    from server.computer_player import ComputerPlayer  # imports the rules: slow, so only here

    show = partial(_show, as_json)
    join = _any_faction if accept else None

    async def play(url: str, secret: str) -> None:
        async with AsyncClient(url, secret, patience=float("inf")) as client:
            print(f"{(await client.me()).name} plays at {url}. Ctrl-C ends it.", file=sys.stderr)
            player = ComputerPlayer(
                client, show, campaigns or None, lambda error: print(error, file=sys.stderr), level,
                language=language, join=join,
            )  # fmt: skip
            await player.play()

    with ending_on_errors(as_json):
        if engine is not None:
            words = command_words(engine)
            with Client(*find_login(server, token), patience=float("inf")) as client:
                print(f"{client.me().name} plays with {words[0]}. Ctrl-C ends it.", file=sys.stderr)
                EnginePlayer(client, Engine(words, seconds), show, campaigns or None, join).play()
        else:
            asyncio.run(play(*find_login(server, token)))


def _any_faction(_campaign: CampaignInfo, factions: tuple[str, ...]) -> str:
    return random.choice([faction for faction in factions if faction != NO_LIST] or factions)


def _show(as_json: bool, done: Ordered) -> None:
    if as_json:
        sys.stdout.write(orjson.dumps(asdict(done)).decode() + "\n")
    else:
        what = done.why or f"{done.orders} orders" + "".join(f"; left out: {refused}" for refused in done.refused)
        when = datetime.now().astimezone()
        print(f"{when:%d %b %H:%M:%S}  {done.campaign_id}  {moment(done.turn, done.phase)}: {what}")
    sys.stdout.flush()
