"""Which open phases want orders: one campaign's, or those of all campaigns one sits in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sealed_orders._following import Follower
from sealed_orders._plans import Emit, Flow, Plan
from sealed_orders.errors import Forbidden, NotFound, PhaseOver
from sealed_orders.records import CampaignInfo, Event, OrderSet

_MAY_NEED_ORDERS = frozenset(
    {"state", "campaign_started", "phase_opened", "resumed", "intervention", "rolled_back", "seat_changed", "finished"}
)
"""Events after which there may be something to order, or the end."""
_PHASE_CHANGED = frozenset({"resumed", "intervention", "rolled_back"})
"""Events after which a phase already handed out must be read again."""


@dataclass(slots=True)
class TurnWatcher:
    """Looks for phases that want orders and hands each out once."""

    info: Callable[[str], Plan[CampaignInfo]]
    orders: Callable[[str], Plan[OrderSet]]
    stir: Callable[[str], Plan[None]] | None = None
    """Sends the salts of the open phase, where you keep them; None: the server does."""
    accept: Callable[[], Plan[None]] | None = None
    """Answers the invitations of the account; None: they stay open."""
    _handed_out: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By campaign: branch and number of the phase."""

    def of_campaign(self, campaign_id: str, follower: Follower) -> Flow[OrderSet]:
        """Hand out one campaign's phases, until it is over."""
        while True:
            event = yield from follower.next()
            if event.kind in _MAY_NEED_ORDERS:
                yield from self._handle(campaign_id, event.kind)
                if (yield from self.info(campaign_id)).over:
                    return

    def of_account(self, follower: Follower) -> Flow[OrderSet]:
        """Hand out the phases of all campaigns, without end."""
        while True:
            event = yield from follower.next()
            if self.accept is not None and event.kind in ("state", "invited"):
                yield from self.accept()
            if event.kind in _MAY_NEED_ORDERS:
                for campaign in _campaigns(event):
                    yield from self._handle(campaign, event.kind)

    def _handle(self, campaign_id: str, kind: str) -> Flow[OrderSet]:
        if kind in _PHASE_CHANGED:
            self._handed_out.pop(campaign_id, None)
        try:
            info = yield from self.info(campaign_id)
            if info.status != "running" or not info.your_seats:
                return
            if self.stir is not None:
                yield from self.stir(campaign_id)
            orders = yield from self.orders(campaign_id)
        except (PhaseOver, NotFound, Forbidden):  # it went on, or one is out of it
            return
        phase = (orders.branch, orders.number)
        if orders.wanted and not orders.final and self._handed_out.get(campaign_id) != phase:
            self._handed_out[campaign_id] = phase
            yield Emit(orders)


def _campaigns(event: Event) -> list[str]:
    if event.kind != "state":
        campaign_id: Any = event.data.get("campaign_id")
        return [campaign_id] if isinstance(campaign_id, str) else []
    return [str(campaign["id"]) for campaign in event.data["campaigns"] if campaign["status"] == "running"]
