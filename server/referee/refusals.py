"""What can be wrong with an act: codes of a table game, and the problems that many acts share."""

from __future__ import annotations

from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say

NOT_UNDERSTOOD = frozenset({"unknown_type", "missing_field", "bad_value", "unknown_field", "unknown_id"})
"""Codes of acts that were not understood."""

REFUSED = frozenset(
    {
        "not_yours",
        "not_allowed",
        "limit_reached",
        "wrong_stage",
        "wrong_phase",
        "wrong_moment",
        "wrong_side",
        "wrong_target",
        "not_controlled",
        "already_used",
        "not_enough_cp",
        "not_battle_forged",
        "not_troops",
        "too_powerful",
        "not_in_zone",
        "outside_zone",
        "too_near_enemy",
        "not_whole_unit",
        "unequal_lines",
        "off_table",
        "too_far",
        "chain_broken",
        "locked",
        "too_close",
        "not_in_cover",
        "cover_available",
        "upper_floor",
        "report_missing",
        "choice_missing",
        "capacity",
        "reserves_round",
        "objection_open",
        "has_arrived",
        "wrong_place",
        "too_many_models",
        "too_few_choices",
    }
)
"""Codes of acts that were understood but are not allowed now."""


def refuse(code: str, message: str, field: str = "", value: Any = None, rule: str = "", **filled: object) -> Problem:
    """Return a problem; *message* is a sentence, or the template that ``say`` fills; *rule* the number it rests on."""
    if filled:
        message = say(message, **filled)
    return Problem(code, message, field, shown(value), rule)


def unknown(what: str, field: str, value: Any) -> Problem:
    """Return the problem of an id that names nothing."""
    return refuse("unknown_id", say("There is no {what} called {value}.", what=what, value=shown(value)), field, value)


def not_yours(message: str = "", rule: str = "") -> Problem:
    """Return the problem of a turn, a step or a unit of the other player; without a message it is the turn."""
    if not message:
        return refuse("not_yours", "It is not your turn.", rule=rule)
    return refuse("not_yours", message, rule=rule)
