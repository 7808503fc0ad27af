"""What the server answers, as frozen dataclasses. Times are aware datetimes, hexes are labels such as ``0405``.

Fields that a later server adds are ignored. What stays plain JSON (orders, positions, options, rules) is described
in the server's ``docs/rulebook.md`` and ``docs/api.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sealed_orders.errors import Fault

Json = dict[str, Any]
Order = dict[str, Any]
"""An order: its ``type`` and the fields of that type."""

# --- accounts ---


@dataclass(frozen=True, slots=True)
class Account:
    """An account as its owner sees it."""

    id: str
    name: str
    email: str | None
    email_confirmed: bool
    has_password: bool
    bot_owner_id: str | None
    """Whose bot it is; None for people."""
    admin: bool
    locale: str
    time_zone: str
    created_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class Session:
    """A session that began; its token signs in until it expires or is given up."""

    account: Account
    token: str
    csrf_token: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token as its owner sees it; never the secret."""

    id: str
    kind: str
    """``personal`` or ``session``."""
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made."""

    info: TokenInfo
    secret: str
    """Shown this once."""


# --- campaigns ---


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


@dataclass(frozen=True, slots=True)
class CampaignInfo:
    """A campaign as everybody who knows of it sees it."""

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
    """The line of play; a rollback begins another."""
    deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    revision: int
    seats: tuple[Seat, ...]
    you_are_gm: bool
    your_seats: tuple[str, ...]
    """The seats you may order for, your own first."""

    @property
    def over(self) -> bool:
        """True when nothing will happen in it any more."""
        return self.status in ("finished", "archived", "deleted")

    def seat(self, player_id: str) -> Seat:
        """Return a seat; KeyError where there is none of that id."""
        for each in self.seats:
            if each.player_id == player_id:
                return each
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


# --- orders ---


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Your orders for the open phase."""

    campaign_id: str
    player_id: str
    branch: int
    number: int
    """Of the phase, from 1 at Setup."""
    turn: int
    phase: str
    """``setup``, ``build``, ``movement``, ``battle_movement``, ``battles`` or ``reports``."""
    deadline: datetime | None
    wanted: bool
    """There is something to order."""
    revision: int
    """0: nothing was handed in."""
    final: bool
    temporary: bool
    """It counts at the deadline and does not bring it forward."""
    source: str
    salt: str
    updated_at: datetime | None
    orders: tuple[Order, ...]

    @property
    def etag(self) -> str:
        """What ``If-Match`` asks for: this phase, this revision."""
        return f'"{self.number}.{self.revision}"'


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What became of orders."""

    orders: OrderSet
    problems: tuple[Fault, ...]
    """What was refused, where the writer was lenient; empty otherwise."""


@dataclass(frozen=True, slots=True)
class OrdersInAdvance:
    """Orders for a phase that is still to come."""

    player_id: str
    turn: int
    phase: str
    revision: int
    updated_at: datetime
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """Orders of one kind that you may give."""

    order: Order
    """The fields that are settled."""
    choices: dict[str, list[Any]] = field(default_factory=dict)
    """The values each further field may take."""
    needs: Any = None
    """What is still to be filled in, where choices do not do (units to raise); None: nothing."""
    more: Json = field(default_factory=dict)
    """What explains it: costs, limits, reach, casualties."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What an order would do, as far as you can know."""

    says: Json
    problems: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be said of orders that are being made up; nothing of them is kept."""

    says: tuple[Json, ...]
    """What each would do; empty for those with a problem."""
    problems: tuple[Fault, ...]
    options: tuple[LegalOrder, ...]
    """What may be ordered after all of them."""
    stores: dict[str, int]
    """BP that are left, by hex."""
    left: dict[str, list[str]]
    """Sizes that are left to be placed in Setup."""


@dataclass(frozen=True, slots=True)
class Finality:
    """Whether a seat has declared its orders final; None: not for you to know."""

    player_id: str
    final: bool
    handed_in: bool | None
    wanted: bool | None


# --- what you know ---


@dataclass(frozen=True, slots=True)
class Position:
    """The position as one viewer knows it."""

    campaign_id: str
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    deadline: datetime | None
    viewer: str
    """A player's id, ``gm`` or ``spectator``."""
    sees: tuple[str, ...]
    """Hexes in sight."""
    state: Json
    """The nouns of the rulebook; what the viewer does not know is not in it."""


@dataclass(frozen=True, slots=True)
class PhaseInfo:
    """A phase as everybody may know it."""

    branch: int
    number: int
    turn: int
    phase: str
    opened_at: datetime
    deadline: datetime | None
    resolved_at: datetime | None
    why: str | None
    """What ended it: ``final``, ``deadline`` or ``gm``."""
    link: str | None
    """Link of the dice chain; published when the turn is over."""
    seed: str | None
    salts: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class PastPhase:
    """A finished phase as one viewer saw it when it was over."""

    branch: int
    number: int
    turn: int
    phase: str
    viewer: str
    events: tuple[Json, ...]
    """What happened, as far as the viewer was told: ``type`` and ``fields``."""
    orders: Json
    """By player: your own; everybody's after the end."""
    problems: Json
    """What was refused of them."""
    view: Json
    """The position after the phase: ``viewer``, ``sees`` and ``state``."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of play."""

    number: int
    from_branch: int | None
    from_phase: int | None
    made_at: datetime
    why: str
    abandoned_at: datetime | None


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a game master did by hand."""

    branch: int
    number: int
    seq: int
    kind: str
    made_at: datetime
    why: str
    public: Json
    details: Json | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stood after a phase; None: not for you to know."""

    number: int
    player_id: str
    vp: int
    hexes: int
    bp: int | None
    points: int | None
    ready_points: int | None


# --- battles and people ---


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a battle on the table as somebody reported it, and what the other side says."""

    id: str
    hex: str
    reported_by: str | None
    """None: the game master."""
    content: Json
    """``winner`` and, where there were any, ``retreated`` and ``losses``."""
    note: str
    status: str
    """``open``, ``confirmed``, ``disputed``, ``decided`` or ``withdrawn``."""
    reported_at: datetime
    answered_by: str | None
    answer: str
    revision: int


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle of this turn that you know of."""

    hex: str
    attacking: str
    defended_by: str
    kind: str
    tabletop: bool
    winner: str
    """Empty while it is not settled."""
    yours: bool
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message you may read."""

    id: str
    sender: str | None
    """The seat; None: the game master."""
    to: tuple[str, ...]
    """Seats, ``all`` or ``gm``."""
    announcement: bool
    in_character: bool
    subject: str
    body: str
    reply_to: str | None
    turn: int
    phase: str
    sent_at: datetime
    read_at: datetime | None


@dataclass(frozen=True, slots=True)
class Declaration:
    """A diplomatic declaration: words only."""

    id: str
    player_id: str
    toward: str | None
    """A player; None: everybody."""
    kind: str
    """``alliance``, ``alliance_ended``, ``war``, ``truce`` or ``statement``."""
    public: bool
    body: str
    turn: int
    phase: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of the position that was made."""

    number: int
    seq: int
    state_hash: str
    chain_hash: str


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What edits would do."""

    problems: tuple[Fault, ...]
    changes: tuple[Json, ...] = ()
    """None where there are problems."""


# --- live ---


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and where to look; never what is there."""

    kind: str
    """``state`` (how things stand: first, and after a gap), ``phase_opened``, ``finality``, ``message``, ..."""
    data: Json
    at: datetime | None = None
    """When; None for ``state``."""
    id: str = ""
    """Where the stream is after it; empty for what was polled."""
