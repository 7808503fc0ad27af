"""``sealed-orders serve``."""

from __future__ import annotations

from typing import Annotated

import typer

from server.commands.terminal import Code, fail, settings_or_exit
from server.store import migrate
from server.store.database import normalised


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes. More than one needs PostgreSQL.")] = 1,
    upgrade: Annotated[bool, typer.Option(help="Bring the database to this program's schema first.")] = True,
) -> None:
    """Run the server. Its settings come from the environment (docs/settings.md)."""
    from server.serving import Address, serve  # uvicorn and the whole app: only where wanted

    settings = settings_or_exit()
    url = settings.database_url.get_secret_value()
    if workers > 1 and url.startswith("sqlite"):
        fail("several processes need PostgreSQL; SQLite is for one", Code.UNUSABLE)
    try:
        normalised(url)
    except ValueError as error:
        fail(str(error), Code.UNUSABLE)
    if upgrade:
        migrate.upgrade(url)
    serve(settings, Address(host, port, workers))
