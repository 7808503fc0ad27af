"""Alliances of a computer player: offered, accepted, kept and broken, each for a reason (D-04).

Everything follows from the player's view and its attackers; nothing is drawn. So a report at the end finds the
same reasons again. An alliance never takes the last enemy: someone is left to fight.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from server.bots.diplomacy_action import ACCEPTED, BROKEN, DECLINED, KEPT, OFFERED, DiplomacyAction
from server.bots.lot import SeededTiebreak
from server.bots.temper import temper_of
from server.rules.sight import View
from server.rules.state import Player, PlayerId, State

RECENT = 2
"""Turns for which an attack is a reason to look for help."""
REST = 4
"""Turns without a new offer to a player after an alliance or an offer with them ended."""


@dataclass(frozen=True, slots=True)
class DiplomacyStyle:
    """How a temper deals with others; see ``data/diplomacy.toml``."""

    ahead: int
    forgives: int
    peaceful: bool
    breaks: int
    patience: int
    min_leader_vp: int


@dataclass(frozen=True, slots=True)
class Relations:
    """What a computer player remembers of the others."""

    struck: Mapping[PlayerId, int] = field(default_factory=dict)
    """The last turn in which each has attacked."""
    since: Mapping[PlayerId, int] = field(default_factory=dict)
    """The turn since which the player's own declaration to each stands."""
    ended: Mapping[PlayerId, int] = field(default_factory=dict)
    """The last turn in which it has ended an alliance or an offer with each."""
    plans: tuple[DiplomacyAction, ...] = ()
    """What it does in this turn."""

    def attacked(self, by: Iterable[PlayerId], turn: int) -> Relations:
        """Return them after attacks in a turn."""
        return replace(self, struck={**self.struck, **dict.fromkeys(by, turn)})

    def carried_out(self, view: View) -> tuple[DiplomacyAction, ...]:
        """Return which of the turn's plans have come to pass, as the player's declarations show."""
        declared = view.state.players[view.viewer].declared
        stands = {OFFERED: True, ACCEPTED: True, KEPT: True, BROKEN: False}
        return tuple(
            act for act in self.plans if act.kind not in stands or (act.toward in declared) is stands[act.kind]
        )

    def for_turn(self, view: View) -> Relations:
        """Return them as a turn begins, with the plans for it."""
        turn, declared = view.state.turn, view.state.players[view.viewer].declared
        since = {other: self.since.get(other, turn) for other in declared}
        planned = plans(view, replace(self, since=since))
        ended = {act.toward: turn for act in planned if act.kind == BROKEN}
        return replace(self, since=since, ended={**self.ended, **ended}, plans=planned)


def plans(view: View, relations: Relations) -> tuple[DiplomacyAction, ...]:
    """Return what a player does about alliances in the turn that starts; nothing if alliances are excluded."""
    state, me = view.state, view.state.players[view.viewer]
    if not state.settings.alliances or me.eliminated:
        return ()
    table = _Table(state, me, relations, _style_of(temper_of(me.faction).name))
    done = [*table.own()]
    if not any(act.kind in (KEPT, OFFERED) for act in done) and not table.waits(done):
        done += table.answers() or table.offers()
    else:
        done += [replace(act, kind=DECLINED, reason="taken") for act in table.answers() if act.kind == ACCEPTED]
    return tuple(done)


def orders(acts: Iterable[DiplomacyAction]) -> list[dict[str, Any]]:
    """Return the orders of a turn's acts."""
    types = {OFFERED: "declare_alliance", ACCEPTED: "declare_alliance", BROKEN: "end_alliance"}
    return [{"type": types[act.kind], "with": act.toward} for act in acts if act.kind in types]


@dataclass(frozen=True, slots=True)
class _Table:
    """The players as one of them sees them when a turn begins."""

    state: State
    me: Player
    relations: Relations
    style: DiplomacyStyle

    def own(self) -> Iterable[DiplomacyAction]:
        """Yield the changes to the player's own declarations."""
        for other in self.me.declared:
            allied = self.state.friendly(self.me.id, other)
            why = self._why_break(other, allied)
            if why:
                yield self._act(BROKEN, other, why)
            elif allied:
                yield self._act(KEPT, other, *(self._need(other) or ("word", "")))

    def waits(self, done: Iterable[DiplomacyAction]) -> bool:
        """Say whether an offer of its own is still open."""
        broken = {act.toward for act in done if act.kind == BROKEN}
        return any(other not in broken for other in self.me.declared)

    def answers(self) -> list[DiplomacyAction]:
        """Return the answer to everyone who offers an alliance; at most one is accepted."""
        asking = [other for other in self._strangers() if self.me.id in other.declared]
        found: list[DiplomacyAction] = []
        for other in sorted(asking, key=lambda player: self._rank(player.id)):
            no = self._why_not(other.id)
            need = self._need(other.id) or (("peace", "") if self.style.peaceful else None)
            taken = any(act.kind == ACCEPTED for act in found)
            if no or need is None or taken:
                found.append(self._act(DECLINED, other.id, no or ("taken" if taken else "no_need")))
            else:
                found.append(self._act(ACCEPTED, other.id, *need))
        return found

    def offers(self) -> list[DiplomacyAction]:
        """Return an offer to another victim of the same player, or none."""
        for other in sorted(self._strangers(), key=lambda player: self._rank(player.id)):
            need = self._need(other.id)
            rests = self.state.turn - self.relations.ended.get(other.id, -REST) < REST
            if need is not None and not rests and not self._why_not(other.id):
                return [self._act(OFFERED, other.id, *need)]
        return []

    # --- reasons ---

    def _why_break(self, other: PlayerId, allied: bool) -> str:
        if self.state.players[other].eliminated:
            return "gone"
        if self._struck(other, RECENT):
            return "betrayed"
        if not self._enough_left(other):
            return "last"
        if self._leads(other, self.style.breaks):
            return "ally_leads"
        waited = self.state.turn - self.relations.since.get(other, self.state.turn)
        return "unanswered" if not allied and waited >= self.style.patience else ""

    def _why_not(self, other: PlayerId) -> str:
        if self._struck(other, self.style.forgives):
            return "attacked_me"
        if not self._enough_left(other):
            return "last"
        return "ally_leads" if self._leads(other, self.style.breaks) else ""

    def _need(self, beside: PlayerId) -> tuple[str, PlayerId] | None:
        """Return the reason to seek an ally and the enemy, or None."""
        enemies = [other for other in self._others() if other.id != beside]
        struck = [other for other in enemies if self._struck(other.id, RECENT)]
        if struck:
            return "attacked", max(struck, key=lambda player: (player.vp, self._rank(player.id))).id
        ahead = [other for other in enemies if self._leads(other.id, self.style.ahead)]
        return ("leader", max(ahead, key=lambda player: (player.vp, self._rank(player.id))).id) if ahead else None

    def _others(self) -> list[Player]:
        return [player for player in self.state.living() if not self.state.friendly(self.me.id, player.id)]

    def _strangers(self) -> list[Player]:
        """Return the players without a declaration to or from this one."""
        return [player for player in self._others() if player.id not in self.me.declared]

    def _enough_left(self, ally: PlayerId) -> bool:
        """Say whether, with an ally, there are as many left to fight as there are allies, or more."""
        mine = {*self.state.friends(self.me.id), *self.state.friends(ally)}
        living = [player.id for player in self.state.living()]
        inside = sum(player in mine for player in living)
        return 2 * inside <= len(living) + 1 and inside < len(living)

    def _struck(self, other: PlayerId, turns: int) -> bool:
        last = self.relations.struck.get(other)
        return last is not None and self.state.turn - last <= turns

    def _leads(self, other: PlayerId, percent: int) -> bool:
        vp = self.state.players[other].vp
        return bool(percent) and vp >= self.style.min_leader_vp and 100 * vp >= percent * max(1, self.me.vp)

    def _rank(self, player: PlayerId) -> int:
        return SeededTiebreak.of(b"", self.me.id, self.state.turn).rank(player)

    def _act(self, kind: str, toward: PlayerId, reason: str, third: PlayerId = "") -> DiplomacyAction:
        return DiplomacyAction(self.state.turn, kind, toward, reason, third)


@cache
def _style_of(temper: str) -> DiplomacyStyle:
    data = tomllib.loads(files("server.bots.data").joinpath("diplomacy.toml").read_text("utf-8"))
    return DiplomacyStyle(**data[temper], min_leader_vp=data["min_leader_vp"])
