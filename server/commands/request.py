"""``sealed-orders api``: any request to a server's API, signed in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from server.commands.remote import ServerOption, TokenOption, at_server
from server.commands.terminal import AsJson, Code, fail, print_json

app = typer.Typer(rich_markup_mode="markdown")

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@app.command()
def api(
    method: Annotated[str, typer.Argument(metavar="METHOD", help="GET, POST, PUT, PATCH or DELETE.")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="Path below /api/v1, such as /campaigns.")],
    query: Annotated[
        list[str] | None, typer.Option("--query", metavar="NAME=VALUE", help="Query parameter. May be given again.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="File with the JSON to send; - reads standard input.")
    ] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    as_json: AsJson = False,  # the answer is JSON anyway: only errors differ
) -> None:
    """Send one request to the server's API and print the JSON of the answer.

    The server's `/docs` lists every request. Example: `sealed-orders api GET /campaigns --query mine=true`

    Exits 1 when the server refuses it, 2 when the command or the file cannot be read, 3 when the server does
    not answer.
    """
    if method.upper() not in METHODS:
        fail(f"{method!r} is not a method. Use one of: {', '.join(METHODS)}.", Code.UNUSABLE)
    params = dict(_parameter(text) for text in query or ())
    body = None if data is None else _json(data)
    with at_server(server, token, as_json=as_json) as client:
        print_json(client.request(method, "/" + path.removeprefix("/api/v1").lstrip("/"), params=params, body=body))


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        fail(f"{text!r} is not a query parameter. Write NAME=VALUE.", Code.UNUSABLE)
    return name, value


def _json(file: Path) -> Any:
    content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        fail(f"{file} does not hold JSON: {error}", Code.UNUSABLE)
