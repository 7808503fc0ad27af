"""``sealed-orders verify``: a campaign's record, done once more and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from server.commands.printing import moment
from server.commands.terminal import AsJson, Code, console, print_json, progress
from server.play.record_files import Json, read_file
from server.play.verification import Difference, VerifyReport, verify_record

RecordFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A campaign's record: from `campaign export`, or its page when it is over."),
]


def mount(main: typer.Typer) -> None:
    """Add the command."""
    main.command()(verify)


def verify(
    file: RecordFile,
    link0: Annotated[
        str, typer.Option(metavar="HEX", help="Link 0 of the dice as it was published when the campaign began.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Check a campaign offline: every phase is resolved once more, every roll thrown again, every hash compared.

    Needs no server. Exits 1 when something differs and names the first phase that does, 2 when the file is no record.

    Examples: `sealed-orders verify long-march.sealed` · `sealed-orders verify long-march.sealed --link0 9f86d081...`
    """
    record = read_file(file)
    with progress("Phases") as advance:
        report = verify_record(record, advance)
    published = str(record["campaign"].get("link0"))
    other_dice = bool(link0) and link0.strip().lower() != published
    if as_json:
        print_json(
            {**_as_json(report, record), "link0": published, "link0_as_published": not other_dice if link0 else None}
        )
    elif report.ok:
        _praise(report, record, published)
    if report.first is not None and not as_json:
        typer.echo(f"{report.name}: {_place(report.first, record)}: {report.first.message}")
        typer.echo(f"{report.checked} of {report.total} records before it are as they should be.")
    if other_dice and not as_json:
        typer.echo(f"The dice are not those that were published: link 0 is {published}.")
    if report.other_versions:
        typer.echo(
            f"Phases were resolved by other versions of the rules: {', '.join(report.other_versions)}.", err=True
        )
    raise typer.Exit(Code.DONE if report.ok and not other_dice else Code.REFUSED)


def _as_json(report: VerifyReport, record: Json) -> dict[str, Any]:
    first = report.first
    where = _row(first, record) if first else {}
    differs = first and {
        "branch": first.branch, "number": first.number, "turn": where.get("turn"), "phase": where.get("phase"),
        "what": first.what, "message": first.message,
    }  # fmt: skip
    return {
        "ok": report.ok, "campaign": report.campaign_id, "name": report.name, "checked": report.checked,
        "total": report.total, "rolls": _rolls(record), "first_difference": differs,
        "other_versions": report.other_versions,
    }  # fmt: skip


def _praise(report: VerifyReport, record: Json, link0: str) -> None:
    terminal = console()
    branches = len(record["branches"])
    lines = f" on {branches} lines of play" if branches > 1 else ""
    terminal.print(f"[bold]{escape(report.name)}[/]: all is as it should be.")
    terminal.print(f"  {report.checked} phases and edits{lines}: the same events, the same states, the same hashes")
    terminal.print(f"  {_rolls(record)} rolls follow from the dice chain")
    terminal.print("  link 0 of the dice, published when the campaign began:")
    terminal.print(f"  {link0}", soft_wrap=True)


def _rolls(record: Json) -> int:
    return sum(each.get("type") == "dice" for each in record["events"])


def _row(first: Difference, record: Json) -> Json:
    at = (first.branch, first.number)
    return next((each for each in record["phases"] if (each.get("branch"), each.get("number")) == at), {})


def _place(first: Difference, record: Json) -> str:
    row = _row(first, record)
    name = f" ({moment(row['turn'], str(row['phase']))})" if {"turn", "phase"} <= {*row} else ""
    line = f" on line of play {first.branch}" if first.branch > 1 else ""
    return f"phase {first.number}{name}{line} differs"
