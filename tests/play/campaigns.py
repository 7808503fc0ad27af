"""Campaigns for tests: players who join, order like computer players, and declare final."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.orm import Session

from server.bots import commander
from server.play import access
from server.play.background import Background
from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import Actor, AppContext
from server.play.orders import orders
from server.play.records.records import open_phase, view_at
from server.rules.sight import View
from server.store.tables import OrderSet
from tests.play.conftest import person
from tests.stages import staged


class Later(Background):
    """Leaves what is due to who asks for it."""

    def soon(self, key: str, work: Callable[[], object]) -> None:
        """Do nothing."""


@dataclass(slots=True)
class Club:
    """A campaign and its people."""

    ctx: AppContext
    gm: Actor
    players: dict[str, Actor] = field(default_factory=dict)
    """By seat."""
    id: str = ""

    @property
    def info(self) -> CampaignInfo:
        return campaigns.get(self.ctx, self.gm, self.id)

    def resolved_by_hand(self) -> Club:
        """Return it with nothing resolved by itself."""
        return Club(replace(self.ctx, background=Later()), self.gm, self.players, self.id)

    def view(self, seat: str) -> View:
        with self.ctx.database.read() as session:
            return self._view(session, access.load(session, self.players[seat], self.id), seat)

    def _view(self, session: Session, may: access.Access, seat: str) -> View:
        now_open = open_phase(session, may.campaign)
        assert now_open is not None
        return view_at(self.ctx, session, may.campaign, now_open.record, seat)

    def order(self, seat: str, *, final: bool = True, salt: str | None = None) -> None:
        self._order(seat, self.view(seat), final=final, salt=salt)

    def _order(self, seat: str, view: View, *, final: bool = True, salt: str | None = None) -> None:
        chosen = commander.choose(view)
        orders.replace(self.ctx, self.players[seat], self.id, chosen, final=final, salt=salt, lenient=True)

    def play_phase(self) -> None:
        """Have everybody who lives order and declare final."""
        before: int | None = None
        for seat, actor in self.players.items():
            with self.ctx.database.read() as session:
                may = access.load(session, actor, self.id)
                now = may.campaign
                if now.status != "running" or before not in (None, now.phase_number):
                    return
                before = now.phase_number
                row = session.get(OrderSet, (self.id, now.branch, now.phase_number, seat))
                if row is None or not row.wanted:
                    continue
                view = self._view(session, may, seat)
            self._order(seat, view)


def club(
    ctx: AppContext, *, options: Mapping[str, Any] | None = None, rules: Mapping[str, Any] | None = None,
    begin: bool = True, phases: int = 0,
) -> Club:  # fmt: skip
    """Make a campaign of four on the classic map, and play so many phases."""

    def prepare() -> tuple[Actor, dict[str, Actor], str]:
        if phases:
            played = club(ctx, options=options, rules=rules, phases=phases - 1)
            played.play_phase()
            return played.gm, played.players, played.id
        new = NewCampaign("The Long March", "four-corners", options=options or {}, rules=rules or {})
        made = gathered(ctx, "Gwen", new, ("Ada", "Bob", "Cyd", "Dan"), first=1, begin=begin)
        return made.gm, made.players, made.id

    gm, players, id_ = staged(ctx, ("The Long March", repr(options), repr(rules), begin, phases), prepare)
    return Club(ctx, gm, dict(players), id_)


def gathered(
    ctx: AppContext, gm: str, new: NewCampaign, names: Sequence[str], *, first: int = 0, begin: bool = True
) -> Club:
    """Make a campaign with somebody of a name at each seat; their factions follow each other from the *first* on."""
    made = Club(ctx, person(ctx, gm))
    made.id = campaigns.create(ctx, made.gm, new).id
    for place, (name, faction) in enumerate(zip(names, factions(ctx, made)[first:], strict=False), 1):
        seat = f"p{place}"
        made.players[seat] = person(ctx, name)
        seats.join(ctx, made.players[seat], made.id, faction=faction, seat=seat)
    if begin:
        campaign_start.start(ctx, made.gm, made.id)
    return made


def factions(ctx: AppContext, made: Club) -> list[str]:
    from server import rulesets

    return list(rulesets.load(made.info.ruleset).factions)
