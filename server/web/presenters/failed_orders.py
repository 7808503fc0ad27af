"""The viewer's orders that failed in a phase, each with its reason: moves, claims, attacks, supports, builds, convoys.

An order is judged by its player's own events and refusals, so nothing here can say more than
those. Every kind of order that can fail has a reason of last resort: no failed order is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core.events import Event
from server.play.views.history import PastPhase
from server.render.naming import force_name
from server.rules.sight import View
from server.web.presenters.order_sentences import sentence
from server.web.presenters.reader import Reader

MARCHES = ("path", "move_and_claim", "reserve")
ASSAULTS = ("attack", "raid")
_GONE = {"target": "target_unseen", "detachment": "gone_before", "convoy": "gone_before"}
"""Reasons where an order names what its player does not know any more, by field."""
_CLAIMS = ("claim_failed", "claim_negated")


@dataclass(frozen=True, slots=True)
class Failure:
    """An order that failed."""

    index: int
    """Its place in the set; -1 for a refusal that belongs to no order."""
    order: str
    """The order as a sentence; empty if no order is meant."""
    why: tuple[str, ...]
    """Reasons, never none."""
    hexes: tuple[str, ...]
    """Where; the first is the one to look at."""
    stopped: tuple[str, str] | None = None
    """Of a march that was stopped: where it is, and where it was to go."""
    who: str = ""
    """The force or convoy it is about, by id."""


@dataclass(slots=True)
class _Judge:
    """Finds the failures of one set of orders."""

    before: View
    past: PastPhase
    reader: Reader
    orders: Sequence[Any]
    used: dict[int, Event] = field(default_factory=dict)
    """Events that a failure has told, by identity."""
    _by_type: dict[str, list[int]] = field(default_factory=dict)
    """The places of the viewer's events by their type."""
    _by_value: dict[tuple[str, str], dict[str, list[int]]] = field(default_factory=dict)
    """The same by type and a field, for each of its values; made when a field is first needed."""

    def __post_init__(self) -> None:
        for place, event in enumerate(self.past.events):
            self._by_type.setdefault(event.type, []).append(place)

    def told(self, *types: str, **fields: str) -> list[Event]:
        """Return the viewer's events about a thing, in their order; *fields* has one at most."""
        found: list[int] = []
        for type_ in types:
            found += self._places(type_, *next(iter(fields.items()))) if fields else self._by_type.get(type_, [])
        return [self.past.events[place] for place in sorted(found)]

    def use(self, events: Iterable[Event]) -> None:
        """Note events that a failure tells."""
        self.used.update((id(event), event) for event in events)

    def _places(self, type_: str, name: str, value: str) -> list[int]:
        by_value = self._by_value.get((type_, name))
        if by_value is None:
            by_value = self._by_value[type_, name] = {}
            for place in self._by_type.get(type_, []):
                by_value.setdefault(str(self.past.events[place].fields.get(name)), []).append(place)
        return by_value.get(value, [])

    def why(self, key: str, **filled: Any) -> str:
        return self.reader.text(f"why.{key}", **filled)

    def event_why(self, events: Sequence[Event]) -> str:
        """Return the reason that an event names, in words."""
        self.use(events)
        return self.reason(str(events[0].fields["reason"]))

    def reason(self, code: str) -> str:
        """Return the reason of an event as a sentence."""
        return self.reader.t.name("results.reason", code)

    def failures(self) -> Iterator[Failure]:
        refused: dict[int, list[str]] = {}
        for problem in self.past.problems.get(self.reader.viewer, []):
            index = problem.get("order")
            refused.setdefault(index if isinstance(index, int) else -1, []).append(self.refusal(problem))
        for index, order in enumerate(self.orders):
            if not isinstance(order, Mapping):
                continue
            if index in refused:
                yield self.failure(index, order, refused.pop(index))
            else:
                yield from self.of(index, order)
        for why in refused.values():
            yield Failure(-1, "", tuple(why), ())

    def refusal(self, problem: Mapping[str, Any]) -> str:
        """Return why an order was refused; what its player can no longer see is not called by its id."""
        if problem.get("code") == "unknown_id" and problem.get("field") in _GONE:
            return self.why(_GONE[problem["field"]])
        return self.reader.t.translate(str(problem.get("message", "")), self.reader.known)

    def failure(self, index: int, order: Mapping[str, Any], why: Sequence[str], *hexes: str, **more: Any) -> Failure:
        said = sentence(self.reader.t, order, self.before.state, self.reader.names)
        named = [str(order[name]) for name in ("at", "urban", "battle") if isinstance(order.get(name), str)]
        places = hexes or tuple(hex_ for hex_ in named if self.before.state.board.find(hex_) is not None)
        force = next((id_ for id_ in (order.get("detachment"), order.get("convoy")) if isinstance(id_, str)), "")
        return Failure(index, said, tuple(why), places or self.stands(force), who=force, **more)

    def stands(self, id_: str) -> tuple[str, ...]:
        """Return where a force or convoy of the viewer's is, or was."""
        for state in (self.past.view.state, self.before.state):
            thing = state.force(id_) or state.convoys.get(id_)
            if thing is not None and thing.at >= 0:
                return (state.board.label(thing.at),)
        return ()

    def of(self, index: int, order: Mapping[str, Any]) -> Iterator[Failure]:
        """Yield the failures of an order that was accepted."""
        type_, force = str(order.get("type", "")), str(order.get("detachment") or order.get("convoy") or "")
        if undone := [event for event in self.told("no_effect") if event.fields["order"] == index]:
            self.use(undone)
            yield self.failure(index, order, [self.why("no_effect")])
        elif cancelled := self.told("order_cancelled", force=force):
            self.use(cancelled)
            yield self.failure(index, order, [self.why("cancelled")])
        elif type_ in MARCHES:
            yield from self.march(index, order, force)
        elif type_ in ASSAULTS:
            yield from self.assault(index, order, force)
        elif type_ == "claim_area":
            yield from self.claims(index, order, self.around(force))
        else:
            yield from self.others(index, order, force)

    def others(self, index: int, order: Mapping[str, Any], force: str) -> Iterator[Failure]:
        """Yield the failures of orders that one event says all of."""
        type_ = order.get("type")
        if type_ == "follow" and (stopped := self.told("blocked", force=force)):
            yield self.failure(index, order, [self.why_blocked(stopped[0])])
        elif type_ == "recover" and (disturbed := self.told("recovery_disturbed", force=force)):
            self.use(disturbed)
            yield self.failure(index, order, [self.why("disturbed")])
        elif type_ == "support" and not self.told("supports", force=force):
            yield self.failure(index, order, [self.why("gone" if self.lost(force) else "no_battle")])
        elif type_ == "build_road":
            ends = {str(order.get("from")), str(order.get("to"))}
            roads = self.told("road_failed")
            if failed := [road for road in roads if {str(road.fields["from"]), str(road.fields["to"])} == ends]:
                self.use(failed)
                yield self.failure(index, order, [self.why("road")])

    def lost(self, id_: str) -> bool:
        state = self.past.view.state
        return state.force(id_) is None and id_ not in state.convoys

    # --- marches ---

    def march(self, index: int, order: Mapping[str, Any], force: str) -> Iterator[Failure]:
        path = list(map(str, order.get("path") or ()))
        goal = path[-1] if path else ""
        if not goal:
            return
        moved, stops = self.told("moved", force=force), self.told("blocked", force=force)
        start = next(iter(self.label_before(force)), "")
        at = str(moved[-1].fields["path"][-1]) if moved else start
        arrived: list[Event] = []
        if convoy := order.get("convoy"):
            arrived = self.told("convoy_unloaded", convoy=str(convoy))
            at = str(arrived[0].fields["hex"]) if arrived else at
            if order.get("unload") and at == goal and not arrived:
                yield self.failure(index, order, [self.why("not_unloaded")], goal)
                return
        if at != goal or not (moved or arrived):  # a way that leads back is not gone by staying
            ahead = path[path.index(at) + 1] if at in path[:-1] else path[0]
            why = self.why_blocked(stops[0], ahead) if stops else self.why_stopped(moved, force)
            hexes = tuple(dict.fromkeys([*([at] if at else []), goal]))
            stopped = (at, goal) if at not in ("", goal) else None
            yield self.failure(index, order, [why], *hexes, stopped=stopped)
        if order.get("type") == "move_and_claim":
            entered = [hex_ for event in moved for hex_ in event.fields["path"]]
            yield from self.claims(index, order, list(dict.fromkeys(map(str, entered))))

    def label_before(self, id_: str) -> tuple[str, ...]:
        state = self.before.state
        thing = state.force(id_) or state.convoys.get(id_)
        return (state.board.label(thing.at),) if thing is not None else ()

    def why_blocked(self, event: Event, ahead: str = "") -> str:
        """Return what blocked a way; whoever is seen in the hex *ahead* is named, and whether they came first."""
        self.use([event])
        state, then = self.past.view.state, self.before.state
        at = state.board.find(ahead)
        there = [force for force in state.detachments.values() if at is not None and force.at == at]
        enemies = [force for force in there if not state.friendly(self.reader.viewer, force.owner)]
        if event.fields["contact"] and enemies:
            force, before = enemies[0], then.force(enemies[0].id)
            key = "stop.stood" if before is not None and before.at == at else "stop.first"
            who = self.reader.player(force.owner)[0].text
            return self.reader.text(key, force=force_name(force, self.reader.t.language), who=who)
        return self.reader.text("stop.contact" if event.fields["contact"] else "stop.blocked")

    def why_stopped(self, moved: Sequence[Event], force: str) -> str:
        if destroyed := self.told("destroyed", force=force):
            self.use(destroyed)
            return self.why("gone")
        stop = str(moved[-1].fields["stop"]) if moved else ""
        key = f"stop.{stop}" if stop and self.reader.t.has(f"results.stop.{stop}") else "why.stayed"
        return self.reader.text(key)

    # --- claims ---

    def around(self, force: str) -> list[str]:
        """Return the hexes that a force which stays claims."""
        state = self.before.state
        thing = state.force(force)
        if thing is None or thing.at < 0:
            return []
        return [state.board.label(hex_) for hex_ in state.board.within(thing.at, 1)]

    def claims(self, index: int, order: Mapping[str, Any], hexes: Sequence[str]) -> Iterator[Failure]:
        """Yield the claims that failed, those of one reason together."""
        by_reason: dict[str, list[str]] = {}
        for hex_ in hexes:
            for event in self.told(*_CLAIMS, hex=hex_):
                if id(event) not in self.used:
                    self.use([event])
                    reason = "negated" if event.type == "claim_negated" else str(event.fields["reason"])
                    by_reason.setdefault(reason, []).append(hex_)
        named = [hex_ for some in by_reason.values() for hex_ in some]
        for hex_ in hexes:
            if hex_ not in named and self.unclaimed(hex_):
                by_reason.setdefault("enemy_near", []).append(hex_)
        for reason, some in by_reason.items():
            places = list(dict.fromkeys(some))
            said = self.reason("negated" if reason == "contested" else reason)
            why = self.reader.text("claims_failed", hexes=self.reader.hexes(places), reason=said)
            yield self.failure(index, order, [why], *places)

    def unclaimed(self, hex_: str) -> bool:
        """True where land could have been claimed, was not, and no event says why: as before D-48."""
        state = self.past.view.state
        at = state.board.find(hex_)
        if at is None or not state.ruleset.terrain[state.board.terrain[at]].land:
            return False
        return not state.owner[at] or not state.friendly(self.reader.viewer, state.owner[at])

    # --- battle orders ---

    def assault(self, index: int, order: Mapping[str, Any], force: str) -> Iterator[Failure]:
        if failed := self.told("attack_failed", force=force):
            yield self.failure(index, order, [self.event_why(failed)])
            return
        opened = [event for event in self.told("battle") if str(event.fields.get("attacker")) == force]
        joined, moved = self.told("supports", force=force), self.told("moved", force=force)
        if opened or joined or moved:
            return
        target = self.hex_of(order.get("target"))
        if any(
            event.fields["hex"] == target for event in self.told("raided", "convoy_captured", by=self.reader.viewer)
        ):
            return
        if self.lost(force):
            yield self.failure(index, order, [self.why("gone")])
            return
        drawn = [event for event in self.told("battle") if str(event.fields.get("defender")) == force]
        yield self.failure(index, order, [self.why("drawn" if drawn else "unseen")])

    def hex_of(self, target: Any) -> str:
        state = self.before.state
        force = state.force(str(target)) or state.convoys.get(str(target))
        return state.board.label(force.at) if force is not None and force.at >= 0 else str(target)


def failed_orders(before: View, past: PastPhase, reader: Reader) -> tuple[list[Failure], list[Event]]:
    """Return the viewer's orders that failed in a phase, and the events that this tells.

    *before* is the view ahead of the phase.
    """
    given = past.orders.get(reader.viewer, [])
    orders = given.get("orders", []) if isinstance(given, Mapping) else given
    judge = _Judge(before, past, reader, orders)
    return list(judge.failures()), list(judge.used.values())
