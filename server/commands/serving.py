"""``sealed-orders serve``."""

from __future__ import annotations

import os
import socket
from typing import Annotated

import typer

from server.commands.machine import database_url, settings_or_exit
from server.commands.terminal import AsJson, Code, fail, tell
from server.settings import PREFIX, Settings
from server.store import migrate

app = typer.Typer(rich_markup_mode="markdown")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 means all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes. 2 or more need PostgreSQL.")] = 1,
    upgrade: Annotated[bool, typer.Option(help="Upgrade the database first.")] = True,
    hold: Annotated[
        bool, typer.Option("--hold", help="Let no phase end by its deadline until the next start.")
    ] = False,
) -> None:
    """Run the server until you stop it. Its settings come from the environment (docs/settings.md).

    Without SEALED_ORDERS_PUBLIC_URL links lead to the address it listens at. After a start with --hold, the next one
    without it gives phases that came due meanwhile a grace, and tells everyone.

    Exits 2 when a setting makes no sense, 3 when the port is taken or the database does not answer. With --no-upgrade
    it also exits 3 if the database has another schema.

    Examples: `sealed-orders serve` · `sealed-orders serve --host 0.0.0.0 --port 80 --workers 4`
    """
    from server.serving import Address, serve  # uvicorn and the whole app: only where wanted

    settings = _started_with(settings_or_exit(), host, port, hold)
    url = database_url()
    if workers > 1 and url.startswith("sqlite"):
        fail("several processes need PostgreSQL; SQLite supports only one", Code.UNUSABLE)
    _must_be_free(host, port)
    if upgrade:
        migrate.upgrade(url)
    elif wrong := migrate.mismatch(migrate.current(url)):
        fail(wrong, Code.UNAVAILABLE)
    held = " Deadlines are on hold until the next start." if settings.hold else ""
    typer.echo(f"Open {settings.public_url} in a browser.{held}")
    serve(settings, Address(host, port, workers))


@app.command("push-key")
def push_key(as_json: AsJson = False) -> None:
    """Print a new key for push notifications, for SEALED_ORDERS_PUSH_KEY. Needs no server.

    Keep it: with another key every browser has to be asked again.

    Example: `sealed-orders push-key`
    """
    from server.play.notices import push  # cryptography takes a while

    key = push.new_key()
    tell(as_json, {"key": key}, key)


def _started_with(settings: Settings, host: str, port: int, hold: bool) -> Settings:
    """Return the settings with the options applied; worker processes find them in their environment."""
    if settings.public_url == Settings.model_fields["public_url"].default:
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
        os.environ[f"{PREFIX}PUBLIC_URL"] = f"http://{shown}:{port}"
    if hold:
        os.environ[f"{PREFIX}HOLD"] = "true"
    return settings_or_exit()


def _must_be_free(host: str, port: int) -> None:
    """End where nobody can listen; the server itself would say so only after its start, and at length."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        fail(f"cannot listen at {host}, port {port}: {error.strerror}", Code.UNAVAILABLE)
