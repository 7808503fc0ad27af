"""What never changes while a campaign is played: its map and its rules; and the scenarios and rulesets there are.

Own ones are read from files, and checked together before a campaign is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server import rulesets
from server.core.sentences import say
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, not_found
from server.play.game_data import game_data_of, ruleset_data, scenario_data
from server.play.text_input import read_toml
from server.play.views.positions import reader
from server.rules.board import MAX_SIDE
from server.rules.ruleset import Ruleset
from server.scenarios import checks, library, writer
from server.scenarios.problems import ERROR, MapError, MapProblem
from server.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    """A scenario in a list."""

    id: str
    title: str
    summary: str
    ruleset: str
    columns: int
    rows: int
    player_counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """A ruleset in a list."""

    id: str
    version: str
    digest: str
    factions: tuple[str, ...]


SCENARIO_ID = "own-map"
"""What a scenario is called that came without a name."""
MAX_BYTES = 1_000_000
_SHOWN = 50

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CheckedMap:
    """A scenario under a ruleset, and what there is to say of them."""

    scenario: Scenario
    ruleset: Ruleset
    problems: tuple[MapProblem, ...]
    """Errors, with which no campaign can be made, and warnings, with which it can."""

    @property
    def good(self) -> bool:
        """A campaign can be made of them."""
        return not any(problem.severity == ERROR for problem in self.problems)


def board(ctx: AppContext, actor: Actor, campaign_id: str) -> dict[str, Any]:
    """Return a campaign's map, as ``scenario.json`` has it; the same for everyone, always."""
    with ctx.database.read() as session:
        return dict(reader(session, actor, campaign_id).campaign.board)


def rules(ctx: AppContext, actor: Actor, campaign_id: str) -> dict[str, Any]:
    """Return a campaign's ruleset, as it was when the campaign was made."""
    with ctx.database.read() as session:
        campaign = reader(session, actor, campaign_id).campaign
        game_data_of(ctx, campaign)
        return dict(campaign.ruleset_data or {})


def ruleset(ctx: AppContext, actor: Actor, campaign_id: str) -> Ruleset:
    """Return a campaign's rules, read."""
    with ctx.database.read() as session:
        return game_data_of(ctx, reader(session, actor, campaign_id).campaign).ruleset


def scenarios() -> list[ScenarioInfo]:
    """Return the scenarios that come with the server."""
    found = [library.load(id_) for id_ in library.names()]
    return [taken_from(one, ScenarioInfo, columns=one.board.columns, rows=one.board.rows) for one in found]


def scenario(id_: str) -> dict[str, Any]:
    """Return a scenario that comes with the server, as its file has it."""
    if id_ not in library.names():
        raise not_found("scenario", id_)
    return writer.to_data(library.load(id_))


def all_rulesets() -> list[RulesetInfo]:
    """Return the rulesets that come with the server."""
    found = [rulesets.load(id_) for id_ in rulesets.names()]
    return [taken_from(ruleset, RulesetInfo, factions=tuple(ruleset.factions)) for ruleset in found]


def read_scenario(content: bytes) -> Json:
    """Return the contents of a ``scenario.json``; ``invalid_request`` (field ``scenario``) if it is not one."""
    _check_size(content, "scenario")
    try:
        found = library.parse(content, "scenario")
    except MapError as error:
        raise _refused(error.problems) from None
    if not isinstance(found, dict):
        raise PlayError("invalid_request", "This must be an object.", field="scenario")
    return found


def read_ruleset(content: bytes) -> Json:
    """Return the contents of a ruleset in TOML; ``invalid_request`` (field ``ruleset``) if it is not one."""
    _check_size(content, "ruleset")
    try:
        return read_toml(content.decode("utf-8-sig"))
    except ValueError as error:
        why = str(error)[:200]
        raise PlayError("invalid_request", say("This is no TOML: {why}", why=why), field="ruleset") from None


def check_scenario(
    scenario: str, own_scenario: Json | None, ruleset: str, own_ruleset: Json | None, *, hexes: int = MAX_SIDE**2
) -> CheckedMap:
    """Read a scenario and a ruleset, own ones or ones that come with the server, and check how they go together.

    Errors: ``invalid_request`` with everything that cannot be read, ``too_large`` for a map of more than *hexes*,
    ``unknown_scenario``, ``unknown_ruleset``.
    """
    check_hexes(own_scenario, hexes)
    plan, _ = scenario_data(scenario, own_scenario)
    named = ruleset or plan.ruleset
    if own_ruleset is None and named not in rulesets.names():
        raise PlayError("unknown_ruleset", field="ruleset", value=named)
    rules, _ = ruleset_data(named, own_ruleset)
    return CheckedMap(plan, rules, tuple(checks.check(plan, rules)))


def check_hexes(scenario: Mapping[str, Any] | None, most: int) -> None:
    """Refuse (``too_large``) a map of someone's own with more hexes than that, before anything is made of it."""
    rows = scenario.get("board") if scenario is not None else None
    size = sum(len(row) - row.count(" ") for row in rows if isinstance(row, str)) if isinstance(rows, list) else 0
    if size > most:
        told = say("A map has at most {most} hexes; this one has {size}.", most=most, size=size)
        raise PlayError("too_large", told, field="scenario", value=size)


def check_together(scenario: Scenario, ruleset: Ruleset) -> None:
    """Refuse a scenario that cannot be played by a ruleset: ``invalid_request``, field ``scenario``, every problem."""
    errors = [problem for problem in checks.check(scenario, ruleset) if problem.severity == ERROR]
    if errors:
        raise _refused(errors)


def _check_size(content: bytes, field: str) -> None:
    if len(content) > MAX_BYTES:
        raise PlayError("too_large", field=field, value=len(content))


def _refused(problems: Sequence[MapProblem]) -> PlayError:
    told = [problem.as_dict() | {"field": problem.where} for problem in problems[:_SHOWN]]
    message = say("The map cannot be played: {why}", why=str(problems[0]))
    return PlayError("invalid_request", message, field="scenario", problems=told)
