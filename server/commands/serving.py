"""``sealed-orders serve``."""

from __future__ import annotations

import socket
from typing import Annotated

import typer

from server.commands.machine import database_url, settings_or_exit
from server.commands.terminal import Code, fail
from server.store import migrate


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command()(serve)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 is all of this machine's.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen at.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes. More than one needs PostgreSQL.")] = 1,
    upgrade: Annotated[bool, typer.Option(help="Bring the database to this program's schema first.")] = True,
) -> None:
    """Run the server until it is told to stop. Its settings come from the environment (docs/settings.md).

    Exits 2 when a setting makes no sense, 3 when the port is taken or the database does not answer.

    Examples: `sealed-orders serve` · `sealed-orders serve --host 0.0.0.0 --port 80 --workers 4`
    """
    from server.serving import Address, serve  # uvicorn and the whole app: only where wanted

    settings = settings_or_exit()
    url = database_url()
    if workers > 1 and url.startswith("sqlite"):
        fail("several processes need PostgreSQL; SQLite is for one", Code.UNUSABLE)
    _must_be_free(host, port)
    if upgrade:
        migrate.upgrade(url)
    serve(settings, Address(host, port, workers))


def _must_be_free(host: str, port: int) -> None:
    """End where nobody can listen; the server itself would say so only after its start, and at length."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        fail(f"cannot listen at {host}, port {port}: {error.strerror}", Code.UNAVAILABLE)
