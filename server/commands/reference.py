"""The reference of all commands in ``docs/cli.md``, written from the commands themselves."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from server.commands.overview import Listed

BEGIN, END = "<!-- written by `python -m server.commands.reference docs/cli.md` -->", "<!-- until here -->"
STANDARD = frozenset({"help", "install_completion", "show_completion"})


def commands(app: typer.Typer) -> Iterator[tuple[str, Any]]:
    """Yield every command that can be run with its whole name, group by group."""
    yield from _below("sealed-orders", typer.main.get_command(app))


def options(command: Any) -> list[Any]:
    """Return a command's arguments and options, those that all programs have left out."""
    return [param for param in command.params if param.name not in STANDARD]


def reference(app: typer.Typer) -> str:
    """Return the reference as Markdown: what each command does, takes, and an example."""
    return "\n".join(part for name, command in commands(app) for part in _entry(name, command))


def renewed(text: str, app: typer.Typer) -> str:
    """Return the page with its reference as it should be."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference(app)}\n{END}{after}"


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    for key, inner in getattr(command, "commands", {}).items():
        yield from _below(f"{name} {key}", inner.itself() if isinstance(inner, Listed) else inner)
    if not hasattr(command, "commands"):
        yield name, command


def _entry(name: str, command: Any) -> Iterator[str]:
    yield f"### {name}\n"
    examples = []
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("Example"):
            examples += re.findall(r"`([^`]+)`", paragraph)
        else:
            yield paragraph + "\n"
    rows = [_row(option) for option in options(command)]
    if rows:
        yield "| | |\n|---|---|"
        yield "\n".join(rows) + "\n"
    if examples:
        yield "```sh\n" + "\n".join(" ".join(example.split()) for example in examples) + "\n```\n"


def _row(param: Any) -> str:
    if param.param_type_name == "argument":
        name = param.metavar or param.name.upper()
    else:
        kind = param.metavar or param.type.name.upper().removesuffix(" RANGE")
        takes = "" if param.is_flag else f" {kind}"
        name = ", ".join([*param.opts, *param.secondary_opts]) + takes
    said = param.help or ""
    if param.default and not isinstance(param.default, bool) and not callable(param.default) and "Default:" not in said:
        said += f" Default: {param.default}."
    return f"| `{name}` | {' '.join(said.split())} |".replace("|FILE", "\\|FILE")


if __name__ == "__main__":
    from server.cli import main

    page = Path(sys.argv[1])
    page.write_text(renewed(page.read_text(encoding="utf-8"), main), encoding="utf-8")
