"""``sealed-orders user``: look after accounts."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Annotated

import typer

from server.commands.terminal import playing
from server.play import accounts, links, operating

app = typer.Typer(name="user", no_args_is_help=True, rich_markup_mode="markdown", help="Look after accounts.")


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="What others call him.")],
    email: Annotated[str | None, typer.Option(help="Counts as confirmed.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="Runs the server: may look after all campaigns.")] = False,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password's one line.")] = False,
) -> None:
    """Make an account; asks for its password."""
    password = _password(password_stdin)
    with playing() as play:
        account = accounts.make_user(play, name, password=password, email=email, admin=admin)
    typer.echo(f"{account.name} has the account {account.id}")


@app.command("password")
def set_password(
    name: str,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password's one line.")] = False,
) -> None:
    """Set an account's password and end its sessions."""
    password = _password(password_stdin)
    with playing() as play:
        operating.set_password(play, name, password)
    typer.echo(f"{name} has a new password")


@app.command("disable")
def disable(name: str) -> None:
    """Close an account: it cannot sign in any more, its tokens are worthless, its seats stay."""
    with playing() as play:
        operating.disable(play, name)
    typer.echo(f"{name} is closed")


@app.command("enable")
def enable(name: str) -> None:
    """Open an account again."""
    with playing() as play:
        operating.enable(play, name)
    typer.echo(f"{name} is open")


@app.command("list")
def list_() -> None:
    """Print all accounts."""
    with playing() as play:
        for each in operating.users(play):
            marks = ", ".join(
                word for word, holds in (("admin", each.admin), ("bot", each.bot), ("closed", each.disabled)) if holds
            )
            typer.echo(f"{each.id}  {each.name}  {each.email or '-'}  {each.created_at:%Y-%m-%d}  {marks}".rstrip())


@app.command("link")
def link(
    name: Annotated[str, typer.Argument(help="Whom it signs in.")],
    hours: Annotated[int, typer.Option(min=1, max=24 * 30, help="How long it may be used.")] = 24,
) -> None:
    """Print a link that signs somebody in, once. For clubs without mail: hand it over by a way you trust.

    Example: `sealed-orders user link Ann --hours 2`
    """
    with playing() as play:
        made = links.sign_in_link(play, name, valid=timedelta(hours=hours))
        typer.echo(f"{play.settings.public_url}/link?token={made}")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
