"""The last phase as arrows: movements, attacks, support, retreats, as far as the viewer knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.core.events import Event
from server.render import taper
from server.render.drawing import DATA
from server.render.geometry import Layout
from server.render.taper import Point
from server.rules.board import ORBIT, Hex
from server.rules.sight import View
from server.rules.state import PlayerId

DRAWN = ("moved", "blocked", "withdrew", "retreated", "supports", "battle", "attack_failed", "battle_fought")
"""Events that are drawn."""
DROPPED = (-30.0, -64.0)
"""From where something comes that comes from orbit."""


class LastPhase:
    """Arrows of the events of a view."""

    def __init__(self, view: View, layout: Layout, seats: dict[PlayerId, int]) -> None:
        self.view, self.state, self.layout, self.seats = view, view.state, layout, seats
        self.blocked = {str(event.fields["force"]) for event in view.events if event.type == "blocked"}
        self.fought: dict[Hex, None] = {}

    def arrows(self) -> str:
        """Return the arrows, in the order in which things happened."""
        drawn: list[str] = []
        for event in self.view.events:
            drawn += self._event(event)
        return "".join(drawn)

    def marks(self) -> Iterator[Point]:
        """Yield where battles are: between the hex and where its attacker came from."""
        hexes = dict.fromkeys(self.state.battles)
        for event in self.view.events:
            if event.type == "battle_fought" and (hex_ := self._hex(event.fields["hex"])) is not None:
                hexes[hex_] = None
        for hex_ in hexes:
            battle = self.state.battles.get(hex_)
            x, y = self.layout.centres[hex_]
            if battle is None or battle.origin == ORBIT:
                dx, dy = DATA["places"]["fought"]
                yield x + dx, y + dy
            else:
                ox, oy = self.layout.centres[battle.origin]
                yield (x + ox) / 2, (y + oy) / 2

    def _hex(self, label: Any) -> Hex | None:
        return self.state.board.find(str(label))

    def _event(self, event: Event) -> Iterator[str]:
        fields = event.fields
        if event.type == "moved":
            yield self._march(fields, [fields["start"], *fields["path"]])
        elif event.type in ("withdrew", "retreated"):
            yield self._retreat(fields)
        elif event.type == "supports":
            yield self._support(fields)
        elif event.type == "battle":
            battle = self.state.battles.get(self._hex(fields["hex"]) or 0)
            yield self._strike(fields["attacker"], fields["hex"], battle.origin if battle else None)
        elif event.type == "attack_failed" and fields.get("hex"):
            yield self._strike(fields["force"], fields["hex"], None, failed=True)
        elif event.type == "blocked" and not self._moved(str(fields["force"])):
            yield self._stuck(fields)

    def _moved(self, force: str) -> bool:
        return any(event.type == "moved" and event.fields["force"] == force for event in self.view.events)

    def _owner(self, force: str) -> PlayerId | None:
        thing = self.state.force(force) or self.state.convoys.get(force)
        return thing.owner if thing is not None else None

    def _group(self, force: str, kind: str, inner: str) -> str:
        """Return an arrow in the colours of whose it is; of something that is gone by now in those of nobody."""
        owner = self._owner(force)
        ours = f" s{self.seats[owner] + 1}" if owner in self.seats else " s0"
        return f'<g class="happened {kind}{ours}" data-force="{force}">{inner}</g>' if inner else ""

    def _style(self, force: str, war: bool = False) -> str:
        foe = self.view.viewer in self.seats and self._owner(force) != self.view.viewer
        return f"arrow{' foe-arrow' if foe else ''}{' arrow-war' if war and not foe else ''}"

    def _centres(self, labels: Sequence[Any]) -> list[Point]:
        return [self.layout.centres[hex_] for label in labels if (hex_ := self._hex(label)) is not None]

    def _march(self, fields: Mapping[str, Any], labels: Sequence[Any]) -> str:
        force, places = str(fields["force"]), self._centres(labels)
        if labels and labels[0] == "orbit" and places:
            places = [(places[0][0] + DROPPED[0], places[0][1] + DROPPED[1]), *places]
        if len(places) < 2:
            return ""
        bounced = force in self.blocked or fields.get("stop") == "blocked"
        way = taper.way(places, stop=26 if bounced else taper.STOP)
        path = taper.tapered(way, *DATA["lines"]["arrow"])
        cross = _cross(way[-1]) if bounced else ""
        return self._group(
            force, "bounced" if bounced else "march", f'<path class="{self._style(force)}" d="{path}"/>{cross}'
        )

    def _strike(self, force: str, label: Any, origin: Hex | None, *, failed: bool = False) -> str:
        target, attacker = self._hex(label), self.state.force(str(force))
        start = origin if origin is not None else attacker.at if attacker is not None else None
        if target is None or start is None or start == target:
            return ""
        x, y = self.layout.centres[target]
        first = (x + DROPPED[0], y + DROPPED[1]) if start == ORBIT else self.layout.centres[start]
        way = taper.way([first, (x, y)], start=26, stop=40 if failed else 24)
        path = taper.tapered(way, *DATA["lines"]["attack"])
        cross = _cross(way[-1]) if failed else ""
        return self._group(str(force), "attack", f'<path class="{self._style(str(force), True)}" d="{path}"/>{cross}')

    def _support(self, fields: Mapping[str, Any]) -> str:
        helper, target = self.state.force(str(fields["force"])), self._hex(fields["hex"])
        if helper is None or target is None or helper.at in (ORBIT, target):
            return ""
        way = taper.way([self.layout.centres[helper.at], self.layout.centres[target]], start=22, stop=30)
        path, (x, y) = taper.line(way), way[-1]
        inner = f'<path class="aid-back" d="{path}"/><path class="aid" d="{path}"/>'
        return self._group(
            str(fields["force"]), "support", f'{inner}<circle class="aid-ring" cx="{x:.1f}" cy="{y:.1f}" r="4.6"/>'
        )

    def _retreat(self, fields: Mapping[str, Any]) -> str:
        places = self._centres([fields["start"], fields["hex"]])
        if len(places) < 2:
            return ""
        way = taper.way(places, start=24, stop=28)
        path, (x, y), (bx, by) = taper.line(way), way[-1], way[-2]
        far = ((x - bx) ** 2 + (y - by) ** 2) ** 0.5 or 1.0
        ux, uy = (x - bx) / far * 9, (y - by) / far * 9
        head = taper.written([(x - ux - uy, y - uy + ux), (x, y), (x - ux + uy, y - uy - ux)])
        inner = (
            f'<path class="back-back" d="{path}"/><path class="back" d="{path}"/><path class="back-head" d="M{head}"/>'
        )
        return self._group(str(fields["force"]), "retreat", inner)

    def _stuck(self, fields: Mapping[str, Any]) -> str:
        places = self._centres([fields["hex"]])
        return (
            self._group(str(fields["force"]), "bounced", _cross((places[0][0] + 22, places[0][1] + 4)))
            if places
            else ""
        )


def _cross(at: Point) -> str:
    return f'<use href="#stopped" x="{at[0]:.1f}" y="{at[1]:.1f}"/>'
