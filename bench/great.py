"""A campaign with 1,000 detachments on a server's database: played to Movement, then filled up by the GM."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from sqlalchemy.engine import URL

from server import rulesets
from server.bots import commander
from server.play import accounts, campaigns, game_master, orders, reading, seats, starting, tokens
from server.play.campaigns import NewCampaign
from server.play.context import Play, Who
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
    play = Play(Database(url), Settings.model_validate({"resolver_threads": 0, "resolver_processes": 0}))
    try:
        return _make(play)
    finally:
        play.close()
        play.database.close()


def _make(play: Play) -> Great:
    gm = _person(play, "Great GM")
    campaign = campaigns.create(play, gm, NewCampaign("The Great War", SCENARIO, rules=_RULES)).id
    count = campaigns.get(play, gm, campaign).player_counts[-1]
    factions = list(rulesets.load(campaigns.get(play, gm, campaign).ruleset).factions)[1:]
    people: dict[str, Who] = {}
    for number in range(1, count + 1):
        seat = f"p{number}"
        people[seat] = _person(play, f"General {number}")
        seats.join(play, people[seat], campaign, faction=factions[number % len(factions)], seat=seat)
    starting.start(play, gm, campaign)
    while reading.position(play, gm, campaign, as_=GM).phase != MOVEMENT:
        for seat, who in people.items():
            view = reading.position(play, who, campaign, as_=seat).view
            orders.replace(play, who, campaign, commander.choose(view), final=True, lenient=True)
    _fill(play, gm, campaign)
    secrets = {seat: tokens.create(play, who, "bench", ["read", "orders"]).secret for seat, who in people.items()}
    return Great(campaign, tokens.create(play, gm, "bench", ["read", "gm"]).secret, secrets)


def _fill(play: Play, gm: Who, campaign: str) -> None:
    """Put detachments on free land until there are enough, everybody's on the land nearest to his own."""
    state = reading.position(play, gm, campaign, as_=GM).view.state
    random, owners, edits = Random("bench/great"), list(state.players), []
    free = [at for at in range(state.board.size)
            if state.ruleset.terrain[state.board.terrain[at]].land and at not in state.detachment_at
            and at not in state.urban]  # fmt: skip
    columns = state.board.columns
    for number, at in enumerate(random.sample(free, DETACHMENTS - len(state.detachments))):
        owner = owners[at % columns * len(owners) // columns]
        edits.append({"do": "add", "what": "detachment", "owner": owner, "hex": state.board.label(at),
                      "name": f"Host {number}", "units": _UNITS})  # fmt: skip
    for first in range(0, len(edits), _EDITS):
        game_master.edit(play, gm, campaign, edits[first : first + _EDITS], "For the bench.")


def _person(play: Play, name: str) -> Who:
    account = accounts.make_user(play, name)
    return Who(account.id, account.name, session=True)
