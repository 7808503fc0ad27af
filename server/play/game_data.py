"""What a campaign is played on: its scenario and its ruleset, kept with the campaign.

A later version of a scenario or ruleset that comes with the server changes no campaign that has started.
"""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import orjson

from server import rulesets
from server.core.errors import RulesError
from server.core.sentences import say
from server.play.context import AppContext
from server.play.errors import PlayError
from server.rules.board import Board
from server.rules.ruleset import Ruleset
from server.rules.ruleset.reader import read as read_ruleset
from server.scenarios import library, reader, writer
from server.scenarios.problems import MapError
from server.scenarios.scenario import Scenario
from server.store.tables import Campaign

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GameData:
    """A scenario under a ruleset."""

    scenario: Scenario
    ruleset: Ruleset

    @property
    def board(self) -> Board:
        """The map."""
        return self.scenario.board


def game_data_of(ctx: AppContext, campaign: Campaign) -> GameData:
    """Return what a campaign is played on."""
    key = (campaign.id, campaign.board_digest, campaign.ruleset_digest)
    return ctx.caches.game_data.get(key, lambda: GameData(_scenario_of(ctx, campaign), _ruleset_of(ctx, campaign)))


def _scenario_of(ctx: AppContext, campaign: Campaign) -> Scenario:
    """Return a campaign's scenario; campaigns whose scenario says the same share it."""
    id_, data = campaign.scenario_id, dict(campaign.board)
    said = hashlib.sha256(orjson.dumps(data)).digest()
    return ctx.caches.scenarios.get((id_, said), lambda: reader.read(data, id_))


def _ruleset_of(ctx: AppContext, campaign: Campaign) -> Ruleset:
    """Return a campaign's ruleset; campaigns whose ruleset says the same share it."""
    id_ = campaign.ruleset_id
    # what it says is loaded only where it is not known yet
    return ctx.caches.rulesets.get((id_, campaign.ruleset_digest), lambda: _ruleset_from(id_, campaign.ruleset_data))


def game_data_from(
    scenario_id: str, scenario: Mapping[str, Any], ruleset_id: str, ruleset: Mapping[str, Any] | None
) -> GameData:
    """Return the world that kept data describes."""
    return GameData(reader.read(dict(scenario), scenario_id), _ruleset_from(ruleset_id, ruleset))


def _ruleset_from(id_: str, data: Mapping[str, Any] | None) -> Ruleset:
    return rulesets.load(id_) if data is None else read_ruleset(data, id_)


def scenario_data(id_: str, given: Mapping[str, Any] | None) -> tuple[Scenario, Json]:
    """Return a scenario, uploaded or built in, and its stored form for a campaign."""
    if given is None and id_ not in library.names():
        known = say("One of: {words}.", words=", ".join(library.names()))
        raise PlayError("unknown_scenario", known, field="scenario", value=id_)
    try:
        scenario = library.load(id_) if given is None else reader.read(dict(given), id_)
    except MapError as error:
        problems = [problem.as_dict() | {"field": problem.where} for problem in error.problems[:50]]
        raise PlayError("invalid_request", error.problems[0].message, field="scenario", problems=problems) from None
    return scenario, writer.to_data(scenario)


def ruleset_data(id_: str, given: Mapping[str, Any] | None) -> tuple[Ruleset, Json]:
    """Return a ruleset, uploaded or built in, and its stored form for a campaign."""
    if given is None:
        if id_ not in rulesets.names():
            raise PlayError("unknown_ruleset", field="ruleset", value=id_)
        file = resources.files(rulesets) / f"{id_}.toml"
        return rulesets.load(id_), tomllib.loads(file.read_text(encoding="utf-8"))
    try:
        return read_ruleset(given), dict(given)
    except RulesError as error:
        told = str(error).splitlines() or ["not a ruleset"]
        problems = [{"code": "bad_value", "message": message} for message in told[:50]]
        raise PlayError("invalid_request", told[0], field="ruleset", problems=problems) from None


def id_key(dice_secret: bytes) -> bytes:
    """Return the key of a campaign's ids (D-06)."""
    return hmac.digest(dice_secret, b"ids", hashlib.sha256)
