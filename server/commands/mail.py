"""``sealed-orders mail``: what a mail says, and mails that come in by a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from server.commands.machine import app_context, database_name
from server.commands.terminal import AsJson, Code, Wrong, print_json, tell

app = typer.Typer(name="mail", no_args_is_help=True, rich_markup_mode="markdown", help="Mails that come in.")


@app.command("read")
def read(
    file: Annotated[
        Path, typer.Argument(help="Email to read; `-` reads standard input.", allow_dash=True, dir_okay=False)
    ],
    _as_json: AsJson = True,
) -> None:
    """Print how an email is read, as JSON: its kind, the sender's own words, the rest. Needs no
    server.

    The kind is `own`, `auto` (an automatic answer or a receipt), `bounce` (a report of failed delivery) or `empty`.
    Exits 0 whatever the file holds.

    Examples: `sealed-orders mail read reply.eml` · `sealed-orders mail read - < reply.eml`
    """
    from server.mail.inbound import reading  # the patterns of all languages take a while

    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    found = reading.read(raw)
    print_json({"kind": found.kind, "text": found.text, "quoted": found.quoted})


@app.command("ingest")
def ingest(
    recipient: Annotated[str, typer.Option(help="Address it was delivered to, if the email does not say.")] = "",
    as_json: AsJson = False,
) -> None:
    """Carry out an email from standard input, for mail servers that pipe emails to programs.

    Exits 0 when the mail is done with, whatever became of it, so that the mail server keeps nothing back. Where the
    database does not answer it exits 75 (EX_TEMPFAIL): the mail server keeps the mail and comes again.

    Example: `sealed-orders mail ingest --recipient "$ORIGINAL_RECIPIENT" < mail.eml`
    """
    from server.mail.answering.receive import receive
    from server.store.errors import StorageError

    try:
        with app_context() as ctx:
            raw = sys.stdin.buffer.read(ctx.settings.mail_limit + 1)
            outcome = receive(ctx, raw, [recipient] if recipient else [])
    except StorageError as error:  # any other code than this one would bounce the mail
        raise Wrong(f"{database_name()}: {error}", Code.TRY_AGAIN) from error
    tell(as_json, {"outcome": outcome}, outcome)
