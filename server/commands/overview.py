"""All commands by name. The module of one is imported when it is chosen, so that help and the rest start at once."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_group

from server.commands.group import Commands

PLAYING = "At a server, as a player"
"""Where help lists the commands that make the program a client of a server."""


class Listed(TyperCommand):
    """A command as help and completion list it."""

    def __init__(self, name: str, module: str, says: str, panel: str | None = None) -> None:
        super().__init__(name, help=says, rich_help_panel=panel)
        self.module = module
        """Its file in this folder."""

    def itself(self) -> Any:
        """Return the command that can be run."""
        return _commands_of(self.module)[str(self.name)]


LISTED = (
    Listed(
        "serve",
        "serving",
        "Run the server until you stop it. Its settings come from the environment (docs/settings.md).",
    ),
    Listed(
        "push-key",
        "serving",
        "Print a new key for push notifications, for SEALED_ORDERS_PUSH_KEY. Needs no server.",
    ),
    Listed(
        "demo",
        "demo",
        "Play at once: a server on this machine, a running campaign, you against three computer players.",
    ),
    Listed("cases", "cases", "Run rule cases: every *.toml below each PATH."),
    Listed(
        "verify",
        "verifying",
        "Verify a campaign or a table game offline: resolve every phase and roll again, and compare.",
    ),
    Listed(
        "replay",
        "verifying",
        "Replay a campaign phase by phase: in the terminal, as an animation, or as a web page with a slider.",
    ),
    Listed(
        "exhibition",
        "tournament",
        "Let computer players play a campaign, and write it as one page with a slider.",
    ),
    Listed(
        "balance",
        "tournament",
        "Play every army list against every other, and print how often each wins.",
    ),
    Listed(
        "tournament",
        "tournament",
        "Play a round-robin tournament on every map, every player in every seat, and print the ratings.",
    ),
    Listed("campaign", "campaigns", "Look after the campaigns of this machine's server."),
    Listed("user", "users", "Look after accounts."),
    Listed("db", "database", "Look after the database."),
    Listed("mail", "mail", "Mails that come in."),
    Listed("map", "maps", "Maps and scenarios."),
    Listed("mission", "missions", "Missions for battles on the table."),
    Listed("table", "table_game", "Play a tabletop battle, with the referee in this terminal."),
    Listed(
        "login",
        "signing_in",
        "Sign in to a server. Saves a token for this machine, not the password; `logout` revokes it.",
        PLAYING,
    ),
    Listed("logout", "signing_in", "Sign out, and revoke and forget this machine's token.", PLAYING),
    Listed("create", "joining", "Create a campaign and become its game master.", PLAYING),
    Listed(
        "join",
        "joining",
        "Take a seat in a campaign, by its id or by an invitation code. Once it runs, take over a free seat.",
        PLAYING,
    ),
    Listed(
        "away", "joining", "Go on holiday, or come back. Your stand-in orders, and no missed deadline counts.", PLAYING
    ),
    Listed("start", "joining", "Start a campaign you run.", PLAYING),
    Listed(
        "leave",
        "joining",
        "Give up your seat. Once the campaign runs, the stand-in orders until someone takes the seat.",
        PLAYING,
    ),
    Listed(
        "vote",
        "joining",
        "Show the votes on the end of a campaign, open one, or answer it. The absent do not block.",
        PLAYING,
    ),
    Listed("status", "status", "Show your campaigns, the orders they need, and the deadlines.", PLAYING),
    Listed(
        "view",
        "viewing",
        "Show the position as you know it: the map, the forces, your settlements.",
        PLAYING,
    ),
    Listed("orders", "ordering", "Your orders for the open phase, at a server.", PLAYING),
    Listed(
        "history",
        "following",
        "Tell what happened, phase by phase, as you can see it. With `--json`, every event with its fields.",
        PLAYING,
    ),
    Listed(
        "watch",
        "following",
        "Watch a campaign, one line per event, until Ctrl-C. After an interruption it shows what you missed.",
        PLAYING,
    ),
    Listed("api", "request", "Send one request to the server's API and print the JSON of the answer.", PLAYING),
    Listed(
        "bot",
        "bot",
        "Let the computer player play for an account, in every campaign it has a seat in, until Ctrl-C.",
        PLAYING,
    ),
)
"""Every command and group of commands, in the order of ``--help``; a test compares it with their own help."""


class Overview(Commands):
    """The group of all commands."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if os.environ.get("NO_COLOR"):
            import typer.rich_utils

            typer.rich_utils.COLOR_SYSTEM = None  # else help is still bold
        self.commands = {str(command.name): command for command in LISTED}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command that was chosen, itself."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found.itself() if isinstance(found, Listed) else found, rest


@cache
def _commands_of(module: str) -> dict[str, Any]:
    home = typer.Typer(rich_markup_mode="markdown")
    home.add_typer(import_module(f"server.commands.{module}").app)
    return dict(get_group(home).commands)
