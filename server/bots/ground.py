"""How computer players read the map: what is near, what is worth having, who is strong where."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from server.bots.lot import SeededTiebreak
from server.rules.board import ORBIT, Hex
from server.rules.movement import Mover, mover, reachable
from server.rules.state import Detachment, Force, Id, PlayerId, State

FAR = 10_000
PATROL_POINTS = 300
"""Detachments up to this many points claim land while there is any near; stronger ones seek the enemy."""
LONGEST = 12
"""Turns ahead for which an income counts at most."""
VP_WORTH = 80
"""BP that a victory point is worth."""


@dataclass(slots=True)
class Ground:
    """One player's reading of their view."""

    state: State
    me: PlayerId
    lot: SeededTiebreak
    ghosts: dict[Hex, int] = field(default_factory=dict)
    """Ready points of enemies who were seen a short while ago and are out of sight now."""
    hemmed: dict[Id, int] = field(default_factory=dict)
    """For how many turns in a row enemies, seen or not, were in each own force's way."""
    worn: Mapping[Id, int] = field(default_factory=dict)
    """Since which turn each own detachment without ready points has had none."""
    invests: bool = False
    """Makes a second seat from the start (:mod:`server.bots.seats`)."""
    thrift: bool = True
    """Makes other seats of BP that would lie idle."""
    hides: bool = False
    """Keeps weak detachments out of the reach of a single enemy (:attr:`hiding`)."""
    _fields: dict[tuple[Hex, ...], dict[Hex, int]] = field(default_factory=dict)
    _worth: dict[Hex, int] = field(default_factory=dict)
    _mine: list[Detachment] | None = None
    _enemies: dict[Hex, int] | None = None
    _reached: dict[Hex, int] | None = None

    # --- time ---

    @property
    def horizon(self) -> int:
        """Return for how many turns something built now will pay."""
        limit = self.state.settings.turn_limit
        return max(0, min(LONGEST, limit - self.state.turn)) if limit else LONGEST

    # --- who ---

    def land(self, hex_: Hex) -> bool:
        """True where someone can stand for good."""
        return self.state.ruleset.terrain[self.state.board.terrain[hex_]].land

    def hostile(self, owner: PlayerId) -> bool:
        """True for an enemy; nobody is none."""
        return bool(owner) and not self.state.friendly(self.me, owner)

    def mine(self) -> list[Detachment]:
        """Return the ready detachments on the map, strongest first."""
        if self._mine is None:
            own = [force for force in self.state.detachment_at.values() if force.owner == self.me]
            self._mine = sorted(own, key=lambda force: (-self.points(force), self.lot.rank(force.id)))
        return self._mine

    def in_orbit(self) -> list[Detachment]:
        """Return the own detachments that wait in orbit."""
        own = [
            force
            for force in self.state.detachments.values()
            if force.owner == self.me and force.at == ORBIT and not force.ready_in
        ]
        return sorted(own, key=lambda force: self.lot.rank(force.id))

    def points(self, force: Force) -> int:
        """Return the ready points of a force."""
        return self.state.ready_points(force)

    def hostile_forces(self, hex_: Hex) -> list[Force]:
        """Return the known enemies in a hex, the detachment first."""
        return [force for force in self.state.forces_at(hex_) if self.hostile(force.owner)]

    def enemies_at(self, hex_: Hex) -> int:
        """Return the ready points of known enemies in a hex."""
        return sum(self.points(force) for force in self.hostile_forces(hex_))

    def enemies(self) -> dict[Hex, int]:
        """Return the ready points of enemies by hex: those in sight, and those who were a short while ago."""
        if self._enemies is None:
            found = dict(self.ghosts)
            for at in (*self.state.detachment_at, *self.state.garrison_at):
                points = self.enemies_at(at)
                if points:
                    found[at] = points
            self._enemies = found
        return self._enemies

    def strength_near(self, hex_: Hex, radius: int) -> int:
        """Return the ready points of enemies within *radius* hexes."""
        distance = self.state.board.distance
        return sum(points for at, points in self.enemies().items() if distance(at, hex_) <= radius)

    def reached(self) -> dict[Hex, int]:
        """Return where enemies in sight can attack after they have moved, with the ready points of the strongest."""
        if self._reached is None:
            self._reached = {}
            for at, force in self.state.detachment_at.items():
                if not self.hostile(force.owner) or not self.state.fit(force):
                    continue
                who, points = self.mover(force), self.points(force)
                found = reachable(self.state, who, at, who.mv)
                for end in (at, *(hex_ for hex_, (spent, _) in found.items() if spent <= who.mv)):
                    for near in self.state.board.adjacent[end]:
                        self._reached[near] = max(points, self._reached.get(near, 0))
        return self._reached

    @property
    def hiding(self) -> bool:
        """True where weak detachments hide: with more than one enemy to hide from they would take no land."""
        return self.hides and sum(not player.eliminated for player in self.state.players.values()) == 2

    def is_exposed(self, force: Detachment, at: Hex) -> bool:
        """Say whether a weak detachment would be in reach of a stronger enemy in a hex."""
        mine = self.points(force)
        return mine <= PATROL_POINTS and self.reached().get(at, 0) > mine

    def capitals(self) -> list[Hex]:
        """Return the enemies' capitals; everyone knows where they are."""
        found = (at for at, urban in self.state.urban.items() if self.hostile(urban.capital))
        return sorted(found, key=self.lot.rank)

    # --- ways ---

    def mover(self, force: Detachment) -> Mover:
        """Return what a detachment is able to do."""
        return mover(self.state, force)

    def steps_to(self, *goals: Hex) -> dict[Hex, int]:
        """Return the MV that infantry spends from every hex to the nearest of the goals."""
        key = tuple(sorted(goals))
        if key not in self._fields:
            self._fields[key] = self._spread(key)
        return self._fields[key]

    def _spread(self, goals: Iterable[Hex]) -> dict[Hex, int]:
        terrain, adjacent = self.state.board.terrain, self.state.board.adjacent
        grounds = self.state.ruleset.terrain
        costs = {id_: terrain.cost if terrain.land else 0 for id_, terrain in grounds.items()}
        best = dict.fromkeys(goals, 0)
        queue = [(0, goal) for goal in best]
        while queue:
            spent, here = heapq.heappop(queue)
            if spent > best[here]:
                continue
            total = spent + costs[terrain[here]]  # leaving towards the goal means entering this hex
            for near in adjacent[here]:
                if costs[terrain[near]] and total < best.get(near, FAR):
                    best[near] = total
                    heapq.heappush(queue, (total, near))
        return best

    def nearest(self, start: Hex, goals: Iterable[Hex]) -> Hex | None:
        """Return the goal with the cheapest way over land."""
        return min(goals, key=lambda goal: (self.steps_to(goal).get(start, FAR), self.lot.rank(goal)), default=None)

    def way(self, found: dict[Hex, tuple[int, Hex]], goal: Hex) -> list[Hex]:
        """Return the path to a hex out of what :func:`server.rules.movement.reachable` found."""
        way = []
        here = goal
        while here in found:
            way.append(here)
            here = found[here][1]
        way.reverse()
        return way

    # --- worth ---

    def worth(self, hex_: Hex) -> int:
        """Return how many BP claiming a hex is worth."""
        if hex_ not in self._worth:
            self._worth[hex_] = self._appraise(hex_)
        return self._worth[hex_]

    def _appraise(self, hex_: Hex) -> int:
        state, rules = self.state, self.state.ruleset
        owner = state.owner[hex_]
        if not self.land(hex_) or (owner and state.friendly(self.me, owner)) or state.in_truce(self.me, hex_):
            return 0
        turns = self.horizon
        worth = rules.hex_income * turns
        if hex_ in state.resource:
            worth += next(size.income for size in rules.resources if size.id == state.resource[hex_]) * turns
        urban = state.urban.get(hex_)
        if urban is not None:
            worth += rules.urban[rules.urban_level(urban.size) - 1].income * turns
            worth += rules.capital_vp * VP_WORTH if urban.capital else 0
        if not state.discovered[hex_]:
            worth += self._finds(turns)
        return worth + (worth // 2 if owner else 0) + 1

    def _finds(self, turns: int) -> int:
        """Return what lies in an undiscovered hex, on average (3.6.1)."""
        if -1 not in self._worth:
            rules, total = self.state.ruleset, 0
            sizes = {size.id: size.income for size in rules.resources}
            for find in rules.discovery:
                what, _, value = find.partition(":")
                if what == "resource":
                    total += turns * (sizes[value] if value else sum(sizes.values()) // len(sizes))
                else:
                    plain = {"urban": turns * 25, "stronghold": 30, "vp": VP_WORTH}
                    total += plain.get(what, rules.cache_bp * 7 // 2)
            self._worth[-1] = total * max(0, 7 - rules.discovery_on) // (6 * max(1, len(rules.discovery)))
        return self._worth[-1]
