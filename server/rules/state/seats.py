"""The seats and the options of a campaign."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.rules.state.names import Id, PlayerId
from server.rules.versions import NEWEST


@dataclass(slots=True)
class Player:
    """A seat of the campaign."""

    id: PlayerId
    faction: str
    strategy: int
    vp: int = 0
    eliminated: bool = False
    allies: tuple[PlayerId, ...] = ()
    """Players they have declared an alliance with, as in force this turn, sorted."""
    declared: tuple[PlayerId, ...] = ()
    """The same as it will be from the next Build phase on (D-04)."""
    serial: int = 0
    """How many ids were made for them."""
    start_urban: tuple[str, ...] = ()
    """Sizes of urban hexes still to be placed in Setup (D-12)."""
    start_resource: tuple[str, ...] = ()
    """Sizes of resource hexes still to be placed in Setup (D-12)."""
    met: dict[Id, None] = field(default_factory=dict)
    """Ids of other players' forces they have ever seen (D-07)."""

    def copy(self) -> Player:
        """Return a copy of its own."""
        return Player(
            self.id,
            self.faction,
            self.strategy,
            self.vp,
            self.eliminated,
            self.allies,
            self.declared,
            self.serial,
            self.start_urban,
            self.start_resource,
            dict(self.met),
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """What a campaign chose (D-04, D-08, D-13, D-14, D-33, D-60, D-73)."""

    alliances: bool = True
    shared_sight: bool = False
    capital_eliminates: bool = False
    """D-14: a claimed capital puts its owner out instead of ending the campaign."""
    victory_points: int = 0
    """0: not a victory condition here; likewise the three below."""
    territory: int = 0
    """Percent of land hexes."""
    turn_limit: int = 0
    last_standing: bool = False
    muster: bool = True
    battles: str = "choice"
    """``choice``, ``quick`` or ``tabletop`` (D-60)."""
    fleet: bool = False
    """Battle Fleet track (D-73)."""
    start_bp: int | None = None
    """BP in each capital at the start; None: the ruleset's. Likewise the two below."""
    start_urban_count: int | None = None
    start_resource_count: int | None = None
    least_prices: bool = True
    """Models and detachments cost at least what the ruleset says, and special types ask for their units (D-35f)."""
    truce: int = 0
    """Until that turn nobody attacks, raids or claims settlements and strongholds of others (R-39); 0: no truce."""
    named_ids: bool = False
    """Ids given in orders are used as they are (rule cases only)."""
    readings: int = NEWEST.version
    """The campaign's rules version (:mod:`server.rules.versions`)."""
    next_readings: int = 0
    """The version it takes when its next turn begins; 0: it stays."""


def proposed(players: int) -> Settings:
    """Return the proposed settings of a new campaign by its number of players (D-13): it ends while it is exciting.

    25 VP a player and a turn limit; from three players on 60 % of the land; from four on a truce until turn 3 (R-39).
    """
    territory, truce = (60 if players >= 3 else 0), (3 if players >= 4 else 0)
    return Settings(turn_limit=20, victory_points=25 * players, territory=territory, truce=truce)
