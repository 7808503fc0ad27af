"""What a detachment or garrison may be made of, and how long it takes to build (1.2, 1.3).

Everything here yields problems or numbers and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from server.core.errors import Problem
from server.core.sentences import called, say, word, words
from server.rules.board import Hex
from server.rules.ruleset import SLOTS, DetachmentType
from server.rules.state import Detachment, Id, PlayerId, State, Unit

NO_TROOPS_POINTS = 250
"""D-34: the points that count as those of the Troops if there are none."""


def points_of(units: Iterable[Unit]) -> int:
    """Return the points of units at full strength (D-30)."""
    return sum(unit.points for unit in units)


def complexity(units: Sequence[Unit]) -> int:
    """1.2.2, D-34: how many turns a detachment takes to build."""
    troops = [unit for unit in units if unit.slot == "troops"]
    others = [unit for unit in units if unit.slot != "troops"]
    choices = len(troops) or 1
    points = points_of(troops) if troops else NO_TROOPS_POINTS
    return 1 + max(0, len(others) - 1) // choices + points_of(others) // points


# --- what a place lets be built ---


def has_headquarters(state: State, at: Hex) -> bool:
    """1.5.1, D-32: a Strategic HQ stands here, or it is its owner's capital."""
    urban = state.urban.get(at)
    if urban is None:
        return False
    if urban.capital and urban.capital == state.owner[at]:
        return True
    return any(state.ruleset.buildings[id_].detachments for id_ in urban.buildings)


def allowed_kinds(state: State, at: Hex, *, orbit: bool = False) -> tuple[str, ...]:
    """Return the kinds of unit the buildings of an urban hex let it build (1.5.1, D-32).

    For a detachment that waits in *orbit* only space ports count (D-72).
    """
    urban = state.urban.get(at)
    if urban is None:
        return ()
    buildings = [state.ruleset.buildings[id_] for id_ in urban.buildings]
    found = [kind for building in buildings if building.space_port or not orbit for kind in building.allows]
    return tuple(sorted(dict.fromkeys(found)))


def kind_problem(units: Iterable[Unit], allowed: Sequence[str], *, orbit: bool = False) -> Problem | None:
    """D-32, D-72: each unit's kind must be allowed by a building of the hex."""
    missing = list(dict.fromkeys(unit.kind for unit in units if unit.kind not in allowed))
    if not missing:
        return None
    kinds = words("slot", missing)
    message = say("No building in this hex builds units of the kind {kinds}.", kinds=kinds)
    if orbit:
        message = say("No space port in this hex builds units of the kind {kinds}.", kinds=kinds)
    return Problem("needs_building", message, "units", missing, "D-72" if orbit else "D-32")


# --- what a detachment may hold ---


def slot_problems(type_: DetachmentType, units: Iterable[Unit], *, minimum: bool = True) -> Iterator[Problem]:
    """D-31: how many units of each slot; without *minimum* only the maximum of each counts."""
    slots = [unit.slot for unit in units]
    for slot in SLOTS:
        fewest, maximum = type_.slots.get(slot, (0, 0))
        have = slots.count(slot)
        if have > maximum or (minimum and have < fewest):
            said: dict[str, Any] = {
                "type": called(type_.name),
                "slot": word("slot", slot),
                "have": have,
                "most": maximum,
            }
            message = say(
                "A detachment of the type {type} has at most {most} units in the slot {slot}, not {have}.", **said
            )
            if minimum:
                said["fewest"] = fewest
                message = say(
                    "A detachment of the type {type} has {fewest} to {most} units in the slot {slot}, not {have}.",
                    **said,
                )
            yield Problem("slots", message, "units", have, "D-31")


def max_points(state: State, dxp: int = 0) -> int:
    """Return how many points a detachment of that experience may have (6.2.3.7)."""
    return state.ruleset.rank(dxp)[2]


def character_problems(state: State, player: PlayerId, units: Iterable[Unit]) -> Iterator[Problem]:
    """6.2.3.6: a special character who is lost may not be used again."""
    for unit in units:
        if "character" in unit.flags and f"{player}/{unit.name}" in state.lost_characters:
            yield Problem("not_allowed", say("{unit} is dead for good.", unit=unit.name), "units", unit.name, "6.2.3.6")


def lost_characters(state: State, player: PlayerId) -> dict[str, list[str]]:
    """Return what options say of special characters who may not be used again; empty where nobody was lost."""
    owner = f"{player}/"
    lost = [character.removeprefix(owner) for character in state.lost_characters if character.startswith(owner)]
    return {"lost": sorted(lost)} if lost else {}


def special_problems(
    state: State, player: PlayerId, type_: DetachmentType, *, instead_of: Id = ""
) -> Iterator[Problem]:
    """1.2.3, D-31: special types are one of each N detachments, and fewer than the standard ones.

    The new detachment counts, and so do those under construction; *instead_of* is the one it takes the place of.
    """
    if not type_.share:
        return
    if type_.id not in state.faction(player).detachment_types:
        message: str = say(
            "Your army list ({faction}) has no detachments of the type {type}.",
            faction=called(state.faction(player).name),
            type=called(type_.name),
        )
        yield Problem("not_allowed", message, "detachment_type", type_.id, "1.2.3")
        return
    mine = [
        detachment
        for detachment in state.detachments.values()
        if detachment.owner == player and detachment.id != instead_of
    ]
    same = 1 + sum(1 for detachment in mine if detachment.type == type_.id)
    specials = 1 + sum(1 for detachment in mine if _special(state, detachment))
    if same * type_.share > len(mine) + 1:
        message = say(
            "Only one of each {share} of your detachments may be of the type {type}.",
            share=type_.share,
            type=called(type_.name),
        )
        yield Problem("limit_reached", message, "detachment_type", type_.id, "D-31")
    elif specials >= len(mine) + 1 - specials:
        message = "Your special detachments must stay fewer than your standard ones."
        yield Problem("limit_reached", message, "detachment_type", type_.id, "1.2.3")


def _special(state: State, detachment: Detachment) -> bool:
    return state.ruleset.detachment_types[detachment.type].share > 0
