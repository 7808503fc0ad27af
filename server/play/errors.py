"""What a use case refuses: stable codes, sorted by kind. Knows nothing of HTTP; ``api`` maps kinds to statuses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, cast

from server.core.errors import Problem
from server.core.fields import is_integer
from server.core.sentences import say, taken_apart, word


@dataclass(frozen=True, slots=True)
class Refusal:
    """A stable code: what kind of refusal it is, and what it means."""

    kind: str
    """One that ``api`` maps to a status: ``unauthenticated``, ``conflict``, ``invalid``, ..."""
    title: str
    """The same each time; ends without a full stop."""


REFUSALS: Mapping[str, Refusal] = MappingProxyType(
    {
        "not_signed_in": Refusal("unauthenticated", "Sign in or send a token first"),
        "bad_token": Refusal("unauthenticated", "The token or session is unknown, expired or revoked"),
        "wrong_password": Refusal("unauthenticated", "Name and password do not belong together"),
        "second_factor_needed": Refusal("unauthenticated", "This account signs in with a code, too"),
        "wrong_code": Refusal("unauthenticated", "The code is wrong or was used before"),
        "bad_link": Refusal("unauthenticated", "The link is unknown, expired or used"),
        "proof_required": Refusal("forbidden", "Show first that the account is yours"),
        "missing_scope": Refusal("forbidden", "The token lacks the scope for this"),
        "forbidden": Refusal("forbidden", "That is not yours to do"),
        "banned": Refusal("forbidden", "The account is banned for a time"),
        "awaits_approval": Refusal("forbidden", "The account is new; an admin has to let it in"),
        "confirm_address": Refusal("forbidden", "The account is new; follow the link that was mailed to its address"),
        "sign_up_closed": Refusal("forbidden", "New accounts are made by the operator"),
        "guest_account": Refusal("forbidden", "A guest needs an account for this"),
        "not_found": Refusal("not_found", "Not found, or not visible to you"),
        "conflict": Refusal("conflict", "That does not go with how things stand"),
        "name_taken": Refusal("conflict", "The name is taken"),
        "email_taken": Refusal("conflict", "The address belongs to another account"),
        "campaign_full": Refusal("conflict", "Every seat is taken"),
        "seat_taken": Refusal("conflict", "Somebody sits there"),
        "already_joined": Refusal("conflict", "You already have a seat in this campaign"),
        "wrong_status": Refusal("conflict", "The campaign's status does not allow that"),
        "too_few_players": Refusal("conflict", "The scenario is not made for so few players"),
        "phase_closed": Refusal("conflict", "No phase takes orders now"),
        "wrong_phase": Refusal("conflict", "The open phase is another one"),
        "deadline_passed": Refusal("conflict", "The deadline has passed; the phase is being resolved"),
        "already_final": Refusal("conflict", "The orders are final; take that back first"),
        "nothing_to_order": Refusal("conflict", "You have nothing to order in this phase"),
        "report_closed": Refusal("conflict", "The report is settled already"),
        "salt_mismatch": Refusal("conflict", "That is not the salt that was committed for this phase"),
        "commitment_made": Refusal("conflict", "Another salt is committed for the next phase already"),
        "record_public": Refusal("conflict", "The record is public; nobody can go back any more"),
        "chain_used_up": Refusal("conflict", "The campaign's dice are used up"),
        "already_here": Refusal("conflict", "The campaign is on this server already"),
        "gone": Refusal("gone", "That was here once and is gone"),
        "not_ready": Refusal("conflict", "Something is missing before the game can start"),
        "stale_act": Refusal("stale", "Somebody acted at the table since you looked"),
        "stale_revision": Refusal("stale", "It has changed since you read it"),
        "too_large": Refusal("too_large", "That is too much at once"),
        "invalid_request": Refusal("invalid", "Something in the request is not understood"),
        "orders_refused": Refusal("invalid", "Some of the orders cannot be accepted"),
        "edits_refused": Refusal("invalid", "Some of the edits cannot be made"),
        "report_refused": Refusal("invalid", "The report cannot be accepted"),
        "act_refused": Refusal("invalid", "The act cannot be accepted"),
        "army_refused": Refusal("invalid", "The army cannot be accepted"),
        "mission_refused": Refusal("invalid", "The mission cannot be played"),
        "unknown_mission": Refusal("invalid", "There is no such mission"),
        "unknown_scenario": Refusal("invalid", "There is no such scenario"),
        "unknown_ruleset": Refusal("invalid", "There is no such ruleset"),
        "unknown_faction": Refusal("invalid", "The ruleset has no such faction"),
        "too_far_away": Refusal("invalid", "A date may be at most two years away"),
        "bad_address": Refusal("invalid", "Nothing is sent to such an address"),
        "bad_record": Refusal("invalid", "The file is no campaign, or a damaged one"),
        "limit_reached": Refusal("limited", "You have as many as you may have"),
        "busy": Refusal("busy", "The server is busy; try again"),
    }
)
"""Every code of this package."""

Fault = Mapping[str, Any]
"""One of several problems: ``code``, ``message`` (and what it is made of: ``template``, ``params``), and where known
``field``, ``value``, ``rule``, ``order``."""


class PlayError(Exception):
    """A use case was refused; nothing was changed."""

    def __init__(
        self, code: str, message: str = "", *, field: str = "", value: object = None, problems: Iterable[Fault] = ()
    ) -> None:
        self.code = code
        self.refusal = REFUSALS[code]
        self.message = message or f"{self.refusal.title}."
        self.field = field
        self.value = value
        self.problems = tuple(problems)
        super().__init__(f"{code}: {self.message}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Come whole out of another process."""
        given = partial(PlayError, self.code, self.message, field=self.field, value=self.value, problems=self.problems)
        return given, ()

    @property
    def kind(self) -> str:
        """What kind of refusal it is (:attr:`Refusal.kind`)."""
        return self.refusal.kind


def fault(problem: Problem) -> dict[str, Any]:
    """Return a problem of the rules as one of several faults."""
    return {
        "code": problem.code,
        "message": problem.message,
        "field": problem.field,
        "value": problem.value,
        "rule": problem.rule,
        "order": problem.order,
        **taken_apart(problem.message),
    }


def invalid(field: str, message: str, value: object = None) -> PlayError:
    """Return the refusal of one field."""
    return PlayError("invalid_request", message, field=field, value=value)


def check_integer(field: str, value: object, minimum: int, maximum: int) -> int:
    """Return a whole number between bounds; refuse anything else."""
    if not is_integer(value, minimum, maximum):
        raise invalid(field, say("A whole number from {least} to {most}.", least=minimum, most=maximum), value)
    return cast(int, value)


def stands_so(status: str, code: str = "wrong_status", value: object = None) -> PlayError:
    """Return the refusal of an action that the campaign's status does not allow."""
    return PlayError(code, say("The campaign is {status}.", status=word("status", status)), field="status", value=value)


def not_found(field: str = "", value: object = None) -> PlayError:
    """Return the refusal that does not tell whether a thing exists."""
    return PlayError("not_found", field=field, value=value)


def check_revision(given: int | None, current: int) -> None:
    """Refuse a write that was made up from an older revision; None: the writer does not care."""
    if given is not None and given != current:
        raise PlayError(
            "stale_revision", say("It is at revision {now}, not {given}.", now=current, given=given), value=current
        )
