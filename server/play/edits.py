"""The language in which a GM changes a position: a list of edits of its nouns.

Each edit is an object ``{"do": "set" | "add" | "remove", "what": <noun>, ...}``. They are done one after the other
on a copy; one that cannot be done is refused with its reasons, and then none of them counts. The same edits on
the same state always give the same state, so that a record can be verified.

================== =========================================================================================
``owner``          set ``hex`` ``owner`` (empty: nobody)
``store``          set ``hex`` ``bp``
``vp``             set ``player`` ``vp``
``system_control`` set ``player`` (empty: nobody)
``alliance``       set ``player`` ``with`` ``allied``; for both sides, in force at once
``road``           add, remove ``from`` ``to``
``resource``       set ``hex`` ``size``; remove ``hex``
``urban``          set ``hex`` ``size`` [``buildings`` ``race`` ``capital``]; remove ``hex``
``stronghold``     set ``hex`` ``type`` [``defences`` ``weapons``]; remove ``hex``
``convoy``         add ``owner`` ``hex`` ``bp``; set ``id`` [``hex`` ``bp`` ``owner``]; remove ``id``
``detachment``     add ``owner`` ``hex`` ``name`` ``units`` [``type`` ``dxp`` ``mounted`` ``ready_in``];
                   set ``id`` [``hex`` ``name`` ``dxp`` ``mounted`` ``battle_order`` ``ready_in``]; remove ``id``
``garrison``       add ``owner`` ``hex`` ``units``; remove ``id``
``unit``           add ``force`` ``unit``;
                   set ``id`` [``name`` ``models`` ``points`` ``ready`` ``wounded`` ``damaged``]; remove ``id``
``battle``         remove ``hex``
================== =========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.play.edit_fields import EditFields
from server.play.edit_forces import FORCES
from server.play.edit_ground import GROUND
from server.rules.codec import decode, encode
from server.rules.errors import RulesError
from server.rules.sight import remember
from server.rules.state import State

MOST_EDITS = 500
Done = Callable[[EditFields], None]
KINDS: Mapping[tuple[str, str], Done] = {**GROUND, **FORCES}


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of edits."""

    state: State
    problems: tuple[dict[str, Any], ...]
    """Everything that is wrong; then the state is not to be used."""


def apply(state: State, edits: Sequence[Any]) -> Edited:
    """Return the state after the edits; *state* itself stays as it was."""
    if not isinstance(edits, list | tuple) or not 0 < len(edits) <= MOST_EDITS:
        problem = {
            "code": "bad_value",
            "message": f"A list of 1 to {MOST_EDITS} edits.",
            "field": "edits",
            "value": None,
        }
        return Edited(state, (problem,))
    after = state.copy()
    problems: list[dict[str, Any]] = []
    for number, given in enumerate(edits):
        problems += _apply(after, number, given)
    if not problems:
        remember(after)
        problems += _unsound(after)
    return Edited(after, tuple(problems))


def _apply(state: State, number: int, given: Any) -> list[dict[str, Any]]:
    fields = EditFields(state, given if isinstance(given, Mapping) else {}, number)
    key = (fields.given.get("do"), fields.given.get("what"))
    kind = KINDS.get(key) if all(isinstance(each, str) for each in key) else None  # type: ignore[arg-type]
    if kind is None:
        known = ", ".join(f"{do} {what}" for do, what in KINDS)
        fields.refuse("unknown_type", f"An edit is one of: {known}.")
        return fields.problems
    kind(fields)
    fields.finish()
    return fields.problems


def _unsound(state: State) -> list[dict[str, Any]]:
    """Read the state back as it would be kept: what cannot be read must not be written."""
    try:
        decode(encode(state), state.board, state.ruleset)
    except RulesError as error:
        return [{"code": "not_allowed", "message": str(error), "field": "edits", "value": None}]
    return []
