"""``sealed-orders db``: look after the database."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from server.commands.machine import checked_url, database_url
from server.commands.printing import file_size
from server.commands.terminal import AsJson, Code, Yes, confirmed, fail, print_json, progress, tell
from server.play.agenda import AGENDA
from server.play.schedule import downtime
from server.store import backup, copying, distribute, migrate
from server.store.database import Database, normalised
from server.store.errors import MigrationError
from server.store.in_use import refuse_if_in_use
from server.store.memberships import MEMBERSHIPS

app = typer.Typer(name="db", no_args_is_help=True, rich_markup_mode="markdown", help="Look after the database.")


@app.command("upgrade")
def upgrade(revision: Annotated[str, typer.Argument(help="Where to.")] = "head", as_json: AsJson = False) -> None:
    """Upgrade the database to this program's schema, or to a revision.

    Example: `sealed-orders db upgrade`
    """
    _at(migrate.upgrade(database_url(), revision), as_json)


@app.command("downgrade")
def downgrade(
    revision: Annotated[str, typer.Argument(help="Revision to go to; 'base' deletes everything.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Downgrade the database to a revision. Data that does not fit is lost: back it up first.

    Example: `sealed-orders db downgrade 0001`
    """
    url = database_url()
    if migrate.current(url) is not None:
        confirmed(f"{_place(url)} goes back to {revision}: what has no place there is lost.", yes)
    _at(migrate.downgrade(url, revision), as_json)


@app.command("check")
def check(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Write agenda and memberships again from the campaigns, then check them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the database: damage, its schema, and what follows from the campaigns: agenda and memberships.

    The agenda says when each campaign's deadlines, votes and the like are due, the memberships which campaigns each
    account has to do with. Both follow from the campaigns, so `--rebuild` loses nothing, and the server can run
    meanwhile.

    Exits 1 if anything is wrong.

    Examples: `sealed-orders db check` · `sealed-orders db check --rebuild`
    """
    url = database_url()
    found = migrate.check(url) or _check_derived(url, rebuild=rebuild)
    if as_json:
        print_json({"problems": found})
    for sentence in [] if as_json else found or ["the database is in order"]:
        typer.echo(sentence)
    raise typer.Exit(Code.REFUSED if found else Code.DONE)


@app.command("distribute")
def distribute_(as_json: AsJson = False) -> None:
    """Spread the campaigns over the machines of a Citus cluster. Stop the server first.

    The address is that of the coordinator, a PostgreSQL with the extension citus. All rows of a campaign go to one
    machine, accounts to all; everything else stays on the coordinator. Tables that are spread already stay as they are.

    Exits 1 where something is missing, and says what.

    Example: `sealed-orders db distribute`
    """
    url = database_url()
    try:
        refuse_if_in_use(url)
        count = distribute.distribute(url)
    except MigrationError as error:
        fail(str(error), Code.REFUSED)
    tell(
        as_json,
        {"tables": count},
        f"{count} tables were spread" if count else "all tables of campaigns were spread before",
    )


@app.command("current")
def current(as_json: AsJson = False) -> None:
    """Print the database's revision and the one this program needs.

    Example: `sealed-orders db current`
    """
    at = migrate.current(database_url())
    tell(as_json, {"revision": at, "needed": migrate.head()}, f"{at or 'none'} (this program: {migrate.head()})")


@app.command("backup")
def backup_(
    to: Annotated[Path, typer.Argument(metavar="PATH", help="File to write, or a folder for it.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a checked copy of the whole database to a file, while the server continues.

    On PostgreSQL this is pg_dump's. The copy holds every secret: keep it safe.

    Exits 2 when the file is there already or cannot be written, 3 when the database does not answer.

    Examples: `sealed-orders db backup backups/` · `sealed-orders db backup before-upgrade.db`
    """
    url = database_url()
    if to.is_dir():
        to = to / f"sealed-orders-{datetime.now():%Y-%m-%d-%H%M%S}.{'db' if url.startswith('sqlite') else 'dump'}"
    if to.exists() and not force:
        fail(f"{to} already exists; use --force to overwrite it", Code.UNUSABLE)
    try:
        with progress("Copying") as advance:
            backup.backup(url, to, advance)
    except OSError as error:
        fail(f"{to}: {error.strerror}", Code.UNUSABLE)
    size = to.stat().st_size
    tell(as_json, {"written": str(to), "bytes": size}, f"{to}: {file_size(size)}, checked")


@app.command("restore")
def restore(
    source: Annotated[Path, typer.Argument(metavar="PATH", help="File that `db backup` wrote.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Replace the whole database by a copy. Stop the server first: a database in use is not touched.

    The old database is saved: on SQLite in a file next to it, on PostgreSQL in a dump next to the copy. Run
    `db upgrade` afterwards if the copy is of an older version.

    Exits 2 when the file is not a copy of a database, 3 when someone is connected or the database does not answer;
    nothing is changed then. Phases that came due since the copy was made get a grace when the server starts.

    Example: `sealed-orders db restore backups/sealed-orders-2026-03-01-040000.db --yes`
    """
    url, kept = database_url(), None
    there = migrate.current(url) is not None
    try:
        backup.check(url, source)
        if there:
            confirmed(f"All that {_place(url)} holds is overwritten by {source}.", yes)
            refuse_if_in_use(url)
            kept = _keep(url, source)
        with progress("Copying") as advance:
            backup.restore(url, source, advance)
        _hold_deadlines(url)
    except OSError as error:
        fail(f"{error.filename or source}: {error.strerror}", Code.UNUSABLE)
    except backup.NoBackup as error:
        fail(str(error), Code.UNUSABLE)
    at = migrate.current(url)
    if as_json:
        print_json({"revision": at, "kept": kept and str(kept)})
        return
    typer.echo(f"{_place(url)} is as {source} has it, at revision {at}")
    if kept is not None:
        typer.echo(f"what it held before is kept in {kept}")


@app.command("copy")
def copy_(
    to: Annotated[
        str, typer.Argument(metavar="URL", envvar="TARGET_DATABASE_URL", help="Address of an empty database.")
    ],
    as_json: AsJson = False,
) -> None:
    """Copy everything to another database, accounts and keys included: from SQLite to PostgreSQL or back.

    Stop the server first. The other database must be empty; it gets all or nothing, and both sides are compared. Then
    set SEALED_ORDERS_DATABASE_URL to the other address and start the server again. In a variable
    (TARGET_DATABASE_URL) an address with a password is in no list of processes.

    Exits 1 when the schema is not this program's, and 2 when that is not the address of a database. Exits 3 when the
    other database is not empty, someone is connected, or one does not answer.

    Examples: `sealed-orders db copy postgresql://sealed_orders@127.0.0.1/sealed_orders` ·
    `sealed-orders db copy sqlite:///club.db`
    """
    source = database_url()
    if normalised(source) == checked_url(to, "TARGET_DATABASE_URL"):
        fail("that is the database itself", Code.UNUSABLE)
    try:
        with progress("Copying") as advance:
            counts = copying.copy(source, to, advance)
    except copying.NotEmpty as error:
        fail(f"{_place(to)}: {error}", Code.UNAVAILABLE)
    rows = sum(counts.values())
    tell(
        as_json,
        {"rows": rows, "tables": counts},
        f"{_place(to)} has everything that {_place(source)} has: {rows} rows, compared one by one",
    )


def _check_derived(url: str, *, rebuild: bool) -> list[str]:
    store = Database(url)
    try:
        if rebuild:
            for table in (AGENDA, MEMBERSHIPS):
                table.rebuild(store)
        return [told for table in (AGENDA, MEMBERSHIPS) for told in table.differences(store)]
    finally:
        store.close()


def _hold_deadlines(url: str) -> None:
    store = Database(url)
    try:
        downtime.hold(store)
    finally:
        store.close()


def _keep(url: str, source: Path) -> Path:
    """Put what the database holds into a file that was not there; returns it."""
    beside = Path(_place(url)) if url.startswith("sqlite") else source.with_name("sealed-orders.dump")
    kept = _unused(beside.with_name(f"{beside.name}.before-{datetime.now():%Y-%m-%d-%H%M%S}"))
    backup.backup(url, kept)
    return kept


def _place(url: str) -> str:
    """Name the database without its password."""
    parsed = normalised(url)
    return str(parsed.database) if parsed.get_backend_name() == "sqlite" else f"the database {parsed.database}"


def _at(revision: str, as_json: bool) -> None:
    tell(as_json, {"revision": revision or None}, f"the database is at {revision or 'base'}")


def _unused(wanted: Path) -> Path:
    """Return the name, or the next one that nothing has yet: what an earlier restore kept is never overwritten."""
    found = wanted
    for number in count(2):
        if not found.exists():
            break
        found = wanted.with_name(f"{wanted.name}-{number}")
    return found
