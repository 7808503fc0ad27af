"""The command line: the program's own options, and every command (:mod:`server.commands.overview`)."""

from __future__ import annotations

import atexit
import gc
from typing import Annotated

import typer

from server.commands.overview import Overview
from server.play.gc_tuning import THRESHOLDS

main = typer.Typer(cls=Overview, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="markdown")
gc.set_threshold(*THRESHOLDS)  # imports make no garbage: to look for it so often takes a fifth of their time
atexit.register(gc.freeze)  # Python looks through all objects once more before it ends: a second of the demo's


def _show_version(wanted: bool) -> None:
    if wanted:
        from server.play.resolution.version import RULES_VERSION

        typer.echo(f"sealed-orders {RULES_VERSION}")
        raise typer.Exit


@main.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Sealed Orders: simultaneous-turn strategic campaigns on a hex map.

    Example: `sealed-orders demo` plays at once; docs/cli.md explains every command.
    """
