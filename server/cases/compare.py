"""Compares the result of a case with its expectations; every difference is one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.cases.model import Case
from server.cases.table import key_path, same, shown
from server.core.errors import Problem
from server.core.events import Event
from server.rules.board import Hex
from server.rules.sight import sees
from server.rules.state import OVER, Battle, Detachment, Garrison, State

Fields = Mapping[str, Any]

MAX_EVENTS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a case."""

    state: State
    events: Sequence[Event]
    problems: Mapping[int, Sequence[Problem]]
    """Why orders were refused, by place in the case's list."""
    battles: Mapping[Hex, Battle]
    """The battles as they were before the end of the turn cleared them."""


def compare(case: Case, outcome: Outcome) -> list[str]:
    """Return every difference between what was expected and what came out."""
    return [*_orders(case, outcome), *_events(case, outcome), *_things(case, outcome)]


def _differs(path: str, expected: object, got: object) -> str:
    return f"{path}: expected {shown(expected)}, got {shown(got)}"


# --- orders and events ---


def _orders(case: Case, outcome: Outcome) -> Iterator[str]:
    for place, order in enumerate(case.orders):
        expected = case.expect.rejected.get(place)
        problems = outcome.problems.get(place, ())
        if (expected not in [problem.code for problem in problems]) if expected else problems:
            what = f"orders[{place}] ({order.player}: {order.content.get('type', 'no type')})"
            told = f"refused: {expected}" if expected else "accepted"
            yield f"{what}: expected {told}, got {refusal(problems)}"


def refusal(problems: Sequence[Problem]) -> str:
    """Return the result of an order or act, by its problems."""
    if not problems:
        return "accepted"
    told = (
        f"{problem.code} ({problem.field + ': ' if problem.field else ''}{problem.message})" for problem in problems
    )
    return "refused: " + ", ".join(told)


def _events(case: Case, outcome: Outcome) -> Iterator[str]:
    for place, expected in enumerate(case.expect.events):
        if not any(_matches(expected, event) for event in outcome.events):
            yield f"events[{place}]: expected {shown(expected)}, got {_similar(expected['type'], outcome.events)}"


def _matches(expected: Fields, event: Event) -> bool:
    for name, value in expected.items():
        if name == "type":
            met = event.type == value
        elif name == "to":
            met = set(event.to) == set(value)
        else:
            met = name in event.fields and same(value, event.fields[name])
        if not met:
            return False
    return True


def _similar(type_: str, events: Sequence[Event]) -> str:
    found = [{"type": event.type, **event.fields, "to": list(event.to)} for event in events if event.type == type_]
    if not found:
        others = sorted({event.type for event in events})
        return f"no such event, only {', '.join(others)}" if others else "no events at all"
    more = f" and {len(found) - MAX_EVENTS_SHOWN} more" if len(found) > MAX_EVENTS_SHOWN else ""
    return ", ".join(shown(event) for event in found[:MAX_EVENTS_SHOWN]) + more


# --- things ---


def _things(case: Case, outcome: Outcome) -> Iterator[str]:
    expect, state = case.expect, outcome.state
    for id_, fields in expect.detachments.items():
        yield from _force(key_path("detachments", id_), fields, state, state.detachments.get(id_))
    for id_, fields in expect.garrisons.items():
        yield from _force(key_path("garrisons", id_), fields, state, state.garrisons.get(id_))
    for id_, fields in expect.convoys.items():
        convoy = state.convoys.get(id_)
        load = _facts(convoy, "owner", "bp") | {"at": state.board.label(convoy.at)} if convoy else None
        yield from _thing(key_path("convoys", id_), fields, "destroyed", load)
    for label, fields in expect.hexes.items():
        facts = _hex_facts(state, state.board.find(label) or 0)
        yield from _fields(key_path("hexes", label), fields, facts | _works_named(fields, facts))
    for id_, fields in expect.players.items():
        yield from _fields(key_path("players", id_), fields, _player_facts(state, id_))
    for label, fields in expect.battles.items():
        battle = outcome.battles.get(state.board.find(label) or 0)
        fight = _facts(battle, *(name for name in fields if name != "none")) if battle else None
        yield from _thing(key_path("battles", label), fields, "none", fight)
    campaign = {"over": state.phase == OVER, "winner": ", ".join(state.winners)}
    yield from _fields("campaign", expect.campaign, campaign)


def _fields(path: str, expected: Fields, facts: Fields) -> Iterator[str]:
    for name, value in expected.items():
        if not same(value, facts[name]):
            yield _differs(f"{path}.{name}", value, facts[name])


def _thing(path: str, expected: Fields, word: str, facts: Fields | None) -> Iterator[str]:
    """Compare a thing, None where it is not there; *word* is the field that says so."""
    here = facts is not None
    if word in expected and expected[word] == here:
        yield _differs(f"{path}.{word}", expected[word], not here)
    elif not here and not expected.get(word):
        named = ", ".join(f"{name} = {shown(value)}" for name, value in expected.items() if name != word)
        yield f"{path}: expected {named or 'it to be there'}, got nothing: it is not there"
    if facts is not None:
        yield from _fields(path, {name: expected[name] for name in expected if name not in (word, "units")}, facts)


def _force(path: str, expected: Fields, state: State, force: Detachment | Garrison | None) -> Iterator[str]:
    yield from _thing(path, expected, "destroyed", _force_facts(state, force) if force else None)
    if force is not None:
        units = {unit.id: _facts(unit, "ready", "wounded", "damaged") for unit in force.units}
        for id_, fields in expected.get("units", {}).items():
            yield from _thing(key_path(f"{path}.units", id_), fields, "gone", units.get(id_))


# --- facts, by the names that cases use ---


def _facts(thing: object, *names: str) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in names}


def _force_facts(state: State, force: Detachment | Garrison) -> dict[str, Any]:
    more = ("dxp", "battle_order") if isinstance(force, Detachment) else ()
    facts = {"at": state.board.label(force.at), "points": state.ready_points(force)}
    return facts | _facts(force, "owner", *more)


def _hex_facts(state: State, at: Hex) -> dict[str, Any]:
    label, urban, stronghold = state.board.label, state.urban.get(at), state.stronghold.get(at)
    works = state.raising_at.get(at)
    convoys: dict[str, int] = {}
    for convoy in state.convoys_at.get(at, ()):
        convoys[convoy.owner] = convoys.get(convoy.owner, 0) + convoy.bp
    return {
        "owner": state.owner[at],
        "urban": urban.size if urban else "",
        "stronghold": stronghold.type if stronghold else "",
        "resource": state.resource.get(at, ""),
        "bp": state.store.get(at, 0) + state.harvest.get(at, 0),
        "buildings": sorted(urban.buildings) if urban else [],
        "defences": dict(stronghold.defences) if stronghold else {},
        "roads": sorted(label(next_) for next_ in state.board.adjacent[at] if state.road(at, next_)),
        "corrupted": at in state.corrupted,
        "infested": state.infested.get(at, ""),
        "convoys": convoys,
        "under_construction": {"name": works.name, "turns": works.ready_in} if works else {},
    }


def _works_named(expected: Fields, facts: Fields) -> dict[str, Any]:
    """Compare forces under construction, but only named fields; if the case names none, there must be none."""
    named, works = expected.get("under_construction"), facts["under_construction"]
    return {"under_construction": {name: works[name] for name in named}} if named and works else {}


def _player_facts(state: State, id_: str) -> dict[str, Any]:
    player = state.players[id_]
    in_sight = sorted(state.board.label(at) for at in sees(state, id_))
    return {"vp": player.vp, "eliminated": player.eliminated, "sees": in_sight}
