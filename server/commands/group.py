"""The group that all commands are in: whatever a command raises ends as one line and an exit code.

Loaded with every command: it imports nothing that takes long.
"""

from __future__ import annotations

import errno
import re
from difflib import SequenceMatcher, get_close_matches
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from server.commands.terminal import Code, Wrong, bad_map, end
from server.core.errors import RulesError
from server.play.errors import PlayError
from server.render.messages import english
from server.scenarios.problems import MapError, Unreadable
from server.store.errors import MigrationError, StorageError

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for words it does not understand; not every version of it gives this a public name."""

ALIKE = 0.7
"""How similar a command or option must be to be suggested (:meth:`difflib.SequenceMatcher.ratio`): ``jason`` means
``json``, ``users`` does not mean ``hours``."""
_NO_COMMAND = re.compile(r"No such command '(.+?)'\..*")
_NO_NUMBER = re.compile(r"(.+) is not (?:a valid|in the range) .+")


class Commands(TyperGroup):
    """A group that tells errors in one line, or with ``--json`` as one object, and never as a traceback."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the words of the command line."""
        as_json = "--json" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except UsageError as error:
            _end_misused(error, as_json)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was chosen."""
        as_json = "--json" in (*ctx._protected_args, *ctx.args)
        try:
            return super().invoke(ctx)
        except Wrong as error:
            end(error, as_json)
        except PlayError as error:
            message = english(error.message)
            about = {"code": error.code, "message": message, "field": error.field, "value": error.value}
            where = f"{error.field}: " if error.field and error.refusal.kind == "invalid" else ""
            code = Code.UNUSABLE if error.code == "bad_record" else Code.REFUSED
            end(Wrong(f"{where}{message}", code, about), as_json)
        except MapError as error:
            end(bad_map(error, Code.UNUSABLE if isinstance(error, Unreadable) else Code.REFUSED), as_json)
        except RulesError as error:
            end(Wrong(str(error), Code.UNUSABLE), as_json)
        except MigrationError as error:
            end(Wrong(str(error)), as_json)
        except StorageError as error:
            from server.commands.machine import database_name  # loaded already: it raised the error

            end(Wrong(f"{database_name()}: {error}", Code.UNAVAILABLE), as_json)
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of the output has had enough
                raise
            message = f"{error.filename or ''}: {error.strerror}".removeprefix(": ")
            end(Wrong(message, Code.UNUSABLE), as_json)
        except UsageError as error:
            _end_misused(error, as_json)
        except typer.Abort as error:
            _end_aborted(error, as_json)


def _end_aborted(error: Any, as_json: bool) -> NoReturn:
    """End a command whose question got no answer."""
    if isinstance(error.__context__, KeyboardInterrupt):  # at a question; elsewhere typer sees to it
        raise typer.Exit(Code.INTERRUPTED) from None
    if as_json:
        end(Wrong("Nothing was entered.", Code.REFUSED, {"code": "aborted"}), as_json)
    raise error


def _end_misused(error: Any, as_json: bool) -> NoReturn:
    """Say in one line what was not understood, and where help is; a group without a command shows its help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        raise error
    said = (
        _not_a_command(error)
        or _not_an_option(error)
        or _no_number(error)
        or " ".join(error.format_message().split()).rstrip(".")
    )
    said += "" if said.endswith(("?", "!")) else "."
    where = f" See {error.ctx.command_path} --help." if error.ctx else ""
    end(Wrong(said + where, Code.UNUSABLE, {"code": "usage", "message": said}), as_json)


def _not_a_command(error: Any) -> str:
    """Return what is said of a command that does not exist, with those that look like it; else nothing."""
    found = _NO_COMMAND.fullmatch(str(getattr(error, "message", "")))
    if not found or not error.ctx:
        return ""
    near = get_close_matches(found[1], error.ctx.command.list_commands(error.ctx), cutoff=ALIKE)
    meant = f". Did you mean {', '.join(map(repr, near))}?" if near else ""
    return f"No such command '{found[1]}'{meant}"


def _not_an_option(error: Any) -> str:
    """Return what is said of an option that does not exist, with the one that looks most like it; else nothing."""
    written = getattr(error, "option_name", "")
    if type(error).__name__ != "NoSuchOption" or not written:
        return ""
    similar = {
        there: SequenceMatcher(None, written.lstrip("-"), there.lstrip("-")).ratio()
        for there in sorted(error.possibilities or ())
    }
    best = max(similar, key=similar.__getitem__, default="")
    meant = f". Did you mean {best}?" if best and similar[best] >= ALIKE else ""
    return f"No such option: {written}{meant}"


def _no_number(error: Any) -> str:
    """Return the allowed numbers if a value is not one of them; for other errors nothing."""
    type_ = getattr(getattr(error, "param", None), "type", None)
    found = _NO_NUMBER.fullmatch(str(getattr(error, "message", "")))
    kind = getattr(type_, "name", "").partition(" ")[0]
    if kind not in ("int", "float") or not found:
        return ""
    low, high = getattr(type_, "min", None), getattr(type_, "max", None)
    wanted = "a whole number" if kind == "int" else "a number"
    if low is not None and high is not None:
        wanted += f" from {low} to {high}"
    elif low is not None or high is not None:
        wanted += f" of at {f'least {low}' if high is None else f'most {high}'}"
    return str(error.format_message()).replace(error.message, f"{found[1]} is not {wanted}")
