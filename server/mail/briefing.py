"""The rest of a report after its events: new sightings, forces, stockpiles, the map, orders to fill in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from server.core.events import Event
from server.mail.answering import written
from server.mail.letters import Part
from server.mail.translations import Translations
from server.play.background import ProcessLost
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import Actor, AppContext
from server.play.notices.posting import Unsendable
from server.play.orders import orders_in_advance
from server.render.naming import Named, distinct_names, named
from server.render.png import small_png
from server.render.sheets import Sheets, sheets
from server.render.story import summarize
from server.render.translations import Translations as RulesetNames
from server.render.translations import ruleset_names
from server.rules.options import instances, legal_orders
from server.rules.orders.base import Option
from server.rules.sight import View
from server.rules.state import Detachment, Garrison, PlayerId, State

LARGEST_PICTURE = 200_000
"""Bytes of a map in a mail."""
WIDTHS = (640, 480, 320, 200)
_MAX_LINES = 60


def map_picture(ctx: AppContext, view: View) -> bytes:
    """Return the map as a PNG small enough for a mail; empty where it cannot be made that small.

    The store's key is the drawing itself, so nobody sees more than their own drawing shows.
    Another process, if there is one, makes the pixels: that takes some tenths of a second in which no request here
    would be answered. :class:`~server.play.notices.posting.Unsendable` where that process ends before its work.
    """
    drawn = sheets(view)
    return ctx.caches.pictures.get(sha256(repr(drawn).encode()).digest(), partial(_made, ctx, drawn))


def _made(ctx: AppContext, drawn: Sheets) -> bytes:
    if not ctx.background.processes:
        return small_png(drawn, LARGEST_PICTURE, WIDTHS)
    try:
        return ctx.background.in_process(small_png, drawn, LARGEST_PICTURE, WIDTHS)
    except ProcessLost as error:
        raise Unsendable("the map was not made") from error


_UNITS_TO_FILL_IN = {
    "build_detachment": 'raise "Iron Guard" at {at}: hq Captain 80; 2 x troops Squad 10 models 100',
    "build_garrison": "raise garrison at {at}: 2 x troops Militia 10 models 60",
    "add_units": "add units at {at}: troops Militia 10 models 60",
}
"""Examples of orders whose units are the player's to think of."""
_DESTRUCTIVE = frozenset({"disband_building", "disband_detachment", "end_alliance"})
_IDLE = frozenset({"guard", "inactive"})


@dataclass(frozen=True, slots=True)
class Briefing:
    """A position as one player knows it."""

    view: View
    player: PlayerId
    names: Mapping[PlayerId, str]
    t: Translations

    @property
    def _state(self) -> State:
        return self.view.state

    def forces(self) -> tuple[Part, ...]:
        """Return your own forces and stores."""
        own = [force for force in self._all_forces() if force.owner == self.player]
        stores = [
            f"{self._state.board.label(at)}: {bp} BP"
            for at, bp in sorted(self._state.store.items(), key=lambda store: self._state.board.label(store[0]))
            if self._state.owner[at] == self.player
        ]
        parts = []
        if own:
            parts.append(Part(self.t("brief.forces"), tuple(self._line(force) for force in own[:_MAX_LINES])))
        if stores:
            parts.append(Part(self.t("brief.stores"), tuple(stores[:_MAX_LINES])))
        return tuple(parts)

    def sighted(self, before: View | None) -> tuple[Part, ...]:
        """Return the forces of others that you see and did not see before."""
        known = {force.id for force in _forces(before.state)} if before is not None else set()
        new = [force for force in self._all_forces() if force.owner != self.player and force.id not in known]
        if not new:
            return ()
        return (Part(self.t("brief.sighted"), tuple(self._line(force) for force in new[:_MAX_LINES])),)

    def summary(self, past: Sequence[Event]) -> tuple[str, ...]:
        """Return what battles rolled and who won, as the pages tell it."""
        names = self._names() | dict(self.names)
        events = [event for event in past if event.type in ("battle_fought", "dice")]
        return tuple(summarize(events, names, self.t.language, self.player))[:_MAX_LINES]

    def map_text(self) -> tuple[Part, ...]:
        """Return the map as text: every hex with a force one knows of, by its number; nothing if there is none."""
        board = self._state.board
        by_hex: dict[int, list[str]] = {}
        for force in self._all_forces():
            if force.at >= 0:
                by_hex.setdefault(force.at, []).append(
                    f"{self._name(force)} ({self.names.get(force.owner, force.owner)})"
                )
        names, terrain = RulesetNames(self.t.language), self._state.ruleset.terrain
        lines = [
            f"{board.label(at)}  {names.called(terrain[board.terrain[at]].name)}: {', '.join(found)}"
            for at, found in sorted(by_hex.items(), key=lambda standing: board.label(standing[0]))
        ]
        return (Part(self.t("brief.map"), code="\n".join(lines[:_MAX_LINES])),) if lines else ()

    def template(self, orders: str) -> Part:
        """Return lines to be filled in: what is ordered so far, and your forces as comments."""
        lines = [orders] if orders else []
        lines += [
            f"# {self._name(force)}: {self._state.board.label(force.at)}"
            for force in self._all_forces()
            if force.owner == self.player and isinstance(force, Detachment) and force.at >= 0
        ][:_MAX_LINES]
        return Part(self.t("brief.template"), code="\n".join(lines) or self.t("brief.no_orders"))

    def examples(self) -> tuple[Part, ...]:
        """Return an order of each kind that the player may give now, as it is written: what does most comes first.

        Orders that destroy something are left out.
        """
        found: dict[str, str] = {}
        for option in sorted(legal_orders(self.view), key=lambda option: option["order"]["type"] in _IDLE):
            type_ = option["order"]["type"]
            if type_ not in found and type_ not in _DESTRUCTIVE:
                found[type_] = self._example(option)
        lines = [line for line in found.values() if line]
        return (Part(self.t("brief.examples"), code="\n".join(lines)),) if lines else ()

    def _example(self, option: Option) -> str:
        if (order := next(instances(option), None)) is None:
            shape = _UNITS_TO_FILL_IN.get(option["order"]["type"], "")
            at = option["order"].get("at") or next(iter(option.get("choices", {}).get("at", ())), "")
            return shape.format(at=at) if at else ""
        shown = {name: value for name, value in order.items() if value is not False}
        return written.write([shown], self.view, self.names).rstrip()

    def _all_forces(self) -> list[Detachment | Garrison]:
        return _forces(self._state)

    def _name(self, force: Detachment | Garrison) -> str:
        return force.name if isinstance(force, Detachment) else self.t("happened.garrison")

    def _line(self, force: Detachment | Garrison) -> str:
        at = self._state.board.label(force.at) if force.at >= 0 else self.t("brief.orbit")
        owner = "" if force.owner == self.player else f" ({self.names.get(force.owner, force.owner)})"
        units = _units([unit.name for unit in force.units])
        return f"{self._name(force)}{owner}: {at}" + (f" - {units}" if units else "")

    def _names(self) -> dict[str, str]:
        forces = self._all_forces()
        found = ruleset_names(self._state.ruleset, self.t.language)
        found |= distinct_names((Named(force.id, self._name(force), force.owner) for force in forces), self.names)
        return found | {unit.id: unit.name for force in forces for unit in force.units}


def _forces(state: State) -> list[Detachment | Garrison]:
    """Return all forces: detachments by name as people count (2 before 10), then garrisons by hex."""
    detachments = sorted(state.detachments.values(), key=lambda force: (_counted(force.name), force.owner))
    return [*detachments, *sorted(state.garrisons.values(), key=lambda force: state.board.label(force.at))]


def _counted(name: str) -> list[tuple[str, int]]:
    return [(word, int(digits or 0)) for word, digits in re.findall(r"(\D*)(\d{0,9})", name.casefold())]


def _units(names: Sequence[str]) -> str:
    """Return units with equal ones counted: ``Leader, 6 x Squad``."""
    counts = Counter(names)
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items())


def repeated(ctx: AppContext, actor: Actor, campaign: CampaignInfo, player: str) -> tuple[Any, ...]:
    """Return the orders that a player repeats in phases like the open one."""
    return orders_in_advance.repeated_in(ctx, actor, campaign.id, campaign.phase or "", seat=player)


def left_out(ctx: AppContext, actor: Actor, campaign: CampaignInfo, known: Briefing) -> list[Part]:
    """Return which repeated orders were not possible in the open phase, each with its reason; *known* is its brief."""
    rows = orders_in_advance.listed_repeated(ctx, actor, campaign.id, seat=known.player)
    left = [order for row in rows for order in row.left_out if order["number"] == campaign.phase_number]
    if not left:
        return []
    called = partial(named, known.view.state.board, known.names)
    lines = [
        known.t(
            "phase_opened.repeat_ended" if order["ended"] else "phase_opened.repeat_skipped",
            order=written.write([order["order"]], known.view, known.names).partition("\n")[0],
            why=ctx.translate(known.t.language, order["problem"]["message"], called),
        )
        for order in left
    ]
    return [Part(known.t("phase_opened.left_out"), tuple(lines))]
