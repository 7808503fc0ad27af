"""Reads a mission: a parsed TOML file in, a :class:`Mission` out, or everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.referee.mission import BATTLE, EDGES, OVER, Mission, PaidStratagem, RuleData
from server.referee.narrative.stratagem_data import Stratagem
from server.referee.reading import (
    Found,
    Given,
    ListOf,
    Record,
    Spec,
    TableOf,
    Text,
    below,
    given,
    note,
    read,
    read_fields,
    schema_of,
    specs,
)
from server.referee.rule import RULES

LINES = ListOf(Text(400), min=1, max=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryData:
    """What players must know, in lines, by language."""

    en: tuple[str, ...] = given(LINES, ())
    de: tuple[str, ...] = given(LINES, ())


@dataclass(frozen=True, slots=True)
class SummarySpec(Record):
    """How a summary is read: the lines by language, the English ones if there are no others."""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        data = Record.read(self, given, name)
        return None if data is None else {"en": data.en, "de": data.de or data.en}


@dataclass(frozen=True, slots=True)
class EdgesSpec:
    """How an edge of the table is read, or several."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it as a tuple."""
        value = given.take(name)
        edges = value if isinstance(value, list) else [value]
        if 0 < len(edges) <= len(EDGES) and all(isinstance(edge, str) and edge in EDGES for edge in edges):
            return tuple(edges)
        note(given.problems, given.at(name), f"this must be one or more of {', '.join(EDGES)}")
        return None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        edge = {"enum": list(EDGES)}
        return {"anyOf": [edge, {"type": "array", "items": edge}]}


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """How a rule is read: ``rule`` names it, the other fields are its own."""

    names: str = ""

    def read(self, given: Given, name: str | int) -> Any:
        """Read it."""
        item, path = given.take(name), given.at(name)
        called = item.get("rule") if isinstance(item, Mapping) else None
        kind = RULES.get(called) if isinstance(called, str) else None
        if kind is None:
            note(given.problems, f"{path}.rule", f"there is no rule called {shown(called)!r}")
            return None
        values = read_fields(specs(kind), item, path, given.problems, ("rule",))
        return None if values is None else RuleData(kind, values)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        return {"oneOf": [_rule_schema(name, specs(kind)) for name, kind in sorted(RULES.items())]}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionFile(Mission):
    """A mission file."""

    summary: Mapping[str, tuple[str, ...]] = given(SummarySpec(SummaryData), {"en": (), "de": ()})
    edges: Mapping[str, tuple[str, ...]] = given(TableOf(EdgesSpec()), {})
    rules: tuple[RuleData, ...] = given(ListOf(RuleSpec(), min=1, max=100))
    stratagems: tuple[Stratagem, ...] = given(ListOf(Record(Stratagem), max=100), ())


def read_mission(values: Any) -> tuple[Mission | None, list[Problem]]:
    """Return the mission, or None, and everything that is wrong with it, each with its path. Never raises."""
    from server.referee import registry  # noqa: F401  # all rules, and what stratagems may do

    found: Found = []
    if (mission := read(MissionFile, values, "", found)) is not None:
        found += _unfit(mission)
    return (None if found else mission), found


def read_paid(values: Any) -> tuple[PaidStratagem, ...]:
    """Return stratagems of other books from a file of them; :class:`ValueError` for one that is wrong."""
    found: Found = []
    read = ListOf(Record(PaidStratagem)).read(Given({"paid_stratagems": values}, problems=found), "paid_stratagems")
    if found:
        raise ValueError("; ".join(f"{problem.field}: {problem.message}" for problem in found))
    return tuple(read)


def _unfit(mission: Mission) -> Iterator[Problem]:
    """Yield what does not fit together."""
    yield from _unfit_stages(mission)
    yield from _unfit_map(mission)
    yield from _unfit_rules(mission)


def _unfit_map(mission: Mission) -> Iterator[Problem]:
    for name, ids in (("stages", mission.stages), ("phases", mission.phases)):
        if len(dict.fromkeys(ids)) != len(ids):
            yield _problem(name, "one is named twice")
    markers = [marker.id for marker in mission.markers]
    if len(dict.fromkeys(markers)) != len(markers):
        yield _problem("markers", "one is named twice")
    yield from _off_table(mission)
    for place, stratagem in enumerate(mission.stratagems):
        yield from _unknown_names(mission, stratagem, f"stratagems.{place}")


def _off_table(mission: Mission) -> Iterator[Problem]:
    for place, marker in enumerate(mission.markers):
        if marker.at is not None and not mission.on_table(marker.at):
            yield _problem(f"markers.{place}.at", "this is off the table")
    for name, polygons in mission.zones.items():
        for place, polygon in enumerate(polygons):
            if not all(map(mission.on_table, polygon)):
                yield _problem(f"zones.{name}.{place}", "a corner is off the table")


def _unfit_rules(mission: Mission) -> Iterator[Problem]:
    kinds = [data.kind for data in mission.rules]
    for place, data in enumerate(mission.rules):
        path = f"rules.{place}"
        if kinds.index(data.kind) != place:
            yield _problem(path, f"the rule {data.kind.NAME} is there twice")
        rule = data.kind(**data.values)
        yield from _unknown_names(mission, rule, path)
        for name in data.kind.NEEDS:
            if name not in [other.NAME for other in kinds]:
                yield _problem(path, f"the rule {data.kind.NAME} needs the rule {name}")
        for message in rule.unfit(mission):
            yield _problem(path, message)


def _unfit_stages(mission: Mission) -> Iterator[Problem]:
    if mission.stages[-2:] != (BATTLE, OVER) and mission.stages[-1:] != (OVER,):
        yield _problem("stages", f"the last stage must be {OVER}")
    for name, stages in (("left_by_both", mission.left_by_both), ("placed_by", (mission.placed_by,))):
        for stage in stages:
            if stage and stage not in mission.stages:
                yield _problem(name, f"there is no stage {stage}")


def _unknown_names(mission: Mission, thing: Any, path: str) -> Iterator[Problem]:
    """Yield zones, edges, markers, phases and stages that *thing*, or what is in it, names and the mission has not."""
    known: dict[str, tuple[str, ...]] = {
        "zone": tuple(mission.zones),
        "edge": tuple(mission.edges),
        "marker_id": tuple(marker.id for marker in mission.markers),
        "phase": mission.phases,
        "stage": mission.stages,
    }
    for name, declared in specs(type(thing)).items():
        names = known.get(declared.spec.names)
        for item, where in _items(getattr(thing, declared.attribute), below(path, name)):
            if names is not None and item and item not in names:
                yield _problem(where, f"this mission has no {declared.spec.names} {item}")
            elif is_dataclass(item):
                yield from _unknown_names(mission, item, where)


def _items(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield a value, or all that a list or a table holds, with the path of each."""
    if isinstance(value, tuple):
        yield from ((item, below(path, place)) for place, item in enumerate(value))
    elif isinstance(value, dict):
        yield from ((item, below(path, key)) for key, item in value.items())
    else:
        yield value, path


def _problem(path: str, message: str) -> Problem:
    return Problem("bad_value", message, path)


def schema() -> dict[str, Any]:
    """Return the JSON schema of mission files."""
    from server.referee import registry  # noqa: F401  # all rules

    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A mission"}
    return head | schema_of(MissionFile)


def _rule_schema(name: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    spec: dict[str, Spec] = {key: item.spec for key, item in declared.items()}
    return {
        "type": "object",
        "properties": {"rule": {"const": name}} | {key: item.schema() for key, item in spec.items()},
        "required": ["rule", *(key for key, item in declared.items() if item.needed)],
        "additionalProperties": False,
    }
