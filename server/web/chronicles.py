"""The campaign's past as pages tell it: sentences phase by phase, bookings, rolls, small pictures of places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from server.play import history
from server.play.campaigns import CampaignInfo
from server.play.history import PhaseInfo
from server.render.geometry import Layout
from server.render.story import GROUP_OF, GROUPS, Part, Sentence, roll, sentence
from server.rules.board import Board
from server.rules.events import Event
from server.rules.sight import GM
from server.web.naming import names_in
from server.web.visits import Visit

EARNED = {"income": "total", "building_disbanded": "bp", "spoils": "bp", "convoy_formed": "bp"}
SPENT = {"maintenance": "bp", "building_built": "bp", "detachment_ordered": "bp", "garrison_built": "bp",
         "units_added": "bp", "repaired": "bp", "defence_built": "bp", "convoys_lost": "bp"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filter:
    """What a reader wants to see; empty: everything."""

    kind: str = ""
    hex: str = ""
    player: str = ""
    force: str = ""

    def wants(self, event: Event, told: Sentence) -> bool:
        """Say whether an event is to be shown."""
        if self.kind and told.group != self.kind:
            return False
        if self.hex and self.hex not in told.hexes and self.hex not in str(event.fields.get("label", "")):
            return False
        if self.player and self.player not in [part.player for part in told.parts]:
            return False
        return not self.force or self.force.casefold() in str(told).casefold()

    @property
    def given(self) -> bool:
        """True where anything is asked for."""
        return bool(self.kind or self.hex or self.player or self.force)


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that were rolled."""

    label: str
    parts: tuple[Part, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a picture."""

    hex: str
    box: str
    """``x,y,width,height`` in the picture's own units."""


@dataclass(frozen=True, slots=True)
class Told:
    """A phase, told."""

    info: PhaseInfo
    groups: tuple[tuple[str, tuple[Sentence, ...]], ...]
    """By kind, in the order of :data:`GROUPS`; without the rolls."""
    rolls: tuple[Roll, ...]
    earned: int = 0
    spent: int = 0
    booked: tuple[tuple[Sentence, int], ...] = ()
    battles: tuple[str, ...] = ()
    """Hexes in which was fought."""
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """True where nothing is left to tell."""
        return not self.groups and not self.rolls


def tell(
    info: PhaseInfo, events: Sequence[Event], names: Mapping[str, str], language: str, wanted: Filter, viewer: str
) -> Told:
    """Return a phase told."""
    by_group: dict[str, list[Sentence]] = {group: [] for group in GROUPS}
    rolls, booked, battles = [], [], []
    for event in events:
        told = sentence(event, names, language)
        if not wanted.wants(event, told):
            continue
        if event.type == "dice":
            label = str(event.fields["label"])
            rolls.append(Roll(label, roll(label, names, language), tuple(event.fields["faces"])))
            continue
        by_group[GROUP_OF.get(event.type, "campaign")].append(told)
        amount = booking(event, viewer)
        if amount:
            booked.append((told, amount))
        if event.type == "battle_fought":
            battles.append(str(event.fields["hex"]))
    return Told(
        info, tuple((group, tuple(told)) for group, told in by_group.items() if told), tuple(rolls),
        sum(amount for _, amount in booked if amount > 0), -sum(amount for _, amount in booked if amount < 0),
        tuple(booked), tuple(battles),
    )  # fmt: skip


def booking(event: Event, viewer: str) -> int:
    """Return the BP an event brought its reader, negative for what it cost; 0 where BP only changed places."""
    fields = event.fields
    if event.type in EARNED:
        return int(fields[EARNED[event.type]])
    if event.type == "detachment_ready":
        return -int(fields.get("bp", 0))
    if event.type == "convoy_captured" and viewer != GM:
        return int(fields["bp"]) if fields["by"] == viewer else -int(fields["bp"])
    if event.type == "raided" and viewer not in (GM, fields["by"]):
        return -int(fields["bp"])
    return -int(fields[SPENT[event.type]]) if event.type in SPENT else 0


def names_then(
    visit: Visit, campaign: CampaignInfo, numbers: Iterable[int], branch: int | None, as_: str | None
) -> dict[str, str]:
    """Return the names of all that was seen after some phases, and before the first of them."""
    found: dict[str, str] = {}
    wanted = sorted(numbers)
    before = [max(0, wanted[0] - 1)] if wanted else []
    for view in history.views(visit.play, visit.who, campaign.id, {*before, *wanted}, branch=branch, as_=as_):
        found.update(names_in(campaign, view.state, visit.t.language))
    return found


def place(board: Board, label: str, radius: float = 2.2) -> Place | None:
    """Return the part of the map's picture around a hex."""
    at = board.find(label)
    if at is None:
        return None
    layout = Layout.of(board)
    (x, y), (width, height) = layout.centres[at], layout.size
    wide, high = min(width, layout.width * radius * 2), min(height, layout.width * radius * 1.5)
    left, top = (
        max(0.0, min(edge - size, middle - size / 2)) for middle, size, edge in ((x, wide, width), (y, high, height))
    )
    return Place(label, f"{left:.0f},{top:.0f},{wide:.0f},{high:.0f}")
