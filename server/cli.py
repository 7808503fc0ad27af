"""The command line: every command, hung where it belongs."""

from __future__ import annotations

import typer

from server.commands import cases, database, demo, exhibition, maps, pictures, serving, users, verifying
from server.commands.terminal import Commands

main = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown")


@main.callback()
def _root() -> None:
    """Sealed Orders: simultaneous-turn strategic campaigns on a hex map."""


for _group in (serving, demo, cases, verifying, exhibition):
    _group.mount(main)
pictures.mount(maps.app)
for _app in (database.app, users.app, maps.app):
    main.add_typer(_app)
