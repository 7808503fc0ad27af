"""``sealed-orders login`` and ``logout``: be someone at a server."""

from __future__ import annotations

import socket
import sys
from typing import Annotated

import typer

from sealed_orders import Client, NotSignedIn, Unreachable
from server.commands import logins
from server.commands.logins import Login
from server.commands.remote import PATIENCE, SERVER_VARIABLE, address, ending_on_errors
from server.commands.terminal import AsJson, Code, Wrong, print_json, tell

app = typer.Typer(rich_markup_mode="markdown")

SCOPES = ("read", "orders", "gm")
"""What the token of this machine may do: as much as its owner in their campaigns, but not make tokens."""


@app.command()
def login(
    server: Annotated[
        str | None,
        typer.Argument(envvar=SERVER_VARIABLE, help="Address of the server. You are asked if it is missing."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Account name or email address. You are asked if it is missing.")
    ] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from one line of standard input.")
    ] = False,
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read a token, such as a bot's, from standard input.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign in to a server. Saves a token for this machine, not the password; `logout` revokes it.

    Example: `sealed-orders login https://play.example.org --name Ann`

    Exits 1 when name and password do not belong together, 2 when the address is none, 3 when the server does not
    answer.
    """
    server = server or str(typer.prompt("Server", default="http://127.0.0.1:8000", err=True))
    with ending_on_errors(as_json):
        url = address(server)
        with Client(url, patience=PATIENCE) as client:
            if token_stdin:
                secret = sys.stdin.readline().strip()
                with Client(url, secret, patience=PATIENCE) as signed_in:
                    account = signed_in.me().name
            else:
                name = name or str(typer.prompt("Name", err=True))
                account = _sign_in(client, name, _password(password_stdin), ask=not password_stdin)
                secret = client.create_token(f"sealed-orders on {socket.gethostname()}"[:80], SCOPES).secret
                client.sign_out()
        file = logins.keep(Login(url, account, secret))
    tell(
        as_json,
        {"server": url, "name": account, "file": str(file)},
        f"You are {account} at {url}. To see what needs your orders: sealed-orders status",
    )


@app.command()
def logout(
    server: Annotated[
        str | None, typer.Argument(help="Address of the server. Default: where you last signed in.")
    ] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Forget the token even if the server does not answer.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sign out, and revoke and forget this machine's token.

    Example: `sealed-orders logout`

    Exits 1 when you are not signed in, 3 when the server does not answer; then the token stays.
    """
    with ending_on_errors(as_json):
        known = logins.find(None if server is None else address(server))
        if known is None:
            raise Wrong("You are not signed in.")
        revoked = True
        try:
            with Client(known.server, known.token, patience=PATIENCE) as client:
                client.sign_out()
        except NotSignedIn:
            pass  # revoked already
        except Unreachable as error:
            if not forget:
                raise Wrong(f"{error}. The token stays good.", Code.UNAVAILABLE) from None
            revoked = False
        logins.forget(known)
    if as_json:
        print_json({"server": known.server, "name": known.name, "revoked": revoked})
    else:
        left = "" if revoked else " Its token is still good: revoke it on the server's pages."
        typer.echo(f"{known.name} is signed out at {known.server}.{left}")


def _sign_in(client: Client, name: str, password: str, *, ask: bool) -> str:
    """Sign in, with the code of an authenticator app if the account has one and the terminal can ask."""
    try:
        return client.sign_in(name, password).account.name
    except NotSignedIn as error:
        if error.code != "second_factor_needed" or not ask:
            raise
    return client.sign_in(
        name, password, code=str(typer.prompt("Code of your authenticator app", err=True))
    ).account.name


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, err=True))
