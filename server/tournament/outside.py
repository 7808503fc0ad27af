"""Contestants from outside: programs that play over the API (:mod:`server.tournament.over_api`)."""

from __future__ import annotations

from collections.abc import Iterable

from server.bots.levels import LEVELS
from server.tournament.contestants import BASELINES, UnknownContestant


class OutsideError(Exception):
    """A program from outside cannot continue; says why."""


def commands_of(given: Iterable[str]) -> dict[str, str]:
    """Return the command of each program, by its name, from ``NAME=COMMAND``; raises :class:`UnknownContestant`."""
    found: dict[str, str] = {}
    for text in given:
        name, _, command = (part.strip() for part in text.partition("="))
        if not name or not command:
            raise UnknownContestant(f"A program from outside is NAME=COMMAND, not {text!r}.")
        if name in LEVELS or name in BASELINES or name in found:
            raise UnknownContestant(f"There is a player called {name!r} already; choose another name.")
        found[name] = command
    return found
