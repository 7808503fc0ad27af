"""``sealed-orders mail``: what a mail says, and mails that come in by a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from server.commands.terminal import AsJson, print_json

app = typer.Typer(name="mail", no_args_is_help=True, rich_markup_mode="markdown", help="Mails that come in.")


def mount(main: typer.Typer) -> None:
    """Add the commands."""
    main.add_typer(app)


@app.command("read")
def read(
    file: Annotated[
        Path, typer.Argument(help="A mail as its bytes; `-` reads standard input.", allow_dash=True, dir_okay=False)
    ],
    _as_json: AsJson = True,
) -> None:
    """Print what is understood of a mail, as JSON: its kind, the sender's own words, the rest. Needs no
    server.

    The kind is `own`, `auto` (an automatic answer or a receipt), `bounce` (a report of failed delivery) or `empty`.
    Exits 0 whatever the file holds.

    Examples: `sealed-orders mail read reply.eml` · `sealed-orders mail read - < reply.eml`
    """
    from server.mail.inbound import reading  # the patterns of all languages take a while

    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    found = reading.read(raw)
    print_json({"kind": found.kind, "text": found.text, "quoted": found.quoted})
