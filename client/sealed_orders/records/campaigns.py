"""Campaigns, who sits in them, what they are played by, and what happens in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sealed_orders.records.plain import Json


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """A campaign in a list."""

    id: str
    name: str
    status: str
    """``open``, ``running``, ``paused``, ``finished``, ``archived`` or ``deleted``."""
    scenario: str
    ruleset: str
    seats: int
    taken: int
    created_at: datetime
    yours: bool
    """You play in it or run it."""
    free: int = 0
    """Seats that you can take."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as you see it; None where it is not for you to know."""

    player_id: str
    number: int
    name: str
    """What the others call it."""
    faction: str | None
    taken: bool
    user: str | None
    bot: bool | None
    missed: int | None
    """Deadlines missed in a row."""
    stand_in: str | None
    holiday_until: datetime | None
    substitute: str | None
    """The substitute if ``stand_in`` is ``user``."""
    free: bool = False
    """Someone can take it."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The game master asks someone to run the campaign instead."""

    to: str
    """Name of the account."""
    why: str
    made_at: datetime
    role: str = "gm"
    """``gm``, ``partner`` or ``successor``."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A campaign that you are asked into and can still join."""

    id: str
    """Of the campaign."""
    name: str
    scenario: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class GameMaster:
    """An account that runs a campaign, or takes it over if nobody does."""

    name: str
    role: str
    """``gm`` (the first), ``partner`` or ``successor``."""
    since: datetime | None


OVER = frozenset({"finished", "archived", "deleted"})
"""Statuses of campaigns in which nothing will happen any more."""


@dataclass(frozen=True, slots=True)
class CampaignInfo:
    """A campaign as everyone who knows of it sees it."""

    id: str
    name: str
    description: str
    status: str
    """``open``, ``running``, ``paused``, ``finished``, ``archived`` or ``deleted``."""
    listed: bool
    gm: str | None
    scenario: str
    scenario_title: str
    ruleset: str
    ruleset_version: str
    options: Json
    rules: Json
    player_counts: tuple[int, ...]
    link0: str
    """Link 0 of the dice chain, hexadecimal."""
    turn: int | None
    phase: str | None
    """The open one; None before the start and after the end."""
    phase_number: int
    branch: int
    """The branch; a rollback begins another."""
    deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    sealed_until: datetime | None
    """The record of a campaign that is over stays sealed until then; None: it is public, or the campaign continues."""
    revision: int
    seats: tuple[Seat, ...]
    you_are_gm: bool
    your_seats: tuple[str, ...]
    """The seats you may order for, your own first."""
    offer: Offer | None = None
    """For the game master and its addressee."""
    you_watch: bool = False
    """You are out of the campaign and have chosen to watch everything."""
    game_masters: tuple[str, ...] = ()
    """Names of all accounts that run it, the first game master first."""

    @property
    def over(self) -> bool:
        """True when nothing will happen in it any more."""
        return self.status in OVER

    def seat(self, player_id: str) -> Seat:
        """Return a seat; KeyError if there is none of that id."""
        for seat in self.seats:
            if seat.player_id == player_id:
                return seat
        raise KeyError(player_id)


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    """A scenario that comes with the server."""

    id: str
    title: str
    summary: str
    ruleset: str
    columns: int
    rows: int
    player_counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """A ruleset that comes with the server."""

    id: str
    version: str
    digest: str
    factions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and where to look; never what is there."""

    kind: str
    """``state`` (the current state: first, and after a gap), ``phase_opened``, ``finality``, ``message``, ..."""
    data: Json
    at: datetime | None = None
    """When; None for ``state``."""
    id: str = ""
    """Where the stream is after it; empty for what was polled."""
