"""The contestants: a level of the computer player, a baseline, a function by its name (``module:function``).

Programs from outside play over the API (:mod:`server.tournament.over_api`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from random import Random
from typing import Any, Protocol

from server.bots import chance, commander, greedy
from server.bots.commander import Mind
from server.bots.levels import LEVELS
from server.bots.memory import remember
from server.rules.sight import View

Order = dict[str, Any]
BASELINES: dict[str, Callable[..., list[Order]]] = {"random": chance.choose, "greedy": greedy.choose}


class UnknownContestant(ValueError):
    """There is no contestant of that name."""


class Seat(Protocol):
    """Someone at a seat of one game."""

    def choose(self, view: View) -> list[Order]:
        """Return orders for the open phase; *view* has the events of the phase before."""


@dataclass(slots=True)
class Computer:
    """A level of the computer player, with its memory."""

    mind: Mind

    def choose(self, view: View) -> list[Order]:
        """Remember what was seen, then order."""
        self.mind = replace(self.mind, memory=remember(self.mind.memory, view))
        return commander.choose(view, self.mind)


@dataclass(slots=True)
class Function:
    """A function of a view, or of a view and a source of chance."""

    play: Callable[..., list[Order]]
    random: Random
    takes_chance: bool = field(init=False)

    def __post_init__(self) -> None:
        self.takes_chance = len(signature(self.play).parameters) > 1

    def choose(self, view: View) -> list[Order]:
        """Ask the function."""
        return self.play(view, self.random) if self.takes_chance else self.play(view)


def seat(name: str, seed: str) -> Seat:
    """Return a contestant at a seat; the same seed plays the same. Raises :class:`UnknownContestant`."""
    if name in LEVELS:
        return Computer(Mind(LEVELS[name], secret=hashlib.sha256(seed.encode()).digest()))
    return Function(BASELINES[name] if name in BASELINES else _imported(name), Random(seed))


def _imported(name: str) -> Callable[..., list[Order]]:
    module, _, function = name.partition(":")
    known = ", ".join((*LEVELS, *BASELINES))
    if not function:
        raise UnknownContestant(f"There is no player called {name!r}; there are {known}, and module:function.")
    try:
        found: Callable[..., list[Order]] = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise UnknownContestant(f"{name!r} cannot be imported: {error}") from error
    if not callable(found):
        raise UnknownContestant(f"{name!r} is no function.")
    return found


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
