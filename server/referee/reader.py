"""Reads a mission: a parsed TOML file in, a :class:`Mission` out, or everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.referee.geometry import Point
from server.referee.mission import BATTLE, EDGES, OVER, MarkerPlace, Mission, PaidStratagem, RuleData, Zone
from server.referee.narrative.stratagem_data import Stratagem
from server.referee.reading import (
    AT,
    BOOL,
    ID,
    LOCALIZED_TEXT,
    POLYGON,
    RAW,
    Found,
    Given,
    Inches,
    Integer,
    ListOf,
    LocalizedText,
    OneOf,
    Record,
    Spec,
    TableOf,
    Text,
    below,
    given,
    read,
    read_fields,
    schema_of,
    specs,
)
from server.referee.rule import Rule

FAMILIES = ("combat_patrol", "crucible_of_war", "patrol", "battle", "posture", "club")
LINES = ListOf(Text(400), min=1, max=40)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerData:
    """A marker as it is written down."""

    id: str = given(ID)
    at: Point | None = given(AT, None)
    """Left out: players place it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryData:
    """What players must know, in lines, by language."""

    en: tuple[str, ...] = given(LINES, ())
    de: tuple[str, ...] = given(LINES, ())


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidData:
    """A stratagem of another book: its name and what it costs. What it does stands there."""

    id: str = given(ID)
    name: LocalizedText = given(LOCALIZED_TEXT)
    cp: int = given(Integer(0, 20), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionData:
    """A mission file."""

    id: str = given(ID)
    name: LocalizedText = given(LOCALIZED_TEXT)
    briefing: LocalizedText = given(LOCALIZED_TEXT)
    summary: SummaryData = given(Record(SummaryData), factory=SummaryData)
    hints: tuple[LocalizedText, ...] = given(ListOf(LOCALIZED_TEXT, max=20), ())
    family: str = given(OneOf(FAMILIES), "club")
    number: int = given(Integer(0, 6), 0)
    width: int = given(Inches(1_000))
    height: int = given(Inches(1_000))
    scales: bool = given(BOOL, False)
    stages: tuple[str, ...] = given(ListOf(ID, min=2, max=30))
    left_by_both: tuple[str, ...] = given(ListOf(ID, max=30), ())
    placed_by: str = given(ID, "")
    phases: tuple[str, ...] = given(ListOf(ID, max=12), ())
    rounds: int = given(Integer(1, 50))
    edges: Mapping[str, Any] = given(TableOf(RAW), {})
    zones: Mapping[str, Zone] = given(TableOf(ListOf(POLYGON, min=1, max=20)), {})
    markers: tuple[MarkerData, ...] = given(ListOf(Record(MarkerData), max=50), ())
    rules: tuple[Any, ...] = given(ListOf(RAW, min=1, max=100))
    stratagems: tuple[Stratagem, ...] = given(ListOf(Record(Stratagem), max=100), ())
    paid_stratagems: tuple[PaidData, ...] = given(ListOf(Record(PaidData), max=100), ())


def read_mission(values: Any) -> tuple[Mission | None, list[Problem]]:
    """Return the mission, or None, and everything that is wrong with it, each with its path. Never raises."""
    from server.referee.registry import RULES  # with what stratagems may do: before any mission is read

    found: Found = []
    data = read(MissionData, values, "", found)
    if data is None:
        return None, found
    rules = tuple(_rule(RULES, item, f"rules.{place}", found) for place, item in enumerate(data.rules))
    mission = Mission(
        id=data.id,
        name=data.name,
        briefing=data.briefing,
        summary={"en": data.summary.en, "de": data.summary.de or data.summary.en},
        hints=data.hints,
        family=data.family,
        number=data.number,
        width=data.width,
        height=data.height,
        scales=data.scales,
        stages=data.stages,
        left_by_both=data.left_by_both,
        placed_by=data.placed_by,
        phases=data.phases,
        rounds=data.rounds,
        edges={name: _edges(edge, f"edges.{name}", found) for name, edge in data.edges.items()},
        zones=data.zones,
        markers=tuple(MarkerPlace(marker.id, marker.at) for marker in data.markers),
        rules=tuple(rule for rule in rules if rule is not None),
        stratagems=data.stratagems,
        paid=tuple(PaidStratagem(one.id, one.name, one.cp) for one in data.paid_stratagems),
    )
    if not found:
        found += _unfit(mission)
    return (None if found else mission), found


def read_paid(values: Any) -> tuple[PaidStratagem, ...]:
    """Return stratagems of other books from a file of them; :class:`ValueError` for one that is wrong."""
    found: Found = []
    data = ListOf(Record(PaidData)).read(Given({"paid_stratagems": values}, problems=found), "paid_stratagems")
    if found:
        raise ValueError("; ".join(f"{problem.field}: {problem.message}" for problem in found))
    return tuple(PaidStratagem(one.id, one.name, one.cp) for one in data)


def _rule(known: Mapping[str, type[Rule]], item: Any, path: str, found: Found) -> RuleData | None:
    name = item.get("rule") if isinstance(item, Mapping) else None
    kind = known.get(name) if isinstance(name, str) else None
    if kind is None:
        _note(found, f"{path}.rule", f"there is no rule called {shown(name)!r}")
        return None
    values = read_fields(specs(kind), item, path, found, ("rule",))
    return None if values is None else RuleData(kind, values)


def _edges(value: Any, path: str, found: Found) -> tuple[str, ...]:
    edges = value if isinstance(value, list) else [value]
    if not edges or not all(edge in EDGES for edge in edges if isinstance(edge, str)) or len(edges) > len(EDGES):
        _note(found, path, f"this must be one or more of {', '.join(EDGES)}")
        return ()
    if not all(isinstance(edge, str) for edge in edges):
        _note(found, path, f"this must be one or more of {', '.join(EDGES)}")
        return ()
    return tuple(edges)


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


def _note(found: Found, path: str, message: str) -> None:
    found.append(_problem(path, message))


def schema() -> dict[str, Any]:
    """Return the JSON schema of mission files."""
    from server.referee.registry import RULES

    whole = schema_of(MissionData)
    rules = [_rule_schema(name, specs(kind)) for name, kind in sorted(RULES.items())]
    whole["properties"]["rules"]["items"] = {"oneOf": rules}
    edge = {"enum": list(EDGES)}
    whole["properties"]["edges"]["additionalProperties"] = {"anyOf": [edge, {"type": "array", "items": edge}]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A mission"} | whole


def _rule_schema(name: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    spec: dict[str, Spec] = {key: item.spec for key, item in declared.items()}
    return {
        "type": "object",
        "properties": {"rule": {"const": name}} | {key: item.schema() for key, item in spec.items()},
        "required": ["rule", *(key for key, item in declared.items() if item.needed)],
        "additionalProperties": False,
    }
