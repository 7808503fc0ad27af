"""``sealed-orders orders text`` and ``orders json``: orders translated without a server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from server.commands.terminal import AsJson, Code, Wrong, print_json
from server.render.messages import english
from server.rules.orders.text.names import Names
from server.rules.text import read_orders, write_orders

ViewOption = Annotated[
    Path | None,
    typer.Option("--view", metavar="FILE", help="A view, as `sealed-orders view --json` prints it: names for ids."),
]


def to_text(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON list of orders; `-` reads standard input.")],
    view: ViewOption = None,
    as_json: AsJson = False,
) -> None:
    """Write orders as text, one per line. Needs no server.

    Example: `sealed-orders orders text orders.json --view view.json`

    Exits 2 when the file is not a JSON list of orders.
    """
    text = write_orders(read_order_list(file), _names(view))
    if as_json:
        print_json({"text": text})
    else:
        typer.echo(text, nl=False)


def to_json(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Orders as text, one per line; `-` reads standard input.")
    ],
    view: ViewOption = None,
    as_json: AsJson = False,
) -> None:
    """Write orders given as text as a JSON list. Needs no server: names stay as they are without a view.

    Example: `sealed-orders orders json orders.txt > orders.json`

    Exits 1 when a line is not understood (it is named, and the others are written), 2 when the file cannot be read.
    """
    found = read_orders(_text(file), _names(view))
    if as_json:
        problems = [
            {
                "code": problem.code,
                "line": problem.line,
                "word": problem.word,
                "nearest": problem.nearest,
                "message": english(problem.message),
            }
            for problem in found.problems
        ]
        repeats = {str(place): repeated for place, repeated in found.repeats.items()}
        print_json({"orders": list(found.orders), "final": found.final, "repeats": repeats, "problems": problems})
    else:
        typer.echo(json.dumps(list(found.orders), indent=2, ensure_ascii=True))
        for problem in found.problems:
            typer.echo(english(problem.message), err=True)
    raise typer.Exit(Code.REFUSED if found.problems else Code.DONE)


def read_order_list(file: Path) -> list[Any]:
    """Return the list of orders in a file; ``-`` is standard input."""
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        given = orjson.loads(data)
    except OSError as error:
        raise Wrong(f"{file} cannot be read: {error.strerror}", Code.UNUSABLE) from None
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Wrong(f"{file}: {where}: {error.msg}", Code.UNUSABLE) from None
    found = given.get("orders") if isinstance(given, dict) else given
    if not isinstance(found, list):
        raise Wrong(f"{file} holds no list of orders", Code.UNUSABLE)
    return found


def _text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Wrong(f"{file} cannot be read: {error.strerror}", Code.UNUSABLE) from None
    return data.decode("utf-8-sig", errors="replace")


def _names(view: Path | None) -> Names:
    if view is None:
        return Names()
    try:
        given: Any = orjson.loads(view.read_bytes())
        return Names.from_json(given)
    except OSError as error:
        raise Wrong(f"{view} cannot be read: {error.strerror}", Code.UNUSABLE) from None
    except (orjson.JSONDecodeError, AttributeError, TypeError, ValueError):
        raise Wrong(f"{view} holds no view of a campaign", Code.UNUSABLE) from None
