"""``sealed-orders user``: look after accounts."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Annotated

import typer
from rich.markup import escape

from server.commands.machine import app_context
from server.commands.printing import table
from server.commands.terminal import AsJson, console, print_json
from server.play import accounts, links, user_admin

app = typer.Typer(name="user", no_args_is_help=True, rich_markup_mode="markdown", help="Look after accounts.")


def mount(main: typer.Typer) -> None:
    """Add the commands."""
    main.add_typer(app)


Name = Annotated[str, typer.Argument(help="The account's name.")]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from one line of standard input.")
]


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="What others call him.")],
    email: Annotated[str | None, typer.Option(help="Counts as confirmed.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="Runs the server: may look after all campaigns.")] = False,
    password_stdin: PasswordStdin = False,
    as_json: AsJson = False,
) -> None:
    """Make an account; asks for its password.

    Exits 1 when the name is taken, or name or password cannot be one.

    Examples: `sealed-orders user add Gwen --admin` ·
    `sealed-orders user add Ann --email ann@example.org --password-stdin < secret`
    """
    password = _password(password_stdin)
    with app_context() as ctx:
        account = accounts.make_user(ctx, name, password=password, email=email, admin=admin)
    if as_json:
        print_json({"id": account.id, "name": account.name, "admin": account.admin})
    else:
        typer.echo(f"{account.name} has the account {account.id}")


@app.command("password")
def set_password(name: Name, password_stdin: PasswordStdin = False, as_json: AsJson = False) -> None:
    """Set an account's password and end its sessions.

    Example: `sealed-orders user password Ann`
    """
    password = _password(password_stdin)
    with app_context() as ctx:
        user_admin.set_password(ctx, name, password)
    _said(name, "has a new password", as_json)


@app.command("disable")
def disable(name: Name, as_json: AsJson = False) -> None:
    """Close an account: it cannot sign in any more, its tokens are worthless, its seats stay.

    Example: `sealed-orders user disable Ann`
    """
    with app_context() as ctx:
        user_admin.disable(ctx, name)
    _said(name, "is closed", as_json)


@app.command("enable")
def enable(name: Name, as_json: AsJson = False) -> None:
    """Open an account again.

    Example: `sealed-orders user enable Ann`
    """
    with app_context() as ctx:
        user_admin.enable(ctx, name)
    _said(name, "is open", as_json)


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all accounts.

    Examples: `sealed-orders user list` · `sealed-orders user list --json`
    """
    with app_context() as ctx:
        found = user_admin.users(ctx)
    if as_json:
        print_json({"users": found})
        return
    if not found:
        typer.echo("There are no accounts.")
        return
    rows = table("Name", "Address", "Since", "", "Id")
    for each in found:
        marks = ", ".join(
            word
            for word, holds in (
                ("unconfirmed", bool(each.email) and not each.email_confirmed),
                ("admin", each.admin),
                ("bot", each.bot),
                ("closed", each.disabled),
            )
            if holds
        )
        rows.add_row(escape(each.name), escape(each.email or ""), f"{each.created_at:%Y-%m-%d}", marks, each.id)
    console().print(rows)


@app.command("link")
def link(
    name: Annotated[str, typer.Argument(help="Whom it signs in.")],
    hours: Annotated[int, typer.Option(min=1, max=24 * 30, help="How long it may be used.")] = 24,
    as_json: AsJson = False,
) -> None:
    """Print a link that signs somebody in, once. For clubs without mail: hand it over by a way you trust.

    Example: `sealed-orders user link Ann --hours 2`
    """
    with app_context() as ctx:
        made = links.sign_in_link(ctx, name, valid=timedelta(hours=hours))
        address = f"{ctx.settings.public_url}/link?token={made}"
    if as_json:
        print_json({"name": name, "link": address})
    else:
        typer.echo(address)


def _said(name: str, what: str, as_json: bool) -> None:
    if as_json:
        print_json({"name": name, "done": what})
    else:
        typer.echo(f"{name} {what}")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
