"""Scenarios and rulesets of a group's own: read, checked together, kept with the campaign."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest

from server import rulesets
from server.play import game_data
from server.play.campaigns import campaigns, catalog
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.errors import PlayError
from server.rules.ruleset.reader import read
from server.scenarios import library
from server.scenarios.writer import FILE
from server.store.tables import Campaign
from tests.play.conftest import person


def own_scenario() -> dict[str, Any]:
    return catalog.read_scenario((library.home() / "the-pass" / FILE).read_bytes())


def own_ruleset() -> dict[str, Any]:
    return catalog.read_ruleset((resources.files(rulesets) / "frontier.toml").read_bytes())


def test_both_are_kept_with_the_campaign(ctx: AppContext) -> None:
    data = own_scenario() | {"title": "The Club's Pass"}
    new = NewCampaign("Ours", "own-map", scenario_data=data, ruleset="club", ruleset_data=own_ruleset())
    made = campaigns.create(ctx, person(ctx, "Gwen"), new)
    assert (made.scenario_title, made.ruleset) == ("The Club's Pass", "frontier")


def test_a_map_with_land_that_the_ruleset_lacks_is_refused(ctx: AppContext) -> None:
    """Seen to fail where only the format is read: the campaign was made, and could not be played."""
    data = own_scenario()
    data["terrain"] = {sign: "lava" if land == "hills" else land for sign, land in data["terrain"].items()}
    new = NewCampaign("Ours", "own-map", scenario_data=data)
    with pytest.raises(PlayError) as refused:
        campaigns.create(ctx, person(ctx, "Gwen"), new)
    assert refused.value.field == "scenario"
    assert refused.value.problems


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b'{"a": NaN}', b"[" * 5000])
def test_what_is_no_scenario(content: bytes) -> None:
    with pytest.raises(PlayError) as refused:
        catalog.read_scenario(content)
    assert (refused.value.code, refused.value.field) == ("invalid_request", "scenario")


@pytest.mark.parametrize("content", [b"= 3", b"\xff\xfe", b"a = [" * 3000])
def test_what_is_no_ruleset(content: bytes) -> None:
    with pytest.raises(PlayError) as refused:
        catalog.read_ruleset(content)
    assert (refused.value.code, refused.value.field) == ("invalid_request", "ruleset")


def test_looking_tells_what_is_wrong_and_what_is_strange() -> None:
    good = catalog.check_scenario("own-map", own_scenario(), "", None)
    assert good.good
    assert good.ruleset.id == good.scenario.ruleset
    assert tomllib.loads((resources.files(rulesets) / "frontier.toml").read_text("utf-8")) == own_ruleset()


def test_campaigns_with_the_same_ruleset_share_it(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the same id that says something else is another. Seen to fail without the digest, and unshared."""
    gwen, ours = person(ctx, "Gwen"), own_ruleset()
    other = ours | {"version": "2"}
    made = [
        campaigns.create(ctx, gwen, NewCampaign("Ours", "the-pass", ruleset="club", ruleset_data=data)).id
        for data in (ours, ours, other)
    ]
    counted = Counted(read)
    monkeypatch.setattr(game_data, "read_ruleset", counted)
    ctx.caches.game_data.clear()
    ctx.caches.rulesets.clear()
    with ctx.database.read() as session:
        found = [game_data.game_data_of(ctx, session.get_one(Campaign, id_)).ruleset for id_ in made]
    assert counted.times == 2
    assert [ruleset.version for ruleset in found] == [found[0].version, found[0].version, "2"]
    assert found[0].version != "2"


def test_campaigns_with_the_same_map_share_it(ctx: AppContext) -> None:
    """One of the same id that says something else is another. Seen to fail by its id alone, and unshared."""
    gwen, ours = person(ctx, "Gwen"), own_scenario()
    other = ours | {"title": "Another"}
    made = [
        campaigns.create(ctx, gwen, NewCampaign("Ours", "own-map", scenario_data=data)).id
        for data in (ours, ours, other)
    ]
    ctx.caches.game_data.clear()
    ctx.caches.scenarios.clear()
    with ctx.database.read() as session:
        first, same, another = (game_data.game_data_of(ctx, session.get_one(Campaign, id_)).scenario for id_ in made)
    assert first is same
    assert another.title == "Another"


class Counted:
    def __init__(self, work: Callable[..., Any]) -> None:
        self.work, self.times = work, 0

    def __call__(self, *given: Any) -> Any:
        self.times += 1
        return self.work(*given)
