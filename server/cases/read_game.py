"""Reads a table case: TOML in, :class:`GameCase` out, or everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.cases.dice import read_dice
from server.cases.model import CaseError, DicePart
from server.cases.table import Table, shown, told
from server.core.errors import Problem
from server.missions import library
from server.referee.beginning import Beginning, read_beginning
from server.referee.mission import PLAYERS
from server.referee.reading import BOOL, ID, RAW, Integer, ListOf, OneOf, Record, TableOf, Text, given, read

GAME_KEYS = ("game", "table", "settings", "players", "start", "battle")
"""Keys that say how the game begins; the others are the case's own."""
ACTORS = (*PLAYERS, "gm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """An act that must be refused."""

    act: int = given(Integer())
    code: str = given(ID)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """What a player may not know."""

    hidden: tuple[str, ...] = given(ListOf(ID), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What must be true afterwards; only what is named is checked."""

    rejected: tuple[Rejection, ...] = given(ListOf(Record(Rejection)), ())
    vp: Mapping[str, Any] = given(TableOf(Integer()), {})
    cp: Mapping[str, Any] = given(TableOf(Integer()), {})
    stage: str | None = given(ID, None)
    round: int | None = given(Integer(), None)
    turn: str | None = given(OneOf(("", *PLAYERS)), None)
    phase: str | None = given(RAW, None)
    over: bool | None = given(BOOL, None)
    winner: str | None = given(OneOf(("", *PLAYERS)), None)
    result: str | None = given(ID, None)
    decided: bool | None = given(BOOL, None)
    open: tuple[str, ...] = given(ListOf(ID), ())
    open_for: str | None = given(OneOf(ACTORS), None)
    tracked: Mapping[str, Any] = given(TableOf(RAW), {})
    seen_by: Mapping[str, Hidden] = given(TableOf(Record(Hidden)), {})
    markers: Mapping[str, Any] = given(TableOf(RAW), {})
    units: Mapping[str, Any] = given(TableOf(RAW), {})
    patrol: Mapping[str, Any] = given(TableOf(RAW), {})
    jump_offs: Mapping[str, Any] = given(TableOf(RAW), {})
    templates: Mapping[str, Any] = given(RAW, {})
    posture: Mapping[str, Any] = given(TableOf(RAW), {})


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCase:
    """One table case."""

    rule: str
    title: str
    beginning: Beginning
    acts: tuple[Mapping[str, Any], ...]
    dice: DicePart
    expect: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPart:
    """The keys of a case that are not the game's."""

    rule: Any = given(RAW)
    title: str = given(Text(300))
    acts: tuple[Any, ...] = given(ListOf(RAW, max=3000), ())
    dice: Any = given(RAW, {})
    expect: Expected = given(Record(Expected), factory=Expected)


FIELDS = {
    "markers": ("removed", "control", "secured", "used", "zone", "at", "claims"),
    "units": ("models", "state", "wounds", "at", "in", "no_actions", "dug_in", "returns", "suffers"),
    "patrol": ("at", "locked", "side"),
    "jump_offs": ("at", "side"),
}
"""What may be named of each thing."""
DEFAULT_FACE = 3
"""Of every roll for whose label a case has no faces, unless its ``default`` says otherwise."""
POSTURE = ("score", "name", "x", "y", "z", "action")


def read_game(data: Mapping[str, Any]) -> GameCase:
    """Return the table case of a parsed file; raises :class:`CaseError` with all that is wrong with it."""
    found: list[Problem] = []
    own = read(OwnPart, {key: value for key, value in data.items() if key not in GAME_KEYS}, "", found)
    game = {key: value for key, value in data.items() if key in GAME_KEYS}
    beginning = read_beginning(game, library(), found, taken_as_confirmed=True)
    if own is None or beginning is None:
        raise CaseError(told(found))
    problems = told(found)
    acts, rolls = _acts(own.acts, problems), Table(own.dice, "dice")
    dice = read_dice(rolls)
    problems += told(rolls.problems)
    if dice.default is None:
        dice = replace(dice, default=DEFAULT_FACE)
    _check_expected(own.expect, len(acts), problems)
    if problems:
        raise CaseError(problems)
    return GameCase(
        rule=", ".join(map(str, own.rule)) if isinstance(own.rule, list) else str(own.rule),
        title=own.title,
        beginning=beginning,
        acts=acts,
        dice=dice,
        expect=own.expect,
    )


def _acts(given_: tuple[Any, ...], problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    for place, act in enumerate(given_):
        if not isinstance(act, dict):
            problems.append(f"acts[{place}]: this must be a table, not {shown(act)}")
        elif act.get("by") not in ACTORS:
            problems.append(f"acts[{place}].by: this must be one of {', '.join(ACTORS)}, not {shown(act.get('by'))}")
        elif not isinstance(act.get("do"), str):
            problems.append(f"acts[{place}].do: this must be a text")
    return given_


def _check_expected(expect: Expected, acts: int, problems: list[str]) -> None:
    problems += [
        f"expect.rejected: there is no act {rejection.act}" for rejection in expect.rejected if rejection.act >= acts
    ]
    for name in (*expect.vp, *expect.cp, *expect.seen_by):
        if name not in PLAYERS:
            problems.append(f"expect: {name!r} is no player")
    parts: dict[str, Mapping[str, Any]] = {
        "markers": expect.markers,
        "units": expect.units,
        "patrol": expect.patrol,
        "jump_offs": expect.jump_offs,
    }
    for part, things in parts.items():
        for id_, fields in things.items():
            if not isinstance(fields, dict):
                problems.append(f"expect.{part}.{id_}: this must be a table")
                continue
            problems += [f"expect.{part}.{id_}.{name}: unknown key" for name in fields if name not in FIELDS[part]]
    problems += [f"expect.posture.{name}: unknown key" for name in expect.posture if name not in POSTURE]
    if not isinstance(expect.templates, dict):
        problems.append("expect.templates: this must be a table")
