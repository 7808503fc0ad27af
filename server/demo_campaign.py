"""The demo's campaign: four players, some turns old, made by the same use cases that people use.

Computer players give the orders of its first turns, the human's too. Its clock runs in the past, a phase every
half day, so that its history reads like the one of a club.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.bots import commander
from server.play import (
    accounts,
    campaigns,
    finding,
    links,
    messages,
    operating,
    orders,
    reading,
    seats,
    starting,
    tokens,
)
from server.play.campaigns import CampaignInfo, NewCampaign
from server.play.context import Play, Who, utc_now
from server.play.errors import PlayError, not_found
from server.settings import Settings
from server.store.database import Database

HUMAN = "Robin"
OPPONENTS = {"Ada": "skyguard", "Boris": "dust_riders", "Chidi": "wardens"}
"""Their factions, by name."""
NAME = "The Four Corners War"
NEW = NewCampaign(
    NAME,
    scenario="four-corners",
    ruleset="frontier",
    description="You against three computer players. Nobody waits for a clock: a phase ends when all orders are final.",
    listed=False,
    options={"gm_plays": True},
    rules={"capital_eliminates": True, "last_standing": True, "turn_limit": 20},
)
FIRST_TURN = 5
"""The turn at whose Build phase the human takes over."""
PHASES_BEFORE = 1 + 4 * (FIRST_TURN - 1)
"""Phases with orders until then: Setup, and four a turn."""
PHASE_TIME = timedelta(hours=12)
LINK_VALID = timedelta(days=1)
TOKEN_NAME = "demo"
LETTERS = {
    2: ("Ada", "all", "Good luck to all of you. May the dice be kind to those who need them."),
    8: ("Boris", "p1", "Your towns are lightly held, League. In your place I should watch Chidi, not me."),
    14: ("Chidi", "p1", "Ada grows fast. If you press her from the west this turn, I shall have no time for you."),
}
"""Letters by the number of the phase in which they are written: from whom, to whom, what."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A computer player and the secret it signs in with."""

    name: str
    secret: str


@dataclass(slots=True)
class _Calendar:
    """A clock that is moved by hand."""

    at: datetime

    def __call__(self) -> datetime:
        return self.at


def make(database: Database, settings: Settings) -> Iterator[int]:
    """Make the accounts and the campaign in an empty database; yields how many phases have been played."""
    calendar = _Calendar(utc_now() - PHASE_TIME * PHASES_BEFORE)
    play = Play(database, settings, calendar)
    human = _person(play)
    table = {"p1": human}
    campaign_id = campaigns.create(play, human, NEW).id
    seats.join(play, human, campaign_id, faction="homesteaders", seat="p1")
    for number, (name, faction) in enumerate(OPPONENTS.items(), 2):
        bot = accounts.create_bot(play, human, name)
        table[f"p{number}"] = Who(bot.id, bot.name, bot=True)
        seats.invite_user(play, human, campaign_id, name)
        seats.join(play, table[f"p{number}"], campaign_id, faction=faction, seat=f"p{number}")
    starting.start(play, human, campaign_id)
    while (info := campaigns.get(play, human, campaign_id)).turn not in (None, FIRST_TURN):
        _write_letter(play, table, info)
        _play_phase(play, table, info)
        calendar.at += PHASE_TIME
        yield info.phase_number


def opponents(play: Play) -> list[Opponent]:
    """Return the computer players with new secrets; those they had before are worthless."""
    owner = human(play)
    found = []
    for bot in accounts.bots(play, owner):
        for old in tokens.listed(play, owner, for_bot=bot.id):
            if old.name == TOKEN_NAME:
                tokens.revoke(play, owner, old.id)
        made = tokens.create(play, owner, TOKEN_NAME, ("read", "orders"), for_bot=bot.id)
        found.append(Opponent(bot.name, made.secret))
    return found


def human(play: Play) -> Who:
    """Return the human, as if signed in."""
    found = [each for each in operating.users(play) if each.name == HUMAN and not each.disabled]
    if not found:
        raise not_found("name", HUMAN)
    return Who(found[0].id, found[0].name, session=True)


def sign_in_link(play: Play) -> str:
    """Return a link that signs the human in, once."""
    return links.sign_in_link(play, HUMAN, valid=LINK_VALID)


def campaign(play: Play) -> CampaignInfo | None:
    """Return the campaign as the human sees it, None if he has thrown it away."""
    who = human(play)
    found = [each for each in finding.find(play, who, mine=True).items if each.status != "deleted"]
    return campaigns.get(play, who, found[-1].id) if found else None


def _person(play: Play) -> Who:
    account = accounts.make_user(play, HUMAN)
    return Who(account.id, account.name, session=True)


def _play_phase(play: Play, table: dict[str, Who], info: CampaignInfo) -> None:
    """Have everybody who has something to order declare it final; the last one ends the phase."""
    for who in [each for each in table.values() if _wants_to_order(play, each, info.id)]:
        chosen = commander.choose(reading.position(play, who, info.id).view)
        orders.replace(play, who, info.id, chosen, final=True, lenient=True, salt=f"{who.name} {info.phase_number}")


def _wants_to_order(play: Play, who: Who, campaign_id: str) -> bool:
    try:
        return orders.read(play, who, campaign_id).wanted
    except PlayError as error:
        if error.code != "phase_closed":
            raise
        return False  # out of the campaign already


def _write_letter(play: Play, table: dict[str, Who], info: CampaignInfo) -> None:
    if info.phase_number in LETTERS:
        name, to, text = LETTERS[info.phase_number]
        writer = next(each for each in table.values() if each.name == name)
        messages.send(play, writer, info.id, [to], text, in_character=True)
