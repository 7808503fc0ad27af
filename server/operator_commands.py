"""The command line of whoever runs a server: ``serve``, ``db`` and ``user``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NoReturn

import typer
from pydantic import ValidationError

from server.settings import PREFIX, Settings, read
from server.store import migrate
from server.store.errors import StorageError

database = typer.Typer(no_args_is_help=True, help="Look after the database.")


def mount(main: typer.Typer) -> None:
    """Add the commands."""
    main.command()(serve)
    main.add_typer(database, name="db")


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
        _fail("several processes need PostgreSQL; SQLite is for one")
    try:
        if upgrade:
            migrate.upgrade(url)
    except (StorageError, ValueError) as error:
        _fail(str(error))
    serve(settings, Address(host, port, workers))


@database.command("upgrade")
def upgrade_database(revision: Annotated[str, typer.Argument(help="Where to.")] = "head") -> None:
    """Bring the database forward to this program's schema, or to a revision."""
    _migrate(lambda url: migrate.upgrade(url, revision))


@database.command("downgrade")
def downgrade_database(revision: Annotated[str, typer.Argument(help="Where to; 'base' deletes everything.")]) -> None:
    """Take the database back to a revision. What has no place there is lost: make a copy first."""
    _migrate(lambda url: migrate.downgrade(url, revision))


@database.command("check")
def check_database() -> None:
    """Say what is wrong with the database; exits 1 when anything is."""
    try:
        found = migrate.check(_url())
    except (StorageError, ValueError) as error:
        _fail(str(error))
    for each in found:
        typer.echo(each)
    if found:
        raise typer.Exit(1)
    typer.echo("the database is in order")


@database.command("current")
def current_revision() -> None:
    """Print the database's revision and the one this program needs."""
    try:
        at = migrate.current(_url())
    except (StorageError, ValueError) as error:
        _fail(str(error))
    typer.echo(f"{at or 'none'} (this program: {migrate.head()})")


def settings_or_exit() -> Settings:
    """Return the settings, or say what is wrong with the environment and exit."""
    try:
        return read()
    except ValidationError as error:
        for each in error.errors():
            typer.echo(f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}", err=True)
        raise typer.Exit(2) from None


def _url() -> str:
    return settings_or_exit().database_url.get_secret_value()


def _migrate(step: Callable[[str], str]) -> None:
    try:
        typer.echo(f"the database is at {step(_url()) or 'base'}")
    except (StorageError, ValueError) as error:
        _fail(str(error))


def _fail(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(1)
