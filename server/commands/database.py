"""``sealed-orders db``: look after the database."""

from __future__ import annotations

from typing import Annotated

import typer

from server.commands.terminal import AsJson, Code, database_url, print_json
from server.store import migrate

app = typer.Typer(name="db", no_args_is_help=True, rich_markup_mode="markdown", help="Look after the database.")


@app.command("upgrade")
def upgrade(revision: Annotated[str, typer.Argument(help="Where to.")] = "head", as_json: AsJson = False) -> None:
    """Bring the database forward to this program's schema, or to a revision.

    Example: `sealed-orders db upgrade`
    """
    _at(migrate.upgrade(database_url(), revision), as_json)


@app.command("downgrade")
def downgrade(
    revision: Annotated[str, typer.Argument(help="Where to; 'base' deletes everything.")], as_json: AsJson = False
) -> None:
    """Take the database back to a revision. What has no place there is lost: make a copy first.

    Example: `sealed-orders db downgrade 0001`
    """
    _at(migrate.downgrade(database_url(), revision), as_json)


@app.command("check")
def check(as_json: AsJson = False) -> None:
    """Say what is wrong with the database; exits 1 when anything is.

    Example: `sealed-orders db check`
    """
    found = migrate.check(database_url())
    if as_json:
        print_json({"problems": found})
    for each in [] if as_json else found or ["the database is in order"]:
        typer.echo(each)
    raise typer.Exit(Code.REFUSED if found else Code.DONE)


@app.command("current")
def current(as_json: AsJson = False) -> None:
    """Print the database's revision and the one this program needs.

    Example: `sealed-orders db current`
    """
    at = migrate.current(database_url())
    if as_json:
        print_json({"revision": at, "needed": migrate.head()})
    else:
        typer.echo(f"{at or 'none'} (this program: {migrate.head()})")


def _at(revision: str, as_json: bool) -> None:
    if as_json:
        print_json({"revision": revision or None})
    else:
        typer.echo(f"the database is at {revision or 'base'}")
