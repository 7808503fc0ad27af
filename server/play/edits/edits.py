"""The language in which a GM changes a position: a list of edits of its nouns.

Each edit is an object ``{"do": "set" | "add" | "remove", "what": <noun>, ...}``. They are done one after the other
on a copy; one that cannot be done is refused with its reasons, and then none of them counts. The same edits on
the same state always give the same state, so that a record can be verified.

================== =========================================================================================
``owner``          set ``hex`` ``owner`` (empty: nobody)
``discovered``     set ``hex`` ``discovered``
``corruption``     set ``hex`` ``by`` (empty: nobody); likewise ``infestation``
``store``          set ``hex`` ``bp``
``harvest``        set ``hex`` ``bp``: what lies at a resource hex until the end of the turn
``resource``       set ``hex`` ``size``; remove ``hex``
``road``           add, remove ``from`` ``to``
``urban``          set ``hex`` ``size`` [``buildings`` ``race`` ``capital`` ``changed`` ``road`` ``disbanded``];
                   remove ``hex``
``building``       add, remove ``hex`` ``building``
``stronghold``     set ``hex`` ``type`` [``defences`` ``weapons`` ``changed``]; remove ``hex``
``defence``        set ``hex`` ``defence`` ``count``
``convoy``         add ``owner`` ``hex`` ``bp``; set ``id`` [``hex`` ``bp`` ``owner``]; remove ``id``
``detachment``     add ``owner`` ``hex`` ``name`` ``units`` [``type`` ``dxp`` ``mounted`` ``ready_in``];
                   set ``id`` [``hex`` ``owner`` ``name`` ``type`` ``dxp`` ``mounted`` ``battle_order`` ``ready_in``
                   ``pinned``]; remove ``id``
``garrison``       add ``owner`` ``hex`` ``units``; set ``id`` ``owner``; remove ``id``
``unit``           add ``force`` ``unit``; set ``id`` [``name`` ``slot`` ``models`` ``points`` ``mobility`` ``flags``
                   ``bombardment`` ``ready`` ``wounded`` ``damaged``]; remove ``id``
``battle``         add ``hex`` ``attacker`` [``kind`` ``defending`` ``tabletop`` ``supporters``];
                   set ``hex`` [``kind`` ``defending`` ``tabletop`` ``supporters``]; remove ``hex``
``vp``             set ``player`` ``vp``
``player``         set ``player`` [``eliminated`` ``strategy`` ``start_urban`` ``start_resource``];
                   remove ``player``: out, with all they have (D-14)
``alliance``       set ``player`` ``with`` ``allied``; for both sides, in force at once
``lost_character`` add, remove ``player`` ``name``
``system_control`` set ``player`` (empty: nobody)
================== =========================================================================================

The board (its size and terrain) is not edited: what was played on it stays verifiable on the map everyone knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from server.core.errors import RulesError
from server.core.sentences import say, taken_apart
from server.play.edits.edit_fields import EditFields
from server.play.edits.edit_forces import BATTLE_EDITS, FORCES
from server.play.edits.edit_ground import GROUND, PLAYERS
from server.rules.codec import decode, encode
from server.rules.sight import remember
from server.rules.state import State

MAX_EDITS = 500
Done = Callable[[EditFields], None]
KINDS: Mapping[tuple[str, str], Done] = {**GROUND, **FORCES, **BATTLE_EDITS, **PLAYERS}


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of edits."""

    state: State
    problems: tuple[dict[str, Any], ...]
    """Everything that is wrong; then the state is not to be used."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that edits change."""

    what: str
    """The table of the position it stands in, as in the view: `store`, `detachments`, `players`, ..."""
    key: str
    """Which one: a hex, an id, a player."""
    before: Any
    """None: it was not there."""
    after: Any
    """None: it is gone."""


def apply(state: State, edits: Sequence[Any]) -> Edited:
    """Return the state after the edits; *state* itself stays as it was."""
    if not isinstance(edits, list | tuple) or not 0 < len(edits) <= MAX_EDITS:
        return Edited(state, (_fault("bad_value", say("A list of 1 to {most} edits.", most=MAX_EDITS)),))
    after = state.copy()
    problems: list[dict[str, Any]] = []
    for number, given in enumerate(edits):
        problems += _apply(after, number, given)
    if not problems:
        remember(after)
        problems += _unsound(after)
    return Edited(after, tuple(problems))


def _apply(state: State, number: int, given: Any) -> list[dict[str, Any]]:
    fields = EditFields(state, given, f"edits.{number}")
    key = (fields.take("do"), fields.take("what"))
    kind = KINDS.get(key) if all(isinstance(word, str) for word in key) else None
    if kind is None:
        known = ", ".join(f"{do} {what}" for do, what in KINDS)
        fields.refuse("unknown_type", say("An edit is one of: {words}.", words=known))
    else:
        kind(fields)
        fields.finish()
    return [asdict(problem) | {"order": number} | taken_apart(problem.message) for problem in fields.problems]


def _unsound(state: State) -> list[dict[str, Any]]:
    """Look at the whole: who stands together must be friends, and what cannot be read must not be written."""
    label = state.board.label
    told: list[str] = [
        say("The detachment and the garrison in {hex} are enemies.", hex=label(at))
        for at, garrison in sorted(state.garrison_at.items())
        if at in state.detachment_at and not state.friendly(garrison.owner, state.detachment_at[at].owner)
    ]
    told += [
        say("The battle in {hex} is between allies.", hex=label(at))
        for at, battle in state.battles.items()
        if not battle.winner and state.friendly(battle.attacking, battle.defended_by)
    ]
    try:
        decode(encode(state), state.board, state.ruleset)
    except RulesError as error:
        told.append(str(error))
    return [_fault("not_allowed", sentence) for sentence in told]


def _fault(code: str, message: str) -> dict[str, Any]:
    return {"code": code, "message": message, "field": "edits", "value": None} | taken_apart(message)


def changes(before: State, after: State) -> list[Change]:
    """Return everything in which two states differ, by table and key."""
    old, new = _tables(before), _tables(after)
    return [
        Change(name, key, old[name].get(key), new[name].get(key))
        for name in sorted(new)
        for key in sorted(old[name].keys() | new[name].keys())
        if old[name].get(key) != new[name].get(key)
    ]


def _tables(state: State) -> dict[str, dict[str, Any]]:
    """Return a state as tables; single values are a table with one row."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in orjson.loads(encode(state)).items():
        if isinstance(value, dict):
            found[name] = value
        elif isinstance(value, list):
            found[name] = {_key(entry): entry for entry in value}
        else:
            found[name] = {"": value}
    for row in found["players"].values():
        del row["serial"]  # counts the ids that were made: a means, nothing anybody edits
    return found


def _key(row: Any) -> str:
    if isinstance(row, dict):
        return str(row.get("id", row.get("hex")))
    return "-".join(row) if isinstance(row, list) else str(row)
