"""How computer players read the map: what is near, what is worth having, who is strong where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from server.rules.board import Hex
from server.rules.state import Detachment, State

FAR = 10_000


@dataclass(slots=True)
class Ground:
    """One player's reading of their view."""

    state: State
    me: str
    _steps: dict[Hex, dict[Hex, int]] = field(default_factory=dict)

    def land(self, hex_: Hex) -> bool:
        """True where somebody can stand for good."""
        return self.state.ruleset.terrain[self.state.board.terrain[hex_]].land

    def hostile(self, owner: str) -> bool:
        """True for an enemy; nobody is none."""
        return bool(owner) and not self.state.friendly(self.me, owner)

    def mine(self) -> list[Detachment]:
        """Return the ready detachments on the map, strongest first."""
        own = [each for each in self.state.detachment_at.values() if each.owner == self.me]
        return sorted(own, key=lambda force: (-self.state.ready_points(force), force.id))

    def enemies_at(self, hex_: Hex) -> int:
        """Return the ready points of known enemies in a hex."""
        return sum(self.state.ready_points(force) for force in self.state.forces_at(hex_) if self.hostile(force.owner))

    def capitals(self) -> list[Hex]:
        """Return the enemies' capitals; everybody knows where they are."""
        return sorted(at for at, urban in self.state.urban.items() if self.hostile(urban.capital))

    def steps_to(self, goal: Hex) -> dict[Hex, int]:
        """Return the steps over land from every hex to *goal*."""
        if goal not in self._steps:
            steps = {goal: 0}
            queue = deque([goal])
            while queue:
                here = queue.popleft()
                for near in self.state.board.adjacent[here]:
                    if near not in steps and self.land(near):
                        steps[near] = steps[here] + 1
                        queue.append(near)
            self._steps[goal] = steps
        return self._steps[goal]

    def nearest(self, start: Hex, goals: Iterable[Hex]) -> Hex | None:
        """Return the goal with the fewest steps, the lowest of equals."""
        return min(goals, key=lambda goal: (self.steps_to(goal).get(start, FAR), goal), default=None)

    def worth(self, hex_: Hex) -> int:
        """Return how much claiming a hex is worth."""
        owner = self.state.owner[hex_]
        if not self.land(hex_) or self.state.friendly(self.me, owner) if owner else not self.land(hex_):
            return 0
        worth = 2 if owner else 1
        if hex_ in self.state.resource:
            worth += 8
        urban = self.state.urban.get(hex_)
        if urban is not None:
            worth += 50 if urban.capital else 6
        return worth
