"""The command line: every command, hung where it belongs."""

from __future__ import annotations

from typing import Annotated

import typer

from server.commands import (
    bot,
    campaigns,
    cases,
    database,
    demo,
    exhibition,
    following,
    maps,
    ordering,
    pictures,
    replaying,
    serving,
    signing_in,
    status,
    users,
    verifying,
    viewing,
)
from server.commands.remote import PANEL
from server.commands.terminal import Commands
from server.play.versions import RULES_VERSION

main = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sealed-orders {RULES_VERSION}")
        raise typer.Exit


@main.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Sealed Orders: simultaneous-turn strategic campaigns on a hex map.

    Example: `sealed-orders demo` plays at once; docs/cli.md explains every command.
    """


for _group in (serving, demo, cases, verifying, replaying, exhibition):
    _group.mount(main)
pictures.mount(maps.app)
for _app in (campaigns.app, users.app, database.app, maps.app):
    main.add_typer(_app)

# the program as a client of a server
for _group in (signing_in, status, viewing, following, bot):
    _group.mount(main)
main.add_typer(ordering.app, rich_help_panel=PANEL)
