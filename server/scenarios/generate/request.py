"""A request to the generator, and whether it is possible at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from server.rules.board import MAX_SIDE
from server.rules.ruleset import Ruleset
from server.scenarios.fairness import prices
from server.scenarios.fields import is_text
from server.scenarios.generate.symmetry import TURNS
from server.scenarios.problems import MapError, Notebook
from server.scenarios.reader import good_id
from server.scenarios.scenario import MAX_PLAYERS, Conditions

SHARES = {"forest": 18.0, "hills": 14.0, "sea": 10.0, "jungle": 4.0, "mountains": 8.0, "swamp": 5.0}
"""Percent of the map each terrain covers where nothing else is asked; the rest is the easiest land."""
MIN_SIDE, MAX_SEA = 7, 70.0
MAX_HEXES = 40_000


@dataclass(frozen=True, slots=True)
class Request:
    """A map to be made."""

    columns: int
    rows: int
    players: int
    seed: str = "1"
    shares: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))
    """Percent of the map for each terrain."""
    turns: int = 1
    """The map looks the same so many times in a full turn; 1: organic."""
    radius: int | None = None
    """Of the start areas; None: what there is room for."""
    conditions: Conditions = field(default_factory=Conditions)
    id: str = "generated"
    title: str = "A New World"


def best_turns(players: int) -> int:
    """Return the strongest symmetry for a number of players: 6, 3 or 2, or 1 for none."""
    return next(turns for turns in sorted(TURNS, reverse=True) if players % turns == 0)


def base_terrain(ruleset: Ruleset) -> str:
    """Return the land that is left where nothing else grows: the easiest to walk."""
    costs = {name: cost for name, cost in prices(ruleset).items() if cost}
    return min(costs, key=lambda name: (costs[name], name))


def water(ruleset: Ruleset) -> str:
    """Return the terrain that is not land, or empty."""
    return next((name for name, terrain in ruleset.terrain.items() if not terrain.land), "")


def check(request: Request, ruleset: Ruleset) -> None:
    """Raise :class:`MapError` with all that is wrong with a request."""
    notes = Notebook()
    for where, side in (("columns", request.columns), ("rows", request.rows)):
        if not MIN_SIDE <= side <= MAX_SIDE:
            notes.error("bad_size", where, f"must be {MIN_SIDE} to {MAX_SIDE}, not {side}")
    if request.columns * request.rows > MAX_HEXES:
        notes.error("bad_size", "size", f"the generator makes maps of up to {MAX_HEXES} hexes")
    if not 1 <= request.players <= MAX_PLAYERS:
        notes.error("players", "players", f"must be 1 to {MAX_PLAYERS}, not {request.players}")
    if request.turns not in TURNS or request.players % request.turns:
        message = f"{request.players} players cannot sit the same way {request.turns} times in a full turn"
        notes.error("symmetry", "symmetry", message)
    if request.radius is not None and not 2 <= request.radius <= 20:
        notes.error("bad_value", "radius", f"must be 2 to 20, not {request.radius}")
    if not good_id(request.id):
        notes.error("bad_value", "id", f"{request.id!r} is no name: small letters, digits and hyphens only")
    if not (is_text(request.title, 80) and request.title.strip()):
        notes.error("bad_value", "title", "must be one line of at most 80 characters")
    if not (is_text(request.seed, 60) and request.seed):
        notes.error("bad_value", "seed", "must be one line of at most 60 characters")
    _check_shares(request.shares, ruleset, notes)
    if notes.failed:
        raise MapError(notes.problems)


def _check_shares(shares: Mapping[str, float], ruleset: Ruleset, notes: Notebook) -> None:
    walkable = prices(ruleset)
    for name, percent in shares.items():
        where = f"shares.{name}"
        if name not in ruleset.terrain:
            notes.error("unknown_terrain", where, f"the ruleset has no such terrain: {', '.join(ruleset.terrain)}")
        elif not (0 <= percent <= 100):
            notes.error("bad_value", where, f"must be 0 to 100 percent, not {percent:g}")
        elif ruleset.terrain[name].land and not walkable[name] and percent:
            notes.error("bad_value", where, "infantry cannot enter it, so parts of the map could not be reached")
        elif not ruleset.terrain[name].land and percent > MAX_SEA:
            notes.error("bad_value", where, f"at most {MAX_SEA:g} percent, or there is no land to fight for")
    if sum(shares.values()) > 100:
        notes.error("bad_value", "shares", f"come to {sum(shares.values()):g} percent, more than 100")
