"""The demo's campaigns: one to play, some turns old, and one that is over. Made by the use cases that people use.

Computer players give the orders of the first turns, the human's too. The clock runs in the past, a phase every
half day, so that the history reads like the one of a club.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.bots import commander
from server.play.accounts import accounts, links, tokens
from server.play.campaigns import campaign_start, campaigns, dashboard, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext, utc_now
from server.play.errors import PlayError, not_found
from server.play.messages import messages
from server.play.operating import user_admin
from server.play.orders import orders
from server.play.views import positions
from server.render.translations import choose
from server.settings import Settings
from server.store.database import Database

HUMAN, PASSWORD = "Robin", "sealed orders"
"""For the command line, too; no secret, since the demo listens on this machine only."""
FACTIONS = {HUMAN: "homesteaders", "Ada": "skyguard", "Boris": "dust_riders", "Chidi": "wardens"}
"""The players and their armies."""
RUNNING = NewCampaign(
    "The Four Corners War",
    scenario="four-corners",
    ruleset="frontier",
    description="You against three computer players. Nobody waits for a clock: a phase ends when all orders are final.",
    listed=False,
    options={"gm_plays": True},
    rules={"capital_eliminates": True, "last_standing": True, "turn_limit": 20},
)
FINISHED = NewCampaign(
    "The Struggle for the Pass",
    scenario="the-pass",
    ruleset="frontier",
    description="Ada against Boris, over since last month: everything about it may be read, and its dice be checked.",
    rules={"turn_limit": 4},
)
FIRST_TURN = 5
"""The turn at whose Build phase the human takes over."""
PHASES_BEFORE = 1 + 4 * (FIRST_TURN - 1)
"""Phases with orders until then: Setup, and four a turn."""
PHASES_FINISHED = 1 + 4 * 4
PHASE_TIME = timedelta(hours=12)
A_MONTH = timedelta(days=30)
LINK_VALID = timedelta(days=1)
TOKEN_NAME = "demo"
LETTERS = {
    2: ("Ada", "all", "Good luck to all of you. May the dice be kind to those who need them."),
    8: ("Boris", "p1", "Your towns are lightly held, League. In your place I should watch Chidi, not me."),
    14: ("Chidi", "p1", "Ada grows fast. If you press her from the west this turn, I shall have no time for you."),
}
"""Messages by the number of their phase: sender, reader, text."""

Table = Mapping[str, Actor]
"""The players of a campaign, by seat."""


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


def make(database: Database, settings: Settings) -> Iterator[None]:
    """Make accounts and campaigns in an empty database; yields after each of the phases that are played."""
    calendar = _Calendar(utc_now() - PHASE_TIME * (PHASES_BEFORE + PHASES_FINISHED) - A_MONTH)
    ctx = AppContext(database, settings, calendar)
    account = accounts.make_user(ctx, HUMAN, password=PASSWORD, locale=_language())
    robin = Actor(account.id, account.name, session=True)
    bots = [accounts.create_bot(ctx, robin, name) for name in FACTIONS if name != HUMAN]
    ada, boris, chidi = (Actor(bot.id, bot.name, bot=True) for bot in bots)
    for _ in _played(ctx, robin, FINISHED, {"p1": ada, "p2": boris}):
        calendar.at += PHASE_TIME
        yield
    calendar.at = utc_now() - PHASE_TIME * PHASES_BEFORE
    table = {"p1": robin, "p2": ada, "p3": boris, "p4": chidi}
    for info in _played(ctx, robin, RUNNING, table):
        if info.phase_number in LETTERS:
            name, to, text = LETTERS[info.phase_number]
            writer = next(player for player in table.values() if player.name == name)
            messages.send(ctx, writer, info.id, [to], text, in_character=True)
        calendar.at += PHASE_TIME
        yield
        if info.turn == FIRST_TURN:
            return


def _language() -> str:
    """Return the language of this machine: its user most likely reads it."""
    given = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return choose(next(filter(None, given), ""))


def opponents(ctx: AppContext) -> list[Opponent]:
    """Return the computer players with new secrets; those they had before are worthless."""
    owner = human(ctx)
    found = []
    for bot in accounts.bots(ctx, owner):
        for old in tokens.listed(ctx, owner, for_bot=bot.id):
            if old.name == TOKEN_NAME:
                tokens.revoke(ctx, owner, old.id)
        made = tokens.create(ctx, owner, TOKEN_NAME, ("read", "orders"), for_bot=bot.id)
        found.append(Opponent(bot.name, made.secret))
    return found


def human(ctx: AppContext) -> Actor:
    """Return the human, as if signed in."""
    found = [user for user in user_admin.users(ctx) if user.name == HUMAN and not user.disabled]
    if not found:
        raise not_found("name", HUMAN)
    return Actor(found[0].id, found[0].name, session=True)


def sign_in_link(ctx: AppContext) -> str:
    """Return a link that signs the human in, once."""
    return links.sign_in_link(ctx, HUMAN, valid=LINK_VALID)


def campaign(ctx: AppContext) -> CampaignInfo | None:
    """Return the campaign that runs as the human sees it, None when there is none any more."""
    actor = human(ctx)
    running = dashboard.find(ctx, actor, status="running", mine=True).items
    return campaigns.get(ctx, actor, running[-1].id) if running else None


def finished(ctx: AppContext) -> str:
    """Return the id of the campaign that is over, for the start page; empty when there is none any more."""
    over = dashboard.find(ctx, human(ctx), status="finished", mine=True).items
    return over[-1].id if over else ""


def let_give_up(ctx: AppContext, running: CampaignInfo | None, wanted: bool) -> None:
    """Say whether the computer players give up (P-37)."""
    if running is not None and running.you_are_gm and running.options.computers_give_up != wanted:
        campaigns.change(ctx, human(ctx), running.id, options={"computers_give_up": wanted})


def _played(ctx: AppContext, gm: Actor, new: NewCampaign, table: Table) -> Iterator[CampaignInfo]:
    """Make a campaign and play it to its end; yields it at each phase that has just been opened."""
    id_ = campaigns.create(ctx, gm, new).id
    for seat, actor in table.items():
        if actor.user_id != gm.user_id:
            seats.invite_user(ctx, gm, id_, actor.name)
        seats.join(ctx, actor, id_, faction=FACTIONS[actor.name], seat=seat)
    campaign_start.start(ctx, gm, id_)
    while (info := campaigns.get(ctx, gm, id_)).status == "running":
        for actor in [player for player in table.values() if _wants_to_order(ctx, player, id_)]:
            chosen = commander.choose(positions.position(ctx, actor, id_).view)
            orders.replace(ctx, actor, id_, chosen, final=True, lenient=True, salt=f"{actor.name} {info.phase_number}")
        yield campaigns.get(ctx, gm, id_)


def _wants_to_order(ctx: AppContext, actor: Actor, campaign_id: str) -> bool:
    try:
        return orders.read(ctx, actor, campaign_id).wanted
    except PlayError as error:
        if error.code != "phase_closed":
            raise
        return False  # out of the campaign already
