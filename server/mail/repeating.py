"""What mails say of orders that a seat repeats."""

from __future__ import annotations

from functools import partial
from typing import Any

from server.mail.answering import written
from server.mail.briefing import Briefing
from server.mail.letters import Part
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.context import Actor, AppContext
from server.play.orders import repeated_orders
from server.render.places import named


def repeated(ctx: AppContext, actor: Actor, campaign: CampaignInfo, player: str) -> tuple[Any, ...]:
    """Return the orders that a player repeats in phases like the open one."""
    return repeated_orders.in_phase(ctx, actor, campaign.id, campaign.phase or "", seat=player)


def left_out(ctx: AppContext, actor: Actor, campaign: CampaignInfo, known: Briefing) -> list[Part]:
    """Return which repeated orders were not possible in the open phase, each with its reason; *known* is its brief."""
    rows = repeated_orders.listed(ctx, actor, campaign.id, seat=known.player)
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
