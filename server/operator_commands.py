"""The command line of whoever runs a server: ``serve``, ``db`` and ``user``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, NoReturn, TypeVar

import typer
from pydantic import ValidationError

from server.play import accounts, operating
from server.play.context import Play
from server.play.errors import PlayError
from server.settings import PREFIX, Settings, read
from server.store import migrate
from server.store.database import Database
from server.store.errors import StorageError

T = TypeVar("T")

database = typer.Typer(no_args_is_help=True, help="Look after the database.")


def mount(main: typer.Typer) -> None:
    """Add the commands."""
    main.command()(serve)
    main.add_typer(database, name="db")
    main.add_typer(user, name="user")


user = typer.Typer(no_args_is_help=True, help="Look after accounts.")


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


# --- accounts ---


@user.command("add")
def add_user(
    name: Annotated[str, typer.Argument(help="What others call him.")],
    email: Annotated[str | None, typer.Option(help="Counts as confirmed.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="Runs the server: may look after all campaigns.")] = False,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password's one line.")] = False,
) -> None:
    """Make an account; asks for its password."""
    password = _password(password_stdin)
    with _play() as play:
        account = _try(lambda: accounts.make_user(play, name, password=password, email=email, admin=admin))
    typer.echo(f"{account.name} has the account {account.id}")


@user.command("password")
def set_password(
    name: str,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password's one line.")] = False,
) -> None:
    """Set an account's password and end its sessions."""
    password = _password(password_stdin)
    with _play() as play:
        _try(lambda: operating.set_password(play, name, password))
    typer.echo(f"{name} has a new password")


@user.command("disable")
def disable_user(name: str) -> None:
    """Close an account: it cannot sign in any more, its tokens are worthless, its seats stay."""
    with _play() as play:
        _try(lambda: operating.disable(play, name))
    typer.echo(f"{name} is closed")


@user.command("enable")
def enable_user(name: str) -> None:
    """Open an account again."""
    with _play() as play:
        _try(lambda: operating.enable(play, name))
    typer.echo(f"{name} is open")


@user.command("list")
def list_users() -> None:
    """Print all accounts."""
    with _play() as play:
        for each in operating.users(play):
            marks = ", ".join(
                word for word, holds in (("admin", each.admin), ("bot", each.bot), ("closed", each.disabled)) if holds
            )
            typer.echo(f"{each.id}  {each.name}  {each.email or '-'}  {each.created_at:%Y-%m-%d}  {marks}".rstrip())


@contextmanager
def _play() -> Iterator[Play]:
    settings = settings_or_exit()
    store = Database(settings.database_url.get_secret_value())
    try:
        if not migrate.up_to_date(store):
            _fail("the database has another schema; run: sealed-orders db upgrade")
        yield Play(store, settings)
    except StorageError as error:
        _fail(str(error))
    finally:
        store.close()


def _try(action: Callable[[], T]) -> T:
    try:
        return action()
    except PlayError as error:
        _fail(error.message)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


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
