"""What never changes while a campaign is played: its map and its rules; and the scenarios and rulesets there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server import rulesets
from server.play.context import Actor, AppContext
from server.play.errors import not_found
from server.play.game_data import game_data_of
from server.play.views.positions import reader
from server.rules.ruleset import Ruleset
from server.scenarios import library, writer
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
    return [_info(library.load(id_)) for id_ in library.names()]


def scenario(id_: str) -> dict[str, Any]:
    """Return a scenario that comes with the server, as its file has it."""
    if id_ not in library.names():
        raise not_found("scenario", id_)
    return writer.to_data(library.load(id_))


def all_rulesets() -> list[RulesetInfo]:
    """Return the rulesets that come with the server."""
    found = [rulesets.load(id_) for id_ in rulesets.names()]
    return [RulesetInfo(ruleset.id, ruleset.version, ruleset.digest, tuple(ruleset.factions)) for ruleset in found]


def _info(found: Scenario) -> ScenarioInfo:
    return ScenarioInfo(
        found.id, found.title, found.summary, found.ruleset, found.board.columns, found.board.rows, found.player_counts
    )
