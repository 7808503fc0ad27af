"""The campaign's past as pages tell it: sentences phase by phase, bookings, rolls, small pictures of places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from server.core.events import Event
from server.play.campaigns.campaign_info import CampaignInfo, player_names
from server.play.views import history
from server.play.views.history import PhaseInfo
from server.render.geometry import Layout
from server.render.naming import names_in
from server.render.story import GROUP_OF, GROUPS, Part, Sentence, part_in, roll, sentence
from server.render.translations import ruleset_names
from server.rules.board import Board
from server.rules.elimination import held
from server.rules.sight import GM
from server.rules.state import State
from server.web.page_context import PageContext

BATTLE_GROUPS = ("battles", "supply")
"""Kinds of sentences that belong to a battle where they name its hex."""


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
        named = self.player in [part.player for part in told.parts]
        if self.player and not named and not part_in(event, self.player):  # told as "you" they are not named
            return False
        return not self.force or self.force.casefold() in str(told).casefold()

    @property
    def given(self) -> bool:
        """True if it has any orders due."""
        return bool(self.kind or self.hex or self.player or self.force)


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that were rolled."""

    label: str
    parts: tuple[Part, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle that was fought, and its events."""

    hex: str
    sentences: tuple[Sentence, ...]
    rolls: tuple[Roll, ...]
    place: str
    """What its hex is called."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a phase brought a player in BP and cost them."""

    player: str
    """Whose it is; empty: the reader's own."""
    entries: tuple[tuple[Sentence, int], ...]

    @property
    def earned(self) -> int:
        """All that came in."""
        return sum(amount for _, amount in self.entries if amount > 0)

    @property
    def spent(self) -> int:
        """All that went out."""
        return -sum(amount for _, amount in self.entries if amount < 0)


@dataclass(frozen=True, slots=True)
class MapPart:
    """A part of a picture."""

    hex: str
    box: str
    """``x,y,width,height`` in the picture's own units."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands, as everyone knows it."""

    player: str
    vp: int
    hexes: int
    eliminated: bool


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """A phase, told."""

    info: PhaseInfo
    groups: tuple[tuple[str, tuple[Sentence, ...]], ...]
    """By kind, in the order of :data:`GROUPS`; without the rolls."""
    rolls: tuple[Roll, ...]
    ledgers: tuple[Ledger, ...] = ()
    """By seat; only those in which something is booked."""
    battles: tuple[str, ...] = ()
    """Hexes in which was fought."""
    places: Mapping[str, str] = field(default_factory=dict)
    """What the hexes of the battles are called."""
    map_parts: Mapping[str, MapPart] = field(default_factory=dict)

    standing: tuple[Standing, ...] = ()
    """After the phase, by seat."""

    @property
    def empty(self) -> bool:
        """True where nothing is left to tell."""
        return not self.groups and not self.rolls

    @property
    def fights(self) -> tuple[Fight, ...]:
        """The battles, each with its events."""
        told = [sentence for group, all_ in self.groups if group in BATTLE_GROUPS for sentence in all_]
        return tuple(
            Fight(
                at,
                tuple(sentence for sentence in told if at in sentence.hexes),
                tuple(roll for roll in self.rolls if at in roll.label.split("/")),
                self.places.get(at, at),
            )
            for at in self.battles
        )

    def besides(self, fights: Sequence[Fight]) -> PhaseReport:
        """The same phase without what these :attr:`fights` tell."""
        in_fights = {id(shown) for fight in fights for shown in (*fight.sentences, *fight.rolls)}
        left = [
            (group, tuple(sentence for sentence in told if id(sentence) not in in_fights))
            for group, told in self.groups
        ]
        rolls = tuple(roll for roll in self.rolls if id(roll) not in in_fights)
        return replace(self, groups=tuple((group, told) for group, told in left if told), rolls=rolls)


@dataclass(frozen=True, slots=True)
class Background:
    """The data needed to report phases."""

    names: Mapping[str, str]
    """Of all that was seen after them, and before the first of them."""
    state: State | None
    """The position after the last of them, or None."""

    @property
    def standing(self) -> tuple[Standing, ...]:
        """Everyone's standing then."""
        if self.state is None:
            return ()
        hexes = held(self.state)
        return tuple(
            Standing(player.id, player.vp, hexes[player.id], player.eliminated)
            for player in self.state.players.values()
        )


def phase_report(
    info: PhaseInfo, events: Sequence[Event], known: Background, language: str, wanted: Filter, viewer: str
) -> PhaseReport:
    """Return a phase told."""
    by_group: dict[str, list[Sentence]] = {group: [] for group in GROUPS}
    rolls, battles = [], []
    books: dict[str, list[tuple[Sentence, int]]] = {player: [] for player in known.state.players} if known.state else {}
    for event in events:
        told = sentence(event, known.names, language, viewer)
        if not wanted.wants(event, told):
            continue
        if event.type == "dice":
            label = str(event.fields["label"])
            rolls.append(Roll(label, roll(label, known.names, language), tuple(event.fields["faces"])))
            continue
        by_group[GROUP_OF.get(event.type, "campaign")].append(told)
        for player in books:
            mine = player in event.to if viewer == GM else player == viewer
            if mine and known.state and (amount := ledger_amount(event, player, known.state)):
                books[player].append((told, amount))
        if event.type == "battle_fought":
            battles.append(str(event.fields["hex"]))
    return PhaseReport(
        info,
        tuple((group, tuple(told)) for group, told in by_group.items() if told),
        tuple(rolls),
        tuple(Ledger(player if viewer == GM else "", tuple(lines)) for player, lines in books.items() if lines),
        tuple(battles),
        {at: known.names.get(f"hex/{at}", at) for at in battles},
    )


def background(
    page: PageContext, campaign: CampaignInfo, numbers: Iterable[int], branch: int | None, as_: str | None
) -> Background:
    """Return what is needed to tell some phases."""
    wanted = sorted(numbers)
    before = [max(0, wanted[0] - 1)] if wanted else []
    views = history.views(page.ctx, page.actor, campaign.id, {*before, *wanted}, branch=branch, as_=as_)
    states = [view.state for view in views]
    found = names_in(player_names(campaign), states, page.t.language) if states else {}
    if states:
        found |= ruleset_names(states[-1].ruleset, page.t.language)
    return Background(found, states[-1] if states else None)


def map_part(board: Board, label: str, radius: float = 2.2) -> MapPart | None:
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
    return MapPart(label, f"{left:.0f},{top:.0f},{wide:.0f},{high:.0f}")


EARNED = {"income": "total", "building_disbanded": "bp", "spoils": "bp", "convoy_formed": "bp"}
SPENT = {"maintenance": "bp", "building_built": "bp", "detachment_ordered": "bp", "garrison_built": "bp",
         "units_added": "bp", "models_bought": "bp", "repaired": "bp", "defence_built": "bp",
         "convoys_lost": "bp"}  # fmt: skip
"""Events that say how many BP were earned or spent, and where they say it."""


def ledger_amount(event: Event, player: str, state: State) -> int:
    """Return the BP an event that a player knows of brought them, negative for what it cost; 0 where BP changed places.

    *state* is any position of the campaign: prices do not change.
    """
    fields = event.fields
    if event.type in EARNED:
        return int(fields[EARNED[event.type]])
    if event.type == "detachment_ready":
        return -int(fields.get("bp", 0))
    if event.type == "convoy_captured":
        return int(fields["bp"]) if fields["by"] == player else -int(fields["bp"])
    if event.type == "raided":
        return -int(fields["bp"]) if fields["by"] != player else 0
    if event.type in _WORKS:
        return -_WORKS[event.type](event, state) if fields.get("by", player) == player else 0
    return -int(fields[SPENT[event.type]]) if event.type in SPENT else 0


def _urban(event: Event, state: State) -> int:
    return next(size.cost for size in state.ruleset.urban if size.id == event.fields["size"])


def _stronghold(event: Event, state: State) -> int:
    """1.4, D-71: some factions pay a part of the price, rounded up."""
    cost = next(type_.cost for type_ in state.ruleset.strongholds if type_.id == event.fields["stronghold"])
    return -(-cost * state.faction(event.fields["by"]).stronghold_percent // 100)


def _road(_event: Event, state: State) -> int:
    """D-39: paid whether it succeeds or not."""
    return state.ruleset.road_cost


_WORKS: Mapping[str, Callable[[Event, State], int]] = {
    "urban_built": _urban, "urban_upgraded": _urban, "stronghold_built": _stronghold,
    "stronghold_upgraded": _stronghold, "road_built": _road, "road_failed": _road,
}  # fmt: skip
"""Public events, or events without a sum: their prices stand in the ruleset."""
