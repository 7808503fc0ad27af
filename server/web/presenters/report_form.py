"""Form fields of a tabletop result other than winner and losses: the units that fought, lost defences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.play.errors import invalid
from server.render.translations import Translations
from server.rules.board import Hex
from server.rules.sides import side_of
from server.rules.sight import GM
from server.rules.state import Battle, Id, State
from server.web.forms import Form

PRIMARY_PARTS = ("took_part", "withheld", "bombarded")
"""What units of a primary force may have done; the first where nothing is chosen."""
SUPPORTER_PARTS = ("absent", "came_in", "bombarded")
"""What units of a supporter may have done; the first where nothing is chosen."""


@dataclass(frozen=True, slots=True)
class DefenceRow:
    """A defence of the stronghold that is fought for."""

    id: str
    name: str
    count: int | None
    """How many there are; None where the viewer does not know (D-07)."""


@dataclass(frozen=True, slots=True)
class Fielded:
    """A unit that may have fought."""

    name: str
    supports: bool


@dataclass(frozen=True, slots=True)
class ReportDetails:
    """The notable parts of a report other than winner and losses."""

    parts: tuple[tuple[str, str], ...]
    """Units by name, and what they did: a word of PRIMARY_PARTS or SUPPORTER_PARTS."""
    works: tuple[tuple[str, int], ...]
    """Defences by name, and how many were lost."""


def fielded(state: State, battle: Battle) -> dict[Id, Fielded]:
    """Return all units that may have fought, by id, as far as they are known."""
    sides = [force for attacking in (True, False) for force in side_of(state, battle, attacking=attacking)]
    supporters = [force for id_ in battle.supporters if (force := state.force(id_)) is not None]
    units = {unit.id: Fielded(unit.name, supports=False) for force in sides for unit in force.units}
    return units | {unit.id: Fielded(unit.name, supports=True) for force in supporters for unit in force.units}


def report_details(
    state: State, content: Mapping[str, Any], units: Mapping[Id, Fielded], language: str
) -> ReportDetails:
    """Return the parts of a report's *content* other than winner and losses."""
    done = [(unit.name, part_of(content, id_, supports=unit.supports)) for id_, unit in units.items()]
    called, defences = Translations(language).called, state.ruleset.defences
    return ReportDetails(
        tuple((name, part) for name, part in done if part not in (PRIMARY_PARTS[0], SUPPORTER_PARTS[0])),
        tuple((called(defences[id_].name), lost) for id_, lost in content.get("works", {}).items() if lost),
    )


def defence_rows(state: State, viewer: str, at: Hex, language: str) -> tuple[DefenceRow, ...]:
    """Return what may be lost of a stronghold: its defences, or all there can be for those who do not know them."""
    stronghold = state.stronghold.get(at)
    if stronghold is None:
        return ()
    known = bool(stronghold.defences) or viewer in (state.owner[at], GM)
    called = Translations(language).called
    return tuple(
        DefenceRow(id_, called(defence.name), stronghold.defences[id_] if known else None)
        for id_, defence in state.ruleset.defences.items()
        if not known or id_ in stronghold.defences
    )


def read_parts(form: Form, mark: str) -> dict[str, Any]:
    """Return the fields ``took_part``, ``withheld``, ``bombarded`` and ``works`` of a form whose names hold *mark*.

    ``took_part`` is only named where units of supporters came in: without it all of the primaries fought.
    Raises PlayError ``invalid_request``.
    """
    done: dict[str, list[str]] = {}
    for name in form.values:
        if name.startswith(f"part{mark}"):
            part = form.text(name)
            if part not in (*PRIMARY_PARTS, *SUPPORTER_PARTS):
                raise invalid(name, "This is not one of the choices.", part[:80])
            done.setdefault(part, []).append(name.removeprefix(f"part{mark}"))
    found: dict[str, Any] = {part: done[part] for part in ("withheld", "bombarded") if part in done}
    if "came_in" in done:
        found["took_part"] = done.get("took_part", []) + done["came_in"]
    works = {
        name.removeprefix(f"works{mark}"): form.integer(name) for name in form.values if name.startswith(f"works{mark}")
    }
    if any(works.values()):
        found["works"] = {id_: lost for id_, lost in works.items() if lost}
    return found


def part_of(content: Mapping[str, Any], id_: Id, *, supports: bool) -> str:
    """Return what a unit did by a reported result: a word of PRIMARY_PARTS, or of SUPPORTER_PARTS."""
    if id_ in content.get("bombarded", ()):
        return "bombarded"
    took_part = content.get("took_part")
    fought = not supports if took_part is None else id_ in took_part
    if id_ in content.get("withheld", ()) or not fought:
        return "absent" if supports else "withheld"
    return "came_in" if supports else "took_part"


def typed_parts(content: Mapping[str, Any], units: Mapping[Id, Fielded], mark: str) -> Iterator[tuple[str, str]]:
    """Yield who fought and which defences were lost as it would stand in a form."""
    for id_, unit in units.items():
        yield f"part{mark}{id_}", part_of(content, id_, supports=unit.supports)
    for id_, lost in content.get("works", {}).items():
        yield f"works{mark}{id_}", str(lost)
