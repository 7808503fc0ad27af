"""A player's knowledge: positions and history."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sealed_orders.records.plain import Json


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
    etag: str = ""
    """Of the answer, without quotes."""
    document: Json = field(default_factory=dict, repr=False, compare=False)
    """The whole answer, to which later changes are applied."""


@dataclass(frozen=True, slots=True)
class PhaseInfo:
    """A phase as everyone may know it."""

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
    """With the link, in seat order; empty: no salt."""
    commitments: tuple[str, ...] | None
    """SHA-256 of each salt, in seat order, from the opening on; empty: none was made in time."""


@dataclass(frozen=True, slots=True)
class PastPhase:
    """A finished phase as one viewer saw it when it was over."""

    branch: int
    number: int
    turn: int
    phase: str
    viewer: str
    events: tuple[Json, ...]
    """What happened, as far as the viewer knows: ``type`` and ``fields``."""
    orders: Json
    """By player: your own; everyone's after the end."""
    problems: Json
    """The refused ones among them."""
    view: Json
    """The position after the phase: ``viewer``, ``sees`` and ``state``."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch."""

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
    turn: int
    phase: str
    seq: int
    kind: str
    made_at: datetime
    why: str
    public: Json
    details: Json | None


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of the players on the end of the campaign."""

    number: int
    about: str
    """``draw``, ``peace`` or ``concede``."""
    winner: str | None
    proposed_by: str
    why: str
    made_at: datetime
    ends_at: datetime
    agreed: tuple[str, ...]
    waiting_for: tuple[str, ...]
    outcome: str
    """Empty as long as it is open."""
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing after a phase; None: hidden from you."""

    number: int
    player_id: str
    vp: int
    hexes: int
    bp: int | None
    points: int | None
    ready_points: int | None


@dataclass(frozen=True, slots=True)
class Invented:
    """One thing that the dice invented for a practice."""

    what: str
    """``building``, ``store``, ``harvest``, ``garrison``, ``detachment``, ``start`` or ``battle`` (left out)."""
    owner: str
    hex: str
    id: str


@dataclass(frozen=True, slots=True)
class Practice:
    """Where a practice comes from."""

    campaign_id: str
    campaign_name: str
    branch: int
    number: int
    """Of the phase after which the position is taken."""
    viewer: str
    """Its viewer."""
    invented: tuple[Invented, ...]


@dataclass(frozen=True, slots=True)
class DiplomaticAct:
    """What a computer player did about an alliance, and why."""

    turn: int
    kind: str
    """``offered``, ``accepted``, ``declined``, ``kept`` or ``broken``."""
    toward: str
    reason: str
    third: str
    """The player the reason is about; empty if none."""


@dataclass(frozen=True, slots=True)
class Posture:
    """How a computer player felt at the end of a turn."""

    seat: str
    turn: int
    posture: str
    """``hopeless``, ``defensive``, ``normal``, ``aggressive`` or ``overconfident``."""
    score: int
    x: int
    """Failures: the enemies' less its own. Likewise morale and losses below."""
    y: int
    z: int
    diplomacy: tuple[DiplomaticAct, ...] = ()
    """What it did about alliances in the turn."""
