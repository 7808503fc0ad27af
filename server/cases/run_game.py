"""Plays a table case and says what came out differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.cases.compare import refusal
from server.cases.dice import CaseDice
from server.cases.model import CaseError
from server.cases.read_game import GameCase
from server.cases.table import key_path, same, shown
from server.core.errors import Problem
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.mission import NO_MANS_LAND
from server.referee.reading import thousandths
from server.referee.units import facts
from server.referee.view import view_for

NEAR = 2
"""Thousandths by which a place may differ."""
NAMES_OF_NO_MANS_LAND = (NO_MANS_LAND, "nml", "NML")


def play_game(case: GameCase) -> list[str]:
    """Play a table case and return the differences. Raise :class:`CaseError` if it is not a table case."""
    table = begin(case.beginning, CaseDice(case.dice))
    if table.game.unfit:
        raise CaseError(table.game.unfit)
    problems: dict[int, list[Problem]] = {}
    numbers: dict[int, int] = {}
    for place, act in enumerate(case.acts):
        number = len(table.record)
        problems[place] = submit(table, act["by"], _numbered(act, numbers))
        if not problems[place]:
            numbers[place] = number
    return [*_acts(case, problems), *_clock(case, table), *_things(case, table), *_known(case, table)]


def _numbered(act: Mapping[str, Any], numbers: Mapping[int, int]) -> Mapping[str, Any]:
    """Return an act with the number that another one has in the record: refused ones have none there."""
    place = act.get("act")
    if act["do"] != "object" or type(place) is not int or place not in numbers:
        return act
    return {**act, "act": numbers[place]}


def _acts(case: GameCase, problems: Mapping[int, Sequence[Problem]]) -> Iterator[str]:
    rejected = {rejection.act: rejection.code for rejection in case.expect.rejected}
    for place, act in enumerate(case.acts):
        expected, codes = rejected.get(place), [problem.code for problem in problems[place]]
        if (expected is None and codes) or (expected is not None and expected not in codes):
            what = f"acts[{place}] ({act['by']}: {act['do']})"
            wanted = f"refused: {expected}" if expected else "accepted"
            yield f"{what}: expected {wanted}, got {refusal(problems[place])}"


def _clock(case: GameCase, table: TableGame) -> Iterator[str]:
    expect, game = case.expect, table.game
    facts_: dict[str, tuple[Any, Any]] = {
        "stage": (expect.stage, game.stage),
        "round": (expect.round, game.round),
        "turn": (expect.turn, game.turn),
        "phase": (expect.phase, game.phase),
        "over": (expect.over, game.over),
        "winner": (expect.winner, game.result.winner if game.result else ""),
        "result": (expect.result, game.result.word if game.result else None),
        "decided": (expect.decided, game.decided),
    }
    for name, (expected, got) in facts_.items():
        if expected is not None:
            yield from _compared(name, expected, got)
    for player, number in expect.vp.items():
        yield from _compared(f"vp.{player}", number, game.vp[player])
    for player, number in expect.cp.items():
        yield from _compared(f"cp.{player}", number, game.cp[player])


def _things(case: GameCase, table: TableGame) -> Iterator[str]:
    expect, game = case.expect, table.game
    for id_, fields in expect.markers.items():
        yield from _fields(key_path("markers", id_), fields, _marker(table, id_))
    for id_, fields in expect.units.items():
        unit = game.units.get(id_)
        yield from _fields(key_path("units", id_), fields, None if unit is None else facts(unit))
    for part, things in (("patrol", expect.patrol), ("jump_offs", expect.jump_offs)):
        for id_, fields in things.items():
            yield from _fields(key_path(part, id_), fields, _of_rules(table, part, id_))
    for id_, at in expect.templates.items():
        yield from _fields(key_path("templates", id_), {"at": at}, _of_rules(table, "templates", id_))
    if expect.posture:
        yield from _fields("posture", expect.posture, _of_rules(table, "posture", ""))


def _marker(table: TableGame, id_: str) -> Mapping[str, Any] | None:
    marker = table.game.markers.get(id_)
    if marker is None:
        return _of_rules(table, "markers", id_)
    claims = {model: since for models in marker.claims.values() for model, since in models.items()}
    names = ("removed", "control", "secured", "used", "zone", "at")
    return {name: getattr(marker, name) for name in names} | {"claims": claims}


def _of_rules(table: TableGame, part: str, id_: str) -> Mapping[str, Any] | None:
    answers = table.game.ask("expected", part, id_)
    found: Mapping[str, Any] | None = next((answer for answer in answers if answer is not None), None)
    return found


def _known(case: GameCase, table: TableGame) -> Iterator[str]:
    expect, game = case.expect, table.game
    tracked: dict[str, Any] = {"attacker": game.attacker}
    for part in game.ask("tracked"):
        tracked.update(part)
    for name, value in expect.tracked.items():
        if name not in tracked:
            yield f"tracked.{name}: expected {shown(value)}, but this game keeps nothing of the kind"
        else:
            yield from _compared(f"tracked.{name}", value, _named(value, tracked[name]))
    for player, part in expect.seen_by.items():
        seen = [unit["id"] for unit in view_for(game, player)["units"]]
        for id_ in part.hidden:
            unit = game.units.get(id_)
            if unit is None:
                yield f"seen_by.{player}.hidden: there is no unit {id_}"
            elif id_ in seen and not (unit.side != player and any(game.ask("seals", unit))):
                yield f"seen_by.{player}.hidden: {player} knows where {id_} is"
    if expect.open:
        player = expect.open_for or game.turn or "red"
        words = [option.do for option in open_for(table, player)]
        for word in expect.open:
            if word not in words:
                yield f"open: expected {word} for {player}, got {', '.join(dict.fromkeys(words)) or 'nothing'}"


def _named(expected: Any, got: Any) -> Any:
    """Return what is compared: of a table only what is named."""
    if not (isinstance(expected, Mapping) and isinstance(got, Mapping)):
        return got
    return {key: value for key, value in got.items() if key in expected}


def _fields(path: str, expected: Mapping[str, Any], got: Mapping[str, Any] | None) -> Iterator[str]:
    if got is None:
        yield f"{path}: there is no such thing"
        return
    for name, value in expected.items():
        yield from _compared(f"{path}.{name}", value, got.get(name), at=name == "at")


def _compared(path: str, expected: Any, got: Any, at: bool = False) -> Iterator[str]:
    wanted = NO_MANS_LAND if expected in NAMES_OF_NO_MANS_LAND else expected
    if not (_near(expected, got) if at else same(wanted, got)):
        yield f"{path}: expected {shown(expected)}, got {shown(got)}"


def _near(expected: Any, got: Any) -> bool:
    if not isinstance(expected, list) or got is None or len(expected) != len(got):
        return expected is None and got is None
    wanted = [thousandths(value) for value in expected]
    return all(value is not None and abs(value - have) <= NEAR for value, have in zip(wanted, got, strict=True))
