"""A campaign with 1,000 detachments on a server's database: played to Movement, then filled up by the GM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from sqlalchemy.engine import URL

from server import rulesets
from server.bots import commander
from server.play.accounts import accounts, tokens
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.views import positions
from server.rules.sight import GM
from server.rules.state import MOVEMENT
from server.settings import Settings
from server.store.database import Database

SCENARIO = "twin-gulfs"
DETACHMENTS = 1000
_RULES = {"capital_eliminates": True}
"""A capital that falls ends the campaign for its owner, not for all."""
_EDITS = 250
_UNITS = [
    {"name": "Captain", "slot": "hq", "models": 1, "points": 80, "mobility": "infantry"},
    *({"name": f"Squad {n}", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"} for n in range(3)),
]


@dataclass(frozen=True, slots=True)
class Great:
    """The campaign, and the secrets of its people."""

    id: str
    gm: str
    players: Mapping[str, str]
    """By seat."""

    @property
    def path(self) -> str:
        """Where it is."""
        return f"/campaigns/{self.id}"


def great_campaign(url: URL) -> Great:
    """Make it, in this process."""
    ctx = AppContext(Database(url), Settings.model_validate({"resolver_threads": 0, "resolver_processes": 0}))
    try:
        return _make(ctx)
    finally:
        ctx.close()
        ctx.database.close()


def _make(ctx: AppContext) -> Great:
    gm = _person(ctx, "Great GM")
    campaign = campaigns.create(ctx, gm, NewCampaign("The Great War", SCENARIO, rules=_RULES)).id
    count = campaigns.get(ctx, gm, campaign).player_counts[-1]
    factions = list(rulesets.load(campaigns.get(ctx, gm, campaign).ruleset).factions)[1:]
    people: dict[str, Actor] = {}
    for number in range(1, count + 1):
        seat = f"p{number}"
        people[seat] = _person(ctx, f"General {number}")
        seats.join(ctx, people[seat], campaign, faction=factions[number % len(factions)], seat=seat)
    campaign_start.start(ctx, gm, campaign)
    while positions.position(ctx, gm, campaign, as_=GM).phase != MOVEMENT:
        for seat, actor in people.items():
            view = positions.position(ctx, actor, campaign, as_=seat).view
            orders.replace(ctx, actor, campaign, commander.choose(view), final=True, lenient=True)
    _fill(ctx, gm, campaign)
    secrets = {seat: tokens.create(ctx, actor, "bench", ["read", "orders"]).secret for seat, actor in people.items()}
    return Great(campaign, tokens.create(ctx, gm, "bench", ["read", "gm"]).secret, secrets)


def _fill(ctx: AppContext, gm: Actor, campaign: str) -> None:
    """Put detachments on free land until there are enough, everybody's on the land nearest to his own."""
    state = positions.position(ctx, gm, campaign, as_=GM).view.state
    random, owners, edits = Random("bench/great"), list(state.players), []
    free = [
        at
        for at in range(state.board.size)
        if state.ruleset.terrain[state.board.terrain[at]].land
        and at not in state.detachment_at
        and at not in state.urban
    ]
    columns = state.board.columns
    for number, at in enumerate(random.sample(free, DETACHMENTS - len(state.detachments))):
        owner = owners[at % columns * len(owners) // columns]
        edits.append({"do": "add", "what": "detachment", "owner": owner, "hex": state.board.label(at),
                      "name": f"Host {number}", "units": _UNITS})  # fmt: skip
    for first in range(0, len(edits), _EDITS):
        game_master.edit(ctx, gm, campaign, edits[first : first + _EDITS], "For the bench.")


def _person(ctx: AppContext, name: str) -> Actor:
    account = accounts.make_user(ctx, name)
    return Actor(account.id, account.name, session=True)
